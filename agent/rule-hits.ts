// What rules of policies do on this node: how many packets they deny, or would, and when each was last used.
import type { Dataplane } from '../core/contracts/dataplane.ts'
import type { Tier } from '../core/kinds/policy/tiers.ts'
import type { RuleDecision } from '../core/node/rule-decision.ts'
import type { RuleSet } from '../core/node/wanted.ts'
import { numberedName } from '../core/policy/numbers.ts'
import { timeLimit, type Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'

/** So long ago a rule may have been used for the last time before that is seen. */
const everyMs = 10_000
const askMs = 5_000

/** Audited: it passes, and would be denied. */
export type DecidedPackets = (
  outcome: 'denied' | 'audited',
  of: { readonly tier: Tier; readonly direction: 'ingress' | 'egress' },
  packets: number,
) => void

export interface RuleHitsDeps {
  readonly plane: Pick<Dataplane, 'decisions'>
  readonly ruleSets: { get(name: string): RuleSet | undefined; readonly isEmpty: boolean }
  readonly clock: Clock
  readonly log: Log
  readonly meter: { readonly decided: DecidedPackets }
}

interface Used {
  readonly packets: number
  /** RFC 3339; undefined: not since this agent looks. */
  readonly at: string | undefined
}

export class RuleHits {
  readonly #deps: RuleHitsDeps
  /** By what counts; undefined: nobody has looked yet. */
  #used: ReadonlyMap<string, Used> | undefined
  /** The last that is known, by the key of the item. */
  #lastUsed: ReadonlyMap<string, string> = new Map()

  constructor(deps: RuleHitsDeps) {
    this.#deps = deps
  }

  /** Looks now and then until the signal falls. */
  start(signal: AbortSignal): void {
    const { clock, log, plane } = this.#deps
    if (plane.decisions === undefined || signal.aborted) return
    const cancel = clock.after(everyMs, () => {
      signal.removeEventListener('abort', cancel)
      void this.read(signal)
        .catch((err: unknown) => log.debug({ err }, 'what rules do was not read: the next look counts it'))
        .finally(() => this.start(signal))
    })
    signal.addEventListener('abort', cancel, { once: true })
  }

  /** RFC 3339; undefined: not since this agent looks, or nothing counts it. */
  lastUsed(key: string): string | undefined {
    return this.#lastUsed.get(key)
  }

  /** What is counted at the first look the agent before this one has told of. */
  async read(signal: AbortSignal): Promise<void> {
    const { plane, ruleSets, clock } = this.#deps
    const decisions = ruleSets.isEmpty ? [] : ((await plane.decisions?.(AbortSignal.any([signal, timeLimit(askMs, clock)]))) ?? [])
    const before = this.#used
    this.#used = new Map(decisions.map((each) => [each.key, this.#usedSince(before, each)]))
    this.#lastUsed = new Map(
      decisions
        .flatMap(({ key, shown = key }) => {
          const at = this.#used?.get(key)?.at
          return at === undefined ? [] : [[shown, at] as const]
        })
        .sort(([, a], [, b]) => (a < b ? -1 : 1)),
    )
  }

  #usedSince(all: ReadonlyMap<string, Used> | undefined, decision: RuleDecision): Used {
    const { key, packets } = decision
    if (all === undefined) return { packets, at: undefined }
    const before = all.get(key)
    // An item that was put anew counts from nothing.
    const more = before === undefined || packets < before.packets ? packets : packets - before.packets
    if (more === 0) return before ?? { packets, at: undefined }
    this.#count(decision, more)
    return { packets, at: new Date(this.#deps.clock.now()).toISOString() }
  }

  #count(decision: RuleDecision, packets: number): void {
    const set = this.#deps.ruleSets.get(numberedName(decision.vni, decision.by.set))
    const denial = set && denialIn(set, decision)
    if (denial !== undefined) this.#deps.meter.decided(denial.outcome, { tier: set!.tier, direction: denial.direction }, packets)
  }
}

/** Undefined: it allows, or passes on, or is a rule that has gone meanwhile. */
function denialIn({ audit, rules }: RuleSet, { by, direction }: RuleDecision): Denial | undefined {
  if (by.rule === undefined) return { outcome: audit === true ? 'audited' : 'denied', direction }
  const rule = rules.find(({ index }) => index === by.rule)
  if (rule?.action !== 'deny') return undefined
  return { outcome: audit === true || rule.audit === true ? 'audited' : 'denied', direction: rule.direction }
}

interface Denial {
  readonly outcome: 'denied' | 'audited'
  readonly direction: 'ingress' | 'egress'
}
