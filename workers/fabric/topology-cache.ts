// Where L2BridgeDomains want their VLANs: a thousand of them ask for the same few places, so each place is looked up once until a
// ConnectionPoint, a NodePool, a Fabric or the labels of a Node change.
import type { Kind, Resource } from '../../core/kinds/index.ts'
import { routesOfDomain, type WantedRoutes } from '../../core/plan/l2/gateway-vrfs.ts'
import { portsOfDomain, type Topology, type WantedPorts } from '../../core/plan/l2/switch-ports.ts'
import { sameJson } from '../../core/same-json.ts'
import type { ChangeEvent } from '../../platform/cache/cache.ts'
import type { Caches } from '../../platform/cache/caches.ts'

interface CachedTopology {
  readonly topology: Topology
  readonly hasFabric: boolean
  readonly dryRun: ReadonlySet<string>
  readonly refusing: ReadonlySet<string>
  readonly ports: Map<string, WantedPlaces>
}
interface WantedPlaces extends WantedPorts {
  readonly routes: WantedRoutes
}

export class TopologyCache {
  readonly #caches: Caches
  #found: CachedTopology | undefined

  constructor(caches: Caches) {
    this.#caches = caches
    const forget = <K extends Kind>({ before, after }: ChangeEvent<K>): void => {
      if (before?.metadata.generation !== after?.metadata.generation || !sameJson(before?.metadata.labels, after?.metadata.labels))
        this.#found = undefined
    }
    caches.ConnectionPoint.on(forget)
    caches.NodePool.on(forget)
    caches.Fabric.on(forget)
    caches.Node.on(forget)
  }

  /** What is wanted where, and what there is to be known of the Fabrics there. Shared. */
  of({ spec }: Resource<'L2BridgeDomain'>): WantedPlaces & Omit<CachedTopology, 'topology' | 'ports'> {
    this.#found ??= this.#read()
    const { topology, ports, ...fabrics } = this.#found
    const { connectionPoints, physicalNW, vrf, holder } = spec
    const key = JSON.stringify([connectionPoints, physicalNW, ...(vrf === undefined ? [] : [vrf, holder.namespace])])
    const wanted = ports.get(key) ?? { ...portsOfDomain(spec, topology), routes: routesOfDomain(spec, topology.fabrics) }
    ports.set(key, wanted)
    return { ...wanted, ...fabrics }
  }

  #read(): CachedTopology {
    const { ConnectionPoint, NodePool, Fabric, Node } = this.#caches
    const fabrics = [...Fabric.values()]
    const refusing = fabrics.flatMap((fabric) =>
      fabric.spec.switches.filter((each) => each.onUnrestricted === 'refuse').map((each) => `${fabric.metadata.name}/${each.name}`),
    )
    return {
      topology: { connectionPoints: ConnectionPoint, pools: [...NodePool.values()], fabrics, nodes: [...Node.values()] },
      hasFabric: fabrics.length > 0,
      dryRun: new Set(fabrics.filter((fabric) => fabric.spec.dryRun === true).map((fabric) => fabric.metadata.name)),
      refusing: new Set(refusing),
      ports: new Map(),
    }
  }
}
