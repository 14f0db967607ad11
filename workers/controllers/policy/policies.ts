// Policies of pods' labels, of whichever kind: compiled to rule sets in each VNI where they may judge somebody.
import { isOwnKind, type Resource } from '../../../core/kinds/index.ts'
import type { RuleSetAction } from '../../../core/plan/policy/rule-sets.ts'
import { policyEvents } from '../../../core/plan/policy/policy-events.ts'
import { planPolicy, type PolicyDesired } from '../../../core/plan/policy/policy.ts'
import type { Plan } from '../../../core/plan/plan.ts'
import { scheduleOf } from '../../../core/policy/read/schedule.ts'
import { sameJson } from '../../../core/same-json.ts'
import type { Env } from '../../controller-env.ts'
import { gatherRuleSets } from '../../gather/rule-sets.ts'
import { boundBy } from '../../gather/policy-status.ts'
import { row, type Row } from '../../loop/controller-row.ts'
import type { Controller } from '../../loop/controller.ts'
import { policyKey } from '../../policy/policy-kinds.ts'
import { namesOf } from '../../gather/policy-names.ts'
import { ruleSetDriver } from '../../policy/rule-set-driver.ts'
import { asItWas, itself, named, where } from '../../watch/map-to-keys.ts'
import { either, part, specChanges, when } from '../../watch/predicates.ts'
import type { Delay, Watch, WatchFor } from '../../watch/watch.ts'
import { chainWatches } from './chain-watches.ts'
import { hasOtherAddresses, opensOrCloses } from './written-of-policies.ts'
import { isInPlace, networksChange, ofKind, placeChanges, ruleSetWatches, vlanChanges, type LabelledKind } from './rule-set-watches.ts'

const clusterKinds = ['AdminNetworkPolicy', 'BaselineAdminNetworkPolicy', 'ClusterNetworkPolicy'] as const
const isClusterKind = (kind: LabelledKind): boolean => clusterKinds.some((each) => each === kind)

/** How many Ports it judges is told now and then: one write for many Ports. */
const counting: Delay<'PolicyRuleSet' | 'Port' | 'L2ServiceAttachment'> = { text: '5 s, for how many it judges', ms: () => 5_000 }

export const policyRow = <K extends LabelledKind>(kind: K): Row<K> => {
  // All of these kinds are watched alike.
  const any: Row<LabelledKind> = row<LabelledKind, PolicyDesired, undefined, undefined, RuleSetAction, Plan<RuleSetAction>>(
    kind,
    (on) => watches(kind, on),
    (env) => open(kind, env),
  )
  return any as Row<K>
}

function watches(kind: LabelledKind, on: WatchFor<LabelledKind>): readonly Watch<LabelledKind>[] {
  const isElsewhere = where<LabelledKind>(
    'its rules are not where it judges',
    (policy, env) => policy !== undefined && !isInPlace(policyKey({ kind, ...policy.metadata }), env),
  )
  return [
    on(kind, { when: specChanges, keys: itself }),
    // One that was in force where this one is, or will be again.
    ...(kind === 'UnifiedNetworkPolicy'
      ? [
          on('UnifiedNetworkPolicy', {
            when: either(specChanges, opensOrCloses),
            keys: named(kind, 'all of its namespace', ({ metadata: { namespace } }, { policies }) =>
              ofKind(kind, policies.within(namespace)),
            ),
          }),
          on('UnifiedNetworkPolicy', { when: hasOtherAddresses, keys: itself }),
        ]
      : []),
    // Their rules are behind one another's.
    ...clusterKinds
      .filter(() => isClusterKind(kind))
      .flatMap((other) => {
        const tied = named(kind, 'those of its tier and priority', (item: Resource<LabelledKind>, { policies }) =>
          ofKind(kind, policies.tiedWith(item)),
        )
        return [on(other, { when: specChanges, keys: tied }), on(other, { when: specChanges, keys: asItWas(tied) })]
      }),
    on('Port', {
      when: placeChanges,
      keys: named(
        kind,
        'those that may judge it',
        ({ metadata: { namespace } }, { policies }) => ofKind(kind, policies.within(namespace)),
        isElsewhere,
      ),
      hearsMade: true,
    }),
    on('Port', {
      when: part<'Port'>('status.policy', (port) => port?.status?.policy),
      keys: named(kind, 'those that may judge it', ({ metadata: { namespace } }, { policies }) => ofKind(kind, policies.within(namespace))),
      after: counting,
      hearsMade: true,
    }),
    // What a cloud carries they do not judge, and say so.
    on('Port', {
      when: part<'Port'>('status.cloud', (port) => port?.status?.cloud),
      keys: named(kind, 'those that may select it', ({ metadata: { namespace } }, { policies }) =>
        ofKind(kind, policies.within(namespace)),
      ),
      after: counting,
      hearsMade: true,
    }),
    on('L2ServiceAttachment', {
      when: vlanChanges,
      keys: named(
        kind,
        'those that may judge its pods',
        ({ metadata: { namespace } }, { policies }) => ofKind(kind, policies.within(namespace)),
        isElsewhere,
      ),
    }),
    on('Pod', {
      when: networksChange,
      keys: named(
        kind,
        'those that may judge it',
        ({ metadata: { namespace } }, { policies }) => ofKind(kind, policies.within(namespace)),
        isElsewhere,
      ),
    }),
    on('L2ServiceAttachment', {
      when: part<'L2ServiceAttachment'>('status.policy', (attachment) => attachment?.status?.policy),
      keys: named(kind, 'those that may judge its pods', ({ metadata: { namespace } }, { policies }) =>
        ofKind(kind, policies.within(namespace)),
      ),
      after: counting,
    }),
    on('Namespace', {
      when: when<'Namespace'>(
        'changes in labels',
        ({ before, after }) => !sameJson(before?.metadata.labels ?? {}, after?.metadata.labels ?? {}),
      ),
      keys: named(kind, 'those that select by labels of namespaces', (_, { policies }) => ofKind(kind, policies.selectingNamespaces())),
    }),
    ...(kind === 'UnifiedNetworkPolicy' ? chainWatches(on) : []),
    ...ruleSetWatches<LabelledKind>(kind, on),
  ]
}

function open(kind: LabelledKind, env: Env): Controller<PolicyDesired, undefined, undefined, RuleSetAction, Plan<RuleSetAction>> {
  const driver = ruleSetDriver(env.store)
  return {
    async gather(name) {
      const key = policyKey({ kind, name })
      const policy: Resource | undefined = env.caches[kind].get(name)
      const isInForce = policy !== undefined && policy.metadata.deletionTimestamp === undefined
      const sets = await gatherRuleSets(key, isInForce, env)
      if (policy === undefined && sets.stored.length === 0) return undefined
      return {
        policy,
        sets,
        now: env.clock.now(),
        problems: sets.problems,
        schedule: scheduleOf(policy, { now: env.clock.now() }),
        names: namesOf(policy, env),
        ...boundBy(key, sets, env),
      }
    },
    driver: () => driver,
    scope: () => undefined,
    item: ({ policy }) => policy,
    plan: planPolicy,
    ...(!isOwnKind(kind) && {
      reporter: ({ policy }, plan, { now }) => (policy === undefined ? [] : policyEvents(policy, plan, now)),
    }),
  }
}
