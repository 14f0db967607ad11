// Which sources an interface may send from, as sets of nftables in a table of our own. The table is made once, by the program nft; its
// elements come and go over netlink, in one transaction each.
import { LinkRefused } from '../../../core/errors.ts'
import { encodeElements, encodeElementsDump, readElements, type Element } from '../../../core/wire/nft/elements.ts'
import { tableNames, type LinuxItem } from '../../../core/linux/linux-items.ts'
import { errnos, refusedBy, triesMax, type NodeKernel } from './node-kernel.ts'

export type GuardItem = Extract<LinuxItem, { readonly kind: 'guarded' | 'source' | 'option' | 'untagged' | 'guest' }>

const whole = tableNames.guard
const [, table = ''] = whole.split(' ')
/**
 * A guarded interface may send ARP and IP only, each from what it has been given; nothing else, VLAN tags among it, passes, and nobody is a
 * router or hands out addresses: docs/anti-spoofing.md has it frame by frame. A neighbour advertisement must speak of what may be a source
 * too: its target is 64 bits into
 * ICMPv6 (RFC 4861 section 4.4), and 192 bits into it, as into a solicitation, is the only option there may be, of a MAC of its own or a
 * nonce
 * (RFC 7527). What a guest asks of DHCP and routers its agent answers at its TAP, before any bridge. What is too short for a field is
 * passed over by a rule that reads it. No frame goes up into the node from where tenants are.
 */
const ruleset = `
table ${whole} {
  set guarded { type ifname; }
  set untagged { type ifname; }
  set guest { type ifname; }
  set source4 { type ifname . ether_addr . ipv4_addr; flags interval; }
  set source6 { type ifname . ether_addr . ipv6_addr; flags interval; }
  set target6 { typeof iifname . ether saddr . @th,64,128; flags interval; }
  set option6 { typeof iifname . ether saddr . @th,192,64; }
  chain source {
    type filter hook prerouting priority -300; policy accept;
    iifname @guest ether type { ip, ip6 } udp dport { 67, 547 } drop
    iifname @guest icmpv6 type nd-router-solicit drop
    iifname @untagged ether type { 8021q, 8021ad } drop
    iifname @guarded goto check
  }
  chain check {
    ether type arp iifname . arp saddr ether . arp saddr ip @source4 iifname . ether saddr . arp saddr ip @source4 accept
    ether type ip ip saddr 0.0.0.0 drop
    ether type ip udp dport 68 drop
    ether type ip iifname . ether saddr . ip saddr @source4 accept
    ether type != ip6 drop
    iifname . ether saddr . ip6 saddr != @source6 drop
    ip6 saddr :: meta l4proto != ipv6-icmp drop
    udp dport 546 drop
    icmpv6 type { nd-router-advert, nd-redirect } drop
    icmpv6 type nd-neighbor-advert goto tells
    icmpv6 type nd-neighbor-solicit goto option
    accept
  }
  chain tells {
    iifname . ether saddr . @th,64,128 @target6 goto option
    drop
  }
  chain option {
    @th,256,8 >= 0 drop
    iifname . ether saddr . @th,192,64 @option6 accept
    @th,192,16 0x0e01 accept
    @th,192,8 >= 0 drop
    accept
  }
  chain up {
    type filter hook input priority -300; policy accept;
    iifname { "mgz*", "mgvx*", "mggw*" } drop
  }
}
`
const sets = ['guarded', 'untagged', 'guest', 'source4', 'source6', 'target6', 'option6'] as const
// The last: an interval that overlaps.
const refusalsThatARivalMakes = new Set<number>([errnos.ENOENT, errnos.EBUSY, errnos.EEXIST, errnos.ENOTEMPTY])

export class Guard {
  readonly #home: NodeKernel

  constructor(home: NodeKernel) {
    this.#home = home
  }

  /** Where it is there it is its rules alone: what the sets have guards all the while. @throws LinkRefused with what nft says */
  async makeTable(): Promise<void> {
    const isThere = async (): Promise<boolean> => (await this.#list('option6')) !== undefined
    const there = await isThere()
    // What an older agent's table had is put into ours at once.
    const before = there ? [] : await Promise.all((['guarded', 'source4', 'source6'] as const).map((set) => this.#list(set)))
    const reason = there ? await this.#home.mendRules(whole, ruleset) : await this.#home.makeTable(whole, ruleset, isThere)
    if (reason !== undefined) throw new LinkRefused({ what: `the table ${table} of nftables`, reason })
    await this.change(
      [],
      before
        .flatMap((each) => each ?? [])
        .map((each): GuardItem => (each.mac === undefined ? { kind: 'guarded', ifname: each.ifname } : sourceOf(each))),
    )
  }

  async dropTable(): Promise<void> {
    await this.#home.dropTable(whole)
  }

  /** undefined: there is no table, or its rules are not ours. */
  async list(): Promise<readonly GuardItem[] | undefined> {
    if (!(await this.#home.isWritten(whole, ruleset))) return undefined
    const lists = await Promise.all(sets.map((set) => this.#list(set)))
    if (lists.some((each) => each === undefined)) return undefined
    const [guarded = [], untagged = [], guest = [], source4 = [], source6 = [], target6 = [], option6 = []] =
      lists as (readonly Element[])[]
    const targets = new Set(target6.map(keyOfElement))
    return [
      ...guarded.map(({ ifname }): GuardItem => ({ kind: 'guarded', ifname })),
      ...untagged.map(({ ifname }): GuardItem => ({ kind: 'untagged', ifname })),
      ...guest.map(({ ifname }): GuardItem => ({ kind: 'guest', ifname })),
      ...optionsOf(option6),
      ...[...source4, ...source6.filter((each) => targets.has(keyOfElement(each)))].map(sourceOf),
    ]
  }

  /** What is there or gone already is no fault, whoever did it. */
  async change(drop: readonly GuardItem[], put: readonly GuardItem[]): Promise<void> {
    let [drops, puts] = [drop.flatMap(elementsOf), put.flatMap(elementsOf)]
    for (let times = 0; drops.length + puts.length > 0; times++) {
      const errno = await this.#home.change({ of: 'netfilter', bytes: encodeElements(table, { drop: drops, put: puts }) })
      if (errno === 0) return
      if (times >= triesMax || !refusalsThatARivalMakes.has(errno)) throw refusedBy('a change of sources', errno)
      if (errno === errnos.ENOENT && (await this.#list('guarded')) === undefined) await this.makeTable()
      const there = new Set(
        (await Promise.all(sets.map((set) => this.#list(set)))).flatMap((each) =>
          (each ?? []).map((element) => `${element.set} ${keyOfElement(element)}`),
        ),
      )
      const isThere = (element: Element): boolean => there.has(`${element.set} ${keyOfElement(element)}`)
      drops = drop.flatMap(elementsOf).filter(isThere)
      puts = put
        .flatMap(elementsOf)
        .filter(
          (element) => !isThere(element) || drops.some((each) => each.set === element.set && keyOfElement(each) === keyOfElement(element)),
        )
    }
  }

  #list(set: string): Promise<readonly Element[] | undefined> {
    return this.#home.list(`a list of ${set}`, {
      of: 'netfilter',
      bytes: encodeElementsDump(table, set),
      read: readElements,
      none: [errnos.ENOENT],
    })
  }
}

/** One transaction that puts them. */
export const bytesOfGuards = (guards: readonly GuardItem[]): Uint8Array =>
  encodeElements(table, { drop: [], put: guards.flatMap(elementsOf) })

const keyOfElement = ({ ifname, mac = '', block = '', option }: Element): string => `${ifname} ${mac} ${block} ${option ?? ''}`
const sourceOf = ({ ifname, mac = '', block = '' }: Element): GuardItem => ({ kind: 'source', ifname, mac, block })

/** Both of one MAC are one thing. */
const optionsOf = (elements: readonly Element[]): readonly GuardItem[] =>
  elements.flatMap(({ ifname, mac, option }) =>
    option === 1 && elements.some((each) => each.ifname === ifname && each.mac === mac && each.option === 2)
      ? [{ kind: 'option', ifname, mac: mac ?? '' } as const]
      : [],
  )

function elementsOf(thing: GuardItem): readonly Element[] {
  if (thing.kind === 'guarded' || thing.kind === 'untagged' || thing.kind === 'guest') return [{ set: thing.kind, ifname: thing.ifname }]
  if (thing.kind === 'option') return ([1, 2] as const).map((option) => ({ set: 'option6', ifname: thing.ifname, mac: thing.mac, option }))
  const { ifname, mac, block } = thing
  const element = { ifname, mac, block }
  return block.includes(':')
    ? [
        { set: 'source6', ...element },
        { set: 'target6', ...element },
      ]
    : [{ set: 'source4', ...element }]
}
