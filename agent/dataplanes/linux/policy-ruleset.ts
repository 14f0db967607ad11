// The table that judges, as nft reads it.
import { anyoneElse } from '../../../core/kinds/policy/access.ts'
import { unknown } from '../../../core/kinds/policy/tiers.ts'
import { rangeText } from '../../../core/net/ranges.ts'
import { isDecision, policySets, type PolicyElement, type PolicySet } from '../../../core/wire/nft/policies.ts'
import { marks } from '../../../core/node/frame-marks.ts'
import { buckets } from './policy-elements.ts'

export interface PolicyTable {
  /** That it begins with: what takes a table's place lets nothing pass that did not. */
  readonly elements: readonly PolicyElement[]
  /** Whether the kernel can tell of packets. */
  readonly logs: boolean
}

/** Of nfnetlink_log: there is one for each namespace of networks. */
export const logGroup = 27_493
export const snapBytes = 128
const logTo = (match: string): string => `${match} log group ${logGroup} snaplen ${snapBytes}`
/** A table by which it is tried whether the kernel logs; nothing is put. */
export const logProbe = `table bridge megrez-log-probe {\n  chain c {\n    ${logTo('')}\n  }\n}\n`

const setTypes: Readonly<Record<PolicySet, string>> = {
  network: 'type ifname : mark;',
  named: 'type ifname . mark;',
  out4: 'type ifname . mark . ipv4_addr : mark; flags interval; counter;',
  out6: 'type ifname . mark . ipv6_addr : mark; flags interval; counter;',
  in4: 'type ifname . mark . ipv4_addr : mark; flags interval; counter;',
  in6: 'type ifname . mark . ipv6_addr : mark; flags interval; counter;',
  bucket: 'type ifname : limit;',
  identity4: 'type mark . ipv4_addr : mark;',
  identity6: 'type mark . ipv6_addr : mark;',
  inside4: 'type mark . ipv4_addr; flags interval;',
  inside6: 'type mark . ipv6_addr; flags interval;',
}

function setsWith(elements: readonly PolicyElement[]): string {
  const bySet = Map.groupBy(elements, setOf)
  return policySets
    .map((set) => {
      const own = (bySet.get(set) ?? []).map(elementText).join(', ')
      const what = setTypes[set].includes(' : ') ? 'map' : 'set'
      return `${what} ${set} { ${setTypes[set]}${own === '' ? '' : ` elements = { ${own} };`} }`
    })
    .join('\n  ')
}

function setOf(element: PolicyElement): string {
  if (isDecision(element)) return `${element.of}${element.range.family}`
  if (element.of === 'network' || element.of === 'named' || element.of === 'bucket') return element.of
  return `${element.of}${(element.of === 'identity' ? element.address : element.block).includes(':') ? 6 : 4}`
}

function elementText(element: PolicyElement): string {
  if (element.of === 'network') return `"${element.ifname}" : ${marks.network + element.vni}`
  if (element.of === 'bucket') return `"${element.ifname}" : "${element.limit}"`
  if (element.of === 'named') return `"${element.ifname}" . ${element.identity}`
  if (element.of === 'identity') return `${marks.network + element.vni} . ${element.address} : ${element.identity}`
  if (element.of === 'inside') return `${marks.network + element.vni} . ${element.block}`
  const { ifname, identity, range, comment, mark } = element
  return `"${ifname}" . ${identity} . ${rangeText(range)}${comment === '' ? '' : ` comment "${comment}"`} : ${mark}`
}

interface Way {
  readonly way: 'out' | 'in'
  readonly ifname: 'iifname' | 'oifname'
  readonly other: 'saddr' | 'daddr'
  /** What of DHCP goes this way, from and to a port: questions, or answers. */
  readonly dhcp: Readonly<Record<4 | 6, readonly [from: number, to: number]>>
}
const [out, into]: readonly [Way, Way] = [
  { way: 'out', ifname: 'iifname', other: 'daddr', dhcp: { 4: [68, 67], 6: [546, 547] } },
  { way: 'in', ifname: 'oifname', other: 'saddr', dhcp: { 4: [67, 68], 6: [547, 546] } },
]
const judge = (family: 4 | 6, { way, ifname, other }: Way): string => {
  const address = family === 4 ? `ip ${other}` : `ip6 ${other}`
  return `chain ${way}${family} {
    meta mark set meta mark . ${address} map @identity${family}
    meta mark . ${address} @inside${family} meta mark set ${unknown}
    meta mark >= ${marks.network} meta mark set 0
    ${ifname} . meta mark != @named meta mark set ${anyoneElse}
    meta mark set ${ifname} . meta mark . ${address} map @${way}${family} goto decided-${way}
    drop
  }`
}
/** As OpenFlow's controller is told: packets a second, and as many at once. */
const perSecond = 20
const limits = Array.from({ length: buckets }, (_, i) => `limit log${i} { rate ${perSecond}/second burst ${perSecond} packets; }`)
/** What is above the limit is not logged, and goes on. */
const decided = ({ way, ifname }: Way, logs: boolean): string => `chain decided-${way} {
    ${logs ? logTo(`meta mark & ${marks.logs} != 0 limit name ${ifname} map @bucket`) : ''}
    meta mark & ${marks.passes} == 0 drop
    meta mark & ${marks.ruled} != 0 accept
    meta mark set 0 accept
  }`
const judgeAny = ({ way, dhcp }: Way): string => `chain ${way} {
    ether type ip udp sport ${dhcp[4][0]} udp dport ${dhcp[4][1]} meta mark set 0 accept
    ether type ip6 udp sport ${dhcp[6][0]} udp dport ${dhcp[6][1]} meta mark set 0 accept
    ether type ip goto ${way}4
    ether type ip6 goto ${way}6
    drop
  }`
const neighbours = `ether type arp accept
    ether type ip6 icmpv6 type { nd-router-solicit, nd-router-advert, nd-neighbor-solicit, nd-neighbor-advert, nd-redirect } accept`

/**
 * A frame's mark (core/wire/nft/policies.ts) is 0 again when it goes on: what br_netfilter shows to the node's own rules, which know marks
 * too, comes after this. Without what is never judged, ARP, neighbour discovery and DHCP, nobody finds anybody. What is no IP does not
 * pass, nor what no element says anything of. Each element counts what it decides: it is found as it is, as a lookup for what is not there
 * would count nothing.
 *
 * @param table family and name
 */
export const policyRuleset = (table: string, { elements, logs }: PolicyTable): string => `
table ${table} {
  ${limits.join('\n  ')}
  ${setsWith(elements)}
  ${decided(out, logs)}
  ${decided(into, logs)}
  ${judge(4, out)}
  ${judge(6, out)}
  ${judge(4, into)}
  ${judge(6, into)}
  ${judgeAny(out)}
  ${judgeAny(into)}
  chain sent {
    type filter hook prerouting priority -250; policy accept;
    ${neighbours}
    meta mark set iifname map @network goto out
  }
  chain received {
    type filter hook postrouting priority 250; policy accept;
    ${neighbours}
    meta mark set oifname map @network goto in
  }
}
`
