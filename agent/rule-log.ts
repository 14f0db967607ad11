// What rules of policies have logged of the Ports of this node: the last of each, in memory; and now and then a word in a Port's status.
import type { Dataplane } from '../core/contracts/dataplane.ts'
import type { LoggedPackets } from '../core/kinds/node/inquiry.ts'
import { policyText, type CompiledRule } from '../core/kinds/policy/policy-rule-set.ts'
import type { Tier } from '../core/kinds/policy/tiers.ts'
import { protocolName } from '../core/kinds/policy/protocols.ts'
import { segmentNumberOf } from '../core/node/wanted.ts'
import type { LoggedPacket, PacketHead } from '../core/node/logged-packet.ts'
import type { LocalPort, RuleSet } from '../core/node/wanted.ts'
import { portPiece } from '../core/pieces/port.ts'
import { numberedName } from '../core/policy/numbers.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import type { NodeStatus } from './ledger/record.ts'
import type { Pieces } from './pieces/pieces.ts'

/** Of one Port: what is alike is one. */
const keptMost = 64
/** A Port's status has the last of them this often at most. */
const reportMs = 60_000

export type LogOutcome = LoggedPackets['outcome']
export type CountLogged = (outcome: LogOutcome, of: { readonly tier: Tier; readonly direction: 'ingress' | 'egress' }) => void

export interface RuleLogDeps {
  readonly plane: Pick<Dataplane, 'onLogged'>
  readonly ruleSets: { get(name: string): RuleSet | undefined }
  readonly pieces: Pieces
  readonly clock: Clock
  readonly log: Log
  readonly meter: { readonly logged: CountLogged }
  /** To the store. @returns false: it is too early */
  readonly report: (uid: string, logged: NonNullable<NodeStatus['logged']>) => boolean
}

interface LogEntry extends Required<LoggedPackets> {
  /** Of its policy: not everybody may know. */
  readonly namespace: string | undefined
}
interface LogOfPort {
  readonly kept: Map<string, LogEntry>
  packets: number
  reportedAt: number | undefined
}

export class RuleLog {
  readonly #deps: RuleLogDeps
  /** By UID. */
  readonly #ports = new Map<string, LogOfPort>()

  constructor(deps: RuleLogDeps) {
    this.#deps = deps
    deps.plane.onLogged?.((packet) => this.#take(packet))
  }

  /** The newest first. */
  of(uid: string, namespace: string | undefined): readonly LoggedPackets[] {
    const all = [...(this.#ports.get(uid)?.kept.values() ?? [])].reverse()
    return all.map(({ namespace: mine, policy, rule, ...each }) => (mine === namespace ? { ...each, policy, rule } : each))
  }

  #take(packet: LoggedPacket): void {
    const { ruleSets, meter } = this.#deps
    const set = ruleSets.get(numberedName(packet.vni, packet.by.set))
    const rule = set?.rules.find(({ index }) => index === packet.by.rule)
    const port = this.#portOf(packet)
    if (set === undefined || rule === undefined || port === undefined) return
    const outcome = outcomeOf(set, rule)
    meter.logged(outcome, { tier: set.tier, direction: rule.direction })
    this.#keep(port, {
      outcome,
      direction: rule.direction,
      namespace: set.policy.namespace,
      policy: policyText(set),
      rule: rule.source,
      packet: textOf(packet.head),
    })
  }

  #keep(port: LocalPort, packet: Omit<LogEntry, 'time' | 'packets'>): void {
    const { clock, log } = this.#deps
    const of = this.#of(port.uid)
    of.packets += 1
    const key = JSON.stringify(packet)
    const before = of.kept.get(key)
    if (before === undefined) log.info({ port: port.of, ...packet }, 'a rule logs a packet')
    const kept = { ...packet, time: new Date(clock.now()).toISOString(), packets: (before?.packets ?? 0) + 1 }
    of.kept.delete(key)
    of.kept.set(key, kept)
    if (of.kept.size > keptMost) of.kept.delete(of.kept.keys().next().value!)
    this.#report(port, of, kept)
  }

  #portOf({ vni, number, ifcName }: LoggedPacket): LocalPort | undefined {
    for (const port of this.#deps.pieces.of(portPiece).values())
      if ((ifcName === undefined ? hasNumber(port, number) : port.ifcName === ifcName) && segmentNumberOf(port.attachment) === vni)
        return port
    return undefined
  }

  /** Of one that nothing was logged of yet; of those that are gone nothing is kept. */
  #of(uid: string): LogOfPort {
    const known = this.#ports.get(uid)
    if (known !== undefined) return known
    const there = this.#deps.pieces.of(portPiece)
    for (const other of this.#ports.keys()) if (there.get(other) === undefined) this.#ports.delete(other)
    const made: LogOfPort = { kept: new Map(), packets: 0, reportedAt: undefined }
    this.#ports.set(uid, made)
    return made
  }

  #report(port: LocalPort, of: LogOfPort, { time, outcome, policy, packet, namespace }: LogEntry): void {
    const now = this.#deps.clock.elapsed()
    if (of.reportedAt !== undefined && now - of.reportedAt < reportMs) return
    const by = namespace === port.of.namespace ? ` by ${policy}` : ''
    if (this.#deps.report(port.uid, { time, packets: of.packets, last: `${outcome}${by}: ${packet}` })) of.reportedAt = now
  }
}

/** What is in audit decides nothing. */
function outcomeOf(set: RuleSet, { action, audit }: CompiledRule): LogOutcome {
  if (set.audit === true || audit === true) return 'audited'
  return ({ allow: 'allowed', deny: 'denied', pass: 'passed-on' } as const)[action]
}

/** Without the port that it is from: a client's connections are alike. */
function textOf({ from, to, protocol, l4Ports, icmp }: PacketHead): string {
  const name = protocolName(protocol)
  if (l4Ports !== undefined) return `${name} ${from} to ${to} port ${l4Ports.to}`
  return `${name} ${from} to ${to}${icmp === undefined ? '' : ` type ${icmp.type} code ${icmp.code}`}`
}

/** Of several VLANs each has one. */
const hasNumber = ({ number, zones = [] }: LocalPort, wanted: number | undefined): boolean =>
  number === wanted || zones.some((zone) => zone.number === wanted)
