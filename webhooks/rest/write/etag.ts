// ETags (RFC 9110 section 8.8): UID, generation and metadata, which a writer must have read; and the resourceVersion, which also
// tells states of the status apart. A change is held to the first part alone: that somebody reports meanwhile how an object does
// is no reason to refuse its owner's change.
import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { PreconditionFailed, PreconditionRequired } from '../../../core/errors.ts'
import {
  askedAnnotation,
  nicStatusAnnotation,
  requestedAtAnnotation,
  requestedByAnnotation,
  traceparentAnnotation,
  tracestateAnnotation,
} from '../../../core/kinds/annotations.ts'
import { keyOfItem, type Resource } from '../../../core/kinds/index.ts'

/** Written by us or by a node's plugins, as a status is. */
const reports: readonly string[] = [
  nicStatusAnnotation,
  askedAnnotation,
  requestedByAnnotation,
  traceparentAnnotation,
  tracestateAnnotation,
  requestedAtAnnotation,
  'megrez.io/policy-bound',
  'k8s.v1.cni.cncf.io/network-status',
]

export const etagOf = (item: Resource): string => `"${wantedTag(item)}.${item.metadata.resourceVersion}"`

/** What its owner wants: one for each spec and metadata, never the same for a successor of the same name. */
function wantedTag({ metadata }: Resource): string {
  const { uid, generation, labels, annotations = {}, ownerReferences } = metadata
  const own = Object.entries(annotations).filter(([name]) => !reports.includes(name))
  const more =
    labels === undefined && own.length === 0 && ownerReferences === undefined
      ? '0'
      : hash('sha256', JSON.stringify([labels, own, ownerReferences]), 'base64url').slice(0, 11)
  return `${uid}.${generation}.${more}`
}

/**
 * Whether what is there is what the caller has read, its status aside. `*` is any state.
 *
 * @throws PreconditionRequired where the caller does not say, PreconditionFailed where it is another
 */
export function holdIfMatch(request: FastifyRequest, current: Resource): void {
  const { method, headers } = request
  const given = headers['if-match']
  if (given === undefined) throw new PreconditionRequired({ method })
  if (given.trim() === '*') return
  const wanted = `"${wantedTag(current)}.`
  if (!tagsIn(given).some((tag) => tag.startsWith(wanted)))
    throw new PreconditionFailed({ kind: current.kind, key: keyOfItem(current), etag: given.slice(0, 200) })
}

export function needIfMatch({ method, headers }: FastifyRequest): void {
  if (headers['if-match'] === undefined) throw new PreconditionRequired({ method })
}

/** Whether the caller has this state already; weak comparison, as RFC 9110 13.1.2 has it for If-None-Match. */
export function isKnown(request: FastifyRequest, current: Resource): boolean {
  const given = request.headers['if-none-match']
  if (given === undefined) return false
  return given.trim() === '*' || tagsIn(given).some((tag) => tag.replace(/^W\//, '') === etagOf(current))
}

const tagsIn = (header: string): string[] => header.match(/(?:W\/)?"[^"]*"/g) ?? []
