// ETags (RFC 9110 section 8.8): one for each state of each object, never the same for a successor of the same name.
import type { FastifyRequest } from 'fastify'
import { PreconditionFailed, PreconditionRequired } from '../../core/errors.ts'
import { keyOfItem, type Resource } from '../../core/kinds/index.ts'

export const etagOf = ({ metadata }: Resource): string => `"${metadata.uid}.${metadata.resourceVersion}"`

/**
 * Whether what is there is what the caller has read. `*` is any state.
 *
 * @throws PreconditionRequired where he does not say, PreconditionFailed where it is another
 */
export function holdIfMatch(request: FastifyRequest, current: Resource): void {
  const { method, headers } = request
  const given = headers['if-match']
  if (given === undefined) throw new PreconditionRequired({ method })
  if (given.trim() === '*' || tagsIn(given).includes(etagOf(current))) return
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
