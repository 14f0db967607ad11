// Numbers of rules in their policy. They stand in flows: a rule that stays keeps its number when others come and go before it.

export const ruleMax = 256

/** A number for each text, of different ones different: its hash, or the next that is free. */
export function indexesOf(texts: readonly string[]): ReadonlyMap<string, number> {
  const taken = new Map<string, number>()
  const used = new Set<number>()
  // In the order of the texts, so that the order of the rules is no matter.
  for (const text of [...new Set(texts)].sort()) {
    let index = fnv1a(text) % ruleMax
    while (used.has(index)) index = (index + 1) % ruleMax
    used.add(index)
    taken.set(text, index)
  }
  return taken
}

/** FNV-1a, 32 bits (draft-eastlake-fnv): quick, and nobody gains by a collision. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}
