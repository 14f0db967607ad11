// Many kinds on one stream.
import { refused } from '../answers.ts'
import { routes } from '../route.ts'
import type { Schema } from '../../schemas/render.ts'

/** Of every operation that goes over many kinds. */
export const namespaceParameter: Schema = {
  name: 'namespace',
  in: 'query',
  description: 'only what is in it, and what is of none; absent: wherever the caller may',
  schema: { type: 'string', minLength: 1, maxLength: 63 },
}

const events = `event: \`begin\` ({"parts":[{"kind","namespace"}],"resumed"}: what is watched; a part without a namespace is all of the kind). \
\`all\` ({"kind","namespace","resourceVersion","items"}: all there is of one part, first and again after a gap: it replaces what was known of it). \
\`put\`, \`gone\` (the object). \`end\` ({"reason","detail"}), then the stream ends: \`behind\` (too little was read) and \`rights\` (what may be seen \
has changed): begin anew, without Last-Event-ID; \`token\`: sign in; \`stopping\`, \`fault\`: come back. An id without an event: nothing of yours \
changed up to there. id: opaque; sent back as Last-Event-ID with the same question the watch goes on from there, or tells \`all\` anew. A comment \
every 15 s.`

export const watchRoutes = routes({
  at: '/v1/watch',
  method: 'get',
  operation: {
    operationId: 'watchKinds',
    summary: 'Many kinds on one stream: all there is, then the changes',
    tags: ['page'],
    parameters: [
      {
        name: 'kinds',
        in: 'query',
        required: true,
        description: 'with commas between, as `Port,Subnet`; a kind that the caller may watch nowhere is 403',
        schema: { type: 'string', minLength: 1 },
      },
      namespaceParameter,
      {
        name: 'names',
        in: 'query',
        description: 'true: of what changes the name alone, and nothing of what there is: `all` comes after a gap, without items',
        schema: { type: 'boolean', default: false },
      },
      { $ref: '#/components/parameters/Last-Event-ID' },
    ],
    responses: {
      200: { description: 'The stream.', content: { 'text/event-stream': { schema: { type: 'string', description: events } } } },
      ...refused(400, 403, 405),
    },
  },
})
