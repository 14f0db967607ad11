// Who asks, and what they may.
import { roles } from '../../../core/admit/rest/rights.ts'
import { refused } from '../answers.ts'
import { routes } from '../route.ts'
import type { Schema } from '../../schemas/render.ts'
import { closed, listOf, text } from '../../schemas/shapes.ts'

const flag: Schema = { type: 'boolean' }
const namespaces = listOf(text, 'absent: in all of them, and what is of none')

const verb = closed(['verb'], {
  verb: { type: 'string', enum: ['get', 'list', 'create', 'replace', 'patch', 'delete', 'patchStatus'] },
  namespaces,
})
const kind = closed(['kind', 'plural', 'scope', 'verbs'], {
  kind: text,
  plural: text,
  scope: { type: 'string', enum: ['Namespaced', 'Cluster'] },
  internal: { ...flag, description: 'written by Megrez alone' },
  verbs: listOf(verb),
})
const me = closed(['subject', 'issuer', 'until', 'standalone', 'grants', 'kinds'], {
  subject: text,
  issuer: text,
  until: { type: 'string', format: 'date-time', description: 'when the token ends' },
  standalone: { ...flag, description: 'there is no API server: pods, Nodes and Namespaces are made here too' },
  grants: listOf(closed(['role'], { role: { type: 'string', enum: [...roles] }, namespaces }), "none of a cluster's own account"),
  kinds: listOf(kind, 'those of which the caller may do anything, with what'),
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
