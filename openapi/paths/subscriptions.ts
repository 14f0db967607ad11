// What a Subscription can be asked beside what every kind can.
import { outcomesDescribed, outcomeWords } from '../../core/kinds/notify/outcomes.ts'
import { overlapSeconds } from '../../core/kinds/notify/subscription.ts'
import { refused } from './answers.ts'
import { routes } from './route.ts'
import type { Schema } from '../schemas/render.ts'

const parameter = (name: string): Schema => ({ $ref: `#/components/parameters/${name}` })
const json = (description: string, schema: Schema): Schema => ({ description, content: { 'application/json': { schema } } })
const located = (description: string, schema: Schema): Schema => ({
  ...json(description, schema),
  headers: { Location: { description: 'the Subscription', schema: { type: 'string' } } },
})
const text: Schema = { type: 'string' }
const whole = (properties: Readonly<Record<string, Schema>>, required: readonly string[]): Schema => ({
  type: 'object',
  additionalProperties: false,
  properties,
  required: [...required],
})

const event = whole(
  {
    id: text,
    sequence: { type: 'integer' },
    phase: text,
    time: { type: 'string', format: 'date-time' },
    event: { description: 'as the profile has it', type: 'object', additionalProperties: true },
  },
  ['id', 'sequence', 'phase', 'time', 'event'],
)
const events = whole({ items: { type: 'array', items: event }, next: { type: 'string', description: 'the cursor to go on with' } }, [
  'items',
  'next',
])
const tested = whole(
  {
    id: text,
    time: { type: 'string', format: 'date-time' },
    outcome: { type: 'string', enum: [...outcomeWords], description: outcomesDescribed },
    code: { type: 'integer' },
    reason: { type: 'string', description: 'why it was not taken, in words' },
  },
  ['id', 'time', 'outcome'],
)

const tags = ['Subscription']
const secrets = '/v1/namespaces/{namespace}/secrets/{name}'

/** Where there is an API server, Secrets are its own affair. */
export const secretRoutes = routes(
  {
    at: secrets,
    method: 'put',
    operation: {
      tags,
      parameters: [parameter('If-Match')],
      operationId: 'putSubscriptionSecret',
      summary: 'Keep what Subscriptions authenticate by, where there is no API server; it is never read back',
      requestBody: {
        required: true,
        content: { 'application/json': { schema: whole({ stringData: { type: 'object', additionalProperties: text } }, ['stringData']) } },
      },
      responses: { 204: { description: 'It is kept.' }, ...refused(400, 403, 404, 405, 409, 412, 413, 415, 422, 428) },
    },
  },
  {
    at: secrets,
    method: 'delete',
    operation: {
      tags,
      parameters: [parameter('If-Match')],
      operationId: 'deleteSubscriptionSecret',
      summary: 'Forget it',
      responses: { 204: { description: 'It is gone.' }, ...refused(400, 403, 404, 405, 412, 428) },
    },
  },
)

export const subscriptionRoutes = routes(
  {
    at: '/v1/namespaces/{namespace}/signing-secret',
    method: 'get',
    operation: {
      operationId: 'getSigningSecret',
      summary: 'What callbacks of the namespace are signed with, for whoever may write Subscriptions there',
      tags,
      responses: {
        200: json(
          'One, or several while they are being replaced; none where nothing is signed.',
          whole({ secrets: { type: 'array', items: text } }, ['secrets']),
        ),
        ...refused(400, 403, 404),
      },
    },
  },
  {
    at: '/v1/namespaces/{namespace}/subscriptions/{name}/events',
    method: 'get',
    operation: {
      operationId: 'listSubscriptionEvents',
      summary: 'Events that are kept for it, oldest first, after a cursor',
      tags,
      parameters: [
        {
          name: 'after',
          in: 'query',
          description: 'what the reading before said; 410 once it is older than events are kept',
          schema: text,
        },
        parameter('limit'),
      ],
      responses: { 200: json('Events, and how to go on.', events), ...refused(400, 403, 404, 410) },
    },
  },
  {
    at: '/v1/namespaces/{namespace}/subscriptions/{name}/test',
    method: 'post',
    operation: {
      operationId: 'testSubscription',
      summary: 'Send a signed sample to its sink',
      tags,
      responses: {
        200: json('How the sink took it.', tested),
        202: located('Asked for; status.tested of the Subscription will say it.', tested),
        ...refused(400, 403, 404, 422),
      },
    },
  },
  {
    at: '/v1/namespaces/{namespace}/subscriptions/{name}/rotate-secret',
    method: 'post',
    operation: {
      operationId: 'rotateSubscriptionSecret',
      summary: 'Replace what its callbacks are signed with; those before sign too while they overlap',
      tags,
      parameters: [parameter('dryRun')],
      requestBody: {
        required: false,
        content: {
          'application/json': {
            schema: whole(
              {
                overlapSeconds: {
                  type: 'integer',
                  minimum: 0,
                  maximum: overlapSeconds.most,
                  default: overlapSeconds.usual,
                  description: 'how long what signs now goes on; 0: no longer',
                },
              },
              [],
            ),
          },
        },
      },
      responses: {
        200: json(
          'The new secret, which is shown this once.',
          whole(
            {
              secrets: {
                type: 'array',
                items: text,
                description: "one, or several while the server's own is being replaced; none of a dry run",
              },
              previous: {
                type: 'array',
                items: whole({ until: { type: 'string', format: 'date-time' } }, ['until']),
                description: 'of each that was before it, until when it signs too',
              },
            },
            ['secrets', 'previous'],
          ),
        ),
        ...refused(400, 403, 404, 413, 415, 422, 503),
      },
    },
  },
  {
    at: '/v1/namespaces/{namespace}/subscriptions/{name}/replay',
    method: 'post',
    operation: {
      operationId: 'replaySubscription',
      summary: 'Send once more what is kept, after a cursor',
      tags,
      requestBody: { required: true, content: { 'application/json': { schema: whole({ after: text }, []) } } },
      responses: {
        202: located('It will be sent, under the ids it had.', whole({ id: text }, ['id'])),
        ...refused(400, 403, 404, 410, 413, 415, 422),
      },
    },
  },
)
