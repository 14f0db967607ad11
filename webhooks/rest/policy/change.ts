// Policies as they would be after a change that is only planned.
import { keyOf, refOf, type Ref, type Resource } from '../../../core/kinds/index.ts'
import type { PolicyKind } from '../../../core/policy/read.ts'

export interface PolicyChange {
  readonly put: readonly Resource<PolicyKind>[]
  readonly remove: readonly Ref<PolicyKind>[]
  /** As if the cluster came to enforce. */
  readonly enforce: boolean
}

/** One that is there already keeps its age. */
export function afterChange(
  policies: readonly Resource<PolicyKind>[],
  { put, remove }: Pick<PolicyChange, 'put' | 'remove'>,
): readonly Resource<PolicyKind>[] {
  const textOf = ({ kind, ...where }: Ref): string => `${kind} ${keyOf(where)}`
  const stored = new Map(policies.map((policy) => [textOf(refOf(policy)), policy]))
  const after = new Map(stored)
  for (const policy of put) {
    const was = stored.get(textOf(refOf(policy)))
    const open = whileOpen(withNamesOf(policy, was))
    after.set(textOf(refOf(policy)), was === undefined ? open : { ...open, metadata: { ...policy.metadata, ...keptOf(was) } })
  }
  for (const ref of remove) after.delete(textOf(ref))
  return [...after.values()]
}

/** What it changes while its schedule has it in force. */
const whileOpen = <P extends Resource<PolicyKind>>(policy: P): P =>
  policy.kind === 'UnifiedNetworkPolicy'
    ? { ...policy, status: { ...policy.status, schedule: { inForce: true, since: '', until: '' } } }
    : policy

/** What is known of names outside that the policy is about as it is stored. */
function withNamesOf<P extends Resource<PolicyKind>>(policy: P, was: Resource<PolicyKind> | undefined): P {
  if (policy.kind !== 'UnifiedNetworkPolicy' || was?.kind !== 'UnifiedNetworkPolicy') return policy
  const { names } = (was as Resource<'UnifiedNetworkPolicy'>).status ?? {}
  return names === undefined ? policy : { ...policy, status: { ...policy.status, names } }
}

const keptOf = ({ metadata: { uid, creationTimestamp } }: Resource): { uid: string; creationTimestamp: string } => ({
  uid,
  creationTimestamp,
})
