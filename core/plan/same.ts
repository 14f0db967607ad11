// Whether two JSON values say the same: the API server keeps no order of keys, and a field that is undefined is not there.

export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (!isObject(a) || !isObject(b)) return false
  if (Array.isArray(a) || Array.isArray(b)) return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((each, i) => same(each, b[i]))
  return sizeOf(a) === sizeOf(b) && Object.entries(a).every(([key, value]) => same(value, b[key]))
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null
const sizeOf = (value: object): number => Object.values(value).filter((each) => each !== undefined).length
