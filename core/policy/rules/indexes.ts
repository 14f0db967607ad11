// Numbers of rules in their policy. They stand in flows: a rule that stays keeps its number when others come and go before it.
import { fnv1a } from '../../net/fnv.ts'

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
