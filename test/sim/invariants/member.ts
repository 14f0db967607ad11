// A Port as policies look at it, by what is stored.
import { memberOf } from '../../../core/policy/member.ts'
import type { Resource } from '../../../core/kinds/index.ts'
import { isGoing } from '../../../workers/watch/predicates.ts'
import type { Truth } from '../truth.ts'

export function memberIn(port: Resource<'Port'>, truth: Truth): ReturnType<typeof memberOf> {
  const { namespace = '' } = port.metadata
  const { claim } = port.spec
  const pod = claim && truth.at('Pod', `${namespace}/${claim.pod}`)
  return memberOf(port, {
    pod: pod?.metadata.uid === claim?.podUID ? pod : undefined,
    namespace: truth.at('Namespace', namespace),
    // One that is on its way out waits for whoever names it, and judges nobody else.
    hasDefaultGroup: !isGoing(truth.at('SecurityGroup', `${namespace}/default`)),
  })
}
