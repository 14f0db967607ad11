// Ports of a cloud that a policy closes there: in the end one is closed at the cloud if, and only if, the policy in force says so, and it
// tells that.
import { keyOfItem, type Resource } from '../../../core/kinds/index.ts'
import { readyCondition } from '../../../core/kinds/meta.ts'
import type { Invariant } from '../invariant.ts'
import type { Truth } from '../truth.ts'
import type { Clouds } from '../world/clouds.ts'

export const closedAtClouds: Invariant = {
  name: 'closed at clouds',
  begin({ site: { truth }, clouds }, fail) {
    const compare = (): void => {
      for (const port of truth.values('Port')) isClosedAsSaid(port, { truth, clouds }, fail)
    }
    return { atRest: compare, atEnd: compare }
  },
}

interface World {
  readonly truth: Truth
  readonly clouds: Clouds
}

function isClosedAsSaid(port: Resource<'Port'>, { truth, clouds: { cloud } }: World, fail: (what: string) => void): void {
  const [told, id] = [tellsOf(port), port.status?.providerID ?? '']
  if (told === undefined || cloud.get('port', id)?.owner !== port.metadata.uid) return
  const [said, is] = [isToBeClosed(port, truth) ? 'closed' : 'open', cloud.isClosed(id) ? 'closed' : 'open']
  if (is !== said) fail(`Port ${keyOfItem(port)} is ${is} at the cloud, and its policies say ${said}`)
  if (told !== said) fail(`Port ${keyOfItem(port)} tells that it is ${told}, and its policies say ${said}`)
}

/** Undefined: it is refused for another reason, or on its way. */
function tellsOf({ status: { phase, conditions } = {} }: Resource<'Port'>): 'open' | 'closed' | undefined {
  if (phase === 'ready') return 'open'
  return phase === 'error' && readyCondition(conditions)?.reason === 'PolicyNotDone' ? 'closed' : undefined
}

/** Of policies of whole namespaces, the one of the highest priority. What is made ahead is nobody's. */
function isToBeClosed({ metadata, spec }: Resource<'Port'>, truth: Truth): boolean {
  if (spec.warm !== undefined) return false
  const its = [...truth.values('UnifiedNetworkPolicy')].filter((policy) => policy.metadata.namespace === metadata.namespace)
  const [first] = its.toSorted((a, b) => (b.spec.priority ?? 0) - (a.spec.priority ?? 0))
  return first !== undefined && first.spec.onUnsupported !== 'allow'
}
