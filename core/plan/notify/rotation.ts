// Which secrets sign what a Subscription is sent: the newest, and those before it while they overlap. The spec names them, and holds none:
// each is derived from what is configured, so that to replace one is a single write.
import type { SpecOf } from '../../kinds/index.ts'
import { previousMost } from '../../kinds/notify/subscription.ts'

type Rotation = NonNullable<SpecOf<'Subscription'>['rotation']>
type Previous = NonNullable<Rotation['previous']>[number]

export interface NextSecret {
  readonly id: string
  readonly now: number
  /** How long what signs now goes on. 0: no longer. */
  readonly overlapMs: number
}

/** @returns undefined where more than can be kept would still sign: none of them is dropped before its time */
export function rotate(before: Rotation | undefined, { id, now, overlapMs }: NextSecret): Rotation | undefined {
  const end = now + overlapMs
  const ending = (each: Previous): Previous => ({ ...each, until: new Date(Math.min(end, Date.parse(each.until))).toISOString() })
  const replaced = { ...(before !== undefined && { id: before.id }), until: new Date(end).toISOString() }
  const previous = overlapMs === 0 ? [] : [replaced, ...stillValid(before, now).map(ending)]
  return previous.length > previousMost ? undefined : { id, previous }
}

/** @returns by their ids, the newest first; undefined stands for what signed before the first was replaced */
export const signingIds = (rotation: Rotation, { now }: { readonly now: number }): readonly (string | undefined)[] => [
  rotation.id,
  ...stillValid(rotation, now).map(({ id }) => id),
]

const stillValid = (rotation: Rotation | undefined, now: number): readonly Previous[] =>
  (rotation?.previous ?? []).filter(({ until }) => Date.parse(until) > now)
