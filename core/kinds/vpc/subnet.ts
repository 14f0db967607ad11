import { Type, type Static } from 'typebox'
import { contains, encloses, parsePlainCidr, type Cidr } from '../../net/cidr.ts'
import { parsePlainIp } from '../../net/ip.ts'
import { subnetFinalizer } from '../annotations.ts'
import { atProvider, atProviderFields, Existing } from './at-provider.ts'
import { defineKind, type Rule } from '../kind.ts'
import { Broadcast, segmentFields, segmentStatus } from './segment.ts'
import { AllowedRoutedBlocks, arePlainBlocks } from './routed-blocks.ts'
import { CallbackURL, closed, Name, OneOf, reportFields } from '../meta.ts'

const address = Type.String({ minLength: 2, maxLength: 45 })
const block = Type.Object(
  {
    cidr: Type.String({ minLength: 4, maxLength: 49, description: 'host bits are zero: 10.0.0.0/24' }),
    gateway: Type.Optional({
      ...address,
      description: "never handed out; the block's second address when absent and the block has five or more",
    }),
    pools: Type.Optional(
      Type.Array(
        Type.Object(
          {
            first: address,
            last: address,
          },
          closed,
        ),
        {
          maxItems: 64,
          description: 'what may be handed out; all usable addresses when absent',
        },
      ),
    ),
    excludes: Type.Optional(
      Type.Array(Type.String({ minLength: 2, maxLength: 49 }), {
        maxItems: 1024,
        description: 'addresses or blocks that are never handed out',
      }),
    ),
  },
  closed,
)
export type SubnetBlock = Static<typeof block>

const routes = Type.Array(Type.Object({ destination: Type.String({ maxLength: 49 }), nextHop: address }, closed), { maxItems: 64 })
const dns = Type.Object(
  {
    nameservers: Type.Optional(Type.Array(address, { maxItems: 8 })),
    domain: Type.Optional(Type.String({ maxLength: 253 })),
    search: Type.Optional(Type.Array(Type.String({ maxLength: 253 }), { maxItems: 32 })),
  },
  closed,
)

/** What a cloud says of a subnet of its own. */
const learnedBlock = Type.Object({ cidr: Type.String(), gateway: Type.Optional(address) }, closed)
export const Learned = Type.Object(
  {
    ipv4: Type.Optional(learnedBlock),
    ipv6: Type.Optional(learnedBlock),
    routes: Type.Optional(routes),
    dns: Type.Optional(dns),
  },
  { ...closed, description: 'as the subnet stands at the cloud: what pods get' },
)
export type Learned = Static<typeof Learned>

const spec = Type.Object(
  {
    vpc: Type.Optional({ ...Name, 'x-refers-to': 'Vpc', description: 'the Vpc, in this namespace' }),
    existing: Type.Optional(Existing),
    l2Service: Type.Optional({ ...Name, 'x-refers-to': 'L2Service', description: 'the L2Service, in this namespace, in place of a Vpc' }),
    ipam: Type.Optional(
      OneOf(['whereabouts', 'megrez'], {
        description:
          'who hands out its addresses where a CNI plugin asks: whereabouts when absent; megrez does not yet; for L2Services alone',
      }),
    ),
    mode: Type.Optional(
      OneOf(['l2', 'l3'], {
        description: 'l2 when absent; l3: no tunnel, each address is a host route that its node advertises in a BGPSessionGroup',
      }),
    ),
    ipv4: Type.Optional({ ...block, description: 'the IPv4 block; one that is wanted later is a Subnet of its own' }),
    ipv6: Type.Optional({ ...block, description: 'the IPv6 block; one that is wanted later is a Subnet of its own' }),
    routes: Type.Optional(routes),
    dns: Type.Optional(dns),
    allowedRoutedBlocks: Type.Optional(AllowedRoutedBlocks),
    broadcast: Type.Optional(Broadcast),
    callbackURL: Type.Optional(CallbackURL),
  },
  closed,
)

const families = ['ipv4', 'ipv6'] as const

/** Holds too where one is no address: another rule says so. */
function isOrdered({ first, last }: { readonly first: string; readonly last: string }): boolean {
  const [from, to] = [parsePlainIp(first), parsePlainIp(last)]
  return from?.family !== to?.family || from === undefined || to === undefined || from.value <= to.value
}

/** The rules of one block: its CIDR, gateway, pools and excludes agree with one another. */
function blockRules(family: (typeof families)[number]): Rule<Static<typeof spec>>[] {
  const digit = family === 'ipv4' ? 4 : 6
  const has = `!has(self.${family}) || `
  const of = (test: (b: SubnetBlock, cidr: Cidr) => boolean) => (s: Static<typeof spec>) => {
    const b = s[family]
    const cidr = b === undefined ? undefined : parsePlainCidr(b.cidr)
    return b === undefined || cidr === undefined || test(b, cidr)
  }
  const inside = (cidr: Cidr, text: string): boolean => {
    const ip = parsePlainIp(text)
    return ip !== undefined && contains(cidr, ip)
  }
  const self = `self.${family}`
  return [
    {
      cel: `${has}(isCIDR(${self}.cidr) && cidr(${self}.cidr).ip().family() == ${digit} && cidr(${self}.cidr) == cidr(${self}.cidr).masked())`,
      message: `must be an IPv${digit} block whose host bits are zero, such as ${digit === 4 ? '10.0.0.0/24' : '2001:db8::/64'}`,
      at: `spec.${family}.cidr`,
      holds: (s) => s[family] === undefined || parsePlainCidr(s[family].cidr)?.family === digit,
    },
    {
      cel: `${has}!has(${self}.gateway) || !isCIDR(${self}.cidr) || (isIP(${self}.gateway) && cidr(${self}.cidr).containsIP(${self}.gateway))`,
      message: 'must be an address of the block',
      at: `spec.${family}.gateway`,
      holds: of((b, cidr) => b.gateway === undefined || inside(cidr, b.gateway)),
    },
    {
      cel: `${has}!has(${self}.pools) || !isCIDR(${self}.cidr) || ${self}.pools.all(p, isIP(p.first) && isIP(p.last) && cidr(${self}.cidr).containsIP(p.first) && cidr(${self}.cidr).containsIP(p.last))`,
      message: 'each pool must begin and end inside the block',
      at: `spec.${family}.pools`,
      holds: of((b, cidr) => (b.pools ?? []).every((p) => inside(cidr, p.first) && inside(cidr, p.last))),
    },
    {
      // CEL has no order of addresses, and comparing bit by bit costs a hundred times what an API server allows a rule.
      message: 'each pool must begin no later than it ends',
      at: `spec.${family}.pools`,
      holds: of((b) => (b.pools ?? []).every(isOrdered)),
    },
    {
      cel: `${has}!has(${self}.excludes) || !isCIDR(${self}.cidr) || ${self}.excludes.all(e, isIP(e) ? cidr(${self}.cidr).containsIP(e) : (isCIDR(e) && cidr(e) == cidr(e).masked() && cidr(${self}.cidr).containsCIDR(e)))`,
      message: 'each must be an address inside the block, or a block inside it whose host bits are zero',
      at: `spec.${family}.excludes`,
      holds: of((b, cidr) => (b.excludes ?? []).every((e) => inside(cidr, e) || insideBlock(cidr, e))),
    },
  ]
}

function insideBlock(cidr: Cidr, text: string): boolean {
  const inner = parsePlainCidr(text)
  return inner !== undefined && encloses(cidr, inner)
}

/** In a Vpc whose packets we do not route. */
export const whyNotL3 = 'l3 is for a Subnet of a Vpc that has a VNI: leave it out, or say l2, in a Vpc that is a VLAN or of a cloud'

export const Subnet = defineKind({
  kind: 'Subnet',
  plural: 'subnets',
  finalizer: subnetFinalizer,
  shortNames: ['sn'],
  description: 'One block of addresses per family on one segment of a Vpc or an L2Service; addresses are handed out from it.',
  spec,
  status: Type.Object(
    {
      ...reportFields,
      ...segmentStatus,
      ...atProvider,
      learned: Type.Optional(Learned),
      broadcast: Type.Optional(
        Type.Boolean({ description: 'true: its VNI carries broadcast, multicast and unknown MACs to all its nodes' }),
      ),
      validated: Type.Optional(
        Type.Boolean({ description: 'true once no other Subnet of the Vpc or L2Service overlaps; never false again' }),
      ),
    },
    closed,
  ),
  sections: { segment: [...segmentFields, 'broadcast', 'validated'], provider: [...atProviderFields, 'learned'] },
  writers: { segment: 'workers', provider: 'workers' },
  selectable: ['.spec.vpc', '.status.vni', '.status.segment'],
  immutable: ['vpc', 'l2Service', 'existing', 'mode', 'ipv4.cidr', 'ipv6.cidr'],
  rules: [
    {
      cel: 'has(self.vpc) != has(self.l2Service)',
      message: 'names either a vpc or an l2Service',
      at: 'spec',
      holds: (s) => (s.vpc === undefined) !== (s.l2Service === undefined),
    },
    {
      cel: 'has(self.ipv4) || has(self.ipv6) || has(self.existing)',
      message: 'needs ipv4, ipv6 or both',
      at: 'spec',
      holds: (s) => s.ipv4 !== undefined || s.ipv6 !== undefined || s.existing !== undefined,
    },
    {
      cel: '!has(self.existing) || has(self.vpc)',
      message: 'is for a Subnet of a Vpc of a cloud',
      at: 'spec.existing',
      holds: (s) => s.existing === undefined || s.vpc !== undefined,
    },
    {
      cel: "!has(self.mode) || self.mode != 'l3' || (has(self.vpc) && !has(self.existing))",
      message: 'l3 is for a Subnet of a Vpc that has a VNI: leave it out, or say l2, in an L2Service and at a cloud',
      at: 'spec.mode',
      holds: (s) => s.mode !== 'l3' || (s.vpc !== undefined && s.existing === undefined),
    },
    {
      cel: '!has(self.broadcast) || has(self.vpc)',
      message: 'is for a Subnet of a Vpc: the VLANs of an L2Service carry broadcast to all of them anyway, so leave it out',
      at: 'spec.broadcast',
      holds: (s) => s.broadcast === undefined || s.vpc !== undefined,
    },
    {
      cel: '!has(self.allowedRoutedBlocks) || (has(self.vpc) && !has(self.existing))',
      message: 'is for a Subnet of a Vpc that has a VNI: what is behind a Port elsewhere its own routers say, so leave it out',
      at: 'spec.allowedRoutedBlocks',
      holds: (s) => s.allowedRoutedBlocks === undefined || (s.vpc !== undefined && s.existing === undefined),
    },
    {
      cel: '!has(self.allowedRoutedBlocks) || self.allowedRoutedBlocks.all(b, isCIDR(b.cidr) && cidr(b.cidr) == cidr(b.cidr).masked())',
      message: 'each needs a block whose host bits are zero, such as 10.9.0.0/16',
      at: 'spec.allowedRoutedBlocks',
      holds: (s) => arePlainBlocks(s.allowedRoutedBlocks?.map(({ cidr }) => cidr)),
    },
    ...blockRules('ipv4'),
    ...blockRules('ipv6'),
    {
      cel: '!has(self.routes) || self.routes.all(r, isCIDR(r.destination) && cidr(r.destination) == cidr(r.destination).masked() && isIP(r.nextHop) && ip(r.nextHop).family() == cidr(r.destination).ip().family())',
      message: 'each needs a destination block whose host bits are zero, and a next hop of the same family',
      at: 'spec.routes',
      holds: (s) =>
        (s.routes ?? []).every(
          (r) => parsePlainCidr(r.destination) !== undefined && parsePlainIp(r.nextHop)?.family === parsePlainCidr(r.destination)?.family,
        ),
    },
    {
      cel: '!has(self.dns) || !has(self.dns.nameservers) || self.dns.nameservers.all(n, isIP(n))',
      message: 'each must be an IPv4 or IPv6 address',
      at: 'spec.dns.nameservers',
      holds: (s) => (s.dns?.nameservers ?? []).every((n) => parsePlainIp(n) !== undefined),
    },
  ],
  columns: [
    { name: 'Vpc', type: 'string', path: '.spec.vpc' },
    { name: 'Mode', type: 'string', path: '.spec.mode', wide: true },
    { name: 'L2Service', type: 'string', path: '.spec.l2Service', wide: true },
    { name: 'IPv4', type: 'string', path: '.spec.ipv4.cidr' },
    { name: 'IPv6', type: 'string', path: '.spec.ipv6.cidr' },
    { name: 'VNI', type: 'integer', path: '.status.vni' },
    { name: 'VLAN', type: 'integer', path: '.status.vlan.id', wide: true },
    { name: 'Validated', type: 'boolean', path: '.status.validated' },
  ],
})
