// VRFs of routers: in the end each has the VLANs of the L2Services that name it, where it is offered to their namespaces, and no other of
// ours; and at no time is a VLAN put into one that was never offered to its namespace.
import { keyOfItem, type Resource } from '../../../core/kinds/index.ts'
import type { GatewayRouter } from '../../../core/kinds/l2/fabric.ts'
import { tokenOf } from '../../../core/plan/l2/fabric.ts'
import { domainNameOf } from '../../../core/plan/l2/service.ts'
import { perKind, type Invariant } from '../invariant.ts'
import type { Truth } from '../truth.ts'
import type { Switches } from '../world/switches.ts'

type Domain = Resource<'L2BridgeDomain'>
type Fail = (what: string) => void

export const vrfs: Invariant = {
  name: 'vrfs',
  begin({ site: { truth }, switches }, fail) {
    /** `VRF namespace` of all that has ever been offered. */
    const offered = new Set<string>()
    const namespaces = new Map<string, string>()
    switches.onJoined(({ address, port, vlan, of, vrf, by }) => {
      const namespace = namespaces.get(of) ?? ''
      if (!offered.has(`${vrf} ${namespace}`))
        fail(`${by} put VLAN ${vlan} of namespace ${namespace} into VRF ${vrf} at ${address}/${port}, which was never offered to it`)
    })
    return {
      landed: perKind({
        Fabric(_, after) {
          for (const { router } of after === undefined ? [] : routersOf(after))
            for (const { name, namespaces: to } of router.vrfs) for (const each of to) offered.add(`${name} ${each}`)
        },
        L2BridgeDomain(_, after) {
          if (after !== undefined) namespaces.set(tokenOf(after), after.spec.holder.namespace ?? '')
        },
      }),
      atRest() {
        for (const fabric of truth.values('Fabric'))
          if (fabric.spec.dryRun !== true)
            for (const { network, router, address } of routersOf(fabric)) isExact({ network, router, address }, { truth, switches }, fail)
        for (const service of truth.values('L2Service')) isToldTruly(service, { truth, switches }, fail)
      },
    }
  },
}

interface Router {
  readonly network: string
  readonly router: GatewayRouter
  readonly address: string
}
interface RoutedWorld {
  readonly truth: Truth
  readonly switches: Switches
}

const routersOf = ({ spec }: Resource<'Fabric'>): readonly Router[] =>
  (spec.gateways ?? []).flatMap(({ physicalNetwork: network, router }) => {
    const address = spec.switches.find(({ name }) => name === router?.switch)?.address
    return router === undefined || address === undefined ? [] : [{ network, router, address }]
  })

/** `VLAN VRF` of one L2BridgeDomain at a router. */
function wantedAt({ spec, metadata }: Domain, { network, router }: Router): readonly string[] {
  const isOffered = router.vrfs.some(({ name, namespaces }) => name === spec.vrf && namespaces.includes(spec.holder.namespace ?? ''))
  if (metadata.deletionTimestamp !== undefined || !isOffered || spec.physicalNW?.includes(network) !== true) return []
  return [spec.vlan, ...(spec.draining ?? []).flatMap(({ vlan, close }) => (close === true ? [] : [vlan]))].map(
    (vlan) => `${vlan} ${spec.vrf}`,
  )
}

function isExact(at: Router, { truth, switches }: RoutedWorld, fail: Fail): void {
  const { address, router } = at
  const routed = [...(switches.all.get(address)?.ports.get(router.port)?.routed ?? [])]
  for (const domain of truth.values('L2BridgeDomain')) {
    const wanted = [...wantedAt(domain, at)].sort().join()
    const found = routed
      .flatMap(([vlan, { of, vrf }]) => (of === tokenOf(domain) ? [`${vlan} ${vrf}`] : []))
      .sort()
      .join()
    if (wanted !== found)
      fail(`${domain.metadata.name} has ${found || 'no VLAN'} at the router ${address}/${router.port}, and is to have ${wanted || 'none'}`)
  }
  const tokens = new Set([...truth.values('L2BridgeDomain')].map(tokenOf))
  const lost = routed.find(([, { of }]) => !tokens.has(of))
  if (lost !== undefined) fail(`VLAN ${lost[0]} is in VRF ${lost[1].vrf} at ${address}/${router.port} for nobody`)
}

/** An L2Service that says that it is ready, and is attached to, is in the VRF that it names. */
function isToldTruly(service: Resource<'L2Service'>, { truth, switches }: RoutedWorld, fail: Fail): void {
  const { vrf, segmentationID } = service.spec
  const domain = truth.at('L2BridgeDomain', domainNameOf(service))
  const isReady = service.status?.phase === 'ready' && service.status.observedGeneration === service.metadata.generation
  if (vrf === undefined || !isReady || domain === undefined || domain.spec.connectionPoints.length === 0) return
  const ports = [...switches.all.values()].flatMap((each) => [...each.ports.values()])
  const isIn = ports.some(({ routed = new Map() }) =>
    [...routed].some(([vlan, each]) => vlan === segmentationID && each.vrf === vrf && each.of === tokenOf(domain)),
  )
  if (!isIn) fail(`L2Service ${keyOfItem(service)} says that it is ready, and its VLAN ${segmentationID} is not in VRF ${vrf}`)
}
