// ETSI NFV SOL003/SOL005/SOL013 notifications: what an NFVO reads. Their resources are ours, so the type names our kind.
import type { Kind, Resource } from '../../kinds/index.ts'
import type { Phase } from '../../kinds/meta.ts'
import { sourceOf } from './cloudevents.ts'
import type { Rendered, Told } from './told.ts'

/** The version of the notification's form, in the header Version (SOL013, 9.2). */
export const solVersion = '1.0.0'

interface Standing {
  readonly operation: 'CREATE' | 'DELETE'
  readonly operationState: 'PROCESSING' | 'COMPLETED' | 'FAILED_TEMP'
  readonly notificationStatus: 'START' | 'RESULT'
}
/** A phase as an operation's state (SOL003, 5.6.2.2). `error` may still become ready: FAILED_TEMP. */
const standings: Readonly<Record<Phase, Standing>> = {
  pending: { operation: 'CREATE', operationState: 'PROCESSING', notificationStatus: 'START' },
  ready: { operation: 'CREATE', operationState: 'COMPLETED', notificationStatus: 'RESULT' },
  error: { operation: 'CREATE', operationState: 'FAILED_TEMP', notificationStatus: 'RESULT' },
  terminating: { operation: 'DELETE', operationState: 'PROCESSING', notificationStatus: 'START' },
  deleted: { operation: 'DELETE', operationState: 'COMPLETED', notificationStatus: 'RESULT' },
}

interface Object {
  readonly kind: Kind
  readonly metadata: Resource['metadata']
}

export function solNotice(told: Told, subscription: Resource<'Subscription'>): Rendered {
  const { kind, metadata } = told.object as Object
  const body = {
    id: told.eventId,
    notificationType: `${kind}StateChangeNotification`,
    subscriptionId: subscription.metadata.uid,
    timeStamp: told.time,
    resourceId: metadata.uid,
    resourceKind: kind,
    resourceName: metadata.name,
    ...(metadata.namespace === undefined ? {} : { resourceNamespace: metadata.namespace }),
    ...standings[told.phase],
    verbosity: subscription.spec.verbosity ?? 'FULL',
    ...(kind === ('L2ServiceAttachment' as Kind) ? { netAttDefResourceData: [netAttDefOf(metadata)] } : {}),
    ...(subscription.spec.verbosity === 'SHORT' ? {} : { resource: told.object }),
    _links: { subscription: { href: subscriptionHref(subscription) }, resource: { href: sourceOf(kind, metadata.namespace, metadata.name) } },
  }
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json', accept: 'application/json', version: solVersion } }
}

export const subscriptionHref = ({ metadata }: Resource<'Subscription'>): string => `/v1/namespaces/${metadata.namespace ?? ''}/subscriptions/${metadata.name}`

/** The NetworkAttachmentDefinition that an attachment makes, of its own name, as NetAttDefResourceData (SOL003, 4.4.1.31). */
export function netAttDefOf({ namespace = '', name }: Pick<Resource['metadata'], 'namespace' | 'name'>): object {
  return {
    netAttDefResourceId: `${namespace}/${name}`,
    resourceHandle: { resourceId: name, vimLevelResourceType: 'NetworkAttachmentDefinition', containerNamespace: namespace },
  }
}
