// What a stored pod keeps, where no API server and no policy of ours see to it.
import { isRefusal, pointerTo } from '../../core/admit/refusal.ts'
import { networkAnnotation, nicsAnnotation, nicTypeAnnotation, vpcAnnotation } from '../../core/kinds/annotations.ts'
import type { Resource } from '../../core/kinds/index.ts'
import { sameJson } from '../../core/same-json.ts'
import { validateChange } from '../admission/validate-pod.ts'
import type { RestDeps } from './deps.ts'
import { InvalidObject } from './invalid-object.ts'

const kept = [vpcAnnotation, networkAnnotation, nicsAnnotation, nicTypeAnnotation]

/** What the API server and our policy keep as it was: a pod's spec, save that it may be bound to a node, and what its Nics are. */
function keepPodRequest(pod: Resource<'Pod'>, old: Resource<'Pod'>): void {
  const problems = kept
    .filter((name) => pod.metadata.annotations?.[name] !== old.metadata.annotations?.[name])
    .map((name) => ({ at: pointerTo('metadata', 'annotations', name), message: 'cannot be changed once the pod is made' }))
  const { nodeName, ...spec } = pod.spec
  const { nodeName: oldNode, ...oldSpec } = old.spec
  if (!sameJson(spec, oldSpec)) problems.push({ at: '/spec', message: 'cannot be changed once the pod is made, save nodeName' })
  if (oldNode !== undefined && nodeName !== oldNode) problems.push({ at: '/spec/nodeName', message: `is ${oldNode} already` })
  if (problems.length > 0) throw new InvalidObject(problems)
}

/** @throws InvalidObject where it changes what stays, or is given a NIC that a new pod would not be given */
export async function admitPodChange({ admission }: RestDeps, pod: Resource<'Pod'>, old: Resource<'Pod'>, dryRun: boolean): Promise<void> {
  keepPodRequest(pod, old)
  const verdict = await validateChange(admission, pod, old, dryRun)
  if (isRefusal(verdict)) throw new InvalidObject([{ at: verdict.at, message: verdict.message }])
}
