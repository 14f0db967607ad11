// Whose tunnel packets are accepted, before the kernel's VXLAN devices see them: for each VNI the nodes that have an address in it. A
// table of nftables at the way into this node, behind whatever rewrites destinations; its elements come and go over netlink.
import { LinkRefused } from '../../../core/errors.ts'
import { tableNames, type LinuxItem } from '../../../core/linux/linux-items.ts'
import {
  encodeKnown,
  encodeKnownDump,
  readKnown,
  readL4Ports,
  type KnownTunnel as Element,
  type KnownTunnelSets,
} from '../../../core/wire/nft/known-tunnels.ts'
import { errnos, refusedBy, triesMax, type NodeKernel } from './node-kernel.ts'

export type KnownTunnelItem = Extract<LinuxItem, { readonly kind: 'known' }>
export const isKnownTunnel = (thing: LinuxItem): thing is KnownTunnelItem => thing.kind === 'known'

const whole = tableNames.known
const [, table = ''] = whole.split(' ')
const sets: KnownTunnelSets = { table, v4: 'known4', v6: 'known6', l4Ports: 'l4Ports' }
const what = 'a node that tunnels'
/**
 * The VNI stands 12 bytes into UDP (RFC 7348 section 5). A packet that is too short to have one, or the first fragment of one, is accepted
 * by no rule, and so dropped.
 */
const rulesetOf = (l4Port: number, known: readonly Element[]): string => `
table ${whole} {
  set ${sets.l4Ports} { type inet_service; elements = { ${l4Port} }; }
  set ${sets.v4} { typeof @th,96,24 . ip saddr; ${elementsText(known.filter(({ host }) => !host.includes(':')))} }
  set ${sets.v6} { typeof @th,96,24 . ip6 saddr; ${elementsText(known.filter(({ host }) => host.includes(':')))} }
  chain tunnels {
    type filter hook input priority -290; policy accept;
    udp dport @${sets.l4Ports} goto check
  }
  chain check {
    @th,96,24 . ip saddr @${sets.v4} accept
    @th,96,24 . ip6 saddr @${sets.v6} accept
    drop
  }
}
`
const elementsText = (known: readonly Element[]): string =>
  known.length === 0 ? '' : `elements = { ${known.map(({ vni, host }) => `${vni} . ${host}`).join(', ')} };`
const refusalsThatARivalMakes = new Set<number>([errnos.ENOENT, errnos.EBUSY, errnos.EEXIST])

export class KnownTunnels {
  readonly #home: NodeKernel
  readonly #l4Port: number

  constructor(home: NodeKernel, l4Port: number) {
    this.#home = home
    this.#l4Port = l4Port
  }

  /**
   * @param elements what the node knows already; called where there is no table, so that a new one interrupts nobody
   * @throws LinkRefused with what nft says
   */
  async makeTable(elements: () => Promise<readonly Element[]>): Promise<void> {
    const reason = (await this.#isThere())
      ? await this.#home.mendRules(whole, this.#rules)
      : await this.#home.makeTable(whole, rulesetOf(this.#l4Port, await elements()), () => this.#isThere())
    if (reason !== undefined) throw new LinkRefused({ what: `the table ${whole} of nftables`, reason })
  }

  /** Of a table of whatever elements: who is known is in its sets. */
  get #rules(): string {
    return rulesetOf(this.#l4Port, [])
  }

  async dropTable(): Promise<void> {
    await this.#home.dropTable(whole)
  }

  /** undefined: there is no table, or one that minds another port, or its rules are not ours. */
  async list(): Promise<readonly KnownTunnelItem[] | undefined> {
    if (!(await this.#isThere()) || !(await this.#home.isWritten(whole, this.#rules))) return undefined
    const [v4 = [], v6 = []] = await Promise.all([this.#elements(sets.v4), this.#elements(sets.v6)])
    return [...v4, ...v6].map((each): KnownTunnelItem => ({ kind: 'known', ...each }))
  }

  /** What is there or gone already is no fault, whoever did it. */
  async change(drop: readonly KnownTunnelItem[], put: readonly KnownTunnelItem[]): Promise<void> {
    let drops = drop
    for (let times = 0; drops.length + put.length > 0; times++) {
      const errno = await this.#home.change({ of: 'netfilter', bytes: encodeKnown(sets, { drop: drops, put }) })
      if (errno === 0) return
      if (times >= triesMax || !refusalsThatARivalMakes.has(errno)) throw refusedBy(what, errno)
      const there = await this.list()
      if (there === undefined) await this.makeTable(() => Promise.resolve(put))
      const keys = new Set((there ?? []).map(keyOf))
      drops = drop.filter((each) => keys.has(keyOf(each)))
    }
  }

  async #isThere(): Promise<boolean> {
    const [l4Ports, v6] = await Promise.all([
      this.#home.list(what, { of: 'netfilter', bytes: encodeKnownDump(sets, sets.l4Ports), read: readL4Ports, none: [errnos.ENOENT] }),
      this.#elements(sets.v6),
    ])
    return v6 !== undefined && l4Ports?.length === 1 && l4Ports[0] === this.#l4Port
  }

  #elements(set: string): Promise<readonly Element[] | undefined> {
    return this.#home.list(what, { of: 'netfilter', bytes: encodeKnownDump(sets, set), read: readKnown, none: [errnos.ENOENT] })
  }
}

const keyOf = ({ vni, host }: Element): string => `${vni} ${host}`
