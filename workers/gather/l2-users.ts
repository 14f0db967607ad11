// What controllers of external networks ask of the caches.
import type { Resource } from '../../core/kinds/index.ts'
import { inNamespaceOf, keyOfItem } from '../../core/kinds/index.ts'
import { domainNameOf } from '../../core/plan/l2/service.ts'
import { consumes, refusalOf, carriedTrunks } from '../../core/plan/l2/consumers.ts'
import type { UsedL2Service } from '../../core/plan/l2/attachment.ts'
import { isPodFinished } from '../../core/plan/pod/pod.ts'
import type { Caches } from '../../platform/cache/caches.ts'

type Attachment = Resource<'L2ServiceAttachment'>
type L2Service = Resource<'L2Service'>

/** An attachment that stands, and where. */
export interface Consumer {
  readonly attachment: Attachment
  readonly point: Resource<'ConnectionPoint'>
}

/**
 * Each attachment that names a service and stands, with its ConnectionPoint.
 * @param named those that name it, where the store itself was asked
 */
export function consumersOf(
  service: L2Service,
  caches: Caches,
  named: Iterable<Attachment> = caches.L2ServiceAttachment.by('l2Service', keyOfItem(service)),
): readonly Consumer[] {
  return [...named].flatMap((attachment) => {
    const point = caches.ConnectionPoint.get(attachment.spec.connectionPoint)
    return point !== undefined && consumes(attachment, point, onPointOf(attachment, caches)) ? [{ attachment, point }] : []
  })
}

const onPointOf = ({ spec }: Attachment, caches: Caches): Attachment[] => [
  ...caches.L2ServiceAttachment.by('connectionPoint', spec.connectionPoint),
]

export function refusalIn(attachment: Attachment, caches: Caches): string | undefined {
  return refusalOf(attachment, caches.ConnectionPoint.get(attachment.spec.connectionPoint), onPointOf(attachment, caches))
}

export function usedServices(attachment: Attachment, caches: Caches): UsedL2Service[] {
  return attachment.spec.l2Services.map((name) => {
    const service = caches.L2Service.get(inNamespaceOf(attachment, name))
    const subnets = (service?.spec.subnets ?? []).map((each) => ({
      name: each,
      subnet: caches.Subnet.get(inNamespaceOf(attachment, each)),
    }))
    return { name, service, domain: service && caches.L2BridgeDomain.get(domainNameOf(service)), subnets }
  })
}

/** Other trunks that stand on the ConnectionPoint of a trunk, and what they bring. */
export function sharedWith(attachment: Attachment, caches: Caches): { readonly name: string; readonly vlans: readonly number[] }[] {
  if (attachment.spec.vlanType !== 'trunk') return []
  return carriedTrunks(onPointOf(attachment, caches))
    .filter(({ metadata }) => metadata.uid !== attachment.metadata.uid)
    .map((each) => ({
      name: keyOfItem(each),
      vlans: each.spec.l2Services.flatMap((name) => caches.L2Service.get(inNamespaceOf(each, name))?.spec.segmentationID ?? []),
    }))
}

/** Pods that use the definition of an attachment and still run. */
export const podsOf = (attachment: Attachment, caches: Caches): Resource<'Pod'>[] =>
  [...caches.Pod.by('network', keyOfItem(attachment))].filter((pod) => !isPodFinished(pod))
