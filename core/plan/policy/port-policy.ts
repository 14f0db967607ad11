// Who judges a Port: the identity and the rule sets that its status tells of, and the identity that its locks tell other nodes.
//
// An identity is told only once every rule set that matches it has it: else a rule that denies it would let it pass for a moment. Until
// then a new Port's address is told without one, which such rules deny too, and a Port that is served keeps what it had.
import type { Draft } from '../../contracts/store.ts'
import type { Resource, StatusOf } from '../../kinds/index.ts'
import type { WaitsFor } from '../plan.ts'

type Identity = Resource<'PolicyIdentity'>
type PortPolicy = NonNullable<NonNullable<StatusOf<'Port'>>['policy']>

/** A rule set that selects the Port, by the name that it has or will have. */
export interface SelectingSet {
  readonly name: string
  /** It is there, and has the identity among its subjects; or it is of a policy that is not there, and closes the Port by that. */
  readonly hasSubject: boolean
}

/**
 * That judge one Port. A tenant may write any number that selects a pod of theirs; each is a name in its Port's status, and rules on its
 * node, which is others' too.
 */
export const policiesMost = 1_024

/** Undefined in place of it: no policy of the VNI is in force. */
export interface PolicyBinding {
  readonly identity: {
    readonly number: number
    /** What is to be made where there is none. */
    readonly draft: Draft<'PolicyIdentity'>
    readonly item: Identity | undefined
    /** Nobody is known to have it: it may be on its way out. */
    readonly isUnused: boolean
  }
  /** In order. */
  readonly sets: readonly SelectingSet[]
  readonly unified?: string
  /** SecurityGroups (`namespace/name`) that it names, and that are not there: nothing passes. */
  readonly absent: readonly string[]
  /** How many judge it, where that is more than are done. */
  readonly tooMany?: number
  /** The namespace that identities live in is being deleted, and takes no new one. */
  readonly isEnding: boolean
}

export type PolicyAction =
  | { readonly do: 'makeIdentity'; readonly draft: Draft<'PolicyIdentity'> }
  /** A worker that would free it, by what it has read before, does not. */
  | { readonly do: 'keepIdentity'; readonly identity: Identity }

export interface PolicyOutcome {
  readonly action?: PolicyAction
  readonly told: PortPolicy | undefined
  /** What its locks are to say. */
  readonly lockIdentity: number | undefined
  readonly waitsFor?: WaitsFor
}

export const isKnownToAll = (identity: Identity | undefined): boolean => identity?.status?.phase === 'ready'

/** @param lockIdentity what its locks say now */
export function policyOutcome(
  { status = {} }: { readonly status?: Pick<NonNullable<StatusOf<'Port'>>, 'policy' | 'addresses'> },
  binding: PolicyBinding | undefined,
  lockIdentity: number | undefined,
): PolicyOutcome {
  const before = status.policy
  if (binding === undefined) return { told: undefined, lockIdentity: undefined }
  const { identity, isEnding } = binding
  if (identity.item === undefined && isEnding) return { told: before, lockIdentity }
  const isServed = status.addresses !== undefined
  const made = actionFor(binding, before)
  if (!isKnownToAll(identity.item))
    return {
      ...made,
      ...(isServed ? { told: stillTold(before, binding), lockIdentity } : { told: toldOf(binding, binding.sets), lockIdentity: undefined }),
      waitsFor: { kind: 'identity', namespace: identity.draft.metadata.namespace ?? '', name: identity.draft.metadata.name },
    }
  return { ...made, told: toldOf(binding, isServed ? enforceable(before, binding) : binding.sets), lockIdentity: identity.number }
}

/**
 * Those that have it, and those that it names already: of these none is let go of before all that come in their place have it, so that a
 * policy that takes the place of another leaves no moment between them. Of another identity than before all are named: each had it when it
 * was known to all, and a watch that has not told of that yet would leave the Port open.
 */
function enforceable(before: PortPolicy | undefined, { identity, sets }: PolicyBinding): readonly Pick<SelectingSet, 'name'>[] {
  if (before !== undefined && before.identity !== identity.number) return sets
  const names = before?.ruleSets ?? []
  const ready = sets.filter(({ name, hasSubject }) => hasSubject || names.includes(name))
  if (ready.length === sets.length) return sets
  return [...new Set([...names, ...ready.map(({ name }) => name)])].sort().map((name) => ({ name }))
}

function actionFor({ identity }: PolicyBinding, before: PortPolicy | undefined): Pick<PolicyOutcome, 'action'> {
  if (identity.item === undefined) return { action: { do: 'makeIdentity', draft: identity.draft } }
  const isTaken = identity.isUnused && before?.identity !== identity.number
  return isTaken ? { action: { do: 'keepIdentity', identity: identity.item } } : {}
}

const toldOf = ({ identity, unified }: PolicyBinding, sets: readonly Pick<SelectingSet, 'name'>[]): PortPolicy => ({
  identity: identity.number,
  ruleSets: sets.map(({ name }) => name),
  ...(unified !== undefined && { unified }),
})

/** While it waits with an identity of before it lets go of the sets that do not select it any more: they wait for that. */
function stillTold(before: PortPolicy | undefined, { sets, identity }: PolicyBinding): PortPolicy | undefined {
  if (before === undefined || before.identity !== identity.number) return before
  const selecting = new Set(sets.map(({ name }) => name))
  return { ...before, ruleSets: before.ruleSets.filter((name) => selecting.has(name)) }
}

export const tooManyText = (count: number): string => `${count} policies judge it, and ${policiesMost} at most are done`
