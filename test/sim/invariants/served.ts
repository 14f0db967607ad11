// A Vpc keeps its VNI; a Port is served only in a Vpc of its own namespace, or one that was shared with it; and in the end each object
// is reported as it is.
import { segmentOf } from '../../../core/kinds/vpc/segment.ts'
import { keyOfItem, type Resource } from '../../../core/kinds/index.ts'
import { perKind, type InvariantOfStore } from '../invariant.ts'

type Vpc = Resource<'Vpc'>
type Port = Resource<'Port'>
const reportedKinds = ['Vpc', 'Subnet', 'Port'] as const

export const served: InvariantOfStore = {
  name: 'served',
  begin({ site: { truth } }, fail) {
    /** Namespaces with which a Vpc was ever shared, by its UID. */
    const shared = new Map<string, Set<string>>()
    const share = (vpc: Vpc): void => {
      const all = shared.get(vpc.metadata.uid) ?? new Set()
      for (const each of vpc.spec.sharedWith ?? []) all.add(each)
      shared.set(vpc.metadata.uid, all)
    }
    const isLetIn = (port: Port, vni: number): void => {
      const from = port.metadata.namespace ?? ''
      const owner = [...truth.values('Vpc')].find((vpc) => segmentOf(vpc) === vni)
      if (owner === undefined || owner.metadata.namespace === from || shared.get(owner.metadata.uid)?.has(from) === true) return
      fail(
        `Port ${keyOfItem(port)} is served on VNI ${vni} of Vpc ${keyOfItem(owner)}, which was never shared with it (Subnet ${port.spec.subnet})`,
      )
    }
    return {
      landed: perKind({
        Vpc(before, after) {
          if (after !== undefined) share(after)
          const [was, is] = [before && segmentOf(before), after && segmentOf(after)]
          if (was !== undefined && after !== undefined && is !== was) fail(`Vpc ${keyOfItem(after)} had VNI ${was} and has ${is}`)
        },
        Port(before, after) {
          const vni = after && segmentOf(after)
          if (after !== undefined && vni !== undefined && (before && segmentOf(before)) !== vni) isLetIn(after, vni)
        },
      }),
      atRest() {
        for (const item of reportedKinds.flatMap((kind): Resource<'Vpc' | 'Subnet' | 'Port'>[] => [...truth.values(kind)])) {
          const { phase, observedGeneration } = item.status ?? {}
          const isGoing = item.metadata.deletionTimestamp !== undefined
          if (phase === undefined || (!isGoing && observedGeneration !== item.metadata.generation))
            fail(
              `${item.kind} ${keyOfItem(item)} is not reported as it is: phase ${phase}, generation ${observedGeneration} of ${item.metadata.generation}`,
            )
        }
      },
    }
  },
}
