// To which nodes ports are bound at a cloud, once nothing changes any more: the one that its Port is on, and beside it the one that its VM
// is to move to, if it is.
import { keyOfItem, type Resource } from '../../../core/kinds/index.ts'
import { whyNotMoved } from '../../../core/plan/vpc/move.ts'
import { sameJson } from '../../../core/same-json.ts'
import type { Invariant } from '../invariant.ts'

export const cloudBindings: Invariant = {
  name: 'bindings at clouds',
  begin({ site: { truth }, clouds: { cloud } }, fail) {
    const asTheyStand = (): void => {
      for (const port of truth.values('Port')) {
        const { providerID, phase, cloud: named } = port.status ?? {}
        if (named === undefined || providerID === undefined || phase !== 'ready') continue
        const [is, wanted] = [cloud.hostsOf(providerID), hostsFor(port)]
        if (!sameJson(is, wanted)) fail(`Port ${keyOfItem(port)} is bound to ${is.join(' and ')} in place of ${wanted.join(' and ')}`)
      }
    }
    return { atRest: asTheyStand, atEnd: asTheyStand }
  },
}

function hostsFor(port: Resource<'Port'>): readonly string[] {
  const { node, migratingTo } = port.spec
  if (node === undefined) return []
  return migratingTo === undefined || whyNotMoved(port) !== undefined ? [node] : [node, migratingTo]
}
