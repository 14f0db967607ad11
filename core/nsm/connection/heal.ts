// What a client does about a connection that is no longer well. NSM heals when gRPC says so, or after one answer of the data path that is
// missing, and then asks without a pause; ours counts misses, waits between tries, and ends.
import { backoffMs, type Backoff } from '../../backoff.ts'

export interface HealRules {
  /** Answers of the data path in a row that have to be missing. */
  readonly misses: number
  readonly backoff: Backoff
  /** Requests that may fail in a row. */
  readonly attempts: number
}
/** The data path is asked every 300 ms. */
export const livenessEveryMs = 300
export const usualHealRules: HealRules = { misses: 3, backoff: { firstMs: 100, maxMs: 5_000 }, attempts: 1_000 }

export interface Health {
  /** well: nothing to do; healing: it is asked for anew; lost: as often as it may be. */
  readonly phase: 'well' | 'healing' | 'lost'
  /** Answers that were missing in a row. */
  readonly missed: number
  /** Requests that failed in a row. */
  readonly failed: number
  /** Another endpoint is asked for: once that is so, it stays so until one has answered. */
  readonly reselect: boolean
}
export const wellAtFirst: Health = { phase: 'well', missed: 0, failed: 0, reselect: false }

/**
 * answered, missed: what the data path said; down: the next hop says that the connection is lost, or says nothing more, with whether the
 * data path is asked at all; requested: how a request of ours ended.
 */
export type HealEvent =
  | { readonly is: 'answered' }
  | { readonly is: 'missed' }
  | { readonly is: 'down'; readonly isAsked: boolean }
  | { readonly is: 'requested'; readonly ok: boolean }

/** A request after so many milliseconds; reselect: Close first, and name neither endpoint nor mechanism. */
export interface HealStep {
  readonly afterMs: number
  readonly reselect: boolean
}

/** @param random in [0, 1) */
export function healed(health: Health, event: HealEvent, random: number, rules: HealRules = usualHealRules): readonly [Health, HealStep?] {
  switch (event.is) {
    case 'answered':
      return [health.phase === 'well' ? { ...health, missed: 0 } : health]
    case 'missed':
      return missed(health, rules)
    case 'down':
      return down(health, event.isAsked)
    case 'requested':
      return requested(health, event.ok, random, rules)
  }
}

function missed(health: Health, { misses }: HealRules): readonly [Health, HealStep?] {
  const next = { ...health, missed: health.missed + 1 }
  if (next.missed < misses || next.reselect || health.phase === 'lost') return [next]
  const reselecting: Health = { ...next, phase: 'healing', reselect: true }
  return health.phase === 'healing' ? [reselecting] : [reselecting, { afterMs: 0, reselect: true }]
}

/** Packets may pass although nobody answers for them: then the same endpoint is asked. */
function down(health: Health, isAsked: boolean): readonly [Health, HealStep?] {
  if (health.phase !== 'well') return [health]
  const reselect = !isAsked || health.missed > 0
  return [
    { ...health, phase: 'healing', reselect },
    { afterMs: 0, reselect },
  ]
}

function requested(health: Health, ok: boolean, random: number, rules: HealRules): readonly [Health, HealStep?] {
  if (health.phase !== 'healing') return [health]
  if (ok) return [wellAtFirst]
  const failed = health.failed + 1
  if (failed >= rules.attempts) return [{ ...health, failed, phase: 'lost' }]
  return [
    { ...health, failed },
    { afterMs: backoffMs(failed, random, rules.backoff), reselect: health.reselect },
  ]
}
