import { Type } from 'typebox'
import { defineKind } from '../kind.ts'
import { closed, Name, OneOf, reportFields } from '../meta.ts'
import {
  AutonomousSystem,
  Communities,
  DetectionTimes,
  Hops,
  L4Port,
  MaximumPrefixes,
  PrefixFilters,
  PrefixRules,
  SecretKey,
} from './session-fields.ts'

const seconds = (minimum: number, description: string) => Type.Integer({ minimum, maximum: 65535, description })

/** As the neighbour's state machine has it (RFC 4271 section 8.2.2). */
export const sessionStates = ['idle', 'connect', 'active', 'openSent', 'openConfirm', 'established'] as const

const session = Type.Object(
  {
    name: Type.String({ maxLength: 258, description: "the peer's in its group, or node- and the name of a node" }),
    address: Type.String({ maxLength: 45 }),
    l4Port: Type.Optional(L4Port),
    as: AutonomousSystem,
    multihop: Type.Optional({ ...Hops, description: 'hops to a peer of another AS; directly connected when absent' }),
    rrClient: Type.Optional(Type.Boolean({ description: 'this node reflects routes to it (RFC 4456)' })),
    clusterID: Type.Optional(Type.String({ maxLength: 15 })),
    passwordSecret: Type.Optional(SecretKey),
    bfd: Type.Optional(DetectionTimes),
    holdSeconds: seconds(3, 'without a word, and the session ends'),
    keepaliveSeconds: seconds(1, 'between words'),
    connectRetrySeconds: seconds(1, 'until a connection is tried again'),
    maximumPrefixes: Type.Optional(MaximumPrefixes),
    import: PrefixRules('the first that matches counts; what none matches is taken inside the AS, and refused from outside'),
    export: PrefixRules('the first that matches counts; what none matches is sent'),
    communities: Type.Optional({ ...Communities, description: 'added to what is sent' }),
    external: Type.Boolean({ description: 'of another AS' }),
    addressFamilies: Type.Array(OneOf(['ipv4', 'ipv6']), { maxItems: 2, 'x-kubernetes-list-type': 'set' }),
  },
  closed,
)

const prefix = Type.Object(
  {
    cidr: Type.String({ maxLength: 49 }),
    vni: Type.Integer({ description: 'of its Vpc' }),
    hostRoutes: Type.Boolean({ description: 'routes of single addresses inside it, and of blocks behind Ports; else the block itself' }),
  },
  closed,
)

const importedInto = Type.Object(
  {
    vpc: Type.String({ maxLength: 317, 'x-refers-to': 'Vpc', description: 'namespace/name' }),
    vni: Type.Integer(),
    allow: PrefixFilters('empty: everything that the sessions let in'),
    gateways: Type.Array(Type.String({ maxLength: 45 }), { description: 'of its Subnets', 'x-kubernetes-list-type': 'atomic' }),
  },
  closed,
)

const group = Type.Object(
  {
    name: { ...Name, 'x-refers-to': 'BGPSessionGroup' },
    as: AutonomousSystem,
    routerID: Type.String({ maxLength: 15, description: 'as an IPv4 address; unique in the AS (RFC 6286)' }),
    table: Type.Integer({ description: "the kernel's route table of this group" }),
    addresses: Type.Object(
      { ipv4: Type.Optional(Type.String({ maxLength: 15 })), ipv6: Type.Optional(Type.String({ maxLength: 45 })) },
      { ...closed, description: "the node's own, that sessions come from" },
    ),
    sessions: Type.Array(session, { maxItems: 4096, 'x-kubernetes-list-type': 'atomic' }),
    advertise: Type.Array(prefix, { maxItems: 4096, 'x-kubernetes-list-type': 'atomic' }),
    own: Type.Optional(
      Type.Array(Type.String({ maxLength: 49 }), {
        maxItems: 4096,
        description: 'blocks that some node of the group advertises: from outside comes nothing of them',
        'x-kubernetes-list-type': 'set',
      }),
    ),
    elsewhere: Type.Optional(
      Type.Array(prefix, {
        maxItems: 4096,
        description: 'what other nodes of the group may advertise, and this one does not: it passes on what it is sent of them',
        'x-kubernetes-list-type': 'atomic',
      }),
    ),
    imports: Type.Array(importedInto, { maxItems: 256, 'x-kubernetes-list-type': 'atomic' }),
    gracefulRestartSeconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 4095, description: 'off when absent' })),
    maximumPaths: Type.Integer({ minimum: 1, maximum: 64 }),
  },
  closed,
)

const daemon = Type.Object(
  {
    program: OneOf(['bird', 'frr', 'foreign']),
    version: Type.Optional(Type.String()),
    state: OneOf(['running', 'absent', 'refused']),
    problem: Type.Optional(Type.String({ description: 'why a configuration was refused: the one before it is in force' })),
    generation: Type.Optional(Type.Integer({ description: 'of the spec that is in force' })),
  },
  { ...closed, description: 'the BGP daemon of the node' },
)
/** Of one session, as its daemon says. */
export const sessionStateFields = {
  address: Type.String(),
  state: OneOf(sessionStates),
  since: Type.Optional(Type.String({ format: 'date-time' })),
  imported: Type.Optional(Type.Integer({ description: 'prefixes in' })),
  exported: Type.Optional(Type.Integer({ description: 'prefixes out' })),
  lastError: Type.Optional(Type.String()),
}
const sessionState = Type.Object({ group: Type.String(), session: Type.String(), ...sessionStateFields }, closed)

export const BGPSpeaker = defineKind({
  kind: 'BGPSpeaker',
  plural: 'bgpspeakers',
  shortNames: ['bgps'],
  scope: 'Cluster',
  internal: true,
  description: 'What one node says and hears by BGP, of all BGPSessionGroups that it is in; it has the name of the node.',
  spec: Type.Object(
    {
      node: { ...Name, 'x-refers-to': 'Node' },
      serviceAddresses: Type.Optional(
        OneOf(['leaving', 'withheld'], {
          description:
            'how the node announces service addresses, where not as ever; leaving: it is about to go, and others are preferred (RFC 8326); withheld: not at all',
        }),
      ),
      groups: Type.Array(group, { maxItems: 64, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] }),
    },
    closed,
  ),
  status: Type.Object(
    {
      ...reportFields,
      daemon: Type.Optional(daemon),
      addresses: Type.Optional(Type.Array(Type.String(), { description: 'that sessions come from', 'x-kubernetes-list-type': 'atomic' })),
      sessions: Type.Optional(Type.Array(sessionState, { 'x-kubernetes-list-type': 'atomic' })),
    },
    closed,
  ),
  sections: { node: ['daemon', 'addresses', 'sessions'] },
  writers: { node: 'agent' },
  immutable: ['node'],
  columns: [
    { name: 'Daemon', type: 'string', path: '.status.daemon.program' },
    { name: 'State', type: 'string', path: '.status.daemon.state' },
    { name: 'Problem', type: 'string', path: '.status.daemon.problem', wide: true },
  ],
})
