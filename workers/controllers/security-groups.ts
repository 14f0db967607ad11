// SecurityGroups: nothing is done for them but to say that they are in force wherever a Port names them.
import { finalizersFor } from '../../core/admit/finalizers.ts'
import type { Resource } from '../../core/kinds/index.ts'
import type { Plan } from '../../core/plan/plan.ts'
import { planSecurityGroup } from '../../core/plan/security-group.ts'
import { ended, reported } from '../../core/plan/status.ts'
import { objects } from '../drivers/objects.ts'
import { reporting, type Env } from '../env.ts'
import type { Controller } from '../reconcile.ts'

type Group = Resource<'SecurityGroup'>

export function securityGroups(env: Env): Controller<Group, undefined, undefined, never, Plan<never>> {
  const driver = objects<undefined, undefined, never>(env.store, 'objects', { observe: () => undefined, writesOf: () => [] })
  return {
    name: 'securitygroup',
    gather: (key) => env.caches.SecurityGroup.get(key),
    driver: () => driver,
    scope: () => undefined,
    item: (group) => group,
    plan: planSecurityGroup,
    guard: (item) => ({ item, finalizers: finalizersFor('SecurityGroup', item) }),
    report: (group, plan, now) => (plan.phase === 'deleted' ? ended(group, [], reporting(env, now)) : reported(group, plan, reporting(env, now)).writes),
  }
}
