// The network as a graph.
import { refused } from '../answers.ts'
import { routes } from '../route.ts'
import type { Schema } from '../../schemas/render.ts'
import { closed, listOf, text } from '../../schemas/shapes.ts'
import { namespaceParameter } from './watch.ts'

const whole: Schema = { type: 'integer' }

const vertexFields = {
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
}
const vertex = closed(['id', 'kind', 'name', 'seen'], vertexFields)
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
  parts: listOf(
    text,
    'what the page holds: `segment 00000007`, `vpc a/b`, `network default`, `rest`; one that is larger than a page goes on on the next',
  ),
  continue: { ...text, description: 'there is more: the next page; absent on the last' },
})
const query = (name: string, schema: Schema, description: string): Schema => ({ name, in: 'query', description, schema })

const drawn = closed(['id', 'kind', 'name', 'seen'], {
  ...vertexFields,
  parent: { ...text, description: 'the id of what it stands in' },
  open: { type: 'boolean', description: 'of a group' },
  shown: { ...whole, description: 'of an open group, where not all of its Ports are drawn: how many are' },
  members: { ...whole, description: 'of a range: how many it is' },
  first: text,
  last: text,
})
const line = closed(['id', 'from', 'to', 'relation'], {
  id: text,
  from: text,
  to: text,
  relation: {
    ...text,
    description: 'port (one Port, of a pod or by itself, in a Subnet), ports, tunnel, wired-to, gateway, open-on, of, carried-by',
  },
  phase: text,
  count: { ...whole, description: 'how many Ports or links it stands for' },
  addresses: listOf(text),
  interface: text,
  switchPort: text,
})
const picture = closed(['nodes', 'edges', 'ports', 'hidden', 'offered'], {
  nodes: listOf(drawn),
  edges: listOf(line),
  ports: { ...whole, description: 'Ports that are like that, drawn or counted' },
  hidden: { ...whole, description: 'edges that there was no room for' },
  offered: {
    ...closed(['nodes', 'vpcs', 'vnis'], { nodes: listOf(text), vpcs: listOf(text), vnis: listOf(whole) }),
    description: 'what one may filter by, up to 500 each',
  },
})
const pictureQuery = [
  query('by', { type: 'string', enum: ['node', 'vpc'], default: 'node' }, 'how Ports are put together'),
  query(
    'open',
    text,
    '`all`, `none`, or ids of groups and ranges, with commas between; absent: the groups that there is room for, where that is most of them',
  ),
  query('vni', { type: 'integer', minimum: 1, maximum: 16_777_215 }, 'only Ports on it'),
  query('vpc', text, 'only Ports in its Subnets, as `shop/blue`'),
  query('node', { type: 'string', minLength: 1, maxLength: 253 }, 'only Ports on it'),
  query('phase', { type: 'string', enum: ['new', 'pending', 'ready', 'error', 'terminating'] }, 'only Ports that are so'),
  query('follow', text, 'pods that are drawn whatever is closed, as `shop/web-0`, with commas between, 8 at most'),
  query('limit', { type: 'integer', minimum: 1, maximum: 2_000 }, 'elements at most, 1000 unless given'),
]

export const topologyRoutes = routes(
  {
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
        query('limit', { type: 'integer', minimum: 1, maximum: 20_000 }, 'elements of a page, about, 2000 unless given'),
        query('continue', text, 'what the page before said; the same question goes with it'),
      ],
      responses: {
        200: { description: 'A page of the graph.', content: { 'application/json': { schema: graph } } },
        ...refused(400, 403, 422),
      },
    },
  },
  {
    at: '/v1/topology/picture',
    method: 'get',
    operation: {
      operationId: 'getTopologyPicture',
      summary:
        'The network as it is drawn, of so many elements at most whatever its size: groups with their counts, and what is in the open ones',
      tags: ['page'],
      parameters: [namespaceParameter, ...pictureQuery],
      responses: {
        200: { description: 'The picture.', content: { 'application/json': { schema: picture } } },
        ...refused(400, 403, 422),
      },
    },
  },
)
