// How far a reader of events has read: of one Subscription, opaque to the reader, and valid for as long as events are kept.

export interface Cursor {
  /** UID of the Subscription. */
  readonly of: string
  /** After which place (targets.ts). */
  readonly place: bigint
  /** When it was given, milliseconds since 1970: whatever came since is kept for the retention. */
  readonly at: number
}

/** As text that goes into an address unchanged. */
export const printCursor = ({ of, place, at }: Cursor): string => `${of}.${place.toString(36)}.${at.toString(36)}`

/** Undefined where the text is no cursor of that Subscription. */
export function parseCursor(text: string, of: string): Cursor | undefined {
  const found = /^([\w-]{1,64})\.([0-9a-z]{1,26})\.([0-9a-z]{1,10})$/.exec(text)
  if (found === null || found[1] !== of) return undefined
  return { of, place: number36(found[2]!), at: Number.parseInt(found[3]!, 36) }
}

const number36 = (text: string): bigint => [...text].reduce((sum, digit) => sum * 36n + BigInt(Number.parseInt(digit, 36)), 0n)

export const isExpired = ({ at }: Cursor, keepMs: number, now: number): boolean => now - at > keepMs
