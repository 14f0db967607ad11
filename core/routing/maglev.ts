// Who of several has which slot of a table, so that few slots change hands when one of them comes or goes.
// After: Eisenbud et al., "Maglev: A Fast and Reliable Software Network Load Balancer", NSDI 2016, section 3.4.
import { hash80 } from '../net/names.ts'

/** A prime: whatever its step, a member goes through all slots. */
export const slotCount = 251

/** Of base32's digits of a hash: six are 30 bits. */
const numberOf = (digits: string): number => Number.parseInt(digits, 32)

/**
 * Each member in turn takes the next slot of its own order that is free, until none is. The order of the members is no matter.
 *
 * @param members names; of more than there are slots the last have none
 * @param slots a prime
 * @returns the member of each slot; empty where there are no members
 * Cost: on average slots × ln(slots) steps.
 */
export function maglevTable(members: readonly string[], slots: number = slotCount): readonly string[] {
  const orders = [...new Set(members)].sort().map((name) => {
    const hash = hash80('maglev', name)
    return { name, at: numberOf(hash.slice(0, 6)) % slots, step: (numberOf(hash.slice(6, 12)) % (slots - 1)) + 1 }
  })
  if (orders.length === 0) return []
  const table = new Array<string | undefined>(slots)
  for (let taken = 0; taken < slots;) {
    for (const order of orders) {
      if (taken === slots) break
      while (table[order.at] !== undefined) order.at = (order.at + order.step) % slots
      table[order.at] = order.name
      taken++
    }
  }
  return table.map((name) => name!)
}
