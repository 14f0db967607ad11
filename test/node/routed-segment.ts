// A VNI with an l3 and an l2 Subnet whose addresses a group announces, and a route as BGP brings it to another node.
import type { Segment } from '../../core/node/wanted.ts'

export const vni = 5001
export const table = 0x4d_00_00_01
export const [l3, l2] = ['10.0.0.0/24', '10.0.1.0/24']
export const segment = {
  subnets: [
    { cidr: l3, gateway: '10.0.0.1' },
    { cidr: l2, gateway: '10.0.1.1' },
  ],
  l3: [l3],
  router: {
    number: 60_001,
    blocks: [
      { cidr: l3, table, hostRoutes: true },
      { cidr: l2, table, hostRoutes: false },
    ],
    ways: [],
  },
} satisfies Partial<Segment>

/** For `ip`. @param to an address or a block, of any family */
export const routeByBgp = (to: string, via: string): readonly string[] => [
  ...['route', 'add', to, 'via', via, 'table', String(table), 'proto', 'bird', 'metric', '32'],
]
