// What an operation may answer. Refusals are shared responses, one for each status.
import type { Schema } from '../schemas/render.ts'
import { ref } from '../schemas/schemas.ts'

const refusals = {
  400: ['Malformed', 'The request cannot be read.'],
  401: ['Unauthorized', 'A valid bearer token is needed.'],
  403: ['Forbidden', 'This token may not, or the namespace is being deleted.'],
  404: ['NotFound', 'There is none of that name.'],
  405: ['MethodNotAllowed', 'Not offered here: where there is an API server, that is its affair.'],
  406: ['NotAcceptable', 'The version that is asked for is not known.'],
  409: [
    'Conflict',
    'It is there already, it has changed meanwhile, an address it asks for is taken, or a request of the same Idempotency-Key is under way.',
  ],
  410: ['Gone', 'The changes since then are no longer kept: list again.'],
  412: ['PreconditionFailed', 'It is no longer at the ETag in If-Match.'],
  413: ['TooLarge', 'The body is larger than 1 MiB.'],
  415: ['UnsupportedMediaType', 'This media type is not taken here.'],
  422: [
    'Invalid',
    'A field is at fault; `errors` names each with its JSON pointer. Or the Idempotency-Key came with another request before.',
  ],
  428: ['PreconditionRequired', 'If-Match is missing.'],
  429: ['RateLimited', 'This caller asks too much at once; Retry-After says when to come back.'],
  503: ['Unavailable', 'The store does not answer; worth trying again.'],
} as const
export type Status = keyof typeof refusals

const header = (name: string): Schema => ({ $ref: `#/components/headers/${name}` })
const requestId = { 'X-Request-Id': header('X-Request-Id') }
const retryAfter = { 'Retry-After': header('Retry-After') }
/** The caller may come back. */
const waits = ['429', '503']

const described = (description: string, type = 'string'): Schema => ({ description, schema: { type } })
/** components.headers */
export const headers: Readonly<Record<string, Schema>> = {
  ETag: described(
    'the state that is shown; If-Match wants it back. A change of the status alone does not keep a change of the rest from being taken',
  ),
  Location: described('where it is'),
  'X-Request-Id': described('what the log calls this request: as the client named it, else a name of ours'),
  'Retry-After': described('seconds to wait', 'integer'),
  Version: described('of the interface, as SOL013 has it'),
  Link: described('`<…>; rel="next"`: the next page (RFC 8288)'),
  Warning: described('what was done about a pod that its maker may not expect: `299 megrez "…"` each'),
  'Idempotency-Replayed': described('`true`: this was answered before, to the same request'),
}

/** components.responses */
export const responses: Readonly<Record<string, Schema>> = Object.fromEntries(
  Object.entries(refusals).map(([status, [name, description]]) => [
    name,
    {
      description,
      headers: { ...requestId, ...(waits.includes(status) && retryAfter) },
      content: { 'application/problem+json': { schema: ref('Problem') } },
    },
  ]),
)

export const refused = (...statuses: readonly Status[]): Schema =>
  Object.fromEntries(
    [401, ...statuses, 429, 503].map((status) => [String(status), { $ref: `#/components/responses/${refusals[status as Status][0]}` }]),
  )

const etag: Schema = { ...requestId, ETag: header('ETag') }
const json = (schema: Schema): Schema => ({ 'application/json': { schema } })

export const object = (kind: string, description: string): Schema => ({ description, headers: etag, content: json(ref(kind)) })
export const created = (kind: string): Schema => ({
  description: 'It is stored.',
  headers: { ...etag, Location: header('Location'), Warning: header('Warning'), 'Idempotency-Replayed': header('Idempotency-Replayed') },
  content: json(ref(kind)),
})
export const listed = (kind: string): Schema => ({
  description: 'A page of them, in order of namespace and name; with `watch=true` the changes as server-sent events.',
  headers: { ...requestId, Link: header('Link') },
  content: {
    ...json(ref(`${kind}List`)),
    'text/event-stream': {
      schema: {
        type: 'string',
        description:
          'event: `all` (everything there is: first, and again after a gap; data is a list), `put`, `gone` (data is the object). An id without an event: nothing of yours changed up to there. id: the resourceVersion; sent back as Last-Event-ID the watch goes on from there, or begins anew with `all` where what happened since is no longer kept: never 410.',
      },
    },
  },
})

/** Work that goes on after the answer. */
const underWay = { ...requestId, Location: header('Location'), 'Retry-After': header('Retry-After') }
export const accepted = (description: string): Schema => ({ description, headers: underWay, content: json(ref('Operation')) })
export const going = (kind: string): Schema => ({
  description: 'It goes once its finalizers are off; it is as shown until then. Location is the operation.',
  headers: { ...underWay, ETag: header('ETag') },
  content: json(ref(kind)),
})
