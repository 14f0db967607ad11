// Communities: RFC 1997 in two numbers of 16 bits, RFC 8092 in three of 32, and those that have names.

const named: Readonly<Record<string, readonly number[]>> = {
  // RFC 8326; the others RFC 1997.
  'graceful-shutdown': [65_535, 0],
  'no-export': [65_535, 65_281],
  'no-advertise': [65_535, 65_282],
}
export const gracefulShutdown = named['graceful-shutdown']!

/** Two numbers, or three of a large one; undefined where it is none. */
export function parseCommunity(text: string): readonly number[] | undefined {
  if (named[text] !== undefined) return named[text]
  const parts = text.split(':')
  const most = parts.length === 2 ? 0xffff : parts.length === 3 ? 0xffff_ffff : -1
  const right = parts.every((part) => /^(0|[1-9]\d{0,9})$/.test(part) && Number(part) <= most)
  return right ? parts.map(Number) : undefined
}

/** @throws never of a speaker that has been looked through */
export const communityOf = (text: string): readonly number[] => parseCommunity(text)!
