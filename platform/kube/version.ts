/**
 * Whether resource version `a` is newer than `b`. They are whole numbers without leading zeros, compared as such for own and
 * built-in kinds alike (Kubernetes enhancement 5504, stable in 1.35; so in fact in every version before).
 */
export function newer(a: string, b: string): boolean {
  return a.length === b.length ? a > b : a.length > b.length
}
