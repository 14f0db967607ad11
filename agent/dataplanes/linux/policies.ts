// Who may talk to whom, as a table of nftables that judges frames as they come into a bridge from an interface, and as they leave for one:
// by whose address the other end is (its identity) and what that address is. Answers are judged like what they answer: a verdict is about
// two ends, and no connection is followed. The table is made once, by the program nft; its elements come and go over netlink, each change
// of all that is judged for an interface in one transaction.
import { LinkRefused } from '../../../core/errors.ts'
import { tableNames, type LinuxItem } from '../../../core/linux/linux-items.ts'
import {
  encodePolicies,
  encodePoliciesDump,
  formerSets,
  isDecision,
  policySets,
  readPolicies,
  type PolicyElement,
  type PolicySet,
} from '../../../core/wire/nft/policies.ts'
import { decidedBy } from './decided.ts'
import { errnos, refusedBy, triesMax, type NodeKernel } from './node-kernel.ts'
import { elementsOf, keyOf, policyItems, textOf, type PolicyItem } from './policy-elements.ts'
import { policyRuleset } from './policy-ruleset.ts'

export const isPolicy = (thing: LinuxItem): thing is PolicyItem => ['judged', 'identity', 'inside'].includes(thing.kind)

const whole = tableNames.policies
const [, table = ''] = whole.split(' ')
const what = 'a change of policies'
const refusalsThatARivalMakes = new Set<number>([errnos.ENOENT, errnos.EBUSY, errnos.EEXIST, errnos.ENOTEMPTY])
const ofJudged = ['network', 'named', 'out4', 'out6', 'in4', 'in6', 'bucket'] as const satisfies readonly PolicySet[]

export class Policies {
  readonly #home: NodeKernel
  readonly #logs: boolean

  constructor(home: NodeKernel, logs: boolean) {
    this.#home = home
    this.#logs = logs
  }

  /** @throws LinkRefused with what nft says */
  async makeTable(): Promise<void> {
    const isThere = async (): Promise<boolean> => (await this.#listed(policySets)) !== undefined && (await this.#isWritten())
    if (await isThere()) return
    const reason = await this.#home.makeTable(whole, policyRuleset(whole, { elements: await this.#before(), logs: this.#logs }), isThere)
    if (reason !== undefined) throw new LinkRefused({ what: `the table ${table} of nftables`, reason })
  }

  /** What a table has that is not as ours is, as far as it says the same: nobody is open meanwhile. */
  async #before(): Promise<readonly PolicyElement[]> {
    const ours = await Promise.all(policySets.map((set) => this.#listed([set])))
    const former = (await Promise.all(formerSets.map((set) => this.#listed([set])))).flatMap((each) => each ?? [])
    return [
      ...ours.flatMap((each) => each ?? []),
      ...former.flatMap((each) => (isDecision(each) ? [each, { ...each, of: 'in' as const }] : [])),
    ]
  }

  #isWritten(): Promise<boolean> {
    return this.#home.isWritten(whole, policyRuleset(whole, { elements: [], logs: this.#logs }))
  }

  async dropTable(): Promise<void> {
    await this.#home.dropTable(whole)
  }

  /** What rules have decided; nothing where there is no table. */
  async decided(): Promise<ReturnType<typeof decidedBy>> {
    return decidedBy(await this.judged())
  }

  /** Who is judged, and how. */
  async judged(): Promise<readonly PolicyElement[]> {
    return (await this.#listed(ofJudged)) ?? []
  }

  /** undefined: there is no table, or its rules are not ours. */
  async list(): Promise<readonly PolicyItem[] | undefined> {
    const all = (await this.#isWritten()) ? await this.#listed(policySets) : undefined
    return all && policyItems(all)
  }

  /** What is there or gone already is no fault, whoever did it. All that an interface has is replaced at once. */
  async change(drop: readonly PolicyItem[], put: readonly PolicyItem[]): Promise<void> {
    if (drop.length + put.length === 0) return
    const judged = new Set([...drop, ...put].flatMap((each) => (each.kind === 'judged' ? [each.ifname] : [])))
    const puts = put.flatMap(elementsOf)
    const drops = drop.flatMap(elementsOf)
    const isReplaced = (each: PolicyElement): boolean => 'ifname' in each && judged.has(each.ifname)
    // Of addresses, of which there may be very many, nobody asks which are there until the kernel has refused.
    let sets: readonly PolicySet[] = judged.size === 0 ? [] : ofJudged
    for (let times = 0; ; times++) {
      const there = sets.length === 0 ? undefined : ((await this.#listed(sets)) ?? (await this.#made()))
      const bytes = encodePolicies(table, changeFrom(there ?? [], { drops, puts, isReplaced, isSure: sets.length === policySets.length }))
      const errno = await this.#home.change({ of: 'netfilter', bytes })
      if (errno === 0) return
      if (times >= triesMax || !refusalsThatARivalMakes.has(errno)) throw refusedBy(what, errno)
      sets = policySets
    }
  }

  async #made(): Promise<readonly PolicyElement[]> {
    await this.makeTable()
    return []
  }

  async #listed(sets: readonly (PolicySet | (typeof formerSets)[number])[]): Promise<readonly PolicyElement[] | undefined> {
    const lists = await Promise.all(
      sets.map((set) =>
        this.#home.list(`a list of ${set}`, {
          of: 'netfilter',
          bytes: encodePoliciesDump(table, set),
          read: readPolicies,
          none: [errnos.ENOENT],
        }),
      ),
    )
    return lists.some((each) => each === undefined) ? undefined : lists.flatMap((each) => each ?? [])
  }
}

interface WantedElements {
  readonly drops: readonly PolicyElement[]
  readonly puts: readonly PolicyElement[]
  /** Whether what is there of it goes unless it is put. */
  readonly isReplaced: (element: PolicyElement) => boolean
  /** All that is there was listed. */
  readonly isSure: boolean
}

/** What leads from what is there to what is wanted; of what was not listed, all of it. */
function changeFrom(there: readonly PolicyElement[], { drops, puts, isReplaced, isSure }: WantedElements) {
  const known = new Map(there.map((each) => [keyOf(each), each]))
  const wanted = new Map(puts.map((each) => [keyOf(each), each]))
  const isSame = (one: PolicyElement, other: PolicyElement | undefined): boolean => other !== undefined && textOf(one) === textOf(other)
  const going = [...there.filter(isReplaced), ...drops.filter((each) => !isReplaced(each) && (!isSure || known.has(keyOf(each))))]
  const replaced = puts.filter((each) => known.has(keyOf(each)) && !isSame(each, known.get(keyOf(each))))
  const drop = new Map([...going, ...replaced].map((each) => [keyOf(each), known.get(keyOf(each)) ?? each]))
  for (const [key, each] of drop) if (isSame(each, wanted.get(key)) && known.has(key)) drop.delete(key)
  return { drop: [...drop.values()], put: [...wanted.values()].filter((each) => !isSame(each, known.get(keyOf(each)))) }
}
