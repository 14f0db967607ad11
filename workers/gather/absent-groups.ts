// SecurityGroups that a Port names, and that are not there (yet, or any more): nothing passes until they are, as no rule allows it.
import { inNamespaceOf, keyOfItem, type Resource } from '../../core/kinds/index.ts'
import type { Env } from '../controller-env.ts'

/** `namespace/name`; by the caches. */
export const absentGroups = (port: Resource<'Port'>, { caches }: Pick<Env, 'caches'>): readonly string[] =>
  [...new Set(port.spec.securityGroups ?? [])]
    .map((name) => inNamespaceOf(port, name))
    .filter((key) => caches.SecurityGroup.get(key) === undefined)

/** Of those that no watch has told of yet the store tells. */
export async function learnGroups(port: Resource<'Port'>, { caches, store }: Pick<Env, 'caches' | 'store'>): Promise<void> {
  for (const key of absentGroups(port, { caches })) {
    const [namespace = '', name = ''] = key.split('/')
    const group = await store.get({ kind: 'SecurityGroup', namespace, name })
    if (group !== undefined) caches.SecurityGroup.learn(keyOfItem(group), group)
  }
}
