// VRFs of the gateway: tenants name them, the operator offers them and takes that back, and somebody else works at the router. Drawn for
// cases of Fabrics alone (fabric-case.ts).
import { happeningKind, type HappeningKind } from '../happening.ts'

interface Named {
  readonly namespace: string
  readonly name: string
}
const tenants = ['a', 'b'] as const
const services = ['s1', 's2'] as const
const [router, uplink] = ['tor1', 'up'] as const

const nameVrf = happeningKind<Named & { readonly vrf?: string }>({
  name: 'name-vrf',
  fault: false,
  weight: 12,
  draw: (dice) => ({
    namespace: dice.mostly(tenants),
    name: dice.mostly(services),
    ...(dice.chance(0.8) && { vrf: dice.pick(['blue', 'red', 'green']) }),
  }),
  run({ namespace, name, vrf }, { outside }) {
    outside.spawn('name-vrf', () =>
      outside.edit({ kind: 'L2Service', namespace, name }, `provider:${namespace}`, ({ spec: { vrf: _, ...spec }, ...item }) => ({
        ...item,
        spec: { ...spec, ...(vrf !== undefined && { physicalNW: ['physnet'], vrf }) },
      })),
    )
  },
})

/** Blue is never b's, and green never a's. */
const offers = { blue: [['a'], ['c']], red: [['a'], ['b'], ['a', 'b']], green: [['b'], ['c']] } as const

const offerVrf = happeningKind<{ readonly vrf: string; readonly namespaces: readonly string[] }>({
  name: 'offer-vrf',
  fault: false,
  weight: 4,
  draw(dice) {
    const vrf = dice.pick(Object.keys(offers) as (keyof typeof offers)[])
    return { vrf, namespaces: dice.pick<readonly string[]>(offers[vrf]) }
  },
  run({ vrf, namespaces }, { outside, site: { truth } }) {
    outside.write('admin', () => {
      const there = truth.at('Fabric', 'dc')!
      const gateways = there.spec.gateways!.map((gateway) => ({
        ...gateway,
        router: {
          ...gateway.router!,
          vrfs: gateway.router!.vrfs.map((each) => (each.name === vrf ? { ...each, namespaces: [...namespaces] } : each)),
        },
      }))
      truth.commit([{ do: 'update', item: { ...there, spec: { ...there.spec, gateways } } }], 'admin')
    })
  },
})

/** Takes VLANs of ours out of their VRFs, or their subinterfaces away, or puts them into a VRF of his. */
const editRouter = happeningKind<{ readonly does: 'take out' | 'delete' | 'move' }>({
  name: 'edit-router',
  fault: true,
  weight: 4,
  draw: (dice) => ({ does: dice.pick(['take out', 'delete', 'move'] as const) }),
  run({ does }, { switches }) {
    switches.edit(router, uplink, ({ routed = new Map(), ...port }) => ({
      ...port,
      routed:
        does === 'delete'
          ? new Map()
          : new Map([...routed].map(([vlan, { of }]) => [vlan, { of, vrf: does === 'move' ? 'his' : undefined }])),
    }))
  },
})

export const vrfKinds: readonly HappeningKind[] = [nameVrf, offerVrf, editRouter]
