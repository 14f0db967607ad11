// What one node says and hears: of every group that it is in, the sessions, what it advertises, and into which Vpcs routes come.
import { inNamespaceOf, keyOfItem, type Resource, type SpecOf } from '../../kinds/index.ts'
import { blockOf, defaultGateway, isInBlock, parseCidr, printCidr } from '../../net/cidr.ts'
import { parseIp, printIp } from '../../net/ip.ts'
import { tableOf } from '../../net/route-table.ts'
import { sameJson } from '../../same-json.ts'
import type { Plan, Step } from '../plan.ts'
import { lockedAs, wantedOf, type WantedPrefix } from './advertised.ts'
import { announcementOf } from './going-node.ts'
import { addressesOf, hasFamily, speaksIn, tableHolder, whyNotVpc, type BGPNet, type SessionGroup } from './net.ts'
import { nodeOfSession, routerIDOf, sessionsOf } from './sessions.ts'

type Spec = SpecOf<'BGPSpeaker'>
type SpeakerGroup = Spec['groups'][number]
type SpeakerPrefix = SpeakerGroup['advertise'][number]

export type SpeakerAction =
  | { readonly do: 'makeSpeaker'; readonly spec: Spec }
  | { readonly do: 'changeSpeaker'; readonly speaker: Resource<'BGPSpeaker'>; readonly spec: Spec }
  | { readonly do: 'deleteSpeaker'; readonly speaker: Resource<'BGPSpeaker'> }
export interface SpeakerDesired {
  /** Of the node. */
  readonly name: string
  readonly node: Resource<'Node'> | undefined
  readonly speaker: Resource<'BGPSpeaker'> | undefined
  readonly nodes: readonly Resource<'Node'>[]
  readonly net: BGPNet
  /** `namespace/name` of the Subnets that have a Port on it. */
  readonly subnetsHere: ReadonlySet<string>
  /** Those in Vpcs that have a Port on it. */
  readonly services: readonly Resource<'ServiceAddress'>[]
  /** What Vpcs send outside from on it. */
  readonly egress: readonly Resource<'EgressAddress'>[]
  readonly subnetsOf: (vpc: Resource<'Vpc'>) => Iterable<Resource<'Subnet'>>
}
type SpeakerPlan = Plan<SpeakerAction>

export function planSpeaker(desired: SpeakerDesired): SpeakerPlan {
  const groups = groupsOf(desired)
  return {
    steps: stepsTo(groups, desired),
    phase: 'ready',
    reason: 'InPlace',
    message: groups.length === 0 ? 'in no BGPSessionGroup' : `in ${groups.map(({ name }) => name).join(', ')}`,
  }
}

function stepsTo(groups: readonly SpeakerGroup[], { name, node, speaker }: SpeakerDesired): readonly Step<SpeakerAction>[] {
  const because = { rule: 'the BGPSessionGroups that a node is in', of: { kind: 'Node' as const, name } }
  const serviceAddresses = node && announcementOf(node)
  const spec: Spec = { node: name, ...(serviceAddresses !== undefined && { serviceAddresses }), groups: [...groups] }
  if (groups.length === 0) return speaker === undefined ? [] : [{ action: { do: 'deleteSpeaker', speaker }, because }]
  if (speaker === undefined) return [{ action: { do: 'makeSpeaker', spec }, because }]
  return sameJson(speaker.spec, spec) ? [] : [{ action: { do: 'changeSpeaker', speaker, spec }, because }]
}

function groupsOf(desired: SpeakerDesired): readonly SpeakerGroup[] {
  const { node, net } = desired
  if (node === undefined) return []
  return [...net.groups]
    .filter((group) => speaksIn(group, node) && tableHolder(group, net.groups) === undefined)
    .sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
    .flatMap((group) => groupOf(group, node, desired))
}

function groupOf(group: SessionGroup, node: Resource<'Node'>, desired: SpeakerDesired): readonly SpeakerGroup[] {
  const { metadata, spec } = group
  const addresses = addressesOf(node)
  if (addresses.ipv4 === undefined && addresses.ipv6 === undefined) return []
  const among = desired.nodes.filter((other) => speaksIn(group, other)).sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
  return [
    {
      name: metadata.name,
      as: spec.as,
      routerID: routerIDOf(node.metadata.name, addresses),
      table: tableOf(metadata.name),
      addresses,
      sessions: [...sessionsOf(group, node, among).sessions],
      ...prefixesOf(group, desired),
      imports: [...importsOf(group, desired)],
      ...(spec.gracefulRestart !== undefined && { gracefulRestartSeconds: spec.gracefulRestart.seconds }),
      maximumPaths: spec.maximumPaths ?? 1,
    },
  ]
}

/** Whatever is locked, whoever has a Port in it. */
function prefixesOf(group: SessionGroup, desired: SpeakerDesired): Pick<SpeakerGroup, 'advertise' | 'own' | 'elsewhere'> {
  const advertise = saidOf(group, desired)
  const own = wantedOf(group, desired.net).prefixes.filter((prefix) => lockedAs(prefix, desired.net) !== undefined)
  const elsewhere = own.filter(({ cidr }) => !advertise.some((each) => each.cidr === cidr)).flatMap(prefixOf)
  return {
    advertise: [...advertise],
    ...(own.length > 0 && { own: [...new Set(own.map(({ cidr }) => cidr))].sort() }),
    ...(elsewhere.length > 0 && { elsewhere }),
  }
}

const prefixOf = (prefix: WantedPrefix): readonly SpeakerPrefix[] => {
  const { vni } = prefix.subnet.status ?? {}
  return vni === undefined ? [] : [{ cidr: prefix.cidr, vni, hostRoutes: isByPort(prefix) }]
}
/** Each Port in it is a route of its own, or what is behind it. */
const isByPort = ({ isBehind, subnet }: WantedPrefix): boolean => isBehind === true || subnet.spec.mode === 'l3'

/**
 * What is locked, and not about to be free; what is said already stays as long as its lock does. A pool of service addresses is there on
 * every node of its Vpc: those that serve nobody are led to others. Of an l2 one each address is a route of its own.
 */
function saidOf(group: SessionGroup, { net, subnetsHere, services, egress, speaker }: SpeakerDesired): readonly SpeakerPrefix[] {
  const before = speaker?.spec.groups.find(({ name }) => name === group.metadata.name)?.advertise ?? []
  const byPool = Map.groupBy(services, ({ spec }) => spec.subnet)
  const isSayable = (prefix: WantedPrefix): boolean => {
    const entry = lockedAs(prefix, net)
    return entry !== undefined && (entry.leaving === undefined || before.some(({ cidr }) => cidr === prefix.cidr))
  }
  const prefixes = wantedOf(group, net)
    .prefixes.filter(isSayable)
    .flatMap((prefix): readonly SpeakerPrefix[] => {
      const { cidr, subnet } = prefix
      const { vni } = subnet.status ?? {}
      const pool = byPool.get(keyOfItem(subnet)) ?? []
      const sending = egress.filter(({ spec }) => spec.subnet === keyOfItem(subnet)).flatMap((each) => egressPrefixes(each, prefix, net))
      if (vni === undefined || (pool.length === 0 && !subnetsHere.has(keyOfItem(subnet)))) return sending
      const hostRoutes = isByPort(prefix)
      const addresses = hostRoutes ? [] : serviceCidrs(pool, prefix)
      return [{ cidr, vni, hostRoutes }, ...addresses.map((each) => ({ cidr: each, vni, hostRoutes: true })), ...sending]
    })
  // A tenant with very many service addresses takes no block from anybody.
  const [blocks, hosts] = [prefixes.filter((each) => !isHost(each)), prefixes.filter(isHost)]
  return [...blocks, ...hosts].slice(0, prefixesMost)
}
/** As many as a BGPSpeaker takes of a group. */
const prefixesMost = 4096
const isHost = ({ cidr }: SpeakerPrefix): boolean => cidr.endsWith(cidr.includes(':') ? '/128' : '/32')

const serviceCidrs = (pool: readonly Resource<'ServiceAddress'>[], prefix: WantedPrefix): readonly string[] =>
  pool.flatMap(({ spec }) => hostsIn(prefix, spec.addresses)).sort()

/** They are the router's of the Vpc that sends from them, whosever the pool is. */
function egressPrefixes({ spec }: Resource<'EgressAddress'>, prefix: WantedPrefix, net: BGPNet): readonly SpeakerPrefix[] {
  const vni = net.vpc(spec.vpc)?.status?.vni
  return vni === undefined ? [] : hostsIn(prefix, spec.addresses).map((cidr) => ({ cidr, vni, hostRoutes: true }))
}

const hostsIn = ({ cidr }: WantedPrefix, addresses: readonly string[]): readonly string[] =>
  addresses
    .flatMap((each) => parseIp(each) ?? [])
    .filter((ip) => isInBlock(cidr, ip))
    .map((ip) => printCidr(blockOf(ip, ip.family === 4 ? 32 : 128)))

/** Into Vpcs that have a Port on the node: elsewhere nobody would look at the routes. */
function importsOf(group: SessionGroup, { net, subnetsHere, subnetsOf }: SpeakerDesired): readonly SpeakerGroup['imports'][number][] {
  const here = new Set([...subnetsHere].flatMap((key) => vpcOf(net.subnet(key))))
  return (group.spec.imports ?? []).flatMap(({ vpc: key, allow = [] }) => {
    const vpc = net.vpc(key)
    const vni = vpc?.status?.vni
    if (vpc === undefined || vni === undefined || !here.has(key) || whyNotVpc(key, vpc, group) !== undefined) return []
    const gateways = [...subnetsOf(vpc)].flatMap(gatewaysOf).filter((address) => hasFamily(group, address))
    return [{ vpc: key, vni, allow, gateways: gateways.sort() }]
  })
}

const vpcOf = (subnet: Resource<'Subnet'> | undefined): readonly string[] =>
  subnet?.spec.vpc === undefined ? [] : [inNamespaceOf(subnet, subnet.spec.vpc)]

function gatewaysOf({ spec, metadata }: Resource<'Subnet'>): readonly string[] {
  if (metadata.deletionTimestamp !== undefined) return []
  return [spec.ipv4, spec.ipv6].flatMap((block) => {
    if (block === undefined || block.gateway !== undefined) return block?.gateway ?? []
    const cidr = parseCidr(block.cidr)
    const gateway = cidr && defaultGateway(cidr)
    return gateway === undefined ? [] : [printIp(gateway)]
  })
}

/** Whether a plan takes back what is said, or let in: which Ports are on the node decides that too. */
export const saysLess = ({ steps }: SpeakerPlan): boolean =>
  steps.some(({ action }) => {
    if (action.do === 'makeSpeaker') return false
    const is = new Set(action.do === 'changeSpeaker' ? spokenIn(action.spec) : [])
    return spokenIn(action.speaker.spec).some((each) => !is.has(each))
  })

const spokenIn = ({ groups }: Spec): readonly string[] =>
  groups.flatMap(({ name, advertise, imports }) => [
    ...advertise.map(({ cidr }) => `${name} ${cidr}`),
    ...imports.map(({ vpc, vni }) => `${name} ${vpc} ${vni}`),
  ])

/** Nodes that a speaker has sessions with, and that are not there as far as anybody has heard here. */
export const unheardNodes = ({ speaker, nodes }: SpeakerDesired): readonly string[] => {
  const known = new Set(nodes.map(({ metadata }) => metadata.name))
  const named = (speaker?.spec.groups ?? []).flatMap(({ sessions }) => sessions.flatMap(({ name }) => nodeOfSession(name) ?? []))
  return [...new Set(named)].filter((name) => !known.has(name))
}
