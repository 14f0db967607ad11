// What the simulated API server serves, and where: our kinds, those of Kubernetes that we look at, and no others.
import { isNsmKind } from '../../../core/kinds/foreign-network-services.ts'
import { allKinds, apiVersionOf, isOwnKind, pluralOf, scopeOf, type Kind } from '../../../core/kinds/index.ts'
import { selectablePaths } from '../../../core/kinds/selector.ts'

/** How much of an object its status endpoint may change. */
type StatusScope = 'status alone' | 'status and metadata' | 'none'

export interface Table {
  readonly kind: Kind
  readonly apiVersion: string
  /** '' for the core group. */
  readonly group: string
  readonly plural: string
  readonly namespaced: boolean
  readonly status: StatusScope
  /** Its metadata counts changes of what is wanted. */
  readonly generations: boolean
  /** `metadata.name`, `spec.vni`. */
  readonly selectable: readonly string[]
}
/** Where a request goes. */
export interface ResourcePath {
  readonly table: Table
  readonly namespace: string | undefined
  readonly name: string | undefined
  readonly subresource: string | undefined
}

const core: Partial<Record<Kind, StatusScope>> = {
  Pod: 'status and metadata',
  Node: 'status and metadata',
  Namespace: 'status and metadata',
  Service: 'status and metadata',
}

function tableOf(kind: Kind): Table {
  const apiVersion = apiVersionOf(kind)
  const own = isOwnKind(kind)
  return {
    kind,
    apiVersion,
    group: apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '',
    plural: pluralOf(kind),
    namespaced: scopeOf(kind) === 'Namespaced',
    status: own ? 'status alone' : (core[kind] ?? 'none'),
    generations: own || kind === 'Pod' || kind === 'NetworkAttachmentDefinition' || isNsmKind(kind),
    selectable: selectablePaths(kind).map((path) => path.slice(1)),
  }
}

export const tables: readonly Table[] = [...allKinds, 'Secret' as const, 'Service' as const, 'EndpointSlice' as const].map(tableOf)
export const tableFor = (kind: Kind): Table => tables.find((each) => each.kind === kind)!

/** `/api/v1/…` and `/apis/megrez.io/v1alpha1/…`, apart. */
function versionedPath(path: string): { readonly apiVersion: string; readonly steps: readonly string[] } {
  const [, root, ...rest] = path.split('/').map(decodeURIComponent)
  const length = root === 'apis' ? 2 : 1
  return { apiVersion: rest.slice(0, length).join('/'), steps: rest.slice(length) }
}

/** Undefined where nothing is served. */
export function placeOf(path: string): ResourcePath | undefined {
  const { apiVersion, steps } = versionedPath(path)
  const scoped = steps[0] === 'namespaces' && steps.length > 2 && steps[2] !== 'status'
  const namespace = scoped ? steps[1] : undefined
  const [plural, name, subresource] = scoped ? steps.slice(2) : steps
  const table = tables.find((each) => each.apiVersion === apiVersion && each.plural === plural)
  const place = table && { table, namespace, name, subresource }
  return place !== undefined && isServed(place) ? place : undefined
}

function isServed({ table, namespace, name, subresource }: ResourcePath): boolean {
  if (subresource !== undefined && (subresource !== 'status' || table.status === 'none')) return false
  // One object of a namespace is asked for in it; a list may be of all of them.
  return table.namespaced ? namespace !== undefined || name === undefined : namespace === undefined
}
