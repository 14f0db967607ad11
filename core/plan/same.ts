// Whether two JSON values say the same: the API server keeps no order of keys, and a field that is undefined is not there.

export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) || Array.isArray(b)) return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((each, i) => same(each, b[i]))
  const left = Object.entries(a).filter(([, value]) => value !== undefined)
  const right = b as Readonly<Record<string, unknown>>
  return left.every(([key, value]) => same(value, right[key])) && Object.values(right).filter((value) => value !== undefined).length === left.length
}
