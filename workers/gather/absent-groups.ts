// SecurityGroups that a Port names, and that are not there (yet, or any more): nothing passes until they are, as no rule allows it.
import { keyOfItem, type Resource } from '../../core/kinds/index.ts'
import { isNoEndpoint } from '../../core/kinds/services/connection.ts'
import { groupsAsked } from '../../core/policy/member.ts'
import type { Env } from '../controller-env.ts'

/** `namespace/name`; by the caches. */
export const absentGroups = (port: Resource<'Port'>, { caches }: Pick<Env, 'caches'>): readonly string[] =>
  groupsAsked(port).filter((key) => caches.SecurityGroup.get(key) === undefined)

/** Of those that no watch has told of yet the store tells. */
export async function learnGroups(port: Resource<'Port'>, { caches, store }: Pick<Env, 'caches' | 'store'>): Promise<void> {
  for (const key of absentGroups(port, { caches })) {
    if (isNoEndpoint(key)) continue
    const [namespace = '', name = ''] = key.split('/')
    const group = await store.get({ kind: 'SecurityGroup', namespace, name })
    if (group !== undefined) caches.SecurityGroup.learn(keyOfItem(group), group)
  }
}
