// How long an endpoint stays registered: networkservicemesh/sdk, pkg/registry/common/expire (2026-11).
import { msOf, type Timestamp } from '../wire/nsm/well-known.ts'

/** The earliest of what was asked for, of the ends of both tokens, and of what a registry keeps at the most; not told ones left out. */
export const earliest = (first: Timestamp, ...others: readonly (Timestamp | undefined)[]): Timestamp =>
  others.reduce<Timestamp>((least, each) => (each !== undefined && isBefore(each, least) ? each : least), first)

const isBefore = (a: Timestamp, b: Timestamp): boolean => a.seconds < b.seconds || (a.seconds === b.seconds && a.nanos < b.nanos)

/**
 * When it is taken away, in milliseconds since 1970: what the call had left goes off, as a refresh that is under way then may take as long.
 *
 * @param leftMs of the call's deadline when it came; 0: it has none
 */
export const removalMsOf = (expiration: Timestamp, leftMs: number): number => msOf(expiration) - leftMs

/** A client refreshes after two thirds of the time. What is stored outlives five lives, so that one refresh in seven is written. */
const storedLives = 4
const longestExtraMs = 600_000

/**
 * What is stored as the end, where something is to be stored: later than the true one, which is kept in memory.
 *
 * @param mark 0 to 999,999, of the process: two of them never store the same, so that each sees that the other has registered it
 */
export function storedEndOf({ seconds, nanos }: Timestamp, nowMs: number, mark: number): Timestamp {
  const extraMs = Math.min(longestExtraMs, Math.max(0, msOf({ seconds, nanos }) - nowMs) * storedLives)
  return { seconds: seconds + Math.ceil(extraMs / 1000), nanos: Math.floor(nanos / 1_000_000) * 1_000_000 + mark }
}

/** Whether what is stored still outlives that end. */
export const outlives = (stored: { readonly seconds?: number } | undefined, expiration: Timestamp): boolean =>
  (stored?.seconds ?? 0) > expiration.seconds
