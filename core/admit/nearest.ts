// The right name for a wrong one.

/** The candidate that was probably meant, or undefined where none is near: at most a third of it differs. */
export function nearest(given: string, candidates: readonly string[]): string | undefined {
  const low = given.toLowerCase()
  let best: { name: string; far: number } | undefined
  for (const name of candidates) {
    if (Math.abs(name.length - given.length) > 3) continue
    const far = distance(low, name.toLowerCase())
    if (far <= Math.max(1, Math.floor(name.length / 3)) && (best === undefined || far < best.far)) best = { name, far }
  }
  return best?.name
}

/** Levenshtein's distance, two letters that are swapped counted as one fault. */
function distance(a: string, b: string): number {
  let before: readonly number[] = []
  let row: readonly number[] = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? before[j - 2]! + 1 : Number.POSITIVE_INFINITY
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1), swapped))
    }
    ;[before, row] = [row, next]
  }
  return row[b.length]!
}
