// SecurityGroups: nothing is done for them but to say that they are in force wherever a Port names them, and to keep them as long as one
// does.
import { inNamespaceOf, keyOfItem, type Resource } from '../../../core/kinds/index.ts'
import type { Plan } from '../../../core/plan/plan.ts'
import { groupsInRules, planSecurityGroup } from '../../../core/plan/vpc/security-group.ts'
import { nothing } from '../../drivers/store-objects.ts'
import type { Env } from '../../controller-env.ts'
import { row, type Row } from '../../loop/controller-row.ts'
import type { Controller } from '../../loop/controller.ts'
import { specChanges } from '../../watch/predicates.ts'
import { asItWas, beingDeleted, itself, named } from '../../watch/map-to-keys.ts'

type Group = Resource<'SecurityGroup'>
interface Named {
  readonly group: Group
  readonly users: readonly string[]
}

const groupsOf = (port: Resource<'Port'>): readonly string[] => (port.spec.securityGroups ?? []).map((name) => inNamespaceOf(port, name))
const remotesOf = (group: Group): readonly string[] => groupsInRules(group).map((name) => inNamespaceOf(group, name))

export const securityGroups: Row<'SecurityGroup'> = row(
  'SecurityGroup',
  (on) => [
    on('SecurityGroup', { when: specChanges, keys: itself }),
    // Those that are to go once nobody names them.
    on('Port', { when: specChanges, keys: asItWas(named('SecurityGroup', 'its SecurityGroups', groupsOf, beingDeleted)) }),
    on('SecurityGroup', { when: specChanges, keys: asItWas(named('SecurityGroup', 'those that its rules name', remotesOf, beingDeleted)) }),
  ],
  open,
)

function open(env: Env): Controller<Named, undefined, undefined, never, Plan<never>> {
  const driver = nothing(env.store)
  return {
    async gather(key) {
      const group = env.caches.SecurityGroup.get(key)
      return group && { group, users: group.metadata.deletionTimestamp === undefined ? [] : await usersOf(group, env) }
    },
    driver: () => driver,
    scope: () => undefined,
    item: ({ group }) => group,
    plan: ({ group, users }) => planSecurityGroup(group, users),
  }
}

/** Where the caches know of none, the store itself is asked: a Port may be told of later than the deletion. */
async function usersOf(group: Group, { caches, store }: Env): Promise<readonly string[]> {
  const { namespace = '', name } = group.metadata
  const key = keyOfItem(group)
  const known = usersIn([...caches.Port.by('securityGroup', key)], [...caches.SecurityGroup.by('remoteGroup', key)], group)
  if (known.length > 0) return known
  const [ports, groups] = await Promise.all([store.list('Port', { namespace }), store.list('SecurityGroup', { namespace })])
  return usersIn(
    ports.items.filter(({ spec }) => spec.securityGroups?.includes(name)),
    groups.items.filter((each) => groupsInRules(each).includes(name)),
    group,
  )
}

/** Two that name each other, and are both to go, do. */
function usersIn(ports: readonly Resource<'Port'>[], groups: readonly Group[], { metadata: { uid } }: Group): readonly string[] {
  const others = groups.filter(({ metadata }) => metadata.uid !== uid && metadata.deletionTimestamp === undefined)
  return [...ports, ...others].map((each) => `${each.kind} ${keyOfItem(each)}`).sort()
}
