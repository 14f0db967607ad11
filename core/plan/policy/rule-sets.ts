// The rule sets of one policy: one for each VNI that it has somebody to judge in.
//
// A set that gains an identity is written before a Port of it names the set, and one that loses it after that Port has let go of it: a
// Port that names a set which does not have it lets nothing pass.
import type { Draft } from '../../contracts/store.ts'
import { refOf, type Resource, type SpecOf } from '../../kinds/index.ts'
import { sameJson } from '../../same-json.ts'
import type { Step } from '../plan.ts'

export type RuleSet = Resource<'PolicyRuleSet'>

/** A policy as it is compiled for one VNI. */
export interface CompiledSet {
  readonly namespace: string
  readonly vni: number
  /** Its number and its name, where it is to be made. */
  readonly number: number
  readonly name: string
  readonly content: Omit<SpecOf<'PolicyRuleSet'>, 'vni' | 'number'>
}

export interface RuleSetsDesired {
  readonly compiled: readonly CompiledSet[]
  readonly stored: readonly RuleSet[]
  /** The identities with which Ports name a set. */
  readonly namedBy: (set: RuleSet) => ReadonlySet<number>
}

export type RuleSetAction =
  | { readonly do: 'makeRuleSet'; readonly draft: Draft<'PolicyRuleSet'> }
  | { readonly do: 'changeRuleSet'; readonly item: RuleSet }
  | { readonly do: 'dropRuleSet'; readonly item: RuleSet }

export function planRuleSets({ compiled, stored, namedBy }: RuleSetsDesired): readonly Step<RuleSetAction>[] {
  const kept = new Map<number, RuleSet>()
  // Two workers may have made one each: the lowest number stays.
  for (const set of [...stored].sort((a, b) => a.spec.number - b.spec.number)) if (!kept.has(set.spec.vni)) kept.set(set.spec.vni, set)
  const wanted = new Map(compiled.map((each) => [each.vni, each]))
  return [
    ...compiled.flatMap((each) => stepFor(each, kept.get(each.vni), namedBy)),
    ...stored
      .filter((set) => (kept.get(set.spec.vni) !== set || !wanted.has(set.spec.vni)) && namedBy(set).size === 0)
      .map((item): Step<RuleSetAction> => ({
        action: { do: 'dropRuleSet', item },
        because: { rule: 'rules that judge nobody', of: refOf(item) },
      })),
  ]
}

function stepFor(
  { namespace, vni, number, name, content }: CompiledSet,
  stored: RuleSet | undefined,
  namedBy: RuleSetsDesired['namedBy'],
): readonly Step<RuleSetAction>[] {
  const of = refFor(content)
  if (stored === undefined) {
    const draft: Draft<'PolicyRuleSet'> = { kind: 'PolicyRuleSet', metadata: { namespace, name }, spec: { vni, number, ...content } }
    return [{ action: { do: 'makeRuleSet', draft }, because: { rule: 'a policy in force', of } }]
  }
  if (isNewer(stored.spec.policy, content.policy)) return []
  const named = namedBy(stored)
  const leaving = stored.spec.subjects.filter((each) => named.has(each) && !content.subjects.includes(each))
  const subjects = leaving.length === 0 ? content.subjects : [...content.subjects, ...leaving].sort((a, b) => a - b)
  const spec = { vni, number: stored.spec.number, ...content, subjects }
  if (sameJson(spec, stored.spec)) return []
  return [
    { action: { do: 'changeRuleSet', item: { ...stored, spec } }, because: { rule: 'a policy, or whom it is about, has changed', of } },
  ]
}

/** Somebody has heard of a later edit. */
const isNewer = (stored: PolicyOf, compiled: PolicyOf): boolean =>
  stored.uid === compiled.uid && (stored.generation ?? 0) > (compiled.generation ?? 0)
type PolicyOf = CompiledSet['content']['policy']

const refFor = ({ policy: { kind, namespace, name } }: CompiledSet['content']): Step<never>['because']['of'] =>
  ({ kind, ...(namespace !== undefined && { namespace }), name }) as Step<never>['because']['of']
