// Who may talk to whom, as a table of nftables that judges frames as they come into a bridge from an interface, and as they leave for one:
// by whose address the other end is (its identity) and what that address is. Answers are judged like what they answer: a verdict is about
// two ends, and no connection is followed. The table is made once, by the program nft; its elements come and go over netlink, each change
// of all that is judged for an interface in one transaction.
import { LinkRefused } from '../../../core/errors.ts'
import type { LinuxItem } from '../../../core/linux/linux-items.ts'
import { unknown } from '../../../core/kinds/policy/tiers.ts'
import { anyoneElse } from '../../../core/kinds/policy/access.ts'
import {
  encodePolicies,
  encodePoliciesDump,
  networkMark,
  policySets,
  readPolicies,
  type PolicyElement,
  type PolicySet,
} from '../../../core/wire/nft/policies.ts'
import { errnos, refusedBy, triesMax, type NodeKernel } from './node-kernel.ts'
import { elementsOf, keyOf, policyItems, textOf, type PolicyItem } from './policy-elements.ts'

export const isPolicy = (thing: LinuxItem): thing is PolicyItem => ['judged', 'identity', 'inside'].includes(thing.kind)

const table = 'megrez-policies'
const whole = `bridge ${table}`
const what = 'a change of policies'
interface Way {
  readonly ifname: 'iifname' | 'oifname'
  readonly other: 'saddr' | 'daddr'
}
const judge = (family: 4 | 6, { ifname, other }: Way): string => {
  const address = family === 4 ? `ip ${other}` : `ip6 ${other}`
  return `
    meta mark set meta mark . ${address} map @identity${family}
    meta mark . ${address} @inside${family} meta mark set ${unknown}
    meta mark >= ${networkMark} meta mark set 0
    ${ifname} . meta mark != @named meta mark set ${anyoneElse}
    ${ifname} . meta mark . ${address} != @access${family} drop
    meta mark set 0 accept`
}
/**
 * A mark is first the VNI, with its highest bit set, and then the identity of the other end. It is 0 again when a frame goes on: what
 * br_netfilter shows to the node's own rules, which know marks too, comes after this. Without what is never judged, ARP, neighbour
 * discovery and DHCP, nobody finds anybody. What is no IP does not pass.
 */
const ruleset = `
table ${whole} {
  map network { type ifname : mark; }
  set named { type ifname . mark; }
  map identity4 { type mark . ipv4_addr : mark; }
  map identity6 { type mark . ipv6_addr : mark; }
  set inside4 { type mark . ipv4_addr; flags interval; }
  set inside6 { type mark . ipv6_addr; flags interval; }
  set access4 { type ifname . mark . ipv4_addr; flags interval; }
  set access6 { type ifname . mark . ipv6_addr; flags interval; }
  chain out4 {${judge(4, { ifname: 'iifname', other: 'daddr' })}
  }
  chain out6 {${judge(6, { ifname: 'iifname', other: 'daddr' })}
  }
  chain in4 {${judge(4, { ifname: 'oifname', other: 'saddr' })}
  }
  chain in6 {${judge(6, { ifname: 'oifname', other: 'saddr' })}
  }
  chain out {
    ether type ip udp sport 68 udp dport 67 meta mark set 0 accept
    ether type ip6 udp sport 546 udp dport 547 meta mark set 0 accept
    ether type ip goto out4
    ether type ip6 goto out6
    drop
  }
  chain in {
    ether type ip udp sport 67 udp dport 68 meta mark set 0 accept
    ether type ip6 udp sport 547 udp dport 546 meta mark set 0 accept
    ether type ip goto in4
    ether type ip6 goto in6
    drop
  }
  chain sent {
    type filter hook prerouting priority -250; policy accept;
    ether type arp accept
    ether type ip6 icmpv6 type { nd-router-solicit, nd-router-advert, nd-neighbor-solicit, nd-neighbor-advert, nd-redirect } accept
    meta mark set iifname map @network goto out
  }
  chain received {
    type filter hook postrouting priority 250; policy accept;
    ether type arp accept
    ether type ip6 icmpv6 type { nd-router-solicit, nd-router-advert, nd-neighbor-solicit, nd-neighbor-advert, nd-redirect } accept
    meta mark set oifname map @network goto in
  }
}
`
const refusalsThatARivalMakes = new Set<number>([errnos.ENOENT, errnos.EBUSY, errnos.EEXIST, errnos.ENOTEMPTY])
const ofJudged = ['network', 'named', 'access4', 'access6'] as const satisfies readonly PolicySet[]

export class Policies {
  readonly #home: NodeKernel

  constructor(home: NodeKernel) {
    this.#home = home
  }

  /** @throws LinkRefused with what nft says */
  async makeTable(): Promise<void> {
    const reason = await this.#home.makeTable(whole, ruleset, async () => (await this.#listed(['inside6'])) !== undefined)
    if (reason !== undefined) throw new LinkRefused({ what: `the table ${table} of nftables`, reason })
  }

  async dropTable(): Promise<void> {
    await this.#home.dropTable(whole)
  }

  /** undefined: there is no table. */
  async list(): Promise<readonly PolicyItem[] | undefined> {
    const all = await this.#listed(policySets)
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

  async #listed(sets: readonly PolicySet[]): Promise<readonly PolicyElement[] | undefined> {
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
