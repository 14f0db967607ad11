// How much the Ports of a UnifiedNetworkPolicy may send and get, and how what they send is marked: words to numbers.
import type { PolicyTraffic } from '../../kinds/policy/policy-rule-set.ts'
import type { UnifiedSpec } from '../../kinds/policy/unified-network-policy.ts'

/** Undefined: it says nothing of that. */
export function trafficOf({ bandwidth, dscp }: Pick<UnifiedSpec, 'bandwidth' | 'dscp'>): PolicyTraffic | undefined {
  const { ingress, egress } = bandwidth?.max ?? {}
  const amounts = { maxIngress: bitsOf(ingress), maxEgress: bitsOf(egress), minEgress: bitsOf(bandwidth?.min), dscp }
  const parts = Object.entries(amounts).filter(([, value]) => value !== undefined)
  return parts.length === 0 ? undefined : Object.fromEntries(parts)
}

const thousands = ['', 'k', 'M', 'G', 'T']

/** Bits a second of `25G`. What is more than a number says exactly limits nothing that there is. */
export function bitsOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const power = Math.max(thousands.indexOf(text.slice(-1)), 0)
  return Math.min(Number.parseInt(text, 10) * 1_000 ** power, Number.MAX_SAFE_INTEGER)
}
