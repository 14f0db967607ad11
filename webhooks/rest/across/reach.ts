// How far a caller sees: of a kind everywhere, in some namespaces, or nowhere. What goes over many kinds asks here first, and looks at
// nothing else: so what a caller may not see is in no list, no count and no delay.
import { allows, mayRole, type AccessRequest } from '../../../core/admit/rest/roles.ts'
import { scopeOf, type Kind } from '../../../core/kinds/index.ts'
import type { AccessDeps } from '../../plugins/access.ts'
import type { Caller } from '../../plugins/auth.ts'

/** A namespace; `undefined`: all of them, or what is of none. */
export type Reach = readonly (string | undefined)[]
type Act = Pick<AccessRequest, 'act' | 'verb'>

const listing: Act = { act: 'read', verb: 'list' }
export const watching: Act = { act: 'read', verb: 'watch' }

export interface ReachQuestion {
  readonly kind: Kind
  /** Absent: wherever the caller may. */
  readonly namespace?: string | undefined
}

/** @returns where; empty for nowhere. What is of no namespace is asked of the cluster, whichever namespace is named */
export async function reachOf(
  { access }: Pick<AccessDeps, 'access'>,
  caller: Caller,
  { kind, namespace }: ReachQuestion,
  how = listing,
): Promise<Reach> {
  const within = scopeOf(kind) === 'Namespaced' ? namespace : undefined
  const found: (string | undefined)[] = []
  for (const each of candidates(caller, kind, within, how))
    if ((await access?.wouldAllow(caller, { ...how, kind, namespace: each })) !== false) found.push(each)
  return found
}

function candidates({ grants }: Caller, kind: Kind, namespace: string | undefined, { act }: Act): Reach {
  if (allows(grants, { act, kind, namespace })) return [namespace]
  if (namespace !== undefined || scopeOf(kind) === 'Cluster') return []
  const named = grants.filter(({ role }) => mayRole(role, act, kind)).flatMap(({ namespaces }) => [...(namespaces ?? [])])
  return [...new Set(named)].sort()
}
