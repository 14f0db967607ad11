// Cluster-wide policies of one tier and one priority. What their API leaves open is an order here: the first by name is asked first, then
// by kind and UID, and the BaselineAdminNetworkPolicy last. Its rules have levels behind those of who is before it, as if both were one
// policy: so verdicts, traces and each data plane go by one order, and need not know of it.
import type { CommonPolicy, Direction, Selection } from '../one-form.ts'
import type { Requirement } from '../label-selector.ts'
import { inRuns, saysTheSame } from './runs.ts'

export class Ties {
  /** By tier and priority, in order. */
  readonly #tied = new Map<string, CommonPolicy[]>()
  #levels = new Map<string, number>()

  /** @param policies of all tiers: of tenants' none ties with another */
  constructor(policies: Iterable<CommonPolicy>) {
    for (const policy of policies) this.add(policy)
  }

  add(policy: CommonPolicy): void {
    if (!isClusterWide(policy)) return
    const tied = this.#tied.get(keyOf(policy)) ?? []
    this.#tied.set(keyOf(policy), [...tied, policy].sort(inOrder))
    this.#levels.clear()
  }

  remove(policy: CommonPolicy): void {
    if (!isClusterWide(policy)) return
    const left = (this.#tied.get(keyOf(policy)) ?? []).filter((each) => each !== policy)
    if (left.length === 0) this.#tied.delete(keyOf(policy))
    else this.#tied.set(keyOf(policy), left)
    this.#levels.clear()
  }

  /** Those of its tier and priority that may be about pods that it is about, each with whether it is asked before it. */
  of(policy: CommonPolicy): readonly { readonly policy: CommonPolicy; readonly isBefore: boolean }[] {
    const others = (this.#tied.get(keyOf(policy)) ?? []).filter((each) => each !== policy && mayMeet(each.subjects, policy.subjects))
    return others.map((each) => ({ policy: each, isBefore: inOrder(each, policy) < 0 }))
  }

  /** The level of its first rule, alike in both directions: data planes that follow no connections need rules that are. */
  firstLevel(policy: CommonPolicy): number {
    const before = this.of(policy).filter(({ isBefore }) => isBefore)
    if (before.length === 0) return 0
    const key = `${policy.of.kind} ${policy.of.name} ${policy.of.uid}`
    const known = this.#levels.get(key)
    if (known !== undefined) return known
    const level = Math.max(...before.map((each) => this.firstLevel(each.policy) + levelsBetween(each.policy, policy)))
    this.#levels.set(key, level)
    return level
  }
}

/** From the first rule of the one to the first of the other behind it. */
function levelsBetween(one: CommonPolicy, next: CommonPolicy): number {
  const ways = (['ingress', 'egress'] as const).map((direction) => {
    const [last, first] = [inRuns(rulesOf(one, direction)).at(-1), rulesOf(next, direction)[0]]
    if (last === undefined || first === undefined) return 0
    return last.level + (saysTheSame(last.rule, first) ? 0 : 1)
  })
  return Math.max(...ways)
}

const rulesOf = ({ rules }: CommonPolicy, direction: Direction) => rules.filter((rule) => rule.direction === direction)
const isClusterWide = ({ tier }: CommonPolicy): boolean => tier === 'admin' || tier === 'baseline'
const keyOf = ({ tier, priority }: CommonPolicy): string => `${tier} ${priority}`

const lastKind = 'BaselineAdminNetworkPolicy'
function inOrder({ of: a }: CommonPolicy, { of: b }: CommonPolicy): number {
  if ((a.kind === lastKind) !== (b.kind === lastKind)) return a.kind === lastKind ? 1 : -1
  return compared(a.name, b.name) || compared(a.kind, b.kind) || compared(a.uid, b.uid)
}
const compared = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Not where both ask for other values of one label: policies for one namespace each are many, and need no order. */
const mayMeet = (a: Selection, b: Selection): boolean =>
  agree(a.labels ?? [], b.labels ?? []) && agree(a.namespaceLabels ?? [], b.namespaceLabels ?? [])

const agree = (some: readonly Requirement[], others: readonly Requirement[]): boolean =>
  some.every((one) => others.every((other) => one.key !== other.key || !areApart(one, other)))

const areApart = (one: Requirement, other: Requirement): boolean =>
  one.operator === 'In' && other.operator === 'In' && !one.values.some((value) => other.values.includes(value))
