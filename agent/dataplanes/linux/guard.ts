// Which sources an interface may send from, as sets of nftables in a table of our own. The table is made once, by the program nft; its
// elements come and go over netlink, in one transaction each.
import { LinkRefused } from '../../../core/errors.ts'
import { encodeElements, encodeElementsDump, readElements, transactionErrno, type Element } from '../../../core/wire/nft.ts'
import type { Thing } from '../../../core/linux/things.ts'
import { run } from '../../../platform/programs/run.ts'
import { netlinkProtocol, type Addon } from '../../native/addon.ts'

export type GuardThing = Extract<Thing, { readonly is: 'guarded' | 'source' }>

const table = 'megrez'
/**
 * A guarded interface may send ARP and IP only, each from what it has been given; nothing else, VLAN tags among it, passes. A
 * neighbour advertisement must speak of what may be a source too: its target is 64 bits into ICMPv6 (RFC 4861 section 4.4).
 */
const ruleset = `
table bridge ${table} {
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
/** linux/errno.h */
const enoent = 2
const refusalsThatARivalMakes = new Set([enoent, 16, 17, 39]) // ENOENT, EBUSY, EEXIST, ENOTEMPTY (an interval that overlaps)
const triesMax = 8

export class Guard {
  readonly #addon: Addon
  readonly #home: string | undefined

  constructor(addon: Addon, home: string | undefined) {
    this.#addon = addon
    this.#home = home
  }

  /** @throws LinkRefused with what nft says */
  async makeTable(): Promise<void> {
    if ((await this.#list('target6')) !== undefined) return
    const [program, ...args] = this.#home === undefined ? ['nft', '-f', '-'] : ['nsenter', `--net=${this.#home}`, '--', 'nft', '-f', '-']
    const { code, stderr } = await run(program, args, { input: `table bridge ${table}\ndelete table bridge ${table}\n${ruleset}` })
    // A rival may have been faster: its table is as good.
    if (code !== 0 && (await this.#list('target6')) === undefined) throw new LinkRefused({ what: `the table ${table} of nftables`, reason: stderr.trim() })
  }

  async dropTable(): Promise<void> {
    const [program, ...args] = this.#home === undefined ? ['nft'] : ['nsenter', `--net=${this.#home}`, '--', 'nft']
    await run(program, [...args, 'delete', 'table', 'bridge', table])
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
      const errno = transactionErrno(await this.#ask(encodeElements(table, { drop: drops, put: puts }, 1)))
      if (errno === 0) return
      if (times >= triesMax || !refusalsThatARivalMakes.has(errno)) throw new LinkRefused({ what: 'a change of sources', reason: `errno ${errno}` })
      if (errno === enoent && (await this.#list('guarded')) === undefined) await this.makeTable()
      const there = new Set((await Promise.all(sets.map((set) => this.#list(set)))).flatMap((each) => (each ?? []).map((element) => `${element.set} ${keyOfElement(element)}`)))
      const isThere = (element: Element): boolean => there.has(`${element.set} ${keyOfElement(element)}`)
      drops = drop.flatMap(elementsOf).filter(isThere)
      puts = put.flatMap(elementsOf).filter((element) => !isThere(element) || drops.some((each) => each.set === element.set && keyOfElement(each) === keyOfElement(element)))
    }
  }

  async #list(set: string): Promise<readonly Element[] | undefined> {
    for (let times = 0; ; times++) {
      const { elements, errno, whole } = readElements(await this.#ask(encodeElementsDump(table, set, 1)))
      if (errno === enoent) return undefined
      if (errno === 0 && whole) return elements
      if (times >= triesMax) throw new LinkRefused({ what: `a list of ${set}`, reason: `errno ${errno}` })
    }
  }

  #ask(bytes: Uint8Array): Promise<Buffer> {
    return this.#addon.once(this.#home, netlinkProtocol.netfilter, bytes, undefined)
  }
}

const keyOfElement = ({ ifname, mac = '', block = '' }: Element): string => `${ifname} ${mac} ${block}`
const sourceOf = ({ ifname, mac = '', block = '' }: Element): GuardThing => ({ is: 'source', ifname, mac, block })

function elementsOf(thing: GuardThing): readonly Element[] {
  if (thing.is === 'guarded') return [{ set: 'guarded', ifname: thing.ifname }]
  const { ifname, mac, block } = thing
  const element = { ifname, mac, block }
  return block.includes(':') ? [{ set: 'source6', ...element }, { set: 'target6', ...element }] : [{ set: 'source4', ...element }]
}
