// What a BGPSessionGroup asks for.
import { Type, type Static } from 'typebox'
import { CallbackURL, closed, Name, OneOf } from '../meta.ts'
import { BlockText } from '../vpc/routed-blocks.ts'
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

const labelValue = Type.String({ maxLength: 63, pattern: '^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$' })
const Nodes = (description: string) =>
  Type.Object({ matchLabels: Type.Optional(Type.Record(Type.String(), labelValue, { maxProperties: 16 })) }, { ...closed, description })

const Timers = Type.Object(
  {
    holdSeconds: Type.Optional(Type.Integer({ minimum: 3, maximum: 65535, description: '90 when absent' })),
    keepaliveSeconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 21845, description: 'a third of holdSeconds when absent' })),
    connectRetrySeconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 65535, description: '5 when absent' })),
  },
  closed,
)
const sessionFields = {
  passwordSecret: Type.Optional(SecretKey),
  bfd: Type.Optional(DetectionTimes),
  timers: Type.Optional(Timers),
}

const Mesh = Type.Object(
  {
    mode: OneOf(['full', 'reflectors', 'none'], {
      description: 'full: each node with each; reflectors: each with some of them, which pass routes on',
    }),
    reflectors: Type.Optional(
      Type.Object(
        {
          nodes: Nodes('those that reflect'),
          clusterID: Type.Optional(
            Type.String({ maxLength: 15, description: 'as an IPv4 address (RFC 4456); the router ID of each by itself when absent' }),
          ),
        },
        closed,
      ),
    ),
    ...sessionFields,
  },
  { ...closed, description: "sessions among the group's own nodes; full when absent" },
)

const Peer = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 63, pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' }),
    address: Type.String({ minLength: 2, maxLength: 45 }),
    l4Port: Type.Optional({ ...L4Port, description: '179 when absent' }),
    as: AutonomousSystem,
    nodes: Type.Optional(Nodes("which of the group's nodes peer with it; all when absent")),
    multihop: Type.Optional({ ...Hops, description: 'hops to a peer of another AS; directly connected when absent' }),
    authentication: Type.Optional(OneOf(['md5', 'tcp-ao'], { description: 'md5 where a passwordSecret is named, none when absent' })),
    ...sessionFields,
    maximumPrefixes: Type.Optional(MaximumPrefixes),
    communities: Type.Optional({ ...Communities, description: 'added to what is sent to it' }),
    import: Type.Optional(
      PrefixRules('the first that matches counts; what none matches is refused from another AS, and taken from our own'),
    ),
    export: Type.Optional(PrefixRules('the first that matches counts; what none matches is sent')),
  },
  closed,
)

/** Known, and refused by name (docs/decisions/0060). */
const refusedFamilies = ['vpnv4', 'vpnv6', 'evpn'] as const

const Advertise = Type.Object(
  {
    subnets: Type.Optional(
      Type.Array(
        Type.Object(
          {
            namespace: Name,
            name: Name,
            routedBlocks: Type.Optional(
              Type.Array(BlockText, {
                maxItems: 16,
                description: 'of its allowedRoutedBlocks: what is inside and behind a Port, by the node of that Port; nothing when absent',
                'x-kubernetes-list-type': 'atomic',
              }),
            ),
          },
          { ...closed, 'x-refers-to': 'Subnet' },
        ),
        {
          maxItems: 1024,
          description: 'l3: the address of each Port, by its node; l2: the block, by the nodes that have a Port in it',
          'x-kubernetes-list-type': 'atomic',
        },
      ),
    ),
  },
  { ...closed, description: 'what is sent: where the Vpc names this group in bgpSessionGroups' },
)
const Imports = Type.Array(
  Type.Object(
    {
      vpc: Type.String({
        minLength: 3,
        maxLength: 317,
        pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?/[a-z0-9]([-a-z0-9.]*[a-z0-9])?$',
        'x-refers-to': 'Vpc',
        description: 'namespace/name; it names this group in bgpSessionGroups',
      }),
      allow: Type.Optional(PrefixFilters('what comes into it; all that the sessions let in when absent')),
    },
    closed,
  ),
  { maxItems: 256, description: 'into which Vpcs routes come', 'x-kubernetes-list-type': 'atomic' },
)

export const SessionGroupSpec = Type.Object(
  {
    as: { ...AutonomousSystem, description: 'of its nodes' },
    nodes: Type.Optional(Nodes('which nodes speak; all when absent')),
    mesh: Type.Optional(Mesh),
    peers: Type.Optional(Type.Array(Peer, { maxItems: 32, 'x-kubernetes-list-type': 'atomic' })),
    addressFamilies: Type.Optional(
      Type.Array(OneOf(['ipv4-unicast', 'ipv6-unicast', ...refusedFamilies]), {
        minItems: 1,
        maxItems: 5,
        description: 'ipv4-unicast and ipv6-unicast when absent; others are refused by name',
        'x-kubernetes-list-type': 'set',
      }),
    ),
    gracefulRestart: Type.Optional(
      Type.Object(
        { seconds: Type.Integer({ minimum: 1, maximum: 4095 }) },
        { ...closed, description: 'how long peers keep the routes of a daemon that is away (RFC 4724); off when absent' },
      ),
    ),
    maximumPaths: Type.Optional(Type.Integer({ minimum: 1, maximum: 64, description: 'next hops of one route; 1 when absent' })),
    advertise: Type.Optional(Advertise),
    imports: Type.Optional(Imports),
    callbackURL: Type.Optional(CallbackURL),
  },
  closed,
)
export type SessionGroupSpec = Static<typeof SessionGroupSpec>
