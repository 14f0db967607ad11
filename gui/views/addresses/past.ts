// How the use of a Subnet has grown, from the times at which its locks were made: of the addresses that are taken now, how many were so at
// each time. What was taken and freed before has left nothing to read it from.

export interface TakenOverTime {
  /** Seconds since 1970. */
  readonly times: readonly number[]
  readonly values: readonly number[]
}
/** Of a chart: more are not told apart. */
const pointsMost = 400

/**
 * @param made when each lock was, in milliseconds since 1970
 * @param from when the Subnet was made: then it was empty
 */
export function takenOverTime(made: readonly number[], from: number, now: number): TakenOverTime {
  const order = made.filter((time) => time <= now).sort((a, b) => a - b)
  const every = Math.max(1, Math.ceil(order.length / pointsMost))
  const points = order.flatMap((time, i) => ((i + 1) % every === 0 || i === order.length - 1 ? [[time, i + 1] as const] : []))
  const all = [[Math.min(from, order[0] ?? from), 0] as const, ...points, [now, order.length] as const]
  return { times: all.map(([time]) => time / 1_000), values: all.map(([, count]) => count) }
}
