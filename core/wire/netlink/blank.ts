// Numbers of links that nobody knows before the kernel has told them, in requests that are written before: their places are kept, and
// what is told is filled in on the way. Pure.

/** Higher than any number that is written in a request, and still one of 32 bits. */
export const blankMin = 0xffff_0000
/** Links that one row of requests can be told. */
export const blanksMax = 16
const kinds = ['index', 'peer'] as const

/** Where in written bytes a number is missing: that of the n-th link that is told, or that of its other end. */
export interface Blank {
  readonly at: number
  readonly nth: number
  readonly of: (typeof kinds)[number]
}

/** @param nth below `blanksMax` */
export const blankOf = (nth: number, of: Blank['of']): number => blankMin + nth * kinds.length + kinds.indexOf(of)

export const isBlank = (value: number): boolean => value >= blankMin && value < blankMin + blanksMax * kinds.length

export const blankAt = (at: number, value: number): Blank => ({
  at,
  nth: Math.floor((value - blankMin) / kinds.length),
  of: kinds[(value - blankMin) % kinds.length]!,
})
