// Where an address is, by what nodes say by BGP.
import { routeWays } from '../../core/kinds/bgp/route-ways.ts'
import { closed, listOf, text } from '../schemas/shapes.ts'
import type { Schema } from '../schemas/render.ts'
import { refused } from './answers.ts'
import { routes } from './route.ts'

const whole: Schema = { type: 'integer' }
const hop = closed(['address', 'established', 'configured'], {
  node: { ...text, description: 'absent: it is none of our nodes' },
  session: { ...text, description: 'what sessions with it are called, where it is none of our nodes' },
  address: text,
  established: { ...whole, description: 'sessions with it that are up' },
  configured: { ...whole, description: 'of those that there should be' },
})
const way = closed(['group', 'vni', 'prefix', 'way', 'hops'], {
  group: { ...text, description: 'BGPSessionGroup' },
  vni: whole,
  prefix: { ...text, description: 'that has the address; outside: what a route to it may be inside of' },
  way: {
    type: 'string',
    enum: [...routeWays],
    description:
      'host: its node alone; block: every node that announces it; outside: whoever sends a route; nobody: in a block of host routes, and on no node',
  },
  hops: listOf(hop, 'next hops of whoever has learned it'),
})
const found = closed(['to', 'ways'], {
  to: text,
  ways: listOf(way, 'by group and VNI, as BGPSpeakers have it: what a node has in its kernel is its own to say'),
})

export const routingRoutes = routes({
  at: '/v1/routes',
  method: 'get',
  operation: {
    operationId: 'getRoutes',
    summary: 'Which nodes announce an address by BGP, and by which next hops others get there',
    tags: ['page'],
    parameters: [{ name: 'to', in: 'query', required: true, description: 'an address', schema: { type: 'string', maxLength: 45 } }],
    responses: { 200: { description: 'The ways to it.', content: { 'application/json': { schema: found } } }, ...refused(400, 403) },
  },
})
