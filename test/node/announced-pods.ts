// Pods of an l3 Subnet on two nodes, each announced to the other as BGP does it.
import type { Endpoint, Segment, SegmentRouter } from '../../core/node/wanted.ts'
import { endpointPiece } from '../../core/pieces/endpoint.ts'
import { until } from '../setup/until.ts'
import { ipOn, type L3Nodes } from './l3-nodes.ts'
import { addPod, hostIP, want, type Node, type Pod } from './linux-nodes.ts'
import { routeByBgp, table, vni } from './routed-segment.ts'

const [four, six] = ['10.0.0.0/24', '2001:db8:a0::/64']
export const segment: Pick<Segment, 'subnets' | 'router' | 'l3'> & { readonly router: SegmentRouter } = {
  subnets: [
    { cidr: four, gateway: '10.0.0.1' },
    { cidr: six, gateway: '2001:db8:a0::1' },
  ],
  l3: [four, six],
  router: {
    number: 60_001,
    blocks: [four, six].map((cidr) => ({ cidr, table, hostRoutes: true })),
    ways: ['198.51.100.0/24', '2001:db8:ff::/64'].map((to) => ({ to, table })),
  },
}

/** What a pod's node says to others by BGP, put there by hand. */
export async function tellByBgp({ port, node: { n } }: Pod, other: Node): Promise<void> {
  for (const address of port.addresses) {
    const [via, length] = address.includes(':') ? [`2001:db8:bb::${n}`, 128] : [hostIP(n), 32]
    await ipOn(other, ...routeByBgp(`${address}/${length}`, via))
  }
}

/** That, and what its lock says of its address. */
async function announce(pod: Pod, other: Node): Promise<void> {
  await tellByBgp(pod, other)
  const {
    port,
    node: { n },
  } = pod
  for (const address of port.addresses) {
    const endpoint: Endpoint = { vni, address, mac: port.mac, hostIP: hostIP(n) }
    await want(other, `endpoint ${address}`, other.plane.renderer.render(endpointPiece, endpoint, { segment }))
  }
}

/** Nodes reach each other in both families. */
export async function inBothFamilies({ nodes }: L3Nodes): Promise<void> {
  for (const { n, space } of nodes) {
    await space.namespace.ip('addr', 'add', `2001:db8:bb::${n}/64`, 'dev', 'under', 'nodad')
    // Neighbours are asked from an address that nobody else has: until that is known, nobody answers.
    await until(
      async () => !(await space.namespace.ip('-6', 'addr', 'show', 'dev', 'under')).stdout.includes('tentative'),
      'an address that nobody else has',
    )
  }
}

export async function twoPods(lab: L3Nodes): Promise<readonly [Pod, Pod, Pod]> {
  const {
    spaces,
    nodes: [one, two],
  } = lab
  await inBothFamilies(lab)
  const pods = [
    await addPod(spaces, one, { vni, host: 10, segment }),
    await addPod(spaces, one, { vni, host: 11, segment }),
    await addPod(spaces, two, { vni, host: 12, segment }),
  ] as const
  await announce(pods[0], two)
  await announce(pods[1], two)
  await announce(pods[2], one)
  return pods
}
