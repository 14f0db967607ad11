// What is measured of an agent.
import type { InspectorCounts } from '../core/contracts/dataplane.ts'
import type { HopLabels } from '../core/kinds/hops.ts'
import type { MetricSet } from '../platform/metrics/set.ts'
import { portPiece } from '../core/pieces/port.ts'
import { ruleSetPiece } from '../core/pieces/policy/rule-set.ts'
import type { LoopMeter } from './loop.ts'
import type { Pieces } from './pieces/pieces.ts'
import type { DecidedPackets } from './rule-hits.ts'
import type { CountLogged } from './rule-log.ts'

/** What a Port has come to, as seen from a node. */
export type NodeHop = 'wired' | 'status' | 'remote-flow' | 'remote-flow-of-address'

export interface AgentMeter extends LoopMeter {
  /** @param seconds of our own part; the delegate is timed apart */
  cni(verb: string, code: number, seconds: number): void
  delegate(verb: string, seconds: number): void
  hop(to: NodeHop, labels: HopLabels, seconds: number): void
  /** @param seconds from a word about a Port until the store has taken it */
  status(seconds: number): void
  /** @param seconds from a rule set's change until the data plane has it */
  rules(seconds: number): void
  readonly decided: DecidedPackets
  readonly logged: CountLogged
}

const nothing = (): undefined => undefined
export const noAgentMeter: AgentMeter = {
  applied: nothing,
  repaired: nothing,
  failed: nothing,
  took: nothing,
  cni: nothing,
  delegate: nothing,
  hop: nothing,
  status: nothing,
  rules: nothing,
  decided: nothing,
  logged: nothing,
}

export interface AgentGauges {
  readonly ports: () => number
  readonly endpoints: () => number
  readonly rules: () => number
  readonly portsClosed: () => number
  readonly vnis: () => number
  readonly uplinksMissing: () => number
}

/** @param piecesOf undefined while the agent is starting */
export const policyGauges = (piecesOf: () => Pieces | undefined): Pick<AgentGauges, 'rules' | 'portsClosed'> => ({
  rules: () => [...(piecesOf()?.of(ruleSetPiece).values() ?? [])].reduce((sum, { rules }) => sum + rules.length, 0),
  portsClosed: () => [...(piecesOf()?.of(portPiece).values() ?? [])].filter(({ policy }) => policy?.isClosed === true).length,
})

export function agentMeter(set: MetricSet, gauges: AgentGauges): AgentMeter {
  const applied = set.counter('megrez_agent_items_applied_total')
  const repaired = set.counter('megrez_agent_items_repaired_total')
  const failed = set.counter('megrez_agent_apply_failures_total')
  const cni = set.histogram('megrez_cni_seconds')
  const delegate = set.histogram('megrez_cni_delegate_seconds')
  const took = set.histogram('megrez_agent_apply_seconds')
  const status = set.histogram('megrez_agent_status_seconds')
  const rules = set.histogram('megrez_agent_rules_seconds')
  const decided = {
    denied: set.counter('megrez_agent_packets_denied_total'),
    audited: set.counter('megrez_agent_packets_audited_total'),
  }
  const logged = set.counter('megrez_agent_packets_logged_total')
  const hops = {
    wired: set.histogram('megrez_port_create_to_wired_seconds'),
    status: set.histogram('megrez_port_create_to_status_seconds'),
    'remote-flow': set.histogram('megrez_port_create_to_remote_flow_seconds'),
    'remote-flow-of-address': set.histogram('megrez_port_address_to_remote_flow_seconds'),
  }
  set.gauge('megrez_agent_ports', () => [[{}, gauges.ports()]])
  set.gauge('megrez_agent_endpoints', () => [[{}, gauges.endpoints()]])
  set.gauge('megrez_agent_rules', () => [[{}, gauges.rules()]])
  set.gauge('megrez_agent_ports_closed', () => [[{}, gauges.portsClosed()]])
  set.gauge('megrez_agent_vnis', () => [[{}, gauges.vnis()]])
  set.gauge('megrez_agent_uplinks_missing', () => [[{}, gauges.uplinksMissing()]])
  return {
    applied: (items) => applied({}, items),
    repaired: (items) => repaired({}, items),
    failed: () => failed({}),
    cni: (verb, code, seconds) => cni({ verb, code }, seconds),
    delegate: (verb, seconds) => delegate({ verb }, seconds),
    took: (outcome, seconds) => took({ outcome }, seconds),
    hop: (to, { contention, waited }, seconds) => hops[to]({ contention, waited }, seconds),
    status: (seconds) => status({}, seconds),
    rules: (seconds) => rules({}, seconds),
    decided: (outcome, of, packets) => decided[outcome](of, packets),
    logged: (outcome, of) => logged({ outcome, ...of }),
  }
}

/** @param refused absent where the data plane does not know */
export function egressCounter(set: MetricSet, refused: (() => Promise<number>) | undefined): void {
  if (refused === undefined) return
  set.counted('megrez_agent_egress_refused_total', () =>
    refused().then(
      (packets) => [[{}, packets]],
      // All else that is measured is told whatever the kernel says here.
      () => [],
    ),
  )
}

/** @param counts absent where nothing is inspected */
export function inspectorMetrics(set: MetricSet, counts: (() => InspectorCounts) | undefined): void {
  if (counts === undefined) return
  set.gauge('megrez_agent_inspectors', () => [[{}, counts().inspectors]])
  set.counted('megrez_agent_inspector_restarts_total', () => Promise.resolve([[{}, counts().restarts]]))
}
