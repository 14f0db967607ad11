// Connection tracking of a switch, without time: what was committed once is known from then on, until vswitchd's node goes.
import type { Conntrack } from '../../../../core/pipeline/openflow/actions.ts'
import {
  ctLabel,
  ctMark,
  ctState,
  ctZone,
  ethType,
  icmp6Type,
  icmpType,
  ipProto,
  ipv4Dst,
  ipv4Src,
  ipv6Dst,
  ipv6Src,
  sctpDst,
  sctpSrc,
  tcpDst,
  tcpSrc,
  udpDst,
  udpSrc,
  type Field,
} from '../../../../core/pipeline/openflow/fields.ts'
import { readBits, readField, writeBits, type Frame, type Written } from './frame.ts'

const states = { new: 1, est: 2, rpl: 8, inv: 16, trk: 32 } as const
const l4: ReadonlyMap<number, readonly [src: Field, dst: Field]> = new Map([
  [6, [tcpSrc, tcpDst]],
  [17, [udpSrc, udpDst]],
  [132, [sctpSrc, sctpDst]],
])
const questions: ReadonlyMap<number, number> = new Map([
  [0, 8],
  [129, 128],
])

interface Tuple {
  readonly forth: string
  readonly back: string
}

/** Undefined for what is no IP. */
function tupleOf(frame: Frame): Tuple | undefined {
  const type = readField(frame, ethType)
  if (type !== 0x0800 && type !== 0x86dd) return undefined
  const [src, dst] = (type === 0x0800 ? [ipv4Src, ipv4Dst] : [ipv6Src, ipv6Dst]).map((field) => readField(frame, field))
  const proto = Number(readField(frame, ipProto))
  const ends = l4.get(proto)?.map((field) => readField(frame, field)) ?? [echoOf(frame, proto), echoOf(frame, proto)]
  return { forth: [proto, src, ends[0], dst, ends[1]].join(' '), back: [proto, dst, ends[1], src, ends[0]].join(' ') }
}

/** An echo's answer is of the connection of its question (RFC 792, RFC 4443 section 4). */
function echoOf(frame: Frame, proto: number): number {
  const type = Number(readField(frame, proto === 58 ? icmp6Type : icmpType))
  return questions.get(type) ?? type
}

/** What it says of a packet: ct_mark and ct_label of its connection. */
type Noted = Written

export class Connections {
  readonly #known = new Map<string, Noted>()

  clear(): void {
    this.#known.clear()
  }

  /** The packet with what is known of its connection written on it. */
  tracked(frame: Frame, action: Conntrack): Written {
    if (action.nat !== undefined || action.alg !== undefined) throw new TypeError('the model of a switch translates no addresses')
    const zone = typeof action.zone === 'number' ? action.zone : Number(readBits(frame, action.zone))
    const tuple = tupleOf(frame)
    const written: Written = new Map(frame)
    written.set(ctZone, zone)
    if (tuple === undefined) return written.set(ctState, states.trk + states.inv)
    const { state, noted } = this.#connection(action, `${zone} ${tuple.forth}`, `${zone} ${tuple.back}`)
    for (const field of [ctMark, ctLabel]) written.set(field, readField(noted, field))
    return written.set(ctState, states.trk + state)
  }

  #connection(action: Conntrack, forth: string, back: string): { readonly state: number; readonly noted: Noted } {
    const isForth = this.#known.has(forth)
    if (action.commit === 'force' && !isForth) this.#known.delete(back)
    const known = this.#known.get(forth) ?? this.#known.get(back)
    const noted: Noted = known ?? new Map()
    if (action.commit !== undefined) {
      write(noted, action)
      if (known === undefined) this.#known.set(forth, noted)
    }
    return { state: known === undefined ? states.new : states.est + (isForth ? 0 : states.rpl), noted }
  }
}

function write(noted: Noted, { exec = [] }: Conntrack): void {
  for (const each of exec) {
    if (each.do === 'set') noted.set(each.field, each.value)
    else writeBits(noted, each.to, BigInt(each.value))
  }
}
