// What policies say: of one connection, and of all in a Vpc.
import { tierNames } from '../../core/kinds/policy/tiers.ts'
import { closed, listOf, text } from '../schemas/shapes.ts'
import type { Schema } from '../schemas/render.ts'
import { refused } from './answers.ts'
import { routes } from './route.ts'

const whole: Schema = { type: 'integer' }
const yes: Schema = { type: 'boolean' }
const place = { kind: text, namespace: text, name: text }
const query = (name: string, schema: Schema, description: string): Schema => ({ name, in: 'query', description, schema })
const json = (description: string, schema: Schema): Schema => ({ description, content: { 'application/json': { schema } } })

const tier = closed(['tier', 'says', 'policy'], {
  tier: { type: 'string', enum: [...tierNames] },
  says: { type: 'string', enum: ['allows', 'denies', 'audits'], description: 'audits: would deny it, and lets it pass' },
  policy: closed(['kind', 'name'], place),
  rule: { ...text, description: 'a JSON pointer into the policy; absent: no rule of it allows this' },
})
const inspection = closed(['action', 'policy', 'rule'], {
  action: { type: 'string', enum: ['allow', 'deny'], description: 'deny: what matches is refused; allow: all else is' },
  policy: closed(['kind', 'name'], place),
  rule: { ...text, description: 'a JSON pointer into the policy, to a rule with l7' },
})
const direction = closed(['isAllowed', 'tiers'], {
  isAllowed: yes,
  tiers: listOf(tier, 'those that had a say, in order'),
  inspections: listOf(inspection, 'what is asked in the connection once it is up, in order; absent: nothing'),
})
const verdict = { isAllowed: yes, egress: direction, ingress: direction }
const cell = { ...closed(['isAllowed'], verdict), description: 'ingress is absent where nothing gets that far' }
const end = closed(['address'], {
  address: { ...text, description: 'empty of an interface in a VLAN' },
  port: closed(['namespace', 'name'], place),
  attachment: { ...text, description: 'of an interface in a VLAN, as NAMESPACE/NAME' },
  mac: { ...text, description: 'of whom in a VLAN nothing else is known' },
  vlan: { ...whole, description: 'of an interface in VLANs: the one that it has the packet in' },
  pod: { ...text, description: 'by its name, as its Port is in its namespace; of an interface in a VLAN as NAMESPACE/NAME' },
  node: text,
})
const transportNumbers = { l4Port: whole, icmpType: whole, icmpCode: whole }
const waypoint = closed(['at', 'fate'], {
  at: {
    type: 'string',
    enum: ['Pod', 'Port', 'Attachment', 'Node', 'Tunnel', 'Address'],
    description: 'Address: of an end of which the caller sees no Port',
  },
  namespace: text,
  name: text,
  vni: { ...whole, description: 'the key of a Tunnel' },
  from: { ...text, description: "of a Tunnel: its node's address" },
  to: { ...text, description: "of a Tunnel: the next node's address" },
  judges: listOf({ type: 'string', enum: ['egress', 'ingress'] }, 'of a Node: whom policies judge there, who sends and who receives'),
  fate: { type: 'string', enum: ['passes', 'dies', 'unreached'] },
  message: { ...text, description: 'why it dies there, or what else is to be known' },
  tables: listOf(
    text,
    'of a Node that it reaches: what it meets there, in order, by what is stored; of whom the caller does not see, nothing',
  ),
  conntrack: listOf(
    closed(['port', 'says', 'isKept'], {
      port: { ...closed(['name'], place), description: 'whose zone it is; a Pod: that of its interface in the VLAN' },
      says: { type: 'string', enum: ['new', 'established', 'invalid'] },
      isKept: { ...yes, description: 'what follows is established from then on, and ICMP errors about it are related' },
    }),
    'of a Node: what connection tracking says of it there',
  ),
  untold: { ...text, description: 'of a Node: why nobody can say what it meets there' },
})
const etherType: Schema = { ...whole, description: 'of a frame that is no IP, which has no protocol' }
const traced = closed(['isAllowed', 'vni', 'from', 'to', 'way'], {
  ...verdict,
  vni: { ...whole, description: 'or the number by which policies know the VLAN, above all VNIs' },
  from: end,
  to: end,
  protocol: { ...whole, description: "IP's number of it" },
  ...transportNumbers,
  etherType,
  way: listOf(waypoint, 'what its first packet passes, in order, and where it dies; by what is stored: no node is asked'),
})
const labels: Schema = { type: 'object', additionalProperties: text }
const group = closed(['namespace', 'ports', 'count'], {
  namespace: text,
  ports: listOf(text, 'some of them, by pod or by their own name'),
  count: whole,
  labels: { ...labels, description: 'as far as policies look at them' },
  securityGroups: listOf(text),
})
const matrix = closed(['groups', 'cells', 'more', 'vni'], {
  groups: listOf(group, 'Ports that policies cannot tell apart, or pods of an attachment; those that the caller sees'),
  cells: listOf(
    listOf(cell, 'who receives, in the order of the groups; of an attachment which block, in the order of the blocks'),
    'who sends, in the order of the groups',
  ),
  more: { ...yes, description: 'there are more groups, or blocks, than are shown' },
  vpc: closed(['kind', 'name'], place),
  attachment: closed(['kind', 'name'], place),
  vlan: { ...whole, description: 'of an attachment: the one that is asked about' },
  blocks: listOf(text, 'of an attachment: blocks of addresses that rules tell apart, each without what is in another that is narrower'),
  gets: listOf(listOf(cell, 'who sends, in the order of the blocks'), 'of an attachment: who receives, in the order of the groups'),
  vni: whole,
})

const change = closed(['policy', 'gains', 'loses', 'rulesBefore', 'rulesAfter'], {
  policy: closed(['kind', 'name'], place),
  gains: listOf(text, 'Ports, or in a VLAN pods, that it would judge, as namespace/name'),
  loses: listOf(text, 'Ports that it would judge no more'),
  rulesBefore: whole,
  rulesAfter: whole,
})
const groupEnd = closed(['port', 'count'], {
  port: { ...text, description: 'as namespace/name; in a VLAN a pod as that, or a block of addresses, or a MAC' },
  count: { ...whole, description: 'it, and others like it' },
})
const changedVerdict = closed(['from', 'to', 'transport', 'before', 'after'], {
  from: groupEnd,
  to: groupEnd,
  vlan: { ...whole, description: 'of an attachment: in which VLAN' },
  transport: closed([], { protocol: whole, ...transportNumbers, etherType }),
  before: cell,
  after: cell,
})
const move = closed(['pod', 'to'], {
  pod: { ...text, description: 'as namespace/name' },
  from: { ...text, description: 'the Vpc that its policies name now, if any' },
  to: text,
})
const planned = closed(['vni', 'isAudit', 'bindings', 'moves', 'verdicts', 'more', 'problems'], {
  vni: whole,
  isAudit: { ...yes, description: 'all rules of the Vpc are in audit: nothing is dropped (yet)' },
  bindings: listOf(change),
  moves: listOf(move, "running pods whose network is their policy's to say, and would be another Vpc; those that the caller may list"),
  verdicts: listOf(
    changedVerdict,
    'connections that would be allowed and are not, or the other way round; by what rules name, and a TCP port that none names',
  ),
  more: { ...yes, description: 'more verdicts may change than are named: so many are, and so long it is looked for them' },
  problems: listOf(closed(['policy', 'path', 'message'], { policy: closed(['kind', 'name'], place), path: text, message: text })),
})
const anything: Schema = { type: 'object', additionalProperties: true }
const planBody = closed([], {
  put: listOf(anything, 'policies to be stored, each whole, in place of those of the same name'),
  delete: listOf(closed(['kind', 'name'], place), 'policies to be deleted'),
  enforce: {
    ...yes,
    default: false,
    description: 'as if the cluster came to enforce: verdicts are compared with those that are in force, audit included',
  },
})

const transport = [
  query('protocol', { type: 'string', enum: ['tcp', 'udp', 'sctp', 'icmp', 'icmpv6'], default: 'tcp' }, 'of its first packet'),
  query('port', { type: 'integer', minimum: 1, maximum: 65_535 }, 'the one it goes to, of tcp, udp and sctp'),
  query('icmpType', { type: 'integer', minimum: 0, maximum: 255 }, 'of icmp and icmpv6; an echo request unless given'),
  query('icmpCode', { type: 'integer', minimum: 0, maximum: 255 }, 'of icmp and icmpv6; 0 unless given'),
]

export const policyRoutes = routes(
  {
    at: '/v1/policy/trace',
    method: 'get',
    operation: {
      operationId: 'tracePolicy',
      summary: 'What policies say of a connection, tier by tier, with the rule that decides, and the way of its first packet',
      tags: ['page'],
      parameters: [
        query('from', text, 'who begins it: pods/NAMESPACE/NAME, ports/NAMESPACE/NAME, or an address'),
        query('to', text, 'whom it goes to, in the same way'),
        query(
          'attachment',
          text,
          "L2ServiceAttachment, as NAMESPACE/NAME: the pod's interface in its VLAN is meant, and the other end is an address",
        ),
        query(
          'etherType',
          { type: 'integer', minimum: 0x600, maximum: 0xffff },
          'a frame that is no IP, in place of protocol and port; in a VLAN the other end is a MAC',
        ),
        query('vlan', { type: 'integer', minimum: 1, maximum: 4_094 }, 'in which of its VLANs, where the attachment is in several'),
        ...transport,
      ],
      responses: { 200: json('The verdict.', traced), ...refused(400, 403, 404, 422) },
    },
  },
  {
    at: '/v1/policy/matrix',
    method: 'get',
    operation: {
      operationId: 'getPolicyMatrix',
      summary: 'Who can talk to whom in a Vpc, as far as the caller sees its Ports',
      tags: ['page'],
      parameters: [
        query('vpc', text, 'as NAMESPACE/NAME'),
        query(
          'attachment',
          text,
          'in place of a Vpc: L2ServiceAttachment, as NAMESPACE/NAME, whose pods are meant, against blocks of addresses',
        ),
        query('vlan', { type: 'integer', minimum: 1, maximum: 4_094 }, 'in which of its VLANs, where the attachment is in several'),
        query('family', { type: 'integer', enum: [4, 6], default: 4 }, 'of addresses'),
        ...transport,
      ],
      responses: { 200: json('The matrix.', matrix), ...refused(400, 403, 404, 422) },
    },
  },
  {
    at: '/v1/policy/plan',
    method: 'post',
    operation: {
      operationId: 'planPolicies',
      summary: 'What policies would change in a Vpc if they were stored or deleted; nothing is stored',
      tags: ['page'],
      parameters: [
        query('vpc', text, 'as NAMESPACE/NAME'),
        query('attachment', text, 'in place of a Vpc: L2ServiceAttachment, as NAMESPACE/NAME, whose pods in its VLANs are meant'),
      ],
      requestBody: { required: true, content: { 'application/json': { schema: planBody } } },
      responses: { 200: json('What would change.', planned), ...refused(400, 403, 404, 413, 415, 422) },
    },
  },
)
