// What a port may send: one table, sent as packets on every data plane, and the page docs/anti-spoofing.md.
import type { LocalPort } from '../../core/node/wanted.ts'
import {
  arp,
  destinationOptions,
  ethernet,
  fragment,
  hopByHop,
  icmp6,
  ip6,
  ipv4,
  ipv6,
  linkOption,
  neighbour,
  nonceOption,
  udp,
  type Arp,
  type Ends,
  type Extension,
} from './frame-bytes.ts'

export type Verdict = 'passes' | 'dropped'
export interface Spoof {
  readonly about: 'IPv4' | 'ARP' | 'IPv6' | 'neighbour discovery' | 'other frames' | 'without port security'
  readonly says: string
  readonly verdict: Verdict
  /** Hexadecimal digits. */
  readonly frame: string
  /** What of it nothing on the way changes or takes off. */
  readonly core: string
}

/** The port that is guarded, one that is not, one whom all is sent to, and an address and a MAC that none of them has. */
export const speaker = { mac: '02:00:00:00:00:11', v4: '10.0.0.11', v6: '2001:db8::11', link: 'fe80::ff:fe00:11' } as const
export const free = { mac: '02:00:00:00:00:12', v4: '10.0.0.12', v6: '2001:db8::12' } as const
export const hearer = { mac: '02:00:00:00:00:13', v4: '10.0.0.13', v6: '2001:db8::13' } as const
const victim = { mac: '02:00:00:00:00:99', v4: '10.0.0.99', v6: '2001:db8::99', link: 'fe80::ff:fe00:99' } as const
const pair = { mac: '00:00:5e:00:01:07', v4: '10.0.0.100', v6: '2001:db8::100' } as const
export const pairs: LocalPort['allowedAddressPairs'] = [
  { ip: '10.0.0.64/28' },
  { ip: pair.v4, mac: pair.mac },
  { ip: pair.v6, mac: pair.mac },
]

let count = 0
/** Four bytes that no other frame has. */
const marked = (): string => `0a${(++count * 0x10101).toString(16).padStart(6, '0')}`

const rows: Spoof[] = []
let about: Spoof['about'] = 'IPv4'
const ends = (more: Partial<Ends> = {}): Ends => ({ source: speaker.mac, destination: hearer.mac, ...more })
function row(
  ...[says, verdict, etherType, body, more = {}]: readonly [
    says: string,
    verdict: Verdict,
    etherType: string,
    body: string,
    more?: Partial<Ends>,
  ]
): void {
  rows.push({ about, says, verdict, frame: ethernet(ends(more), etherType, body), core: body })
}

const four = (
  says: string,
  verdict: Verdict,
  {
    from = speaker.v4,
    source = speaker.mac,
    ...more
  }: {
    readonly from?: string
    readonly source?: string
    readonly tags?: readonly string[]
    readonly fragment?: number
    readonly options?: string
    readonly proto?: number
    readonly ports?: readonly [number, number]
  } = {},
): void => {
  const { ports = [4000, 4001], proto = 17, tags, ...ip } = more
  const mark = marked()
  row(
    says,
    verdict,
    '0800',
    ipv4({ from, to: hearer.v4, proto, ...ip }, proto === 17 ? udp(...ports, mark) : `${mark}${'4d'.repeat(20)}`),
    { source, ...(tags && { tags }) },
  )
}
four('its own MAC and address', 'passes')
four("its own address from another's MAC", 'dropped', { source: victim.mac })
four("another's address", 'dropped', { from: victim.v4 })
four("its own address from a group's MAC", 'dropped', { source: '03:00:00:00:00:11' })
four('from a group', 'dropped', { from: '224.0.0.1' })
four('from 0.0.0.0', 'dropped', { from: '0.0.0.0' })
four('from 127.0.0.1', 'dropped', { from: '127.0.0.1' })
four('a first fragment', 'passes', { fragment: 0x2000 })
four('a later fragment', 'passes', { fragment: 0x0010 })
four("a later fragment from another's address", 'dropped', { fragment: 0x0010, from: victim.v4 })
four('with options of IP', 'passes', { options: '94040000', proto: 253 })
four("with options of IP, from another's address", 'dropped', { options: '94040000', proto: 253, from: victim.v4 })
four("an address of its pairs' block", 'passes', { from: '10.0.0.70' })
four("an address beside its pairs' block", 'dropped', { from: '10.0.0.80' })
four('a pair with a MAC, from that MAC', 'passes', { source: pair.mac, from: pair.v4 })
four('a pair with a MAC, from its own MAC', 'dropped', { from: pair.v4 })
four("its own address from a pair's MAC", 'dropped', { source: pair.mac })
four('a DHCP client that asks for an address', 'dropped', { from: '0.0.0.0', ports: [68, 67] })
four('a DHCP client that renews', 'passes', { ports: [68, 67] })
four('a DHCP server', 'dropped', { ports: [67, 68] })
four('a DHCP server, from another UDP port', 'dropped', { ports: [1067, 68] })
four('a DHCP server, the first fragment', 'dropped', { ports: [67, 68], fragment: 0x2000 })

about = 'ARP'
const ask = (says: string, verdict: Verdict, { source = speaker.mac, ...more }: Partial<Arp> & { readonly source?: string } = {}): void =>
  row(says, verdict, '0806', arp({ op: 1, mac: speaker.mac, from: speaker.v4, asks: '10.0.0.50', ...more }, marked()), { source })
ask('asks for an address', 'passes')
ask('answers for its own', 'passes', { op: 2, asks: hearer.v4 })
ask('announces its own (RFC 5227)', 'passes', { asks: speaker.v4 })
ask('probes for its own', 'passes', { from: '0.0.0.0', asks: speaker.v4 })
ask("probes for another's", 'passes', { from: '0.0.0.0', asks: '10.0.0.51' })
ask("probes from another's MAC", 'dropped', { from: '0.0.0.0', mac: victim.mac, asks: '10.0.0.51' })
ask("asks from another's address", 'dropped', { from: victim.v4 })
ask("answers for another's address", 'dropped', { op: 2, from: victim.v4, asks: hearer.v4 })
ask('answers for the gateway', 'dropped', { op: 2, from: '10.0.0.1', asks: hearer.v4 })
ask("answers that its address is at another's MAC", 'dropped', { op: 2, mac: victim.mac, asks: hearer.v4 })
ask("says its own MAC in another's frame", 'dropped', { op: 2, source: victim.mac, asks: hearer.v4 })
ask('answers for a pair, with its MAC', 'passes', { op: 2, source: pair.mac, mac: pair.mac, from: pair.v4, asks: hearer.v4 })
ask('probes for a pair, from its MAC', 'passes', { source: pair.mac, mac: pair.mac, from: '0.0.0.0', asks: pair.v4 })
ask('answers for a pair with a MAC, with its own', 'dropped', { op: 2, from: pair.v4, asks: hearer.v4 })
ask("answers for an address of its pairs' block", 'passes', { op: 2, from: '10.0.0.70', asks: hearer.v4 })

about = 'IPv6'
interface Six {
  readonly from?: string
  readonly source?: string
  readonly extensions?: readonly Extension[]
  readonly ports?: readonly [number, number]
}
const six = (
  says: string,
  verdict: Verdict,
  { from = speaker.v6, source = speaker.mac, extensions = [], ports = [4000, 4001] }: Six = {},
): void => row(says, verdict, '86dd', ipv6({ from, to: hearer.v6, next: 17, extensions }, udp(...ports, marked())), { source })
six('its own MAC and address', 'passes')
six('the link-local address of its MAC', 'passes', { from: speaker.link })
six("its own address from another's MAC", 'dropped', { source: victim.mac })
six("another's address", 'dropped', { from: victim.v6 })
six("another's link-local address", 'dropped', { from: victim.link })
six('its IPv4 address, mapped (`::ffff:0:0/96`)', 'dropped', { from: '::ffff:a00:b' })
six('its IPv4 address, compatible (`::/96`)', 'dropped', { from: '::a00:b' })
six('from `::`, UDP', 'dropped', { from: '::' })
six('from `::1`', 'dropped', { from: '::1' })
six('from a group', 'dropped', { from: 'ff02::1' })
six('behind a hop-by-hop header', 'passes', { extensions: [hopByHop] })
six("behind a hop-by-hop header, from another's address", 'dropped', { extensions: [hopByHop], from: victim.v6 })
six('a first fragment', 'passes', { extensions: [fragment(1)] })
six('a later fragment', 'passes', { extensions: [fragment(0x0100)] })
six("a later fragment, from another's address", 'dropped', { extensions: [fragment(0x0100)], from: victim.v6 })
six('a pair with a MAC, from that MAC', 'passes', { from: pair.v6, source: pair.mac })
six('a pair with a MAC, from its own MAC', 'dropped', { from: pair.v6 })
six('a DHCPv6 client', 'passes', { from: speaker.link, ports: [546, 547] })
six('a DHCPv6 server', 'dropped', { ports: [547, 546] })
six('a DHCPv6 server behind destination options', 'dropped', { ports: [547, 546], extensions: [destinationOptions] })
six('a DHCPv6 server, the first fragment', 'dropped', { ports: [547, 546], extensions: [fragment(1)] })

about = 'neighbour discovery'
interface Nd {
  readonly from?: string
  readonly source?: string
  readonly target?: string
  readonly options?: string
  readonly extensions?: readonly Extension[]
  /** Bytes of the message that are there. */
  readonly cut?: number
}
const nd =
  (type: 135 | 136) =>
  (
    says: string,
    verdict: Verdict,
    { from = speaker.v6, source = speaker.mac, target = speaker.v6, options = '', extensions = [], cut }: Nd = {},
  ): void => {
    const message = neighbour(type, target, options, marked())
    row(
      says,
      verdict,
      '86dd',
      ipv6({ from, to: hearer.v6, next: 58, extensions }, cut === undefined ? message : message.slice(0, cut * 2)),
      { source },
    )
  }
const [asks, tells] = [nd(135), nd(136)]
const [mySource, myTarget] = [linkOption(1, speaker.mac), linkOption(2, speaker.mac)]
const [falseSource, falseTarget] = [linkOption(1, victim.mac), linkOption(2, victim.mac)]
asks('asks for an address', 'passes', { target: '2001:db8::50', options: mySource })
asks('asks whether somebody is still there, without an option', 'passes', { target: '2001:db8::50' })
asks('asks from `::` whether its address is free (RFC 4862)', 'passes', { from: '::' })
asks('the same with a nonce (RFC 7527)', 'passes', { from: '::', options: nonceOption })
asks("asks with another's MAC as its own", 'dropped', { target: '2001:db8::50', options: falseSource })
asks("asks with two MACs, the first another's", 'dropped', { target: '2001:db8::50', options: `${falseSource}${mySource}` })
asks("asks with two MACs, the second another's", 'dropped', { target: '2001:db8::50', options: `${mySource}${falseSource}` })
asks("asks with another's MAC behind a nonce", 'dropped', { target: '2001:db8::50', options: `${nonceOption}${falseSource}` })
asks("asks from another's address", 'dropped', { from: victim.v6, target: '2001:db8::50', options: mySource })
tells('advertises its own address', 'passes', { options: myTarget })
tells('advertises its own address without an option, as who is asked directly may', 'passes')
tells('advertises its link-local address', 'passes', { from: speaker.link, target: speaker.link, options: myTarget })
tells('advertises a pair, from its MAC', 'passes', { from: pair.v6, source: pair.mac, target: pair.v6, options: linkOption(2, pair.mac) })
tells("advertises another's address", 'dropped', { target: victim.v6, options: myTarget })
tells("advertises another's address without an option", 'dropped', { target: victim.v6 })
tells("advertises its own address at another's MAC", 'dropped', { options: falseTarget })
tells("advertises from another's address", 'dropped', { from: victim.v6, target: victim.v6, options: myTarget })
tells("advertises another's behind a hop-by-hop header", 'dropped', { target: victim.v6, options: myTarget, extensions: [hopByHop] })
tells("advertises another's behind two headers", 'dropped', {
  target: victim.v6,
  options: myTarget,
  extensions: [hopByHop, destinationOptions],
})
tells("advertises another's in a fragment of all of it", 'dropped', { target: victim.v6, options: myTarget, extensions: [fragment(0)] })
tells("advertises another's in a first fragment", 'dropped', { target: victim.v6, options: myTarget, extensions: [fragment(1)] })
tells('advertises in a first fragment that ends before its target', 'dropped', {
  target: victim.v6,
  options: myTarget,
  extensions: [fragment(1)],
  cut: 8,
})
const control = (
  says: string,
  verdict: Verdict,
  type: number,
  {
    from = speaker.link,
    extensions = [],
    rest = '00'.repeat(8),
  }: { readonly from?: string; readonly extensions?: readonly Extension[]; readonly rest?: string } = {},
): void => row(says, verdict, '86dd', ipv6({ from, to: hearer.v6, next: 58, extensions }, icmp6(type, marked(), rest)))
control('looks for a router', 'passes', 133, { rest: mySource })
control('looks for a router from `::`', 'passes', 133, { from: '::', rest: '' })
control('a ping', 'passes', 128)
control('reports its groups (MLDv2, behind a hop-by-hop header)', 'passes', 143, {
  extensions: [hopByHop],
  rest: `04000000${ip6('ff02::1:ff00:11')}`,
})
control('reports its groups from `::`', 'passes', 143, { from: '::', extensions: [hopByHop], rest: `04000000${ip6('ff02::1:ff00:12')}` })
control('is a router (advertisement)', 'dropped', 134)
control('is a router, behind destination options', 'dropped', 134, { extensions: [destinationOptions] })
control('redirects', 'dropped', 137, { rest: `${ip6(speaker.v6)}${ip6(victim.v6)}` })
control('redirects in a first fragment', 'dropped', 137, { rest: `${ip6(speaker.v6)}${ip6(victim.v6)}`, extensions: [fragment(1)] })

about = 'other frames'
four('with the tag of a VLAN', 'dropped', { tags: ['81000064'] })
four('with the tag of VLAN 0 (priority)', 'dropped', { tags: ['8100a000'] })
four('with two tags', 'dropped', { tags: ['81000064', '81000065'] })
four('with a tag of 802.1ad', 'dropped', { tags: ['88a80064'] })
const other = (says: string, verdict: Verdict, etherType: string, more: Partial<Ends> = {}): void =>
  row(says, verdict, etherType, `${marked()}${'4d'.repeat(42)}`, more)
other('RARP', 'dropped', '8035')
other('LLDP', 'dropped', '88cc')
other('MPLS', 'dropped', '8847')
other('PPPoE discovery', 'dropped', '8863')
other("an EtherType of nobody's (0x88b5)", 'dropped', '88b5')
other('LLC, as spanning trees have it', 'dropped', '002e')

about = 'without port security'
const loose = { source: victim.mac, destination: hearer.mac }
row(
  "another's MAC and IPv4 address",
  'passes',
  '0800',
  ipv4({ from: victim.v4, to: hearer.v4, proto: 17 }, udp(4000, 4001, marked())),
  loose,
)
row('a DHCP server', 'passes', '0800', ipv4({ from: victim.v4, to: hearer.v4, proto: 17 }, udp(67, 68, marked())), loose)
row(
  "answers ARP for another's address",
  'passes',
  '0806',
  arp({ op: 2, mac: victim.mac, from: victim.v4, asks: hearer.v4 }, marked()),
  loose,
)
row("another's IPv6 address", 'passes', '86dd', ipv6({ from: victim.v6, to: hearer.v6, next: 17 }, udp(4000, 4001, marked())), loose)
row(
  "advertises another's address",
  'passes',
  '86dd',
  ipv6({ from: victim.v6, to: hearer.v6, next: 58 }, neighbour(136, victim.v6, linkOption(2, victim.mac), marked())),
  loose,
)
row('is a router', 'passes', '86dd', ipv6({ from: victim.link, to: hearer.v6, next: 58 }, icmp6(134, marked(), '00'.repeat(8))), loose)
row("an EtherType of nobody's (0x88b5)", 'passes', '88b5', `${marked()}${'4d'.repeat(42)}`, loose)
row(
  'with the tag of a VLAN: a VNI has none (RFC 7348 section 6.1)',
  'dropped',
  '0800',
  ipv4({ from: victim.v4, to: hearer.v4, proto: 17 }, udp(4000, 4001, marked())),
  { ...loose, tags: ['81000064'] },
)

export const spoofs: readonly Spoof[] = rows
export const isOfFree = ({ about: of }: Spoof): boolean => of === 'without port security'

/** Sent behind the others: once it is heard, what passes has been heard. */
const lastOf = (by: string): Spoof => spoofs.find((each) => each.verdict === 'passes' && isOfFree(each) === (by === 'free'))!

export interface Stage {
  /** In order, by one of the two ports. */
  send(by: 'speaker' | 'free', frames: readonly string[]): Promise<void>
  /** What the third has heard so far. */
  readonly heard: readonly string[]
  /** Polls until it holds. */
  until(holds: () => boolean): Promise<void>
}

/** Sends all of them. @returns those whose verdict is another than the table has it */
export async function falseVerdicts(stage: Stage): Promise<readonly string[]> {
  for (const by of ['speaker', 'free'] as const) {
    const [last, mine] = [lastOf(by), spoofs.filter((each) => isOfFree(each) === (by === 'free'))]
    await stage.send(
      by,
      [...mine.filter((each) => each !== last), last].map(({ frame }) => frame),
    )
    await stage.until(() => stage.heard.some((each) => each.includes(last.core)))
  }
  return wrong(stage.heard)
}

function wrong(heard: readonly string[]): readonly string[] {
  return spoofs.flatMap(({ about: of, says, verdict, core }) => {
    const found: Verdict = heard.some((each) => each.includes(core)) ? 'passes' : 'dropped'
    return found === verdict ? [] : [`${of}: ${says}: ${found}`]
  })
}
