// From ConnectionPoints and physical networks to switch ports: NodePools say which interfaces, Fabrics what those are plugged into.
import { nodePoolLabel } from '../../kinds/l2/node-pool.ts'
import type { Resource, SpecOf } from '../../kinds/index.ts'

export interface SwitchPort {
  readonly fabric: string
  readonly switch: string
  readonly port: string
}
/** `fabric/switch` */
const switchKeyOf = (at: SwitchPort): string => `${at.fabric}/${at.switch}`

export interface Topology {
  readonly connectionPoints: Pick<ReadonlyMap<string, Resource<'ConnectionPoint'>>, 'get'>
  readonly pools: readonly Resource<'NodePool'>[]
  readonly fabrics: readonly Resource<'Fabric'>[]
  readonly nodes: readonly Resource<'Node'>[]
}

/** The network that a ConnectionPoint's VLANs are numbers of, where none is named. */
export const defaultNetwork = 'default'
export const networkOf = (point: Resource<'ConnectionPoint'> | undefined): string => point?.spec.physicalNet ?? defaultNetwork

export function nodesOf(pool: Resource<'NodePool'>, nodes: readonly Resource<'Node'>[]): ReadonlySet<string> {
  const labelled = nodes.filter((node) => node.metadata.labels?.[nodePoolLabel] === pool.metadata.name).map((node) => node.metadata.name)
  return new Set([...(pool.spec.nodes ?? []), ...labelled])
}

/** Where the nodes of a ConnectionPoint are plugged in; an interface that is down is left out. */
export function portsOfPoint(point: Resource<'ConnectionPoint'>, topology: Topology): SwitchPort[] {
  const { name } = point.metadata
  const pools =
    point.spec.nodePool === undefined ? topology.pools : topology.pools.filter((pool) => pool.metadata.name === point.spec.nodePool)
  return pools.flatMap((pool) => {
    const wired = new Set(
      pool.spec.interfaces.filter((each) => each.connectionPoint === name && each.state !== 'down').map((each) => each.name),
    )
    return wired.size === 0 ? [] : linksOf(nodesOf(pool, topology.nodes), wired, topology.fabrics)
  })
}

function linksOf(nodes: ReadonlySet<string>, interfaces: ReadonlySet<string>, fabrics: readonly Resource<'Fabric'>[]): SwitchPort[] {
  return fabrics.flatMap((fabric) =>
    (fabric.spec.links ?? [])
      .filter((link) => nodes.has(link.node) && interfaces.has(link.interface))
      .map((link) => ({ fabric: fabric.metadata.name, switch: link.switch, port: link.switchPort })),
  )
}

/** The ports that face the gateway of a physical network. */
export function portsOfNetwork(physicalNetwork: string, fabrics: readonly Resource<'Fabric'>[]): SwitchPort[] {
  return fabrics.flatMap((fabric) =>
    (fabric.spec.gateways ?? [])
      .filter((gateway) => gateway.physicalNetwork === physicalNetwork)
      .map((gateway) => ({ fabric: fabric.metadata.name, switch: gateway.switch, port: gateway.switchPort })),
  )
}

/** `fabric/switch` → its ports. */
export type PortsBySwitch = ReadonlyMap<string, ReadonlySet<string>>

export interface WantedPorts {
  readonly ports: PortsBySwitch
  /** What no switch port was found for, in words. */
  readonly unmatched: readonly string[]
}

/** What L2BridgeDomains of the same ConnectionPoints and physical networks share, so that it is found once for all of them. */
export function portsOfDomain(
  { connectionPoints, physicalNW = [] }: Pick<SpecOf<'L2BridgeDomain'>, 'connectionPoints' | 'physicalNW'>,
  topology: Topology,
): WantedPorts {
  const found: SwitchPort[] = []
  const unmatched: string[] = []
  const add = (what: string, ports: readonly SwitchPort[]): void => {
    if (ports.length === 0) unmatched.push(what)
    found.push(...ports)
  }
  for (const name of connectionPoints) {
    const point = topology.connectionPoints.get(name)
    add(`ConnectionPoint ${name}`, point === undefined ? [] : portsOfPoint(point, topology))
  }
  for (const network of physicalNW) add(`physical network ${network}`, portsOfNetwork(network, topology.fabrics))
  return { ports: bySwitch(found), unmatched }
}

/** Switches and their ports, in the order of their names. */
export function bySwitch(found: readonly SwitchPort[]): PortsBySwitch {
  const ports = Map.groupBy(found, switchKeyOf)
  return new Map(
    [...ports.keys()].sort().map((key) => [
      key,
      new Set(
        ports
          .get(key)!
          .map(({ port }) => port)
          .sort(),
      ),
    ]),
  )
}
