// SecurityGroups as clouds have them: each as long as a Port there needs it, with the rules that its SecurityGroup has now.
import { inNamespaceOf, keyOfItem, type Resource } from '../../../core/kinds/index.ts'
import { groupsInRules } from '../../../core/plan/vpc/security-group.ts'
import type { Env } from '../../controller-env.ts'
import { closureOf, keysAtClouds } from '../../clouds/groups.ts'
import { row, type Row } from '../../loop/controller-row.ts'
import { cloudGroupController } from '../../providers/cloud-groups.ts'
import { isReportedOtherwiseAtCloud, onceMore } from '../../watch/clouds.ts'
import { asItWas, itself, named } from '../../watch/map-to-keys.ts'
import { part, specChanges } from '../../watch/predicates.ts'

type Group = Resource<'SecurityGroup'>

/** Those that a Port has let go, and those that these have named. */
const ofPort = (port: Resource<'Port'>, env: Env): readonly string[] =>
  keysAtClouds(
    closureOf(
      (port.spec.securityGroups ?? []).map((name) => inNamespaceOf(port, name)),
      env,
    ),
    env,
  )
const remotesOf = (group: Group, env: Env): readonly string[] =>
  keysAtClouds(
    closureOf(
      groupsInRules(group).map((name) => inNamespaceOf(group, name)),
      env,
    ),
    env,
  )
const namersOf = (key: string, env: Env): readonly string[] =>
  keysAtClouds(
    [...env.caches.SecurityGroup.by('remoteGroup', key)].map((each) => keyOfItem(each)),
    env,
  )

export const cloudSecurityGroups: Row<'CloudSecurityGroup'> = row(
  'CloudSecurityGroup',
  (on) => [
    on('CloudSecurityGroup', { when: specChanges, keys: itself }),
    on('CloudSecurityGroup', { when: isReportedOtherwiseAtCloud, keys: itself, after: onceMore }),
    on('CloudSecurityGroup', {
      when: part('its ID', (at) => at?.status?.providerID),
      keys: named('CloudSecurityGroup', 'those whose rules name its SecurityGroup', (at, env) =>
        namersOf(inNamespaceOf(at, at.spec.group), env),
      ),
    }),
    on('SecurityGroup', {
      when: specChanges,
      keys: named('CloudSecurityGroup', 'its own, and those whose rules name it', (group, env) => [
        ...keysAtClouds([keyOfItem(group)], env),
        ...namersOf(keyOfItem(group), env),
      ]),
    }),
    on('SecurityGroup', { when: specChanges, keys: asItWas(named('CloudSecurityGroup', 'those that its rules name', remotesOf)) }),
    on('Port', { when: specChanges, keys: asItWas(named('CloudSecurityGroup', 'those of its SecurityGroups', ofPort)) }),
  ],
  cloudGroupController,
)
