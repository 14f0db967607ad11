// How long a Port takes to be wired here, and to be reached from here, since it was asked for.
import { hopIn, type Since } from '../core/kinds/hops.ts'
import type { Resource } from '../core/kinds/index.ts'
import { hopSeconds, sinceOf } from '../core/plan/hops.ts'
import type { Clock } from '../platform/clock.ts'
import type { AgentEnv } from './agent-env.ts'
import type { NodeStatus } from './ledger/record.ts'
import type { NodeLoop } from './loop.ts'
import type { AgentMeter, NodeHop } from './metrics.ts'

interface Measures {
  readonly clock: Clock
  readonly meter: AgentMeter
}

function take(to: NodeHop, since: Since, { clock, meter }: Measures): void {
  const seconds = hopSeconds(since, { now: clock.now() })
  if (seconds !== undefined) meter.hop(to, since.labels, seconds)
}

/** Measures a word about a Port that is on its way to the store. @returns to be called once the store has it */
export function statusHop(port: Resource<'Port'>, before: NodeStatus | undefined, after: NodeStatus, env: AgentEnv): () => void {
  const { clock, meter, pods } = env
  const began = clock.elapsed()
  const isFirst = after.wired === true && before?.wired !== true
  const pod = port.spec.claim && pods.get(`${port.metadata.namespace ?? ''}/${port.spec.claim.pod}`)
  const since = sinceOf(port, pod)
  if (isFirst) take('wired', since, env)
  return () => {
    meter.status((clock.elapsed() - began) / 1000)
    if (isFirst) take('status', since, env)
  }
}

/** Measures addresses on other nodes until their flows are here. */
export class RemoteHops {
  readonly #measures: Measures & { readonly loop: Pick<NodeLoop, 'applied'> }
  #heard: Resource<'IPLock'>[] = []
  #isWaiting = false

  constructor(measures: Measures & { readonly loop: Pick<NodeLoop, 'applied'> }) {
    this.#measures = measures
  }

  /** An address of another node was heard of for the first time, and is among the pieces. */
  noteAddress(lock: Resource<'IPLock'>): void {
    this.#heard.push(lock)
    if (this.#isWaiting) return
    this.#isWaiting = true
    // What is heard of while these are waited for is waited for next.
    const batch = this.#heard
    this.#heard = []
    const { loop } = this.#measures
    loop.applied(new AbortController().signal).then(
      () => {
        for (const each of batch) this.#applied(each)
        this.#isWaiting = false
        const next = this.#heard.pop()
        if (next !== undefined) this.noteAddress(next)
      },
      () => undefined,
    )
  }

  #applied(lock: Resource<'IPLock'>): void {
    const hop = hopIn(lock)
    if (hop === undefined) return
    take('remote-flow', hop, this.#measures)
    take('remote-flow-of-address', { ...hop, requestedMs: hop.lockedMs }, this.#measures)
  }
}
