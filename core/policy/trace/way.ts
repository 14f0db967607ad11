// The way of a connection's first packet: its pod and Port, the node where policies judge it, the tunnel to the next node where there is
// one, and where it dies. It goes by what is stored of Ports: no node is asked.
import { isVlanSegment } from '../../net/segment.ts'
import type { Resource } from '../../kinds/index.ts'
import { nodeOf, type TraceEnd, type Traced, type TracedDirection, type VlanInterface } from './trace.ts'

type Fate = 'passes' | 'dies' | 'unreached'
type Judging = 'egress' | 'ingress'

/** One place on it. */
export interface Waypoint {
  /** Attachment: of an interface in a VLAN. Address: of an end that no Port is seen of. */
  readonly at: 'Pod' | 'Port' | 'Attachment' | 'Node' | 'Tunnel' | 'Address'
  /** Of an object. */
  readonly namespace?: string
  /** Of an object; an Address by itself. */
  readonly name?: string
  /** Of a Tunnel: its key, and between which addresses of nodes, as far as they are known. */
  readonly vni?: number
  readonly from?: string
  readonly to?: string
  /** In which direction policies are asked here: of the Port that sends, of the one that receives. */
  readonly judges?: readonly Judging[]
  readonly fate: Fate
  /** Why it dies here, or what else is to be known. */
  readonly message?: string
}

interface WayOf {
  readonly from: TraceEnd
  readonly to: TraceEnd
  readonly vni: number
  readonly traced: Pick<Traced, 'egress' | 'ingress'>
  /** It is a frame that is no IP, and no packet of a connection. */
  readonly isFrame?: boolean
}
type Stop = Omit<Waypoint, 'fate'> & { readonly isFatal?: boolean }

export function wayOf(way: WayOf): readonly Waypoint[] {
  const middle = middleOf(way)
  const drafts = [...endOf(way.from).toReversed(), ...middle, ...endOf(way.to)]
  const last = drafts.findIndex(({ isFatal }) => isFatal === true)
  return drafts.map(({ isFatal: _, ...draft }, i) => ({
    ...draft,
    fate: last < 0 || i < last ? 'passes' : i > last ? 'unreached' : 'dies',
  }))
}

/** The Port, and the pod behind it. */
function endOf({ address, mac, port, interface: at }: TraceEnd): readonly Stop[] {
  if (at !== undefined) return interfaceStops(at)
  if (port === undefined) return [{ at: 'Address', name: mac ?? address, message: 'no Port that you may see here has it' }]
  const { namespace, name } = port.metadata
  const within = namespace === undefined ? {} : { namespace }
  const { claim } = port.spec
  return [
    { at: 'Port', ...within, name, ...stateOf(port) },
    ...(claim === undefined ? [] : [{ at: 'Pod', ...within, name: claim.pod } as const]),
  ]
}

function interfaceStops({ pod, attachment }: VlanInterface): readonly Stop[] {
  const stopAt = (at: 'Pod' | 'Attachment', { metadata: { namespace, name } }: Resource): Stop => ({
    at,
    ...(namespace !== undefined && { namespace }),
    name,
  })
  const isNowhere = pod.spec.nodeName === undefined
  return [
    { ...stopAt('Attachment', attachment), ...(isNowhere && { isFatal: true, message: 'its pod is on no node' }) },
    stopAt('Pod', pod),
  ]
}

/** A Port that is not wired sends and gets nothing; where no agent has said so, nobody knows. */
function stateOf({ spec, status }: Resource<'Port'>): Pick<Stop, 'isFatal' | 'message'> {
  if (spec.node === undefined) return { isFatal: true, message: 'it is on no node' }
  if (status?.node?.wired === false) return { isFatal: true, message: `${spec.node} has not wired it, or has it no more` }
  const left = status?.node?.conditions?.find(({ type, status: is }) => type === 'Unsupported' && is === 'True')?.message
  return left === undefined ? {} : { message: `not done by its node: ${left}` }
}

/** What lies between two Ports: one node, or two and a tunnel. */
function middleOf(way: WayOf): readonly Stop[] {
  const [sender, receiver] = [nodeOf(way.from), nodeOf(way.to)]
  if (sender !== undefined && sender === receiver) return [nodeAt(sender, ['egress', 'ingress'], way)]
  return [
    ...(sender === undefined ? [] : [nodeAt(sender, ['egress'], way)]),
    // In a VLAN the switches between the nodes carry it.
    ...(sender === undefined || receiver === undefined || isVlanSegment(way.vni) ? [] : [tunnelOf(way, receiver)]),
    ...(receiver === undefined ? [] : [nodeAt(receiver, ['ingress'], way)]),
  ]
}

function nodeAt(name: string, judges: readonly Judging[], way: WayOf): Stop {
  const by = judges.map((each) => way.traced[each]).find((direction) => direction?.isAllowed === false)
  const message = (way.isFrame === true ? frameEnds(judges, way) : undefined) ?? (by && reasonOf(by))
  return { at: 'Node', name, judges, ...(message !== undefined && { isFatal: true, message }) }
}

/** Whose rules look at no frames. */
const withoutFrames: readonly (string | undefined)[] = ['bess', 'linux']

/** Where a frame that is no IP ends whatever policies say. */
function frameEnds(judges: readonly Judging[], { from, to }: WayOf): string | undefined {
  if (judges.includes('egress') && from.port !== undefined && from.port.spec.portSecurity !== false)
    return 'a Port with portSecurity sends nothing but IP and ARP'
  const judged = judges.flatMap((each) => (each === 'egress' ? from : to).port ?? []).find(({ status }) => status?.policy !== undefined)
  return withoutFrames.includes(judged?.status?.node?.dataplane)
    ? 'on BESS and Linux nothing passes a Port that policies judge but IP and ARP'
    : undefined
}

function reasonOf({ tiers }: TracedDirection): string {
  const last = tiers.findLast(({ says }) => says === 'denies')
  if (last === undefined) return 'policies deny it'
  const { tier, policy, rule } = last
  const whose = `${policy.kind} ${policy.namespace === undefined ? '' : `${policy.namespace}/`}${policy.name}`
  return `${tier}: ${whose} denies it${rule === undefined ? ', as no rule of it allows this' : ` by ${rule}`}`
}

function tunnelOf({ from, to, vni }: WayOf, next: string): Stop {
  const [here, there] = [hostOf(from), hostOf(to)]
  const known = { at: 'Tunnel', vni, ...(here !== undefined && { from: here }) } as const
  if (there !== undefined) return { ...known, to: there }
  // A sender whose agent is at work knows no way to a node without an address; without agents nobody knows.
  return { ...known, message: `no address of ${next} is known to tunnel to`, isFatal: from.port?.status?.node?.wired === true }
}

const hostOf = ({ port }: TraceEnd): string | undefined => port?.status?.hostIP
