// SecurityGroups: nothing is done for them but to say that they are in force wherever a Port names them, and to keep them as long as one does.
import { finalizersFor } from '../../core/admit/finalizers.ts'
import { securityGroupFinalizer } from '../../core/kinds/annotations.ts'
import { keyOfItem, type Resource } from '../../core/kinds/index.ts'
import type { Plan } from '../../core/plan/plan.ts'
import { groupsInRules, planSecurityGroup } from '../../core/plan/security-group.ts'
import { ended, reported } from '../../core/plan/status.ts'
import { objects } from '../drivers/objects.ts'
import { reporting, type Env } from '../env.ts'
import type { Controller } from '../reconcile.ts'

type Group = Resource<'SecurityGroup'>
interface Named {
  readonly group: Group
  readonly users: readonly string[]
}

export function securityGroups(env: Env): Controller<Named, undefined, undefined, never, Plan<never>> {
  const driver = objects<undefined, undefined, never>(env.store, 'objects', { observe: () => undefined, writesOf: () => [] })
  return {
    name: 'securitygroup',
    async gather(key) {
      const group = env.caches.SecurityGroup.get(key)
      return group && { group, users: group.metadata.deletionTimestamp === undefined ? [] : await usersOf(group, env) }
    },
    driver: () => driver,
    scope: () => undefined,
    item: ({ group }) => group,
    plan: ({ group, users }) => planSecurityGroup(group, users),
    guard: ({ group }) => ({ item: group, finalizers: finalizersFor('SecurityGroup', group) }),
    report: ({ group }, plan, now) => (plan.phase === 'deleted' ? ended(group, [securityGroupFinalizer], reporting(env, now)) : reported(group, plan, reporting(env, now)).writes),
  }
}

/** Where the caches know of none, the store itself is asked: a Port may be told of later than the deletion. */
async function usersOf(group: Group, { caches, store }: Env): Promise<readonly string[]> {
  const { namespace = '', name } = group.metadata
  const key = keyOfItem(group)
  const known = named([...caches.Port.by('securityGroup', key)], [...caches.SecurityGroup.by('remoteGroup', key)], group)
  if (known.length > 0) return known
  const [ports, groups] = await Promise.all([store.list('Port', { namespace }), store.list('SecurityGroup', { namespace })])
  return named(ports.items.filter(({ spec }) => spec.securityGroups?.includes(name)), groups.items.filter((each) => groupsInRules(each).includes(name)), group)
}

/** Two that name each other, and are both to go, do. */
function named(ports: readonly Resource<'Port'>[], groups: readonly Group[], { metadata: { uid } }: Group): readonly string[] {
  const others = groups.filter(({ metadata }) => metadata.uid !== uid && metadata.deletionTimestamp === undefined)
  return [...ports, ...others].map((each) => `${each.kind} ${keyOfItem(each)}`).sort()
}
