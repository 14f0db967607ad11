// What a network service descriptor comes to.
import { refused } from './answers.ts'
import { routes } from './route.ts'
import type { Schema } from '../schemas/render.ts'

const queryParameter = (name: string, description: string): Schema => ({ name, in: 'query', description, schema: { type: 'string' } })
const body: Schema = { schema: { type: 'object', description: 'a service template of ETSI GS NFV-SOL 001', additionalProperties: true } }
const answer: Schema = {
  type: 'object',
  required: ['apiVersion', 'kind', 'items'],
  properties: {
    apiVersion: { type: 'string' },
    kind: { type: 'string' },
    items: { type: 'array', items: { type: 'object', additionalProperties: true } },
  },
  additionalProperties: true,
}

export const nsdRoutes = routes({
  at: '/v1/namespaces/{namespace}/nsd',
  method: 'post',
  operation: {
    operationId: 'planNsd',
    summary: 'The Subnets, L2Services and L2ServiceAttachments that a network service descriptor comes to; nothing is stored',
    tags: ['L2Service'],
    parameters: [
      queryParameter('connectionPoint', 'for Saps that name none in their metadata, as megrez.io/connection-point'),
      queryParameter('physicalNW', 'physical networks of the gateways, with commas between'),
      queryParameter('callbackURL', 'who is to be told of the objects'),
    ],
    requestBody: { required: true, content: { 'application/json': body, 'application/yaml': body } },
    responses: {
      200: { description: 'The objects, to look at and to send.', content: { 'application/json': { schema: answer } } },
      ...refused(400, 403, 413, 415, 422),
    },
  },
})
