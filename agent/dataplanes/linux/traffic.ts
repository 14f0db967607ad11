// How much pods send and get, and how what they send is marked, as a table of nftables: a frame that comes into a bridge from an interface,
// or leaves for one, comes to the limit of that interface after it has been judged. The table is made once, by the program nft; limits and
// elements come and go over netlink, each change in one transaction.
import { keyOf, tableNames, type LinuxItem } from '../../../core/linux/linux-items.ts'
import { ruledMarks } from '../../../core/node/frame-marks.ts'
import {
  encodeLimitsDump,
  encodeTraffic,
  encodeTrafficDump,
  readLimits,
  readTraffic,
  trafficMaps,
  type TrafficElement,
  type TrafficMap,
} from '../../../core/wire/nft/traffic.ts'
import { errnos, refusedBy, triesMax, type NodeKernel } from './node-kernel.ts'
import { changeFrom, elementsOf, placeOf, trafficItems, type TrafficItem } from './traffic-elements.ts'

export const isTraffic = (thing: LinuxItem): thing is TrafficItem => ['limited', 'broadcast', 'marked', 'ruled'].includes(thing.kind)

const whole = tableNames.traffic
const [, table = ''] = whole.split(' ')
const what = 'a change of limits'
const all = Array.from({ length: 64 }, (_, dscp) => dscp)
const toDscp = `meta mark vmap { ${all.map((dscp) => `${dscp} : goto dscp${dscp}`).join(', ')} }`
/** What the table before has said is used up. What marks of others say, and those of VLANs, is not. */
const unmark = (ifname: string): string => `${ifname} "mgz*" meta mark & ${ruledMarks.mask} == ${ruledMarks.value} meta mark set 0`
/**
 * A field of six bits is written with a number of the rule's alone: so there is a chain for each DSCP. The mark that leads to it is 0 again
 * behind. Writing it puts the checksum of IPv4 right.
 */
const ruleset = `
table ${whole} {
  map dscp { type ifname : mark; }
  map sent { type ifname : limit; }
  map got { type ifname : limit; }
  map broadcast { type ifname : limit; }
  map rates { type ifname . mark : limit; }
  map marks { type ifname . mark : mark; }
  ${all.map((dscp) => `chain dscp${dscp} { meta mark set 0; ip dscp set ${dscp}; ip6 dscp set ${dscp}; }`).join('\n  ')}
  chain sending {
    type filter hook prerouting priority -240; policy accept;
    limit name iifname map @sent drop
    ether daddr & 01:00:00:00:00:00 == 01:00:00:00:00:00 limit name iifname map @broadcast drop
    limit name iifname . meta mark map @rates drop
    meta mark set iifname . meta mark map @marks ${toDscp}
    ${unmark('iifname')}
    meta mark set iifname map @dscp ${toDscp}
  }
  chain getting {
    type filter hook postrouting priority 260; policy accept;
    limit name oifname map @got drop
    limit name oifname . meta mark map @rates drop
    ${unmark('oifname')}
  }
}
`
const refusalsThatARivalMakes = new Set<number>([errnos.ENOENT, errnos.EBUSY, errnos.EEXIST])

export class Traffic {
  readonly #home: NodeKernel

  constructor(home: NodeKernel) {
    this.#home = home
  }

  /** @returns why not, where the kernel or its tools cannot */
  async makeTable(): Promise<string | undefined> {
    const reason = await this.#home.makeTable(whole, ruleset, async () => (await this.list()) !== undefined)
    return reason === undefined ? undefined : `nftables refuses to limit and to mark (${reason.split('\n')[0] ?? ''})`
  }

  async dropTable(): Promise<void> {
    await this.#home.dropTable(whole)
  }

  /** undefined: there is no table, or its rules are not ours. */
  async list(): Promise<readonly TrafficItem[] | undefined> {
    const there = (await this.#home.isWritten(whole, ruleset)) ? await this.#listed() : undefined
    return there && trafficItems(there)
  }

  /** What is there or gone already is no fault, whoever did it. All that a thing has is replaced at once. */
  async change(drop: readonly TrafficItem[], put: readonly TrafficItem[]): Promise<void> {
    if (drop.length + put.length === 0) return
    const places = new Set<string | undefined>([...drop, ...put].map(keyOf))
    const wanted = put.flatMap(elementsOf)
    for (let times = 0; ; times++) {
      const there = (await this.#listed()) ?? (await this.#made())
      const change = changeFrom(there, wanted, (each) => places.has(placeOf(each)))
      if (change.drop.length + change.put.length === 0) return
      const errno = await this.#home.change({ of: 'netfilter', bytes: encodeTraffic(table, change) })
      if (errno === 0) return
      if (times >= triesMax || !refusalsThatARivalMakes.has(errno)) throw refusedBy(what, errno)
    }
  }

  async #made(): Promise<readonly TrafficElement[]> {
    await this.makeTable()
    return []
  }

  async #listed(): Promise<readonly TrafficElement[] | undefined> {
    const lists = await Promise.all([...trafficMaps.map((map) => this.#mapped(map)), this.#limits()])
    return lists.some((each) => each === undefined) ? undefined : lists.flatMap((each) => each ?? [])
  }

  #mapped(map: TrafficMap): Promise<readonly TrafficElement[] | undefined> {
    const bytes = encodeTrafficDump(table, map)
    return this.#home.list(`a list of ${map}`, { of: 'netfilter', bytes, read: readTraffic, none: [errnos.ENOENT] })
  }

  #limits(): Promise<readonly TrafficElement[] | undefined> {
    return this.#home.list('a list of limits', { of: 'netfilter', bytes: encodeLimitsDump(table), read: readLimits, none: [errnos.ENOENT] })
  }
}
