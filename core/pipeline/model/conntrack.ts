// Connection tracking of a switch, without time: what was committed once is known from then on, until vswitchd's node goes.
import type { Conntrack } from '../openflow/actions.ts'
import {
  ctIpv4Dst,
  ctIpv4Src,
  ctIpv6Dst,
  ctIpv6Src,
  ctL4Dst,
  ctL4Src,
  ctLabel,
  ctMark,
  ctProto,
  ctState,
  ctZone,
  ethType,
  ipProto,
  ipv4Dst,
  ipv4Src,
  ipv6Dst,
  ipv6Src,
  type Field,
} from '../openflow/fields.ts'
import { echoes, l4Fields } from '../openflow/l4-fields.ts'
import type { FieldValue } from '../openflow/values.ts'
import { readBits, readField, writeBits, type Frame, type Written } from './frame.ts'

/** Bits of ct_state (ovs-fields(7)). */
export const states = { new: 1, est: 2, rpl: 8, inv: 16, trk: 32 } as const
const four = { src: ipv4Src, dst: ipv4Dst, firstSrc: ctIpv4Src, firstDst: ctIpv4Dst } as const
const six = { src: ipv6Src, dst: ipv6Dst, firstSrc: ctIpv6Src, firstDst: ctIpv6Dst } as const

/** By what the two directions of a connection are known, and what its packets say of its first one. */
interface Tuple {
  /** As the first one; absent: an answer begins nothing. */
  readonly forth?: string
  /** As one that answers; absent: a question is none. */
  readonly back?: string
  readonly first: Frame
}

/** Undefined for what is no IP, and for ICMP that is neither a question nor an answer: of no connection that the model knows. */
function tupleOf(frame: Frame): Tuple | undefined {
  const type = readField(frame, ethType)
  if (type !== 0x0800 && type !== 0x86dd) return undefined
  const ends = type === 0x0800 ? four : six
  const proto = Number(readField(frame, ipProto))
  const echo = echoes.get(proto)
  const [src, dst] = [readField(frame, ends.src), readField(frame, ends.dst)]
  const [from = 0, to = 0] = (l4Fields.get(proto) ?? []).map((field) => readField(frame, field))
  const first: Frame = new Map<Field, FieldValue>([
    [ctProto, proto],
    [ends.firstSrc, src],
    [ends.firstDst, dst],
    [ctL4Src, from],
    [ctL4Dst, to],
  ])
  if (echo === undefined) return { forth: [proto, src, from, dst, to].join(' '), back: [proto, dst, to, src, from].join(' '), first }
  if (from === echo.asks) return { forth: [proto, src, from, dst, to].join(' '), first }
  return from === echo.answers ? { back: [proto, dst, echo.asks, src, to].join(' '), first } : undefined
}

/** What it says of a packet: ct_mark and ct_label of its connection. */
type Noted = Written

interface Connection {
  readonly noted: Noted
  readonly first: Frame
}

export class Connections {
  /** By zone and tuple, as it began. */
  readonly #known = new Map<string, Connection>()

  clear(): void {
    this.#known.clear()
  }

  /** The packet with what is known of its connection written on it. */
  tracked(frame: Frame, action: Conntrack): Written {
    if (action.nat !== undefined || action.alg !== undefined) throw new TypeError('the model of a switch translates no addresses')
    const zone = typeof action.zone === 'number' ? action.zone : Number(readBits(frame, action.zone))
    const tuple = tupleOf(frame)
    const found = tuple && this.#connection(action, zone, tuple)
    const written: Written = new Map(frame)
    written.set(ctZone, zone)
    if (found === undefined) return written.set(ctState, states.trk + states.inv)
    for (const field of [ctMark, ctLabel]) written.set(field, readField(found.noted, field))
    for (const [field, value] of found.first) written.set(field, value)
    return written.set(ctState, states.trk + found.state)
  }

  #connection(action: Conntrack, zone: number, tuple: Tuple): (Connection & { readonly state: number }) | undefined {
    const keyOf = (end: string | undefined): string => (end === undefined ? '' : `${zone} ${end}`)
    const [forth, back] = [keyOf(tuple.forth), keyOf(tuple.back)]
    const isForth = this.#known.has(forth)
    if (action.commit === 'force' && !isForth) this.#known.delete(back)
    const known = this.#known.get(forth) ?? this.#known.get(back)
    if (known === undefined) return tuple.forth === undefined ? undefined : this.#begun(action, forth, tuple)
    if (action.commit !== undefined) write(known.noted, action)
    return { ...known, state: states.est + (isForth ? 0 : states.rpl) }
  }

  #begun(action: Conntrack, forth: string, { first }: Tuple): Connection & { readonly state: number } {
    const begun: Connection = { noted: new Map(), first }
    if (action.commit !== undefined) {
      write(begun.noted, action)
      this.#known.set(forth, begun)
    }
    return { ...begun, state: states.new }
  }
}

function write(noted: Noted, { exec = [] }: Conntrack): void {
  for (const each of exec) {
    if (each.do === 'set') noted.set(each.field, each.value)
    else writeBits(noted, each.to, BigInt(each.value))
  }
}
