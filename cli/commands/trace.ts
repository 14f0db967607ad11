// megrez trace FROM TO: what policies say of a connection, which rule decides, and the way of its first packet, by what is
// stored; with --live also what its nodes say.
import type { paths } from '../../openapi/types.ts'
import { defaultNamespace, flagLines, helpFlag, readArgs, refuseExcess, serverFlags, type Flags, type GivenArguments } from '../args.ts'
import { CliError, type Context, type Exit } from '../context.ts'
import { liveLines } from '../explain/live-trace.ts'
import { Api } from '../rest/api.ts'
import { targetOf } from '../rest/target.ts'

type Get = paths['/v1/policy/trace']['get']
type TraceQuery = NonNullable<Get['parameters']['query']>
type TracedConnection = Get['responses'][200]['content']['application/json']
type Direction = NonNullable<TracedConnection['egress']>
type Waypoint = TracedConnection['way'][number]

export const flags: Flags = {
  namespace: { type: 'string', short: 'n', value: 'NAME', meaning: 'of what is named without one (default)' },
  attachment: {
    type: 'string',
    value: 'NAME',
    meaning: "the pod's interface in the VLAN of this L2ServiceAttachment; the other end is an address",
  },
  vlan: { type: 'string', value: 'NUMBER', meaning: 'in which VLAN, where the attachment is in several' },
  tcp: { type: 'string', value: 'PORT', meaning: 'a TCP connection to this port' },
  udp: { type: 'string', value: 'PORT', meaning: 'UDP to this port' },
  sctp: { type: 'string', value: 'PORT', meaning: 'SCTP to this port' },
  icmp: { type: 'boolean', meaning: 'a ping; of IPv6 where the addresses are' },
  'ether-type': { type: 'string', value: 'NUMBER', meaning: 'a frame that is no IP, such as 0x88cc; in a VLAN the other end is a MAC' },
  live: { type: 'boolean', meaning: 'ask the nodes too, what their data planes would do now' },
  ...serverFlags,
  ...helpFlag,
}
export const completes = { of: 'pods', slashed: true }
export const usage = `megrez trace FROM TO [-n NAMESPACE] [--tcp PORT|--udp PORT|--sctp PORT|--icmp|--ether-type NUMBER]

FROM and TO are pod/NAME, pod/NAMESPACE/NAME, port/NAME, port/NAMESPACE/NAME, or an address; one of them is no address.
Exit code 0: policies allow it; 1: they deny it.

${flagLines(flags)}`

export async function run(args: readonly string[], context: Context): Promise<Exit> {
  const given = readArgs(args, flags)
  const [from, to, more] = given.words
  if (from === undefined || to === undefined) throw new CliError(2, 'say megrez trace FROM TO --tcp PORT')
  refuseExcess(more)
  const namespace = given.text('namespace') ?? defaultNamespace
  const api = new Api(await targetOf(given, context), context.signal)
  const ends = { from: endOf(from, namespace), to: endOf(to, namespace), ...attachmentOf(given, namespace) }
  const traced = await api.trace({ ...ends, ...transportOf(given, [from, to]) })
  const live = given.has('live') ? await liveLines(api, traced, context.signal) : new Map<string, readonly string[]>()
  context.out(`${linesOf(traced, live).join('\n')}\n`)
  return traced.isAllowed ? 0 : 1
}

/** `pod/a`: `pods/default/a`. */
function endOf(word: string, namespace: string): string {
  const [kind = '', ...names] = word.split('/')
  const plural = { pod: 'pods', pods: 'pods', port: 'ports', ports: 'ports' }[kind]
  if (plural === undefined || names.length === 0) return word
  return [plural, ...(names.length === 1 ? [namespace] : []), ...names].join('/')
}

function attachmentOf(given: GivenArguments, namespace: string): Pick<TraceQuery, 'attachment' | 'vlan'> {
  const [name, vlan] = [given.text('attachment'), given.text('vlan')]
  if (vlan !== undefined && !/^\d{1,4}$/.test(vlan)) throw new CliError(2, '--vlan needs a number')
  return {
    ...(name !== undefined && { attachment: name.includes('/') ? name : `${namespace}/${name}` }),
    ...(vlan !== undefined && { vlan: Number(vlan) }),
  }
}

function transportOf(given: GivenArguments, ends: readonly string[]): Pick<TraceQuery, 'protocol' | 'port' | 'etherType'> {
  const named = (['tcp', 'udp', 'sctp', 'ether-type'] as const).filter((each) => given.text(each) !== undefined)
  const [protocol, second] = [...named, ...(given.has('icmp') ? (['icmp'] as const) : [])]
  if (protocol === undefined || second !== undefined)
    throw new CliError(2, 'say one of --tcp PORT, --udp PORT, --sctp PORT, --icmp, --ether-type NUMBER')
  if (protocol === 'ether-type') return { etherType: etherTypeOf(given.text(protocol) ?? '') }
  if (protocol === 'icmp') return { protocol: ends.some((each) => each.includes(':')) ? 'icmpv6' : 'icmp' }
  const text = given.text(protocol) ?? ''
  if (!/^\d{1,5}$/.test(text)) throw new CliError(2, `--${protocol} needs a port`)
  return { protocol, port: Number(text) }
}

function etherTypeOf(text: string): number {
  if (!/^(0x[0-9a-f]{1,4}|\d{1,5})$/i.test(text)) throw new CliError(2, '--ether-type needs a number, such as 0x88cc or 35020')
  return Number(text)
}

/** @param live what nodes say, by their names */
function linesOf(
  { from, to, egress, ingress, isAllowed, vni, way }: TracedConnection,
  live: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  return [
    `from ${nameOf(from)}`,
    ...directionOf('may it send', egress),
    `to ${nameOf(to)}, in ${placeOf([from, to], vni)}`,
    ...(egress?.isAllowed === false ? [] : directionOf('may it be reached', ingress)),
    'its way',
    ...way.flatMap((each, i) => [
      `  ${i + 1} ${waypointOf(each)}`,
      ...[...nodeLines(each), ...saidOf(each, live)].map((line) => `      ${line}`),
    ]),
    verdictOf(isAllowed, way),
  ]
}

/** What policies let pass may have no way. */
function verdictOf(isAllowed: boolean, way: readonly Waypoint[]): string {
  if (!isAllowed) return 'denied'
  return way.some(({ fate }) => fate === 'dies') ? 'allowed by policies, and dies on its way' : 'allowed'
}

function waypointOf(waypoint: Waypoint): string {
  const { fate, message } = waypoint
  const why = message === undefined ? '' : `: ${message}`
  if (fate === 'unreached') return `${titleOf(waypoint)} is not reached`
  return `${titleOf(waypoint)}${fate === 'dies' ? ' is where it dies' : ''}${why}`
}

const saidOf = ({ at, name = '' }: Waypoint, live: ReadonlyMap<string, readonly string[]>): readonly string[] =>
  at === 'Node' ? (live.get(name) ?? []) : []

/** What it meets on a node. */
function nodeLines({ tables, conntrack = [], untold }: Waypoint): readonly string[] {
  if (untold !== undefined) return [`tables: ${untold}`]
  if (tables === undefined) return []
  return [`tables ${tables.join(', ')}`, ...conntrack.map(trackedLine)]
}

function trackedLine({ port: { kind = 'Port', namespace = '', name }, says, isKept }: NonNullable<Waypoint['conntrack']>[number]): string {
  const kept = isKept ? ', and kept: what follows is established' : says === 'new' ? ', and not kept' : ''
  return `conntrack: ${says} in the zone of ${kind.toLowerCase()}/${namespace}/${name}${kept}`
}

function titleOf({ at, namespace = '', name = '', vni, from = '?', to = '?', judges = [] }: Waypoint): string {
  if (at === 'Tunnel') return `tunnel of VNI ${vni} from ${from} to ${to}`
  if (at === 'Node') return `node/${name}, where policies judge ${judges.map((each) => judgedWho[each]).join(' and ')}`
  return at === 'Address' ? name : `${at.toLowerCase()}/${namespace}/${name}`
}
const judgedWho = { egress: 'who sends', ingress: 'who receives' } as const

function placeOf(ends: readonly TracedConnection['from'][], vni: number): string {
  const at = ends.find((end) => end.attachment !== undefined)
  return at === undefined ? `VNI ${vni}` : `VLAN ${at.vlan} of L2ServiceAttachment ${at.attachment}`
}

function nameOf({ address, mac, pod, port, node, attachment }: TracedConnection['from']): string {
  if (attachment !== undefined) return `pod/${pod} (${node === undefined ? 'on no node' : `on ${node}`})`
  if (port === undefined) return mac ?? address
  const name = pod === undefined ? `port/${port.namespace ?? ''}/${port.name}` : `pod/${port.namespace ?? ''}/${pod}`
  return `${name} (${address}${node === undefined ? '' : ` on ${node}`})`
}

function directionOf(question: string, direction: Direction | undefined): readonly string[] {
  if (direction === undefined) return [`  ${question}: no Port of ours, nothing is judged`]
  const tiers = direction.tiers.map(({ tier, says, policy: { kind, namespace, name }, rule }) => {
    const whose = `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`
    return `    ${tier}: ${whose} ${says}${rule === undefined ? ', as no rule of it allows this' : ` by ${rule}`}`
  })
  const asks = (direction.inspections ?? []).map(({ action, policy: { kind, namespace, name }, rule }) => {
    const whose = `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`
    return `    then asked: ${whose} refuses what ${action === 'deny' ? 'matches' : 'does not match'} ${rule}/l7`
  })
  const answer = direction.isAllowed ? (tiers.length === 0 ? 'yes, no policy has a say' : 'yes') : 'no'
  return [`  ${question}: ${answer}`, ...tiers, ...asks]
}
