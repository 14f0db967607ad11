import { Type } from 'typebox'
import { parsePlainCidr } from '../../net/cidr.ts'
import { securityGroupFinalizer } from '../annotations.ts'
import { defineKind } from '../kind.ts'
import { CallbackURL, closed, OneOf, reportFields } from '../meta.ts'

const l4Port = Type.Integer({ minimum: 0, maximum: 65535 })
const rule = Type.Object(
  {
    direction: OneOf(['ingress', 'egress']),
    etherType: Type.Optional(OneOf(['IPv4', 'IPv6'], { default: 'IPv4' })),
    protocol: Type.Optional(OneOf(['tcp', 'udp', 'icmp', 'sctp', 'any'], { default: 'any' })),
    l4PortMin: Type.Optional(l4Port),
    l4PortMax: Type.Optional(l4Port),
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
  description: 'Stateful rules for Ports of the builtin provider; what no rule allows is dropped.',
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
      cel: '!has(self.rules) || self.rules.all(r, !has(r.l4PortMin) || !has(r.l4PortMax) || r.l4PortMin <= r.l4PortMax)',
      message: 'l4PortMin must not be above l4PortMax',
      at: 'spec.rules',
      holds: (s) => (s.rules ?? []).every((r) => r.l4PortMin === undefined || r.l4PortMax === undefined || r.l4PortMin <= r.l4PortMax),
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
