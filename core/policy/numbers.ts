// Numbers of identities and of rule sets: where to begin to look for a free one. The first to create the object has the number.
import type { PolicyFacts } from '../kinds/policy/policy-identity.ts'
import { hash80 } from '../net/names.ts'

/** 24 bits, without `world` (0) and `unknown` (all ones). */
const numberMax = 0xfffffe

/** The one text of facts: two that policies cannot tell apart have the same. */
export function factsText(facts: PolicyFacts): string {
  const { namespace, labels, securityGroups, port, containerPorts, unified } = facts
  return JSON.stringify([
    namespace,
    inOrder(labels),
    [...(securityGroups ?? [])].sort(),
    port ?? '',
    inOrder(containerPorts),
    unified ?? '',
  ])
}

const inOrder = (record: Readonly<Record<string, string | number>> | undefined): readonly (readonly [string, string | number])[] =>
  Object.entries(record ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))

/** Where an identity of these facts looks first; afterwards at `numberAfter` what it has found taken. */
export const identityNumber = (vni: number, facts: PolicyFacts): number => numberFrom('identity', String(vni), factsText(facts))
/** @param policy kind, namespace and name: known before it is there, and the same once it is made anew */
export const ruleSetNumber = (vni: number, policy: string): number => numberFrom('rules', String(vni), policy)

export const numberAfter = (number: number): number => (number % numberMax) + 1

/** Base 32: five digits have 25 bits, more than are needed. */
function numberFrom(...parts: readonly string[]): number {
  return (Number.parseInt(hash80(...parts).slice(0, 6), 32) % numberMax) + 1
}

/** The name of a PolicyIdentity, and of a PolicyRuleSet. */
export const numberedName = (vni: number, number: number): string => `vni-${vni}-${number}`
