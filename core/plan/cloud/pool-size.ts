// How many Ports a pool is to have: as many as came at once, where at once is the time in which one that was taken is replaced.
import type { Resource } from '../../kinds/index.ts'

type Port = Resource<'Port'>
export type WarmPools = NonNullable<Resource<'Cloud'>['spec']['warmPools']>

/** A pool that nobody has used for so long has none. */
export const keepMs = 3_600_000
/** Until one has been made: as long as a slow cloud takes. */
const firstMs = 10_000
/** Creation is told in whole seconds, and a Deployment makes its pods over a few. */
const leastMs = 5_000
const mostMs = 60_000

const bornMs = ({ metadata }: Port): number => Date.parse(metadata.creationTimestamp)

/** The median time from a Port made ahead being asked for to its being there. */
export function makingMs(entries: readonly Port[]): number {
  const all = entries.flatMap((entry) => {
    const ready = entry.status?.timeline?.find(({ phase }) => phase === 'ready')
    return ready === undefined ? [] : [Math.max(0, Date.parse(ready.time) - bornMs(entry))]
  })
  return all.sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? firstMs
}

/** The most that came within a span, of times in any order. */
export function mostWithin(times: readonly number[], spanMs: number): number {
  const sorted = [...times].sort((a, b) => a - b)
  let first = 0
  let most = 0
  for (const [i, time] of sorted.entries()) {
    while (time - sorted[first]! > spanMs) first++
    most = Math.max(most, i - first + 1)
  }
  return most
}

/** Ports are made up to the one, and deleted down to the other: that a cloud is faster now than before is no reason to delete any. */
export interface PoolSize {
  readonly atLeast: number
  readonly atMost: number
}

interface PoolPorts {
  /** That were made for somebody. */
  readonly starts: readonly Port[]
  /** Made ahead: one is made where another was taken, which tells of use too. */
  readonly entries: readonly Port[]
}

/** UID → when it came, of the Ports that are there, and of those that are gone and that what is made ahead tells of. */
export const comings = ({ starts, entries }: PoolPorts): ReadonlyMap<string, number> =>
  new Map([
    ...entries.flatMap(({ spec: { warm: { after } = {} } }) => (after === undefined ? [] : [[after.uid, Date.parse(after.came)] as const])),
    ...starts.map((port) => [port.metadata.uid, bornMs(port)] as const),
  ])

export function sizeOf({ min = 0, max }: WarmPools, ports: PoolPorts, now: number): PoolSize {
  const { entries } = ports
  const isRecent = (ms: number): boolean => now - ms <= keepMs
  const came = [...comings(ports).values()].filter(isRecent)
  if (came.length === 0 && !entries.map(bornMs).some(isRecent)) return none
  const within = (spanMs: number): number => Math.min(Math.max(mostWithin(came, spanMs), min), max)
  return { atLeast: within(Math.min(Math.max(leastMs, makingMs(entries)), mostMs)), atMost: within(mostMs) }
}

export const none: PoolSize = { atLeast: 0, atMost: 0 }
