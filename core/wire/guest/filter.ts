// Which frames of a guest reach its agent, as a program of classic BPF (linux/filter.h) that the kernel runs on each: what asks for an
// address or a router, from the Port's own MAC. All else costs nobody anything.
import { macValue } from '../../pipeline/openflow/values.ts'
import { router } from './frames.ts'
import { pulseFrom } from './pulse.ts'

const ops = { loadWord: 0x20, loadHalf: 0x28, loadByte: 0x30, loadHalfX: 0x48, headX: 0xb1, equal: 0x15, any: 0x45, give: 0x06 } as const
/** SKF_AD_OFF and what is told there beside the packet. */
const beside = { way: 0xfffff004, tagged: 0xfffff030 } as const
/** PACKET_OUTGOING: sent to the guest, not by it. */
const outgoing = 4
const wholeFrame = 0x40000

type Label = 'take' | 'drop' | 'v6' | 'icmp6'
interface Line {
  readonly label?: Label
  readonly code: number
  readonly value: number
  readonly yes?: Label
  readonly no?: Label
}
const load = (code: number, value: number, label?: Label): Line => ({ code, value, ...(label && { label }) })
/** Goes on where it is so. */
const must = (value: number): Line => ({ code: ops.equal, value, no: 'drop' })

export function guestFilter(mac: string): Uint8Array {
  const target = Array.from({ length: 4 }, (_, i) => Number((router.linkLocal >> BigInt(96 - 32 * i)) & 0xffffffffn))
  return assembled([
    ...sentBy(mac),
    load(ops.loadHalf, 12),
    { code: ops.equal, value: 0x86dd, yes: 'v6' },
    must(0x0800),
    load(ops.loadByte, 23),
    must(17),
    // A piece of a packet is never asked with.
    load(ops.loadHalf, 20),
    { code: ops.any, value: 0x3fff, yes: 'drop' },
    load(ops.headX, 14),
    load(ops.loadHalfX, 16),
    { code: ops.equal, value: 67, yes: 'take', no: 'drop' },
    load(ops.loadByte, 20, 'v6'),
    { code: ops.equal, value: 58, yes: 'icmp6' },
    must(17),
    load(ops.loadHalf, 56),
    { code: ops.equal, value: 547, yes: 'take', no: 'drop' },
    load(ops.loadByte, 54, 'icmp6'),
    { code: ops.equal, value: 133, yes: 'take' },
    must(135),
    ...target.flatMap((word, i) => [load(ops.loadWord, 62 + 4 * i), must(word)]),
    load(ops.give, wholeFrame, 'take'),
    load(ops.give, 0, 'drop'),
  ])
}

/** Any frame that a guest has sent as its Port's: it runs. */
export const voiceFilter = (mac: string): Uint8Array =>
  assembled([...sentBy(mac), load(ops.give, wholeFrame, 'take'), load(ops.give, 0, 'drop')])

/** What a function says of a packet whose time is up with it: offsets behind Ethernet and an IPv4 header without options. */
export const pulseFilter = (mac: string): Uint8Array =>
  assembled([
    ...sentBy(mac),
    load(ops.loadHalf, 12),
    must(0x0800),
    load(ops.loadByte, 23),
    must(1),
    load(ops.loadByte, 34),
    must(11),
    load(ops.loadWord, 54),
    must(pulseFrom),
    load(ops.give, wholeFrame, 'take'),
    load(ops.give, 0, 'drop'),
  ])

/** Answers of whom was asked for the MAC of an address: of ARP, and neighbour advertisements. */
export const neighbourFilter = (mac: string): Uint8Array =>
  assembled([
    ...sentBy(mac),
    load(ops.loadHalf, 12),
    { code: ops.equal, value: 0x86dd, yes: 'v6' },
    must(0x0806),
    load(ops.loadHalf, 20),
    { code: ops.equal, value: 2, yes: 'take', no: 'drop' },
    load(ops.loadByte, 20, 'v6'),
    must(58),
    load(ops.loadByte, 54),
    must(136),
    load(ops.give, wholeFrame, 'take'),
    load(ops.give, 0, 'drop'),
  ])

function sentBy(mac: string): readonly Line[] {
  const own = macValue(mac)
  return [
    load(ops.loadByte, beside.way),
    { code: ops.equal, value: outgoing, yes: 'drop' },
    load(ops.loadByte, beside.tagged),
    must(0),
    load(ops.loadWord, 6),
    must(Math.floor(own / 2 ** 16)),
    load(ops.loadHalf, 10),
    must(own % 2 ** 16),
  ]
}

function assembled(lines: readonly Line[]): Uint8Array {
  const at = new Map(lines.flatMap(({ label }, i) => (label === undefined ? [] : [[label, i] as const])))
  const jump = (to: Label | undefined, from: number): number => (to === undefined ? 0 : at.get(to)! - from - 1)
  const bytes = new DataView(new ArrayBuffer(lines.length * 8))
  for (const [i, { code, value, yes, no }] of lines.entries()) {
    // struct sock_filter, in the order of the machine (core/wire/netlink/bytes.ts).
    bytes.setUint16(i * 8, code, true)
    bytes.setUint8(i * 8 + 2, jump(yes, i))
    bytes.setUint8(i * 8 + 3, jump(no, i))
    bytes.setUint32(i * 8 + 4, value, true)
  }
  return new Uint8Array(bytes.buffer)
}
