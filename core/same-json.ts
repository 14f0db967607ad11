// Whether two values have the same JSON, whatever the order of their keys; a key with undefined is no key.

/** Cost: one walk, ended by the first difference. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a)) return Array.isArray(b) && sameItems(a, b)
  return !Array.isArray(b) && sameKeys(a as Record<string, unknown>, b as Record<string, unknown>)
}

const sameItems = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((each, i) => sameJson(each, b[i]))

function sameKeys(a: Record<string, unknown>, b: Record<string, unknown>): boolean {
  let count = 0
  for (const key in a) {
    if (a[key] === undefined) continue
    count++
    if (!sameJson(a[key], b[key])) return false
  }
  for (const key in b) if (b[key] !== undefined) count--
  return count === 0
}
