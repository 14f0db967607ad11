// Who refers to whom, and who has what one looks for.
import { refused } from '../answers.ts'
import { routes, type Route } from '../route.ts'
import type { Schema } from '../../schemas/render.ts'
import { closed, listOf, text } from '../../schemas/shapes.ts'
import { namespaceParameter } from './watch.ts'

const json = (description: string, schema: Schema): Schema => ({ description, content: { 'application/json': { schema } } })

const place = { kind: text, namespace: text, name: text }
const at: Schema = { ...text, description: 'JSON pointer' }
const use = closed(['kind', 'name', 'at'], { ...place, at })
const uses = closed(['kind', 'name', 'uses', 'usedBy', 'more'], {
  ...place,
  uses: listOf(use, 'what it refers to, and where; whether that is there, or the caller may see it, is not said'),
  usedBy: listOf(use, 'what the caller sees that refers to it'),
  more: { type: 'boolean', description: 'there are more than are shown' },
})
const found = closed(['items', 'complete'], {
  items: listOf(closed(['kind', 'name', 'at', 'value'], { ...place, at, value: text }), 'the best first'),
  complete: { type: 'boolean', description: 'false: there may be more' },
})

const getUses = <Id extends string>(operationId: Id): Route<Id>['operation'] => ({
  operationId,
  summary: 'What an object refers to, and what refers to it: to be read before it is deleted',
  tags: ['page'],
  responses: { 200: json('Both.', uses), ...refused(400, 403, 404, 422) },
})

export const usesRoutes = routes(
  { at: '/v1/uses/{kind}/{namespace}/{name}', method: 'get', operation: getUses('getUses') },
  { at: '/v1/uses/{kind}/{name}', method: 'get', operation: getUses('getClusterUses') },
)

export const searchRoutes = routes({
  at: '/v1/search',
  method: 'get',
  operation: {
    operationId: 'search',
    summary: 'Objects by name, address, MAC, portID, VNI or VLAN, among those that the caller may see',
    tags: ['page'],
    parameters: [
      {
        name: 'q',
        in: 'query',
        required: true,
        description: 'part of a name or an id, whatever its case; an address, also of a block that holds it; a MAC; a number: VNI or VLAN',
        schema: { type: 'string', minLength: 1, maxLength: 253 },
      },
      namespaceParameter,
      { name: 'limit', in: 'query', description: '20 unless given', schema: { type: 'integer', minimum: 1, maximum: 100 } },
    ],
    responses: { 200: json('What was found.', found), ...refused(400, 403) },
  },
})
