// What a stored pod keeps, where no API server and no policy of ours see to it.
import { pointerTo } from '../../core/admit/refusal.ts'
import { networkAnnotation, nicsAnnotation, vpcAnnotation } from '../../core/kinds/annotations.ts'
import type { Resource } from '../../core/kinds/index.ts'
import { sameJson } from '../../core/same-json.ts'
import { InvalidObject } from './invalid-object.ts'

const kept = [vpcAnnotation, networkAnnotation, nicsAnnotation]

/** What the API server and our policy keep as it was: a pod's spec, save that it may be bound to a node, and what its Nics are. */
export function keepPodRequest(pod: Resource<'Pod'>, old: Resource<'Pod'>): void {
  const problems = kept
    .filter((name) => pod.metadata.annotations?.[name] !== old.metadata.annotations?.[name])
    .map((name) => ({ at: pointerTo('metadata', 'annotations', name), message: 'cannot be changed once the pod is made' }))
  const { nodeName, ...spec } = pod.spec
  const { nodeName: oldNode, ...oldSpec } = old.spec
  if (!sameJson(spec, oldSpec)) problems.push({ at: '/spec', message: 'cannot be changed once the pod is made, save nodeName' })
  if (oldNode !== undefined && nodeName !== oldNode) problems.push({ at: '/spec/nodeName', message: `is ${oldNode} already` })
  if (problems.length > 0) throw new InvalidObject(problems)
}
