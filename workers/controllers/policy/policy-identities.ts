// PolicyIdentities: ready once every rule set that matches one has it, freed once nobody has had it for a while.
import { segmentField, segmentOf } from '../../../core/kinds/vpc/segment.ts'
import { refOf, type Resource } from '../../../core/kinds/index.ts'
import { planIdentity, type IdentityAction, type IdentityDesired } from '../../../core/plan/policy/identity.ts'
import type { Plan } from '../../../core/plan/plan.ts'
import { subjectsOf, compile } from '../../../core/policy/compile.ts'
import type { CommonPolicy } from '../../../core/policy/one-form.ts'
import { mentionedIn } from '../../../platform/cache/caches.ts'
import { objects } from '../../drivers/store-objects.ts'
import type { Env } from '../../controller-env.ts'
import { isUsed, storedSet } from '../../gather/port-policy.ts'
import { policiesAbout } from '../../gather/policies-about.ts'
import { learnAll, optionsIn } from '../../gather/rule-sets.ts'
import { row, type Row } from '../../loop/controller-row.ts'
import type { Controller } from '../../loop/controller.ts'
import { policyKey } from '../../policy/policy-kinds.ts'
import { isVlanSegment } from '../../../core/net/segment.ts'
import { identitiesTold } from '../../policy/attachment-place.ts'
import { asItWas, by, itself, named } from '../../watch/map-to-keys.ts'
import { either, goes, isReportedInAnotherPhase, part, specChanges } from '../../watch/predicates.ts'

type Identity = Resource<'PolicyIdentity'>

/** How long nobody may have had one before it is freed: whoever is about to take it has it by then. */
export const idleMs = 10_000

const keyIn = (namespace: string, vni: number, number: number): string => `${namespace}/vni-${vni}-${number}`
const ofPort = (port: Resource<'Port'>): readonly string[] => {
  const { spec, metadata, status } = port
  const segment = segmentOf(port)
  const at = spec.subnet.indexOf('/')
  const namespace = at < 0 ? (metadata.namespace ?? '') : spec.subnet.slice(0, at)
  return status?.policy === undefined || segment === undefined ? [] : [keyIn(namespace, segment, status.policy.identity)]
}
const ofLock = ({ spec, metadata }: Resource<'IPLock'>): readonly string[] =>
  spec.identity === undefined ? [] : [keyIn(metadata.namespace ?? '', spec.vni, spec.identity)]

const isLetGo = {
  name: 'nobody else has it',
  test: (identity: Identity | undefined, { caches }: Env): boolean =>
    identity !== undefined && !isUsed(identity.spec.vni, identity.spec.number, caches),
}

export const policyIdentities: Row<'PolicyIdentity'> = row(
  'PolicyIdentity',
  (on) => [
    on('PolicyIdentity', { when: isReportedInAnotherPhase, keys: itself }),
    on('PolicyIdentity', {
      when: either(
        specChanges,
        part<'PolicyIdentity'>('when it was taken', (item) => item?.metadata.annotations),
      ),
      keys: itself,
    }),
    on('PolicyRuleSet', {
      when: specChanges,
      keys: by('PolicyIdentity', 'notReady', ({ spec }) => [String(spec.vni)]),
    }),
    on('Port', {
      when: either(
        goes,
        part<'Port'>('status.policy', (port) => port?.status?.policy),
      ),
      keys: asItWas(named('PolicyIdentity', 'the identity that it had', ofPort, isLetGo)),
    }),
    on('L2ServiceAttachment', {
      when: either(
        goes,
        part<'L2ServiceAttachment'>('status.policy', (attachment) => attachment?.status?.policy),
      ),
      keys: asItWas(named('PolicyIdentity', 'the identities that its pods had', identitiesTold, isLetGo)),
    }),
    on('IPLock', {
      when: either(
        goes,
        part<'IPLock'>('spec.identity', (lock) => lock?.spec.identity),
      ),
      keys: asItWas(named('PolicyIdentity', 'the identity that it had', ofLock, isLetGo)),
    }),
  ],
  open,
)

function open(env: Env): Controller<IdentityDesired, undefined, undefined, IdentityAction, Plan<IdentityAction>> {
  const { caches, clock } = env
  /** When this process first saw nobody have it as it is, by UID: clocks of two machines are never compared. */
  const idle = new Map<string, { readonly version: string | undefined; readonly since: number }>()
  caches.PolicyIdentity.on(({ before, after }) => void (after === undefined && idle.delete(before!.metadata.uid)))
  const driver = objects<undefined, undefined, IdentityAction>(env.store, 'objects', {
    observe: () => undefined,
    writesOf: ({ identity }) => [
      {
        do: 'delete',
        ref: refOf<'PolicyIdentity'>(identity),
        preconditions: { uid: identity.metadata.uid, resourceVersion: identity.metadata.resourceVersion },
      },
    ],
  })

  async function useOf(identity: Identity): Promise<IdentityDesired['use']> {
    const { uid, annotations } = identity.metadata
    if (isUsed(identity.spec.vni, identity.spec.number, caches)) {
      idle.delete(uid)
      return 'used'
    }
    const version = JSON.stringify(annotations ?? {})
    const known = idle.get(uid)
    const since = known?.version === version ? known.since : clock.elapsed()
    idle.set(uid, { version, since })
    const leftMs = since + idleMs - clock.elapsed()
    if (leftMs > 0) return { idleMs: leftMs }
    return (await isUsedInStore(identity, env)) ? 'used' : 'free'
  }

  return {
    async gather(key) {
      const identity = caches.PolicyIdentity.get(key)
      return identity && { identity, missing: await missingLive(identity, env), use: await useOf(identity) }
    },
    driver: () => driver,
    scope: () => undefined,
    // Of what it deletes nothing is reported.
    item: ({ identity, use }) => (use === 'free' ? undefined : identity),
    plan: planIdentity,
  }
}

/** Also those that no watch has told of. */
async function isUsedInStore({ spec: { vni, number }, metadata }: Identity, { store }: Env): Promise<boolean> {
  const [ports, locks, attachments] = await Promise.all([
    store.list('Port', { fields: { [segmentField(vni)]: String(vni) } }),
    store.list('IPLock', { fields: { '.spec.vni': String(vni) } }),
    isVlanSegment(vni) ? store.list('L2ServiceAttachment', { namespace: metadata.namespace ?? '' }) : { items: [] },
  ])
  const has = (policy: { readonly identity?: number | undefined } | undefined): boolean => policy?.identity === number
  return (
    ports.items.some(({ status }) => has(status?.policy)) ||
    locks.items.some(({ spec }) => has(spec)) ||
    attachments.items.some(({ status }) => status?.policy?.segment === vni && status.policy.judged.some(has))
  )
}

/**
 * Others rely on it from then on: that none is missing is true of the rule sets that the store has. Whatever is compiled later is compiled
 * with it.
 */
async function missingLive(identity: Identity, env: Env): Promise<readonly string[]> {
  if (identity.status?.phase === 'ready') return []
  const missing = missingOf(identity, env)
  if (missing.length > 0) return missing
  await learnAll('PolicyRuleSet', '.spec.vni', identity.spec.vni, env)
  return missingOf(identity, env)
}

/** Policies that judge whoever has it, or name it, and whose rule set in its VNI does not have it. */
function missingOf({ spec }: Identity, env: Env): readonly string[] {
  const { namespace, securityGroups: groups = [] } = spec.facts
  return policiesAbout(spec, env.policies.inForce(spec.vni, { namespace, groups }), env)
    .filter((policy) => !hasIt(policy, spec, env))
    .map(({ of }) => policyKey(of))
    .sort()
}

/** What it comes to is asked only where it is not seen at once: a rule may fall away with its family, or for want of anybody to judge. */
function hasIt(policy: CommonPolicy, { vni, number }: { readonly vni: number; readonly number: number }, env: Env): boolean {
  const set = storedSet(policyKey(policy.of), vni, env)
  const options = optionsIn(vni, env)
  const isSubject = subjectsOf(policy, options).includes(number)
  if (set !== undefined && (isSubject ? set.spec.subjects : mentionedIn(set.spec)).includes(number)) return true
  return !isSubject && !mentionedIn(compile(policy, set?.spec.number ?? 1, options).spec).includes(number)
}
