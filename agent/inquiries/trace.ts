// What would become of a packet of a Port: the data plane is asked, where it can tell. As the pod would, whose MAC the next hop has is
// asked first; where nobody answers that, there is no packet, and what became of the question is the answer.
import { answeredMax, type PacketTrace, type TracedPacket, type TraceStep } from '../../core/kinds/node/inquiry.ts'
import { policyText, ruleSetName } from '../../core/kinds/policy/policy-rule-set.ts'
import { isInBlock } from '../../core/net/cidr.ts'
import { gatewayMac } from '../../core/net/gateway-mac.ts'
import { parseIp } from '../../core/net/ip.ts'
import type { PolicyRuleOwner } from '../../core/kinds/policy/peer-decision.ts'
import type { TracedFrame, TracedOutput, TracedRule, TracedWay } from '../../core/node/traced.ts'
import { segmentNumberOf, type LocalPort, type RuleSet } from '../../core/node/wanted.ts'
import { endpointKey } from '../../core/pieces/endpoint-map.ts'
import { endpointPiece } from '../../core/pieces/endpoint.ts'
import { portPiece } from '../../core/pieces/port.ts'
import { segmentKey, segmentPiece } from '../../core/pieces/segment.ts'
import { ruleSetPiece } from '../../core/pieces/policy/rule-set.ts'
import type { AgentEnv } from '../agent-env.ts'
import { failed, unsupported, type UntimedAnswer } from './untimed-answer.ts'

export async function traceFrom(local: LocalPort, packet: TracedPacket, env: AgentEnv, signal: AbortSignal): Promise<UntimedAnswer> {
  const { plane } = env
  if (plane.trace === undefined)
    return unsupported(`trace: ${plane.name} cannot tell what would become of a packet; explain says what is done for this Port`)
  const untraced = untracedBecause(local)
  if (untraced !== undefined) return unsupported(`trace: ${untraced}`)
  if (packet.arrives === true)
    return arrival(local, packet, env, async (frame) => answer(frame, await plane.trace!(local, frame, signal), local, env))
  const family = packet.to.includes(':')
  const own = local.addresses.find((address) => address.includes(':') === family)
  const from = packet.from ?? own
  if (from === undefined) return failed(`it has no ${family ? 'IPv6' : 'IPv4'} address to send from: name one, packet.from`)
  const hop = nextHop(local, packet.to, env)
  if (hop === undefined) return failed(`${packet.to} is in no Subnet of this Port, and there is no gateway`)
  const question: TracedFrame = { kind: 'who-has', from: own ?? from, to: hop }
  const traced = await plane.trace(local, question, signal)
  if (traced.mac === undefined) return answer(question, traced, local, env)
  const frame = frameOf(packet, from, traced.mac)
  return answer(frame, await plane.trace(local, frame, signal), local, env)
}

function untracedBecause({ attachment }: LocalPort): string | undefined {
  if (attachment.kind === 'vif') return 'what becomes of its packets is decided on a bridge that is not ours: ask its cloud'
  return attachment.kind === 'vlan' && attachment.mode !== 'access' ? 'in a trunk a packet has a VLAN, and none is said' : undefined
}

const frameOf = (packet: TracedPacket, from: string, mac: string): TracedFrame => ({ kind: 'packet', mac, ...payloadOf(packet, from) })
const payloadOf = ({ to, protocol = 'icmp', l4Port }: TracedPacket, from: string) => ({
  from,
  to,
  protocol,
  ...(l4Port !== undefined && { l4Port }),
})

/** One that comes from another node, as that would send it: from the MAC of the address, or from the gateway's beyond its Subnet. */
function arrival(
  { attachment, addresses }: LocalPort,
  packet: TracedPacket,
  { loop: { pieces } }: AgentEnv,
  trace: (frame: TracedFrame) => Promise<UntimedAnswer>,
): UntimedAnswer | Promise<UntimedAnswer> {
  const { to, from = '' } = packet
  if (attachment.kind !== 'vni') return unsupported('trace: what comes to a Port in a VLAN comes from whoever is in it')
  if (!addresses.includes(to)) return failed(`${to} is no address of this Port: of what arrives, packet.to is one of them`)
  const { vni } = attachment
  const sender = pieces.of(endpointPiece).get(endpointKey(vni, from))
  if (sender === undefined) return failed(`${from} is on no other node that this one knows of`)
  const { subnets = [] } = pieces.of(segmentPiece).get(segmentKey(vni)) ?? {}
  const isNear = subnets.some(({ cidr }) => isIn(cidr, from) && isIn(cidr, to))
  return trace({ kind: 'arrival', vni, host: sender.hostIP, mac: isNear ? sender.mac : gatewayMac, ...payloadOf(packet, from) })
}

function isIn(cidr: string, address: string): boolean {
  const ip = parseIp(address)
  return ip !== undefined && isInBlock(cidr, ip)
}

/**
 * As a pod's routes have it: what is in its own Subnet is asked for directly, all else is its gateway's, other Subnets of the VNI too. Who
 * has no address has no routes. In a VLAN only the pod knows of Subnets. Routes that its Subnet has beside the gateway are not here.
 */
function nextHop(local: LocalPort, to: string, { loop: { pieces } }: AgentEnv): string | undefined {
  const { segment } = pieces.neededBy(portPiece, local)
  if (segment === undefined || local.addresses.length === 0 || parseIp(to) === undefined || /^fe[89ab]/i.test(to)) return to
  const own = segment.subnets.filter(({ cidr }) => local.addresses.some((address) => isIn(cidr, address)))
  const isNear = own.some(({ cidr }) => isIn(cidr, to))
  return isNear ? to : own.find(({ cidr }) => cidr.includes(':') === to.includes(':'))?.gateway
}

function answer(frame: TracedFrame, { rules, outputs }: TracedWay, local: LocalPort, env: AgentEnv): UntimedAnswer {
  const shown = shownIn(local, env)
  const to = [...new Set(outputs.map((output) => placeName(output, shown)))]
  const trace: PacketTrace = {
    packet: wordsOf(frame),
    verdict: outputs.length === 0 ? 'drop' : 'output',
    ...(to.length > 0 && { to: to.slice(0, answeredMax) }),
    steps: rules.slice(0, answeredMax).map((rule) => stepOf(rule, shown)),
  }
  const isMore = rules.length > answeredMax || to.length > answeredMax
  return { outcome: 'answered', trace, ...(isMore && { truncated: true }) }
}

const wordsOf = (frame: TracedFrame): string => {
  if (frame.kind === 'who-has')
    return `${frame.to.includes(':') ? 'neighbour solicitation' : 'ARP request'}: ${frame.from} asks for ${frame.to}`
  const l4Port = frame.l4Port === undefined ? '' : ` port ${frame.l4Port}`
  const how = frame.kind === 'arrival' ? 'from another node' : `to MAC ${frame.mac}`
  return `${frame.protocol} from ${frame.from} to ${frame.to}${l4Port}, ${how}`
}

/** Ports whose rules and names whoever asks may read: those of the namespace in the same segment, by number and by MAC. */
interface Shown {
  readonly names: ReadonlyMap<number, string>
  readonly macs: ReadonlySet<string>
  readonly policyOf: (owner: PolicyRuleOwner) => string
}
function shownIn(local: LocalPort, { ports, ledger, loop }: AgentEnv): Shown {
  const mine = [...ports.values()]
    .filter(({ metadata }) => metadata.namespace === local.of.namespace)
    .flatMap(({ metadata: { uid, name } }) => {
      const wired = ledger.wiredOf(uid)?.port
      return wired === undefined ? [] : [{ name, wired }]
    })
  const { attachment } = local
  const segment = segmentNumberOf(attachment)
  const near = segment === undefined ? [] : mine.filter(({ wired }) => segmentNumberOf(wired.attachment) === segment)
  return {
    names: new Map(mine.map(({ name, wired }) => [wired.number, name])),
    macs: new Set([local.mac, ...near.map(({ wired: { mac } }) => mac)]),
    policyOf: ({ set, rule }) =>
      ruleText(segment === undefined ? undefined : loop.pieces.of(ruleSetPiece).get(ruleSetName({ vni: segment, number: set })), rule),
  }
}

function ruleText(set: RuleSet | undefined, index: number | undefined): string {
  if (set === undefined) return 'a policy that is gone'
  const name = policyText(set)
  const rule = set.rules.find((each) => each.index === index)
  return rule === undefined ? `${name} lets nothing pass but what a rule of its tier allows` : `${rule.action} by ${rule.source} of ${name}`
}

const placeName = (output: TracedOutput, { names }: Shown): string =>
  typeof output === 'number' ? (names.get(output) ?? 'another port') : output

/** Longer than any rule of ours. */
const textMax = 512
const short = (text: string): string => (text.length > textMax ? `${text.slice(0, textMax)}…` : text)

/** Of a rule that is there because of what is no Port of the asker's only so much is told that the way through the tables is seen. */
function stepOf({ where: table, match, does, because, notes, owner }: TracedRule, shown: Shown): TraceStep {
  const note = notes.length > 0 && { note: short(notes.join('; ')) }
  if (typeof owner === 'object' && 'set' in owner) return policyStep({ table, does, because: shown.policyOf(owner) })
  if (isShownTo(owner, shown))
    return { table, match: short(match), does: short(does.join(', ') || 'drop'), ...(because !== undefined && { because }), ...note }
  const onward = onwardIn(does)
  const isOutput = does.some((action) => /^(?:output|IN_PORT|NORMAL)/.test(action))
  return { table, match: hidden(owner), does: [...onward, ...(isOutput ? ['output'] : [])].join(', ') || 'drop', ...note }
}

const isShownTo = (owner: Exclude<TracedRule['owner'], PolicyRuleOwner>, { macs }: Shown): boolean =>
  owner === 'node' || (typeof owner === 'object' && macs.has(owner.mac))

const onwardIn = (does: readonly string[]): readonly string[] => does.filter((action) => /^(?:go to |drop$)/.test(action))

/** Which policy of the Port's says it: whom and what else its rule is about, is not told. */
const policyStep = ({
  table,
  does,
  because,
}: {
  readonly table: string
  readonly does: readonly string[]
  readonly because: string
}): TraceStep => ({
  table,
  match: 'a rule of a policy',
  does: onwardIn(does).join(', ') || 'drop',
  because,
})

const hidden = (owner: TracedRule['owner']): string =>
  owner === 'stranger' ? 'a rule that is not of Megrez' : owner === 'segment' ? 'a rule of the segment' : 'a rule of another port'
