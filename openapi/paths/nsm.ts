// Find of Network Service Mesh's registry.
import { closed, listOf, text } from '../schemas/shapes.ts'
import { ref } from '../schemas/schemas.ts'
import { refused } from './answers.ts'
import { routes } from './route.ts'

const items = listOf(ref('NetworkServiceEndpoint'), 'in the order in which they are tried; one that fits two routes stands there twice')
const found = closed(['service', 'payload', 'items'], {
  service: { ...text, description: 'its name to clients' },
  payload: { type: 'string', enum: ['IP', 'ETHERNET'] },
  items,
})
const events =
  'event: `all` ({"items"}: the candidates in order, first, and whenever one comes or the order changes), `put` (one that is refreshed, in its place), `gone` (one that has gone, has expired, or fits no longer), `end` ({"reason","detail"}: come back, and begin anew). There are no ids: a watch begins anew.'

export const nsmRoutes = routes({
  at: '/v1/namespaces/{namespace}/networkservices/{name}/endpoints',
  method: 'get',
  operation: {
    operationId: 'findEndpoints',
    summary: 'Which endpoints of its namespace a client with these labels gets, by the matches of the NetworkService; without expired ones',
    tags: ['NetworkService'],
    parameters: [
      {
        name: 'label',
        in: 'query',
        description: "KEY=VALUE, one of the client's; as often as there are",
        explode: true,
        schema: { type: 'array', maxItems: 64, items: { type: 'string', maxLength: 1024, pattern: '^[^=]+=' } },
      },
      { name: 'watch', in: 'query', description: 'the changes as text/event-stream', schema: { type: 'boolean' } },
    ],
    responses: {
      200: {
        description: 'The candidates.',
        content: { 'application/json': { schema: found }, 'text/event-stream': { schema: { type: 'string', description: events } } },
      },
      ...refused(400, 403, 404),
    },
  },
})
