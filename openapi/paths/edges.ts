// What is not about one kind: this document, operations under way, and what we send to a callbackURL.
import { refused } from './answers.ts'
import { open } from './health.ts'
import { routes, type Route } from './route.ts'
import type { Schema } from '../schemas/render.ts'
import { ref } from '../schemas/schemas.ts'

/** The contract itself. */
export const documentRoutes = routes(
  {
    at: '/docs',
    method: 'get',
    operation: {
      ...open('getDocs', 'This document, for people', {
        200: { description: 'A page.', content: { 'text/html': { schema: { type: 'string' } } } },
        400: { $ref: '#/components/responses/Malformed' },
      }),
      parameters: [
        {
          name: 'search',
          in: 'query',
          description: 'words that must all stand in an operation or schema; the page shows no other',
          schema: { type: 'string', maxLength: 200 },
        },
      ],
    },
  },
  {
    at: '/openapi.json',
    method: 'get',
    operation: open('getDocument', 'This document', {
      200: { description: 'The document.', content: { 'application/json': { schema: { type: 'object', additionalProperties: true } } } },
    }),
  },
)

const signed = (name: string, description: string): Schema => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
})

const readOperation = <Id extends string>(operationId: Id): Route<Id>['operation'] => ({
  operationId,
  summary: 'How far something is that was asked for',
  tags: ['operations'],
  responses: {
    200: {
      description: 'As it is now; Retry-After while it goes on.',
      headers: { 'Retry-After': { $ref: '#/components/headers/Retry-After' } },
      content: { 'application/json': { schema: ref('Operation') } },
    },
    ...refused(400, 403, 404),
  },
})

/** Where Location of a 202 leads. */
export const operationRoutes = routes(
  { at: '/v1/namespaces/{namespace}/operations/{name}', method: 'get', opaque: true, operation: readOperation('getOperation') },
  { at: '/v1/operations/{name}', method: 'get', opaque: true, operation: readOperation('getClusterOperation') },
)

/** Standard Webhooks. */
const phaseChanged = (operationId: string): Schema => ({
  post: {
    operationId,
    tags: ['callbacks'],
    summary: "Sent to an object's callbackURL on each change of its phase, in order, until it is acknowledged",
    security: [],
    parameters: [
      signed('webhook-id', 'the same for each sending of one change'),
      signed('webhook-timestamp', 'seconds since 1970'),
      signed('webhook-signature', '`v1,` and the base64 of HMAC-SHA256 over id, timestamp and body, joined by dots'),
    ],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            description: 'the whole object as it is now; with phase `deleted`, as it was last',
            additionalProperties: true,
          },
        },
      },
    },
    responses: {
      '2XX': { description: 'Acknowledged: it is not sent again.' },
      '4XX': { description: 'Sent again later; 410 ends it.' },
      default: { description: 'Sent again later.' },
    },
  },
})

export const callback: Schema = phaseChanged('phaseChanged')

/** components.callbacks */
export const callbacks: Readonly<Record<string, Schema>> = {
  phaseChanged: { '{$request.body#/spec/callbackURL}': phaseChanged('phaseChangedOfThis') },
  podPhaseChanged: { '{$request.body#/metadata/annotations/megrez.io~1callback-url}': phaseChanged('phaseChangedOfThisPod') },
}
