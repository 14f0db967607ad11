// A Port as policies look at it, from the caches.
import { inNamespaceOf, type Resource } from '../../core/kinds/index.ts'
import { defaultGroup, memberOf, type Member } from '../../core/policy/member.ts'
import type { Env } from '../controller-env.ts'
import { isGoing } from '../watch/predicates.ts'

export function memberIn(port: Resource<'Port'>, { caches }: Pick<Env, 'caches'>): Member {
  const { namespace = '' } = port.metadata
  const { claim } = port.spec
  const pod = claim && caches.Pod.get(inNamespaceOf(port, claim.pod))
  return memberOf(port, {
    pod: pod?.metadata.uid === claim?.podUID ? pod : undefined,
    namespace: caches.Namespace.get(namespace),
    hasDefaultGroup: !isGoing(caches.SecurityGroup.get(`${namespace}/${defaultGroup}`)),
  })
}
