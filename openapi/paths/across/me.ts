// Who asks, and what they may.
import { roles } from '../../../core/admit/rest/rights.ts'
import { refused } from '../answers.ts'
import { routes } from '../route.ts'
import type { Schema } from '../../schemas/render.ts'

const text: Schema = { type: 'string' }
const flag: Schema = { type: 'boolean' }
const namespaces: Schema = { type: 'array', items: text, description: 'absent: in all of them, and what is of none' }
const whole = (required: readonly string[], properties: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  additionalProperties: false,
  required: [...required],
  properties,
})
const listOf = (items: Schema): Schema => ({ type: 'array', items })

const verb = whole(['verb'], {
  verb: { type: 'string', enum: ['get', 'list', 'create', 'replace', 'patch', 'delete', 'patchStatus'] },
  namespaces,
})
const kind = whole(['kind', 'plural', 'scope', 'verbs'], {
  kind: text,
  plural: text,
  scope: { type: 'string', enum: ['Namespaced', 'Cluster'] },
  internal: { ...flag, description: 'written by Megrez alone' },
  verbs: listOf(verb),
})
const me = whole(['subject', 'issuer', 'until', 'standalone', 'grants', 'kinds'], {
  subject: text,
  issuer: text,
  until: { type: 'string', format: 'date-time', description: 'when the token ends' },
  standalone: { ...flag, description: 'there is no API server: pods, Nodes and Namespaces are made here too' },
  grants: {
    ...listOf(whole(['role'], { role: { type: 'string', enum: [...roles] }, namespaces })),
    description: "none of a cluster's own account",
  },
  kinds: { ...listOf(kind), description: 'those of which the caller may do anything, with what' },
})

export const meRoutes = routes({
  at: '/v1/me',
  method: 'get',
  operation: {
    operationId: 'getMe',
    summary: 'Who asks, and which verbs of which kinds they may use where: what a page offers',
    tags: ['page'],
    parameters: [
      {
        name: 'namespace',
        in: 'query',
        description: "asked of this one; a cluster's own account is judged in it, and else in all of them at once",
        schema: { type: 'string', maxLength: 63 },
      },
    ],
    responses: { 200: { description: 'That.', content: { 'application/json': { schema: me } } }, ...refused(400, 403) },
  },
})
