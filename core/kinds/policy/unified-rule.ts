import { Type, type Static } from 'typebox'
import { closed, Name, OneOf, Reference } from '../meta.ts'
import { L7Match } from './compiled/inspection.ts'
import { LabelSelector } from './label-selector.ts'

const l4Port = Type.Integer({ minimum: 0, maximum: 65535 })
const icmpNumber = Type.Integer({ minimum: 0, maximum: 255 })
const cidr = Type.String({ minLength: 2, maxLength: 49 })
const atomic = { 'x-kubernetes-list-type': 'atomic' }

/** Whom a rule is about: pods by labels, a block, or something by name. */
export const Peer = Type.Object(
  {
    podSelector: Type.Optional({
      ...LabelSelector,
      description: "pods, and Ports without one by their own labels; of the policy's namespace",
    }),
    namespaceSelector: Type.Optional({ ...LabelSelector, description: "of these namespaces instead of the policy's own" }),
    cidr: Type.Optional({ ...cidr, description: 'a block whose host bits are zero' }),
    except: Type.Optional(Type.Array(cidr, { maxItems: 16, description: 'parts of the block that are not meant', ...atomic })),
    port: Type.Optional({ ...Name, 'x-refers-to': 'Port', description: 'a Port of this namespace' }),
    securityGroup: Type.Optional({
      ...Name,
      'x-refers-to': 'SecurityGroup',
      description: 'the Ports that have this SecurityGroup of this namespace',
    }),
    subnet: Type.Optional({ ...Reference, 'x-refers-to': 'Subnet', description: 'the blocks of a Subnet, as name or namespace/name' }),
    fqdn: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 253,
        pattern: '^([a-zA-Z0-9_]([-a-zA-Z0-9_]{0,61}[a-zA-Z0-9_])?\\.)*[a-zA-Z0-9_]([-a-zA-Z0-9_]{0,61}[a-zA-Z0-9_])?\\.?$',
        description: 'a whole name outside: its addresses as workers are answered for it, none of them in a Subnet of the VNI',
      }),
    ),
  },
  { ...closed, description: 'one of: selectors, cidr with except, port, securityGroup, subnet, fqdn' },
)

export const PortMatch = Type.Object(
  {
    protocol: Type.Optional(
      Type.String({
        maxLength: 6,
        pattern: '^(tcp|udp|sctp|icmp|icmpv6|[0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])$',
        default: 'tcp',
        description: 'tcp, udp, sctp, icmp, icmpv6, or the number that IP has for it',
      }),
    ),
    l4Port: Type.Optional({ ...l4Port, description: "the destination's; absent: any" }),
    l4PortMax: Type.Optional({ ...l4Port, description: 'where a range from l4Port ends' }),
    l4PortName: Type.Optional(
      Type.String({ minLength: 1, maxLength: 15, description: "the destination's containers call it so, in place of l4Port" }),
    ),
    icmpType: Type.Optional(icmpNumber),
    icmpCode: Type.Optional(icmpNumber),
  },
  closed,
)

export const UnifiedRule = Type.Object(
  {
    name: Type.Optional(Type.String({ maxLength: 63 })),
    action: OneOf(['allow', 'deny']),
    final: Type.Optional(Type.Boolean({ description: 'what it allows no later tier is asked about' })),
    log: Type.Optional(
      Type.Boolean({
        description: 'the first packets of connections that it decides are logged, and what it denies, some of each a second',
      }),
    ),
    audit: Type.Optional(Type.Boolean({ description: 'what it would deny passes, and is counted' })),
    peers: Type.Optional(Type.Array(Peer, { minItems: 1, maxItems: 32, description: 'absent: anyone', ...atomic })),
    ports: Type.Optional(Type.Array(PortMatch, { minItems: 1, maxItems: 32, description: 'absent: anything', ...atomic })),
    l2: Type.Optional(
      Type.Object(
        {
          mac: Type.Optional(
            Type.String({
              minLength: 17,
              maxLength: 17,
              description: "the other end's, as frames have it: of what is routed the gateway's",
            }),
          ),
          etherType: Type.Optional(
            Type.Integer({
              minimum: 1536,
              maximum: 65535,
              description: '2048 is IPv4, 34525 IPv6; of any other the rule is for frames that are no IP, and has no peers and no ports',
            }),
          ),
          vlan: Type.Optional(
            Type.Integer({ minimum: 1, maximum: 4094, description: 'of an interface in VLANs, that the frame is in; in a Vpc none is' }),
          ),
        },
        { ...closed, description: 'which frames' },
      ),
    ),
    l7: Type.Optional({
      ...L7Match,
      description:
        'what is asked in connections of its ports, once they are up: one of http, urls, tls. allow: what does not match is refused; deny: what matches is, and the rest goes on to the rules behind it',
    }),
    bandwidth: Type.Optional(
      Type.Object(
        { max: Type.String({ maxLength: 20, pattern: '^[1-9][0-9]{0,14}[kMGT]?$' }) },
        {
          ...closed,
          description: 'of an allowing rule: bits a second, as 10G, of all connections that it allows, both ways, on each node',
        },
      ),
    ),
    dscp: Type.Optional(Type.Integer({ minimum: 0, maximum: 63, description: 'what the pods send in connections that the rule allows' })),
  },
  closed,
)
export type UnifiedRule = Static<typeof UnifiedRule>
export type UnifiedPeer = Static<typeof Peer>
export type UnifiedFrame = NonNullable<UnifiedRule['l2']>
export type UnifiedPortMatch = Static<typeof PortMatch>
