/** FNV-1a, 32 bits (draft-eastlake-fnv): quick, and for numbers by which nobody gains a thing if two are alike. */
export function fnv1a(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}
