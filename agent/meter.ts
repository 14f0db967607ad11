// What is measured of an agent.
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { LoopMeter } from './loop.ts'

export interface AgentMeter extends LoopMeter {
  /** @param seconds of our own part; the delegate is timed apart */
  cni(verb: string, code: number, seconds: number): void
  delegate(verb: string, seconds: number): void
}

export const noAgentMeter: AgentMeter = { applied: () => undefined, repaired: () => undefined, failed: () => undefined, cni: () => undefined, delegate: () => undefined }

export interface AgentGauges {
  readonly ports: () => number
  readonly endpoints: () => number
  readonly vnis: () => number
  readonly uplinksMissing: () => number
}

export function agentMeter(registry: Registry, gauges: AgentGauges): AgentMeter {
  const registers = [registry]
  const applied = new Counter({ name: 'megrez_agent_items_applied_total', help: 'things put or dropped in the data plane because the wish for them changed', registers })
  const repaired = new Counter({ name: 'megrez_agent_items_repaired_total', help: 'things in the data plane that others had changed, and that were put right', registers })
  const failed = new Counter({ name: 'megrez_agent_apply_failures_total', help: 'changes that the data plane did not take', registers })
  const cni = new Histogram({ name: 'megrez_cni_seconds', help: 'CNI calls answered, the delegate\'s time not counted', labelNames: ['verb', 'code'], buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 110], registers })
  const delegate = new Histogram({ name: 'megrez_cni_delegate_seconds', help: 'calls of the delegate CNI', labelNames: ['verb'], buckets: [0.01, 0.03, 0.1, 0.3, 1, 3, 10], registers })
  const gauge = (name: string, help: string, value: () => number): void => {
    new Gauge({
      name, help, registers,
      collect() {
        this.set(value())
      },
    })
  }
  gauge('megrez_agent_ports', 'Ports wired on this node', gauges.ports)
  gauge('megrez_agent_endpoints', 'addresses on other nodes that this node knows', gauges.endpoints)
  gauge('megrez_agent_vnis', 'VNIs with a Port on this node', gauges.vnis)
  gauge('megrez_agent_uplinks_missing', 'physical networks whose uplink names an interface that is not there', gauges.uplinksMissing)
  return {
    applied: (items) => applied.inc(items),
    repaired: (items) => repaired.inc(items),
    failed: () => failed.inc(),
    cni: (verb, code, seconds) => cni.observe({ verb, code }, seconds),
    delegate: (verb, seconds) => delegate.observe({ verb }, seconds),
  }
}
