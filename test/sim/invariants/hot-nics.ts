// In the end a pod that is told that its network is ready has no Port of a NIC that was taken from it, save where it is told that it stays
// as it is: its Vpc or Subnet is being deleted.
import { hotNicsAnnotation, nicStatusAnnotation } from '../../../core/kinds/annotations.ts'
import { keyOfItem, type Resource } from '../../../core/kinds/index.ts'
import { isPodFinished } from '../../../core/plan/pod/pod.ts'
import { hotNicNames } from '../events/hot-nics.ts'
import type { Invariant } from '../invariant.ts'

export const hotNics: Invariant = {
  name: 'hot-nics',
  begin: ({ site: { truth } }, fail) => ({
    atRest() {
      for (const port of truth.values('Port')) {
        const { claim } = port.spec
        if (claim === undefined || claim.until !== undefined || !hotNicNames.some((name) => name === claim.nic)) continue
        const pod = truth.at('Pod', `${port.metadata.namespace}/${claim.pod}`)
        if (pod?.metadata.uid === claim.podUID && !isPodFinished(pod) && isReady(pod) && !namesIn(pod).includes(claim.nic))
          fail(`NIC ${claim.nic} was taken from pod ${keyOfItem(pod)}, and its Port ${keyOfItem(port)} is still there`)
      }
    },
  }),
}

const annotated = ({ metadata: { annotations = {} } }: Resource<'Pod'>, name: string): unknown => JSON.parse(annotations[name] ?? 'null')
type NicStatus = { readonly phase?: string; readonly message?: string } | null
const statusOf = (pod: Resource<'Pod'>): NicStatus => annotated(pod, nicStatusAnnotation) as NicStatus
/** It is told that it stays as it is, as its lists, its Vpc or a Subnet are not what they should be. */
export const isHeldBack = (pod: Resource<'Pod'>): boolean => statusOf(pod)?.message?.includes('it stays where it is') === true
const isReady = (pod: Resource<'Pod'>): boolean => statusOf(pod)?.phase === 'ready' && !isHeldBack(pod)
const namesIn = (pod: Resource<'Pod'>): readonly string[] =>
  ((annotated(pod, hotNicsAnnotation) ?? []) as readonly { readonly name: string }[]).map(({ name }) => name)
