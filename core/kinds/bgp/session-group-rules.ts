// What a BGPSessionGroup's schema cannot say. CEL escapes its own words: a field `as` is `__as__`, `import` is `__import__`.
import { contains, parseCidr, parsePlainCidr } from '../../net/cidr.ts'
import { bitsOf, parsePlainIp } from '../../net/ip.ts'
import type { Rule } from '../kind.ts'
import type { PrefixFilter } from './session-fields.ts'
import type { SessionGroupSpec } from './session-group-spec.ts'

type Spec = SessionGroupSpec
type SessionGroupRule = Rule<Spec>

type Peer = NonNullable<Spec['peers']>[number]
const peersOf = ({ peers = [] }: Spec): readonly Peer[] => peers

/** AS_TRANS (RFC 6793), and the last of 16 bits (RFC 7300); the schema ends before the last of 32. */
const noAS: readonly number[] = [23456, 65535]
const asMessage = `is a number that no AS may have: not ${noAS.join(', ')}`

/** No host's own: loopback, multicast, link-local (its interface would have to be named too). */
const noPeers = ['0.0.0.0/32', '127.0.0.0/8', '169.254.0.0/16', '224.0.0.0/4', '255.255.255.255/32', '::/127', 'fe80::/10', 'ff00::/8']
const noPeerBlocks = noPeers.flatMap((block) => parseCidr(block) ?? [])
function isPeerAddress(text: string): boolean {
  const ip = parsePlainIp(text)
  return ip !== undefined && !noPeerBlocks.some((block) => contains(block, ip))
}

interface Timed {
  readonly timers?: { readonly holdSeconds?: number; readonly keepaliveSeconds?: number }
}
const areOrdered = ({ timers: { holdSeconds = 90, keepaliveSeconds = 1 } = {} }: Timed): boolean => keepaliveSeconds < holdSeconds
const celOrdered = (of: string): string =>
  `!has(${of}.timers) || !has(${of}.timers.keepaliveSeconds) || ${of}.timers.keepaliveSeconds < (has(${of}.timers.holdSeconds) ? ${of}.timers.holdSeconds : 90)`
const timersMessage = 'keepaliveSeconds must be less than holdSeconds, which is 90 when absent; a third of it is usual'

const filterMessage = 'each prefix must be a block whose host bits are zero, and its length ≤ ge ≤ le ≤ the bits of an address'
function isFilter({ prefix, ge, le }: PrefixFilter): boolean {
  const cidr = parsePlainCidr(prefix)
  if (cidr === undefined) return false
  const [from, to] = [ge ?? cidr.length, le ?? bitsOf(cidr.family)]
  return cidr.length <= from && from <= to && to <= bitsOf(cidr.family)
}
const celFilter = [
  'isCIDR(f.prefix) && cidr(f.prefix) == cidr(f.prefix).masked()',
  '(!has(f.ge) || f.ge >= cidr(f.prefix).prefixLength())',
  '(!has(f.le) || f.le >= (has(f.ge) ? f.ge : cidr(f.prefix).prefixLength()))',
  "(f.prefix.contains(':') || ((!has(f.ge) || f.ge <= 32) && (!has(f.le) || f.le <= 32)))",
].join(' && ')

interface PeerRule {
  /** Of `p`, one of them. */
  readonly cel: string
  readonly message: string
  /** Fields of a peer, which `places` may say more exactly. */
  readonly field: string
  readonly holds: (peer: Peer, spec: Spec) => boolean
  readonly places?: (peer: Peer) => readonly string[]
}

const ofEachPeer = ({ cel, message, field, holds, places }: PeerRule): SessionGroupRule => ({
  cel: `!has(self.peers) || self.peers.all(p, ${cel})`,
  message,
  at: 'spec.peers',
  within: (s) =>
    peersOf(s).flatMap((peer, i) => (holds(peer, s) ? [] : (places?.(peer) ?? [field]).map((each) => `spec.peers.${i}.${each}`))),
  holds: (s) => peersOf(s).every((peer) => holds(peer, s)),
})

function filterRule(field: 'import' | 'export'): SessionGroupRule {
  const cel = field === 'import' ? '__import__' : 'export'
  const filtersOf = (peer: Peer) => peer[field] ?? []
  return ofEachPeer({
    cel: `!has(p.${cel}) || p.${cel}.all(f, ${celFilter})`,
    message: `of each ${field} ${filterMessage}`,
    field,
    holds: (peer) => filtersOf(peer).every(isFilter),
    places: (peer) => filtersOf(peer).flatMap((each, i) => (isFilter(each) ? [] : [`${field}.${i}`])),
  })
}

const ofPeers: readonly SessionGroupRule[] = [
  ofEachPeer({
    cel: 'self.peers.exists_one(o, o.name == p.name)',
    message: 'name of each must be its own',
    field: 'name',
    holds: ({ name }, s) => peersOf(s).filter((other) => other.name === name).length === 1,
  }),
  ofEachPeer({
    cel: `!(p.__as__ in [${noAS.join(', ')}])`,
    message: `as of each ${asMessage}`.replace('is a', 'must not be a'),
    field: 'as',
    holds: (peer) => !noAS.includes(peer.as),
  }),
  ofEachPeer({
    cel: 'isIP(p.address) && ip(p.address).isGlobalUnicast()',
    message: 'address of each must be the IPv4 or IPv6 address of one host, and not link-local',
    field: 'address',
    holds: (peer) => isPeerAddress(peer.address),
  }),
  ofEachPeer({
    cel: "!p.name.startsWith('node-')",
    message: "name of each must not begin with node-: sessions among the group's own nodes are called so",
    field: 'name',
    holds: (peer) => !peer.name.startsWith('node-'),
  }),
  ofEachPeer({
    cel: '!has(p.multihop) || p.__as__ != self.__as__',
    message: 'multihop is for peers of another AS: leave it out, sessions inside an AS may be of any number of hops',
    field: 'multihop',
    holds: (peer, s) => peer.multihop === undefined || peer.as !== s.as,
  }),
  ofEachPeer({
    cel: "!has(p.authentication) || p.authentication != 'tcp-ao'",
    message:
      'authentication tcp-ao (RFC 5925) is not to be had: neither the BGP daemons nor the kernels that we know are told to have it; md5 is',
    field: 'authentication',
    holds: (peer) => peer.authentication !== 'tcp-ao',
  }),
  ofEachPeer({
    cel: "!has(p.authentication) || p.authentication != 'md5' || has(p.passwordSecret)",
    message: 'authentication md5 needs a passwordSecret: name and key of a Secret',
    field: 'passwordSecret',
    holds: (peer) => peer.authentication !== 'md5' || peer.passwordSecret !== undefined,
  }),
  ofEachPeer({
    cel: celOrdered('p'),
    message: `of timers of each ${timersMessage}`,
    field: 'timers.keepaliveSeconds',
    holds: areOrdered,
  }),
  filterRule('import'),
  filterRule('export'),
]

const isEachOnce = (names: readonly string[]): boolean => new Set(names).size === names.length

const ofMesh: readonly SessionGroupRule[] = [
  {
    cel: "!has(self.mesh) || has(self.mesh.reflectors) == (self.mesh.mode == 'reflectors')",
    message: 'says which nodes reflect where mode is reflectors, and only there',
    at: 'spec.mesh.reflectors',
    holds: ({ mesh }) => mesh === undefined || (mesh.reflectors !== undefined) === (mesh.mode === 'reflectors'),
  },
  {
    cel: '!has(self.mesh) || !has(self.mesh.reflectors) || !has(self.mesh.reflectors.clusterID) || (isIP(self.mesh.reflectors.clusterID) && ip(self.mesh.reflectors.clusterID).family() == 4)',
    message: 'is written as an IPv4 address is',
    at: 'spec.mesh.reflectors.clusterID',
    holds: ({ mesh }) => mesh?.reflectors?.clusterID === undefined || parsePlainIp(mesh.reflectors.clusterID)?.family === 4,
  },
  {
    cel: `!has(self.mesh) || ${celOrdered('self.mesh')}`,
    message: timersMessage,
    at: 'spec.mesh.timers',
    holds: ({ mesh }) => mesh === undefined || areOrdered(mesh),
  },
]

export const sessionGroupRules: SessionGroupRule[] = [
  {
    cel: `!(self.__as__ in [${noAS.join(', ')}])`,
    message: asMessage,
    at: 'spec.as',
    holds: (s) => !noAS.includes(s.as),
  },
  ...ofMesh,
  ...ofPeers,
  {
    cel: "!has(self.addressFamilies) || self.addressFamilies.all(f, f in ['ipv4-unicast', 'ipv6-unicast'])",
    message:
      'vpnv4, vpnv6 and evpn are not to be had: they need MPLS or VRFs in the kernels of all nodes; say ipv4-unicast and ipv6-unicast, and let an L2Service name a VRF of the gateway',
    at: 'spec.addressFamilies',
    holds: ({ addressFamilies = [] }) => addressFamilies.every((family) => family.endsWith('-unicast')),
  },
  {
    cel: `!has(self.imports) || self.imports.all(i, !has(i.allow) || i.allow.all(f, ${celFilter}))`,
    message: `of each allow ${filterMessage}`,
    at: 'spec.imports',
    holds: ({ imports = [] }) => imports.every(({ allow = [] }) => allow.every(isFilter)),
  },
  {
    cel: '!has(self.advertise) || !has(self.advertise.subnets) || self.advertise.subnets.all(s, self.advertise.subnets.exists_one(o, o == s))',
    message: 'each is named once',
    at: 'spec.advertise.subnets',
    holds: ({ advertise: { subnets = [] } = {} }) => isEachOnce(subnets.map(({ namespace, name }) => `${namespace}/${name}`)),
  },
  {
    cel: '!has(self.imports) || self.imports.all(i, self.imports.exists_one(o, o.vpc == i.vpc))',
    message: 'vpc of each is named once: one allow may have several prefixes',
    at: 'spec.imports',
    holds: ({ imports = [] }) => isEachOnce(imports.map(({ vpc }) => vpc)),
  },
]
