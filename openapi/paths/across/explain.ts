// Why an object is as it is.
import { tierNames } from '../../../core/kinds/policy/tiers.ts'
import { refused } from '../answers.ts'
import { routes, type Route } from '../route.ts'
import type { Schema } from '../../schemas/render.ts'
import { closed, listOf, text } from '../../schemas/shapes.ts'

const step = closed(['step', 'state', 'because'], {
  step: text,
  state: {
    type: 'string',
    enum: ['done', 'now', 'next', 'failed'],
    description: 'now: it stands here; failed: somebody must do something',
  },
  because: text,
  time: text,
  help: { ...text, description: 'what a person can do about it' },
})
const transition: Schema = { type: 'object', required: ['time', 'phase', 'reason'], properties: { time: text, phase: text, reason: text } }
const condition = closed(['type', 'status', 'reason', 'message'], { type: text, status: text, reason: text, message: text })
const common = { phase: text, message: text, timeline: listOf(transition, 'the latest changes of phase, oldest first') }
const nic = closed(['nic', 'phase', 'message', 'timeline', 'steps'], {
  nic: text,
  port: { ...text, description: 'as namespace/name; absent: there is none yet, or the caller may not see it' },
  ...common,
  steps: listOf(step),
})
const judging = closed(['tier', 'policy', 'rules', 'audit'], {
  tier: { type: 'string', enum: [...tierNames] },
  policy: closed(['kind', 'name'], { kind: text, namespace: text, name: text }),
  rules: { type: 'integer' },
  audit: { type: 'boolean', description: 'it changes no verdict: what it would deny is counted' },
})
const inVlans = closed(['attachment', 'pod', 'vlans', 'state', 'because', 'policies'], {
  attachment: { ...text, description: 'as namespace/name' },
  pod: { ...text, description: 'as namespace/name' },
  vlans: listOf({ type: 'integer' }),
  state: {
    type: 'string',
    enum: ['free', 'judged', 'closed'],
    description: 'free: nobody judges it; closed: nothing passes but ARP, neighbour discovery and DHCP',
  },
  because: text,
  policies: listOf(judging, 'those that judge it'),
})
const item = closed(['key', 'where', 'match', 'does', 'because'], { key: text, where: text, match: text, does: text, because: text })
const explanation = closed(['kind', 'name', 'uid', 'phase', 'message', 'timeline', 'conditions', 'steps'], {
  kind: text,
  namespace: text,
  name: text,
  uid: text,
  ...common,
  conditions: listOf(condition),
  steps: listOf(step, 'its way in order; none of kinds that nobody reports of'),
  nics: listOf(nic, "a pod's"),
  interfaces: listOf(
    inVlans,
    'of a pod, and of an L2ServiceAttachment with each of its pods: those in its VLANs, and which policies judge them; what the caller may list',
  ),
  plane: {
    ...closed(['node', 'dataplane', 'items'], { node: text, dataplane: text, items: listOf(item) }),
    description: "of a Port on a node: what that node's data plane does for it, by what is stored; an Inquiry asks the node itself",
  },
})

const explain = <Id extends string>(operationId: Id): Route<Id>['operation'] => ({
  operationId,
  summary: 'Why an object is as it is: its way in steps, what holds it up, and what a person can do',
  tags: ['page'],
  responses: {
    200: { description: 'The explanation.', content: { 'application/json': { schema: explanation } } },
    ...refused(400, 403, 404, 422),
  },
})

export const explainRoutes = routes(
  { at: '/v1/explain/{kind}/{namespace}/{name}', method: 'get', operation: explain('explain') },
  { at: '/v1/explain/{kind}/{name}', method: 'get', operation: explain('explainCluster') },
)
