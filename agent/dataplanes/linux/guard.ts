// Which sources an interface may send from, as sets of nftables in a table of our own. The table is made once, by the program nft; its
// elements come and go over netlink, in one transaction each.
import { LinkRefused } from '../../../core/errors.ts'
import { encodeElements, encodeElementsDump, readElements, type Element } from '../../../core/wire/nft.ts'
import type { Thing } from '../../../core/linux/things.ts'
import { errnos, refusedBy, triesMax, type Home } from './home.ts'

export type GuardThing = Extract<Thing, { readonly is: 'guarded' | 'source' }>

const table = 'megrez'
const whole = `bridge ${table}`
/**
 * A guarded interface may send ARP and IP only, each from what it has been given; nothing else, VLAN tags among it, passes. A
 * neighbour advertisement must speak of what may be a source too: its target is 64 bits into ICMPv6 (RFC 4861 section 4.4).
 */
const ruleset = `
table ${whole} {
  set guarded { type ifname; }
  set source4 { type ifname . ether_addr . ipv4_addr; flags interval; }
  set source6 { type ifname . ether_addr . ipv6_addr; flags interval; }
  set target6 { typeof iifname . ether saddr . @th,64,128; flags interval; }
  chain source {
    type filter hook prerouting priority -300; policy accept;
    iifname @guarded goto check
  }
  chain check {
    ether type arp iifname . arp saddr ether . arp saddr ip @source4 iifname . ether saddr . arp saddr ip @source4 accept
    ether type ip iifname . ether saddr . ip saddr @source4 accept
    icmpv6 type nd-neighbor-advert iifname . ether saddr . @th,64,128 != @target6 drop
    ether type ip6 iifname . ether saddr . ip6 saddr @source6 accept
    drop
  }
}
`
const sets = ['guarded', 'source4', 'source6', 'target6'] as const
// The last: an interval that overlaps.
const refusalsThatARivalMakes = new Set<number>([errnos.ENOENT, errnos.EBUSY, errnos.EEXIST, errnos.ENOTEMPTY])

export class Guard {
  readonly #home: Home

  constructor(home: Home) {
    this.#home = home
  }

  /** @throws LinkRefused with what nft says */
  async makeTable(): Promise<void> {
    const reason = await this.#home.makeTable(whole, ruleset, async () => (await this.#list('target6')) !== undefined)
    if (reason !== undefined) throw new LinkRefused({ what: `the table ${table} of nftables`, reason })
  }

  async dropTable(): Promise<void> {
    await this.#home.dropTable(whole)
  }

  /** undefined: there is no table. */
  async list(): Promise<readonly GuardThing[] | undefined> {
    const lists = await Promise.all(sets.map((set) => this.#list(set)))
    if (lists.some((each) => each === undefined)) return undefined
    const [guarded = [], source4 = [], source6 = [], target6 = []] = lists as (readonly Element[])[]
    const targets = new Set(target6.map(keyOfElement))
    return [...guarded.map(({ ifname }): GuardThing => ({ is: 'guarded', ifname })), ...[...source4, ...source6.filter((each) => targets.has(keyOfElement(each)))].map(sourceOf)]
  }

  /** What is there or gone already is no fault, whoever did it. */
  async change(drop: readonly GuardThing[], put: readonly GuardThing[]): Promise<void> {
    let [drops, puts] = [drop.flatMap(elementsOf), put.flatMap(elementsOf)]
    for (let times = 0; drops.length + puts.length > 0; times++) {
      const errno = await this.#home.change({ of: 'netfilter', bytes: encodeElements(table, { drop: drops, put: puts }) })
      if (errno === 0) return
      if (times >= triesMax || !refusalsThatARivalMakes.has(errno)) throw refusedBy('a change of sources', errno)
      if (errno === errnos.ENOENT && (await this.#list('guarded')) === undefined) await this.makeTable()
      const there = new Set((await Promise.all(sets.map((set) => this.#list(set)))).flatMap((each) => (each ?? []).map((element) => `${element.set} ${keyOfElement(element)}`)))
      const isThere = (element: Element): boolean => there.has(`${element.set} ${keyOfElement(element)}`)
      drops = drop.flatMap(elementsOf).filter(isThere)
      puts = put.flatMap(elementsOf).filter((element) => !isThere(element) || drops.some((each) => each.set === element.set && keyOfElement(each) === keyOfElement(element)))
    }
  }

  #list(set: string): Promise<readonly Element[] | undefined> {
    return this.#home.list(`a list of ${set}`, { of: 'netfilter', bytes: encodeElementsDump(table, set), read: readElements, none: [errnos.ENOENT] })
  }
}

/** One transaction that puts them. */
export const bytesOfGuards = (guards: readonly GuardThing[]): Uint8Array => encodeElements(table, { drop: [], put: guards.flatMap(elementsOf) })

const keyOfElement = ({ ifname, mac = '', block = '' }: Element): string => `${ifname} ${mac} ${block}`
const sourceOf = ({ ifname, mac = '', block = '' }: Element): GuardThing => ({ is: 'source', ifname, mac, block })

function elementsOf(thing: GuardThing): readonly Element[] {
  if (thing.is === 'guarded') return [{ set: 'guarded', ifname: thing.ifname }]
  const { ifname, mac, block } = thing
  const element = { ifname, mac, block }
  return block.includes(':') ? [{ set: 'source6', ...element }, { set: 'target6', ...element }] : [{ set: 'source4', ...element }]
}
