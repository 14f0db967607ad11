// Admission of Services of our class: whether the pool that they name may be theirs. Services of other classes pass.
import { isOurService, poolOf, servicePoolKey, type ServiceSeen } from '../../../core/admit/service/pool.ts'
import { addressAnnotation, poolAnnotation } from '../../../core/kinds/annotations.ts'
import { isObject } from '../../../core/json.ts'
import { sameJson } from '../../../core/same-json.ts'
import type { AdmissionProblem } from '../answer.ts'
import type { AdmissionDeps } from '../deps.ts'
import type { Request } from '../review.ts'

/** What is wrong with a Service that is made or changed. Waits for what is on its way. */
export async function problemInService(
  { world, news }: Pick<AdmissionDeps, 'world' | 'news'>,
  { namespace, object, oldObject }: Pick<Request, 'namespace' | 'object' | 'oldObject'>,
): Promise<AdmissionProblem | undefined> {
  const service = serviceIn(object, namespace)
  const old = serviceIn(oldObject, namespace)
  if (
    service === undefined ||
    !isOurService(service) ||
    isGoing(oldObject) ||
    (old !== undefined && sameJson(wishOf(service), wishOf(old)))
  )
    return undefined
  const held = old === undefined || !isOurService(old) ? undefined : servicePoolKey(old)
  const ask = () => poolOf(service, world, held)
  const answer = await (news === undefined ? ask() : news.until(ask, (each) => each.kind === 'refused' && each.later))
  return answer.kind === 'refused' ? { at: answer.at, message: answer.message } : undefined
}

/** What is judged: the rest may change as it likes. */
const wishOf = (service: ServiceSeen): readonly unknown[] => [
  isOurService(service),
  service.metadata.annotations?.[poolAnnotation],
  service.metadata.annotations?.[addressAnnotation],
  service.spec.loadBalancerIP,
  service.spec['loadBalancerSourceRanges'],
]

function serviceIn(object: unknown, namespace: string): ServiceSeen | undefined {
  if (!isObject(object) || !isObject(object['metadata']) || !isObject(object['spec'])) return undefined
  const { annotations } = object['metadata']
  const spec = object['spec']
  const isText = (value: unknown): boolean => value === undefined || typeof value === 'string'
  if (!isText(spec['loadBalancerIP']) || (isObject(annotations) && !Object.values(annotations).every(isText))) return undefined
  return { metadata: { namespace, ...(isObject(annotations) && { annotations: annotations as Record<string, string> }) }, spec }
}

const isGoing = (object: unknown): boolean =>
  isObject(object) && isObject(object['metadata']) && object['metadata']['deletionTimestamp'] !== undefined
