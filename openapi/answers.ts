// What an operation may answer. Refusals are shared responses, one for each status.
import type { Schema } from './render.ts'
import { ref } from './schemas.ts'

const refusals = {
  400: ['Malformed', 'The request cannot be read.'],
  401: ['Unauthorized', 'A valid bearer token is needed.'],
  403: ['Forbidden', 'This token may not, or the namespace is being deleted.'],
  404: ['NotFound', 'There is none of that name.'],
  405: ['MethodNotAllowed', 'Not offered here: where there is an API server, that is its affair.'],
  409: ['Conflict', 'It is there already, it has changed meanwhile, or an address it asks for is taken.'],
  410: ['Gone', 'The changes since then are no longer kept: list again.'],
  412: ['PreconditionFailed', 'It is no longer at the ETag in If-Match.'],
  413: ['TooLarge', 'The body is larger than 1 MiB.'],
  415: ['UnsupportedMediaType', 'This media type is not taken here.'],
  422: ['Invalid', 'A field is at fault; `errors` names each with its JSON pointer.'],
  428: ['PreconditionRequired', 'If-Match is missing.'],
  503: ['Unavailable', 'The store does not answer; worth trying again.'],
} as const
export type Status = keyof typeof refusals

/** components.responses */
export const responses: Readonly<Record<string, Schema>> = Object.fromEntries(
  Object.values(refusals).map(([name, description]) => [name, { description, content: { 'application/problem+json': { schema: ref('Problem') } } }]),
)

export const refused = (...statuses: readonly Status[]): Schema => Object.fromEntries([401, ...statuses, 503].map((status) => [String(status), { $ref: `#/components/responses/${refusals[status as Status][0]}` }]))

const etag: Schema = { ETag: { description: 'the object\'s version; If-Match wants it back', schema: { type: 'string' } } }
const json = (schema: Schema): Schema => ({ 'application/json': { schema } })

export const object = (kind: string, description: string): Schema => ({ description, headers: etag, content: json(ref(kind)) })
export const created = (kind: string): Schema => ({ description: 'It is stored.', headers: { ...etag, Location: { description: 'where it is', schema: { type: 'string' } } }, content: json(ref(kind)) })
export const listed = (kind: string): Schema => ({
  description: 'A page of them, in order of namespace and name; with `watch=true` the changes as server-sent events.',
  content: {
    ...json(ref(`${kind}List`)),
    'text/event-stream': {
      schema: { type: 'string', description: 'event: `all` (everything there is: first, and again after a gap; data is a list), `put`, `gone` (data is the object). An id without an event: nothing of yours changed up to there. id: the resourceVersion; sent back as Last-Event-ID the watch goes on from there.' },
    },
  },
})
