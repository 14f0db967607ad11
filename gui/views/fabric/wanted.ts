// Which VLANs are wanted on the switch port of an interface of a node: a NodePool says what the interface carries.
import type { Item } from '../../contract/kinds.ts'

export type FabricLink = NonNullable<Item<'Fabric'>['spec']['links']>[number]
export interface Wiring {
  readonly connectionPoints: ReadonlyMap<string, Item<'ConnectionPoint'>>
  readonly pools: readonly Item<'NodePool'>[]
  readonly nodes: ReadonlyMap<string, Item<'Node'>>
}

/** The ConnectionPoints that an interface of a node carries; none where it is down. */
export function pointsOf({ node, interface: of }: FabricLink, { connectionPoints, pools, nodes }: Wiring): ReadonlySet<string> {
  const labelled = nodes.get(node)?.metadata.labels?.['node-pool']
  const its = pools.filter(({ metadata, spec }) => metadata.name === labelled || spec.nodes?.includes(node) === true)
  const carried = its.flatMap(({ metadata, spec }) =>
    spec.interfaces
      .filter(({ name, state }) => name === of && state !== 'down')
      .flatMap(({ connectionPoint = '' }) => {
        const point = connectionPoints.get(connectionPoint)
        const isOfPool = point !== undefined && (point.spec.nodePool ?? metadata.name) === metadata.name
        return isOfPool ? [connectionPoint] : []
      }),
  )
  return new Set(carried)
}
