// Resource ↔ the API server's JSON, and where it stands.
import { apiVersionOf, pluralOf, scopeOf, type Kind, type Ref, type Resource } from '../../core/kinds/index.ts'
import { readNsmSpec } from '../../core/kinds/foreign-network-services.ts'
import { parseLabels, selectablePaths } from '../../core/kinds/selector.ts'
import type { Draft, Within } from '../../core/contracts/store.ts'
import { Invalid } from '../../core/errors.ts'
import { eventBody, eventSpec } from './events.ts'
import type { RawObject } from './watch/watch-stream.ts'

/** `/apis/megrez.io/v1alpha1/namespaces/a/ports`, or `/api/v1/pods` over all namespaces. */
export function collectionPath(kind: Kind, namespace?: string): string {
  const version = apiVersionOf(kind)
  const root = version.includes('/') ? `/apis/${version}` : `/api/${version}`
  return namespace === undefined || scopeOf(kind) === 'Cluster'
    ? `${root}/${pluralOf(kind)}`
    : `${root}/namespaces/${encodeURIComponent(namespace)}/${pluralOf(kind)}`
}

export const objectPath = (ref: Ref): string => `${collectionPath(ref.kind, ref.namespace)}/${encodeURIComponent(ref.name)}`

/**
 * The collection and its selectors.
 *
 * @throws Invalid for a selector that the kind does not offer: the API server would say no too, in other words for each kind
 */
export function selection(
  kind: Kind,
  within: Within,
): { readonly path: string; readonly query: Readonly<Record<string, string | undefined>> } {
  if (within.labels !== undefined && within.labels !== '' && parseLabels(within.labels) === undefined)
    throw new Invalid({ reason: `${JSON.stringify(within.labels)} is no label selector: write a=b,c!=d,e in (f,g),h,!i` })
  const offered = selectablePaths(kind)
  const fields = Object.entries(within.fields ?? {})
  for (const [path] of fields)
    if (!offered.includes(path)) throw new Invalid({ reason: `${kind} cannot be selected by ${path}, only by ${offered.join(', ')}` })
  return {
    path: collectionPath(kind, within.namespace),
    query: {
      labelSelector: within.labels,
      fieldSelector:
        fields.length === 0 ? undefined : fields.map(([path, value]) => `${path.slice(1)}=${value.replace(/[\\,=]/g, '\\$&')}`).join(','),
    },
  }
}

/** Items of a list do not say their kind, and nobody here reads who wrote which field. */
export function resourceOf<K extends Kind>(kind: K, body: unknown): Resource<K> {
  const raw = body as RawObject
  const { managedFields: _, selfLink: __, ...metadata } = raw.metadata
  const spec = (specs[kind] ?? (({ spec }) => spec ?? {}))(raw)
  const item = { apiVersion: apiVersionOf(kind), kind, metadata: { generation: 1, ...metadata }, spec }
  return (raw['status'] === undefined ? item : { ...item, status: raw['status'] }) as Resource<K>
}

/** What is sent to create it. */
export function bodyOf(draft: Draft): object {
  const { name, namespace, labels, annotations, finalizers, ownerReferences } = draft.metadata
  const metadata = { name, namespace, labels, annotations, finalizers, ownerReferences }
  const fields =
    draft.kind === 'Event' ? eventBody((draft as Draft<'Event'>).spec) : isSpread(draft.kind) ? draft.spec : { spec: draft.spec }
  return { apiVersion: apiVersionOf(draft.kind), kind: draft.kind, metadata, ...fields }
}

/** Whose fields stand at the top of the API server's JSON, and under spec here; or whose spec has no schema there. */
const specs: { readonly [K in Kind]?: (raw: RawObject) => unknown } = {
  Event: eventSpec,
  Secret: (raw) => secretSpec(raw),
  NetworkService: ({ spec }) => readNsmSpec('NetworkService', spec),
  NetworkServiceEndpoint: ({ spec }) => readNsmSpec('NetworkServiceEndpoint', spec),
  EndpointSlice: ({ addressType, endpoints, ports }) => ({ addressType, endpoints: endpoints ?? [], ports: ports ?? [] }),
}
export const isSpread = (kind: Kind): boolean => kind === 'Secret' || kind === 'EndpointSlice'

const secretSpec = (raw: RawObject): object => ({ data: raw['data'] ?? {}, ...(raw['type'] === undefined ? {} : { type: raw['type'] }) })
