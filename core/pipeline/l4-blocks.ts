// A range of ports as values under masks, which is all that flows can match.

export interface L4Block {
  readonly value: number
  readonly mask: number
}

/** The fewest that cover just the range: 30 at most. None where it is empty. */
export function l4Blocks(first: number, last: number): readonly L4Block[] {
  const blocks: L4Block[] = []
  for (let at = first; at <= last;) {
    let size = 1
    while (at % (2 * size) === 0 && at + 2 * size - 1 <= last && size < 65_536) size *= 2
    blocks.push({ value: at, mask: 65_536 - size })
    at += size
  }
  return blocks
}
