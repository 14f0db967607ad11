// The network as a graph.
import { refused } from '../answers.ts'
import { routes } from '../route.ts'
import type { Schema } from '../../schemas/render.ts'
import { closed, listOf, text } from '../../schemas/shapes.ts'
import { namespaceParameter } from './watch.ts'

const whole: Schema = { type: 'integer' }

const vertex = closed(['id', 'kind', 'name', 'seen'], {
  id: { ...text, description: 'of kind, namespace and name: `Port/a/x`, `Segment/7`, `VLAN/default/100`, `Switch/dc1/leaf1`' },
  kind: { ...text, description: 'a kind of objects, or Segment, VLAN, PhysicalNetwork, Switch' },
  namespace: { ...text, description: "a VLAN's is its physical network, a Switch's its Fabric" },
  name: text,
  seen: { type: 'boolean', description: 'false: an object that is seen names it, and the caller sees no more of it' },
  phase: text,
  message: text,
  vni: whole,
  vlan: whole,
  addresses: listOf(text),
  mac: text,
  ports: { ...whole, description: 'Ports of it that the caller sees' },
})
const edge = closed(['id', 'from', 'to', 'relation'], {
  id: text,
  from: text,
  to: text,
  relation: {
    ...text,
    description:
      'in, carried-by, has, on, tunnel (Node to Segment: each has one to each other there), brings, at, of, wired-to, gateway, open-on',
  },
  address: { ...text, description: "a tunnel's, on its Node" },
  ports: { ...whole, description: 'Ports behind a tunnel that the caller sees' },
  interface: text,
  switchPort: text,
})
const graph = closed(['nodes', 'edges', 'parts'], {
  nodes: listOf(vertex),
  edges: listOf(edge),
  parts: listOf(text, 'what the page holds whole: `segment 00000007`, `vpc a/b`, `network default`, `rest`'),
  continue: { ...text, description: 'there is more: the next page; absent on the last' },
})
const query = (name: string, schema: Schema, description: string): Schema => ({ name, in: 'query', description, schema })

export const topologyRoutes = routes({
  at: '/v1/topology',
  method: 'get',
  operation: {
    operationId: 'getTopology',
    summary: 'The network as a graph of what the caller may see, a page of whole VNIs and physical networks at a time',
    tags: ['page'],
    parameters: [
      namespaceParameter,
      query('vni', { type: 'integer', minimum: 1, maximum: 16_777_215 }, 'only what is on it'),
      query('physicalNetwork', { type: 'string', minLength: 1, maxLength: 253 }, 'only what is on it; beside vni: both'),
      query('ports', { type: 'boolean', default: true }, 'false: Ports and pods as numbers on Subnets, Nodes and tunnels'),
      query(
        'limit',
        { type: 'integer', minimum: 1, maximum: 20_000 },
        'elements of a page, 2000 unless given; a part that is larger comes whole',
      ),
      query('continue', text, 'what the page before said; the same question goes with it'),
    ],
    responses: {
      200: { description: 'A page of the graph.', content: { 'application/json': { schema: graph } } },
      ...refused(400, 403, 422),
    },
  },
})
