// SecurityGroups: compiled to rule sets wherever a Port has them, and kept as long as one names them.
import type { Within } from '../../../core/contracts/store.ts'
import { inNamespaceOf, keyOfItem, refOf, type Resource } from '../../../core/kinds/index.ts'
import { segmentField, segmentOf } from '../../../core/kinds/vpc/segment.ts'
import type { Plan } from '../../../core/plan/plan.ts'
import type { RuleSetAction } from '../../../core/plan/policy/rule-sets.ts'
import { isOwnedBy, portOfGroup } from '../../../core/plan/connections/endpoint.ts'
import { groupsInRules, planSecurityGroup, type GroupDesired } from '../../../core/plan/vpc/security-group.ts'
import type { Env } from '../../controller-env.ts'
import { gatherRuleSets } from '../../gather/rule-sets.ts'
import { groupsAsked, namedGroupsOf } from '../../../core/policy/member.ts'
import { policyKey } from '../../policy/policy-kinds.ts'
import { ruleSetDriver } from '../../policy/rule-set-driver.ts'
import { isInPlace, keyOfPolicy, placeChanges, ruleSetWatches } from '../policy/rule-set-watches.ts'
import { row, type Row } from '../../loop/controller-row.ts'
import type { Controller } from '../../loop/controller.ts'
import { part, specChanges } from '../../watch/predicates.ts'
import { asItWas, beingDeleted, itself, known, named, where } from '../../watch/map-to-keys.ts'
import type { Delay } from '../../watch/watch.ts'

type Group = Resource<'SecurityGroup'>

const remotesOf = (group: Group): readonly string[] => groupsInRules(group).map((name) => inNamespaceOf(group, name))

const namersOf = (port: Resource<'Port'>, { caches }: Env): readonly string[] =>
  namedGroupsOf(port).flatMap((group) => [...caches.SecurityGroup.by('remoteGroup', group)].map(keyOfItem))

const isElsewhere = where<'SecurityGroup'>(
  'its rules are not where it judges',
  (group, env) => group !== undefined && !isInPlace(keyOfPolicy('SecurityGroup', group), env),
)
/** How many Ports it judges is told now and then: one write for many Ports. */
const counting: Delay<'Port'> = { text: '5 s, for how many it judges', ms: () => 5_000 }

export const securityGroups: Row<'SecurityGroup'> = row(
  'SecurityGroup',
  (on) => [
    on('SecurityGroup', { when: specChanges, keys: itself }),
    // Those that are to go once nobody names them.
    on('Port', { when: specChanges, keys: asItWas(named('SecurityGroup', 'its SecurityGroups', groupsAsked, beingDeleted)) }),
    on('SecurityGroup', { when: specChanges, keys: asItWas(named('SecurityGroup', 'those that its rules name', remotesOf, beingDeleted)) }),
    // Where its rules are to be, or are no longer.
    ...[named('SecurityGroup', 'its SecurityGroups', namedGroupsOf, isElsewhere)].flatMap((keys) => [
      on('Port', { when: placeChanges, keys, hearsMade: true }),
      on('Port', { when: placeChanges, keys: asItWas(keys), hearsMade: true }),
    ]),
    on('Port', {
      when: placeChanges,
      keys: named('SecurityGroup', 'its SecurityGroups', namedGroupsOf, known),
      after: counting,
      hearsMade: true,
    }),
    on('Port', { when: placeChanges, keys: asItWas(named('SecurityGroup', 'its SecurityGroups', namedGroupsOf, known)), after: counting }),
    on('Port', {
      when: part('allowedAddressPairs, or the blocks behind it', (port) => [
        port?.spec.allowedAddressPairs ?? [],
        port?.status?.routedBlocks ?? [],
      ]),
      keys: named('SecurityGroup', 'those whose rules name its SecurityGroups', namersOf),
    }),
    on('CloudSecurityGroup', {
      when: part('its phase or its conditions', (at) => [at?.status?.phase, at?.status?.conditions]),
      keys: named('SecurityGroup', 'its SecurityGroup', (at) => [inNamespaceOf(at, at.spec.group)], known),
    }),
    ...ruleSetWatches('SecurityGroup', on),
  ],
  open,
)

function open(env: Env): Controller<GroupDesired, undefined, undefined, RuleSetAction, Plan<RuleSetAction>> {
  const driver = ruleSetDriver(env.store)
  return {
    async gather(key) {
      const desired = await gatherGroup(key, env)
      const isToMake = desired?.group !== undefined && desired.sets.compiled.length > desired.sets.stored.length
      // Else whoever has heard that it is gone drops what this worker makes, again and again.
      return isToMake && (await isGoneFromStore(desired.group, env)) ? gatherGroup(key, env) : desired
    },
    driver: () => driver,
    scope: () => undefined,
    item: ({ group }) => group,
    plan: planSecurityGroup,
  }
}

async function gatherGroup(key: string, env: Env): Promise<GroupDesired | undefined> {
  const group = env.caches.SecurityGroup.get(key)
  const isStaying = group !== undefined && group.metadata.deletionTimestamp === undefined
  const users = group === undefined || isStaying ? [] : await usersOf(group, env)
  // Also of one that is to go and that nobody names any more: a Port that still has its rules waits until they know the next identity.
  const sets = await gatherRuleSets(policyKey({ kind: 'SecurityGroup', name: key }), group !== undefined, env)
  if (group === undefined && sets.stored.length === 0) return undefined
  return { group, users, sets, ports: env.policies.portsOf(key), atClouds: [...env.caches.CloudSecurityGroup.by('group', key)] }
}

/** The cache knows then. */
async function isGoneFromStore(group: Group, { caches, store }: Env): Promise<boolean> {
  const live = await store.get(refOf<'SecurityGroup'>(group))
  if (live === undefined) caches.SecurityGroup.learnGone(group)
  return live === undefined
}

/** Where the caches know of none, the store itself is asked: a Port may be told of later than the deletion. */
async function usersOf(group: Group, { caches, store }: Env): Promise<readonly string[]> {
  const { namespace = '', name } = group.metadata
  const key = keyOfItem(group)
  const known = usersIn([...caches.Port.by('securityGroup', key)], [...caches.SecurityGroup.by('remoteGroup', key)], group)
  if (known.length > 0) return known
  const [ports, groups] = await Promise.all([store.list('Port', portsAround(group, caches)), store.list('SecurityGroup', { namespace })])
  return usersIn(
    ports.items.filter((port) => groupsAsked(port).includes(key)),
    groups.items.filter((each) => groupsInRules(each).includes(name)),
    group,
  )
}

/** Where Ports that have it are: that of an endpoint's clients is on Ports of any namespace, in the endpoint's VNI while that is known. */
function portsAround(group: Group, { Port }: Env['caches']): Within {
  const endpoint = portOfGroup(group)
  if (endpoint === undefined) return { namespace: group.metadata.namespace ?? '' }
  const port = Port.get(endpoint)
  const segment = port !== undefined && isOwnedBy(group, port) ? segmentOf(port) : undefined
  return segment === undefined ? {} : { fields: { [segmentField(segment)]: String(segment) } }
}

/** Two that name each other, and are both to go, do. Who is of another namespace holds it too, and is nobody's business. */
function usersIn(ports: readonly Resource<'Port'>[], groups: readonly Group[], { metadata: { uid, namespace } }: Group): readonly string[] {
  const others = groups.filter(({ metadata }) => metadata.uid !== uid && metadata.deletionTimestamp === undefined)
  const names = [...ports, ...others].map((each) =>
    each.metadata.namespace === namespace ? `${each.kind} ${keyOfItem(each)}` : `a ${each.kind} of another namespace`,
  )
  return [...new Set(names)].sort()
}
