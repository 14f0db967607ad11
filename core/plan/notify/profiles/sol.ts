// ETSI NFV SOL003/SOL005/SOL013 notifications: what an NFVO reads. Their resources are ours, so the type names our kind.
import { addressOf } from '../../../kinds/address.ts'
import { refOf, type Kind, type Resource } from '../../../kinds/index.ts'
import type { Phase } from '../../../kinds/meta.ts'
import { notificationTypeOf, solOperations, solVersion } from '../../../kinds/notify/sol.ts'
import type { RenderedNotice, NoticeContent } from '../../profiles/notice-content.ts'

/** START while it goes on, RESULT at its end (SOL003, 5.5.2.17). */
const notificationStatusOf = (phase: Phase): 'START' | 'RESULT' =>
  solOperations[phase].operationState === 'PROCESSING' ? 'START' : 'RESULT'

interface Object {
  readonly kind: Kind
  readonly metadata: Resource['metadata']
}

export function solNotice(content: NoticeContent, subscription: Resource<'Subscription'>): RenderedNotice {
  const { kind, metadata } = content.object as Object
  const { root = '' } = content
  const body = {
    id: content.eventId,
    notificationType: notificationTypeOf(kind),
    subscriptionId: subscription.metadata.uid,
    timeStamp: content.time,
    resourceId: metadata.uid,
    resourceKind: kind,
    resourceName: metadata.name,
    ...(metadata.namespace === undefined ? {} : { resourceNamespace: metadata.namespace }),
    ...solOperations[content.phase],
    notificationStatus: notificationStatusOf(content.phase),
    verbosity: subscription.spec.verbosity ?? 'FULL',
    ...(kind === ('L2ServiceAttachment' as Kind) ? { netAttDefResourceData: [netAttDefOf(metadata)] } : {}),
    ...(subscription.spec.verbosity === 'SHORT' ? {} : { resource: content.object }),
    _links: {
      subscription: { href: root + subscriptionHref(subscription) },
      resource: { href: root + addressOf(refOf(content.object as Resource)) },
    },
  }
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json', accept: 'application/json', version: solVersion } }
}

/** Where it is read in SOL's own form. */
export const subscriptionHref = ({ metadata }: Pick<Resource<'Subscription'>, 'metadata'>): string =>
  `/v1/namespaces/${metadata.namespace ?? ''}/sol/subscriptions/${metadata.uid}`

/** The NetworkAttachmentDefinition that an attachment makes, of its own name, as NetAttDefResourceData (SOL003, 4.4.1.31). */
export function netAttDefOf({ namespace = '', name }: Pick<Resource['metadata'], 'namespace' | 'name'>): object {
  return {
    netAttDefResourceId: `${namespace}/${name}`,
    resourceHandle: { resourceId: name, vimLevelResourceType: 'NetworkAttachmentDefinition', containerNamespace: namespace },
  }
}
