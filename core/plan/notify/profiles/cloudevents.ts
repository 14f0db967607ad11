// CloudEvents 1.0: structured, or binary by HTTP headers (HTTP Protocol Binding 1.0.2, 3.1 and 3.2).
import { apiVersionOf, isOwnKind, pluralOf, type Kind, type Resource } from '../../../kinds/index.ts'
import { causeOf } from '../../../kinds/trace.ts'
import type { RenderedNotice, NoticeContent } from '../../profiles/notice-content.ts'

type Object = Pick<Resource, 'kind' | 'metadata'>

/** source and id together are what doubles are found by (CloudEvents 1.0, 3.1). */
function attributesOf({ eventId, sequence, phase, time, object }: NoticeContent): Readonly<Record<string, string>> {
  const { kind, metadata } = object as Object
  return {
    specversion: '1.0',
    id: eventId,
    source: sourceOf(kind, metadata.namespace, metadata.name),
    type: `io.megrez.${kind.toLowerCase()}.${phase}`,
    subject: metadata.namespace === undefined ? metadata.name : `${metadata.namespace}/${metadata.name}`,
    time,
    // The extension `sequence`: compared as text, so with leading zeros.
    sequence: String(sequence).padStart(10, '0'),
    // The extension for distributed tracing: of what the event began with, not of this sending.
    ...causeOf(object),
  }
}

export function sourceOf(kind: Kind, namespace: string | undefined, name: string): string {
  const root = isOwnKind(kind) ? `/apis/${apiVersionOf(kind)}` : `/api/${apiVersionOf(kind)}`
  return `${root}${namespace === undefined ? '' : `/namespaces/${namespace}`}/${pluralOf(kind)}/${name}`
}

export function cloudEvent(content: NoticeContent, { spec }: Resource<'Subscription'>): RenderedNotice {
  const attributes = attributesOf(content)
  if (spec.mode !== 'binary')
    return {
      body: JSON.stringify({ ...attributes, datacontenttype: 'application/json', data: content.object }),
      headers: { 'content-type': 'application/cloudevents+json' },
    }
  const headers = Object.entries(attributes).map(([name, value]) => [`ce-${name}`, headerText(value)])
  return { body: JSON.stringify(content.object), headers: { 'content-type': 'application/json', ...Object.fromEntries(headers) } }
}

/** Blanks, quotes, per cents and all outside printable ASCII are percent-encoded as UTF-8 (HTTP Protocol Binding 3.1.3.2). */
const headerText = (value: string): string => value.replace(/[^!#$&-~]/gu, encodeURIComponent)
