// Numbers of identities and of rule sets: where to begin to look for a free one. The first to create the object has the number.
import type { PolicyFacts } from '../kinds/policy/policy-identity.ts'
import { hash80 } from '../net/names.ts'

/** 24 bits, without `world` (0) and `unknown` (all ones). */
const numberMax = 0xfffffe

/** The one text of facts: two that policies cannot tell apart have the same. */
export function factsText(facts: PolicyFacts): string {
  const { namespace, labels, securityGroups, port, subnet, containerPorts, unified } = facts
  return JSON.stringify([
    namespace,
    inOrder(labels),
    [...(securityGroups ?? [])].sort(),
    port ?? '',
    subnet ?? '',
    inOrder(containerPorts),
    unified ?? '',
  ])
}

const inOrder = (record: Readonly<Record<string, string | number>> | undefined): readonly (readonly [string, string | number])[] =>
  Object.entries(record ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))

/** Where an identity of these facts looks first; afterwards at `numberAfter` what it has found taken. */
export const identityNumber = (vni: number, facts: PolicyFacts): number => numberFrom('identity', String(vni), factsText(facts))
export const ruleSetNumber = (vni: number, policyUID: string): number => numberFrom('rules', String(vni), policyUID)

export const numberAfter = (number: number): number => (number % numberMax) + 1

/** Base 32: five digits have 25 bits, more than are needed. */
function numberFrom(...parts: readonly string[]): number {
  return (Number.parseInt(hash80(...parts).slice(0, 6), 32) % numberMax) + 1
}
