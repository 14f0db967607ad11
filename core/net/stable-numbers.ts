// Numbers that stay what they are while others come and go.

/**
 * A number below `most` for each text, of different ones different: its hash, or the next that is free. Texts for which none is left have
 * none. The order that they come in is no matter.
 */
export function stableNumbers(texts: readonly string[], most: number): ReadonlyMap<string, number> {
  const taken = new Map<string, number>()
  const used = new Set<number>()
  for (const text of [...new Set(texts)].sort()) {
    if (used.size === most) break
    let number = fnv1a(text) % most
    while (used.has(number)) number = (number + 1) % most
    used.add(number)
    taken.set(text, number)
  }
  return taken
}

/** FNV-1a, 32 bits (draft-eastlake-fnv): quick, and nobody gains by a collision. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}
