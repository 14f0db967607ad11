import { Type } from 'typebox'
import { parsePlainCidr } from '../../net/cidr.ts'
import { securityGroupFinalizer } from '../annotations.ts'
import { defineKind } from '../kind.ts'
import { CallbackURL, closed, OneOf, reportFields } from '../meta.ts'

const l4Port = Type.Integer({ minimum: 0, maximum: 65535 })
const icmp = ['icmp', 'icmpv6']
const withPorts = ['tcp', 'udp', 'sctp']
const among = (words: readonly string[]): string => `r.protocol in [${words.map((word) => `'${word}'`).join(', ')}]`
const isAmong = (words: readonly string[], protocol = 'any'): boolean => words.includes(protocol)
const isTypeAndCode = ({ l4PortMin: type, l4PortMax: code }: { readonly l4PortMin?: number; readonly l4PortMax?: number }): boolean =>
  (type ?? 0) <= 255 && (code === undefined || (type !== undefined && code <= 255))

const rule = Type.Object(
  {
    direction: OneOf(['ingress', 'egress']),
    etherType: Type.Optional(OneOf(['IPv4', 'IPv6'], { default: 'IPv4' })),
    protocol: Type.Optional(
      OneOf(['tcp', 'udp', 'icmp', 'sctp', 'any', 'icmpv6'], { default: 'any', description: "icmp is the rule's etherType's" }),
    ),
    protocolNumber: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 255, description: 'the number that IP has for a protocol without a word here' }),
    ),
    l4PortMin: Type.Optional({ ...l4Port, description: "the destination's; of ICMP the type; alone it is one port" }),
    l4PortMax: Type.Optional({ ...l4Port, description: 'where a range ends; of ICMP the code' }),
    remoteCIDR: Type.Optional(Type.String({ maxLength: 49 })),
    remoteGroup: Type.Optional(
      Type.String({ maxLength: 253, 'x-refers-to': 'SecurityGroup', description: 'the ports of another SecurityGroup of this namespace' }),
    ),
    description: Type.Optional(Type.String({ maxLength: 255 })),
  },
  closed,
)

export const SecurityGroup = defineKind({
  kind: 'SecurityGroup',
  plural: 'securitygroups',
  finalizer: securityGroupFinalizer,
  shortNames: ['sg'],
  description:
    'Stateful rules for Ports; what no rule allows is dropped, except that a group without a rule for what goes out lets all of it out. One called `default` is that of all builtin Ports of its namespace that name none. A cloud that makes groups has it as long as a Port there needs it.',
  spec: Type.Object(
    {
      rules: Type.Optional(Type.Array(rule, { maxItems: 256, 'x-kubernetes-list-type': 'atomic' })),
      callbackURL: Type.Optional(CallbackURL),
    },
    closed,
  ),
  status: Type.Object(reportFields, closed),
  rules: [
    {
      cel: `!has(self.rules) || self.rules.all(r, !has(r.l4PortMin) || !has(r.l4PortMax) || r.l4PortMin <= r.l4PortMax || ${among(icmp)})`,
      message: 'l4PortMin must not be above l4PortMax',
      at: 'spec.rules',
      // Of ICMP they are no bounds: 3 and 1 is "host unreachable".
      holds: (s) =>
        (s.rules ?? []).every(
          ({ l4PortMin: min, l4PortMax: max, protocol }) => min === undefined || max === undefined || min <= max || isAmong(icmp, protocol),
        ),
    },
    {
      cel: `!has(self.rules) || self.rules.all(r, !(has(r.l4PortMin) || has(r.l4PortMax)) || ${among([...icmp, ...withPorts])})`,
      message: 'l4PortMin and l4PortMax are for tcp, udp, sctp and icmp',
      at: 'spec.rules',
      holds: (s) =>
        (s.rules ?? []).every(
          ({ l4PortMin, l4PortMax, protocol }) =>
            (l4PortMin === undefined && l4PortMax === undefined) || isAmong([...icmp, ...withPorts], protocol),
        ),
    },
    {
      cel: `!has(self.rules) || self.rules.all(r, !(${among(icmp)}) || ((!has(r.l4PortMin) || r.l4PortMin <= 255) && (!has(r.l4PortMax) || (has(r.l4PortMin) && r.l4PortMax <= 255))))`,
      message: 'of icmp l4PortMin is the type and l4PortMax the code, 255 at most, and a code is of a type',
      at: 'spec.rules',
      holds: (s) => (s.rules ?? []).every((rule) => !isAmong(icmp, rule.protocol) || isTypeAndCode(rule)),
    },
    {
      cel: "!has(self.rules) || self.rules.all(r, !has(r.protocolNumber) || r.protocol == 'any')",
      message: 'a rule names protocol or protocolNumber, not both',
      at: 'spec.rules',
      holds: (s) => (s.rules ?? []).every(({ protocol = 'any', protocolNumber }) => protocolNumber === undefined || protocol === 'any'),
    },
    {
      cel: '!has(self.rules) || self.rules.all(r, !(has(r.remoteCIDR) && has(r.remoteGroup)))',
      message: 'a rule names remoteCIDR or remoteGroup, not both',
      at: 'spec.rules',
      holds: (s) => (s.rules ?? []).every((r) => r.remoteCIDR === undefined || r.remoteGroup === undefined),
    },
    {
      cel: "!has(self.rules) || self.rules.all(r, !has(r.remoteCIDR) || (isCIDR(r.remoteCIDR) && cidr(r.remoteCIDR) == cidr(r.remoteCIDR).masked() && cidr(r.remoteCIDR).ip().family() == (r.etherType == 'IPv6' ? 6 : 4)))",
      message: "remoteCIDR must be a block of the rule's etherType whose host bits are zero",
      at: 'spec.rules',
      holds: (s) =>
        (s.rules ?? []).every(
          (r) => r.remoteCIDR === undefined || parsePlainCidr(r.remoteCIDR)?.family === (r.etherType === 'IPv6' ? 6 : 4),
        ),
    },
  ],
})
