// DHCPv4 (RFC 2131) for the one guest behind a TAP: its address is its Port's, whatever it asks for.
import type { Guest, GuestAddress } from '../../node/guest.ts'
import { parseCidr } from '../../net/cidr.ts'
import { ipv4Value, macValue } from '../../pipeline/openflow/values.ts'
import { Bytes } from '../bytes.ts'
import { viewOf } from '../openflow/openflow.ts'
import { encodeNames } from './domain-names.ts'
import { broadcastMac, udpFrame, type Carried } from './frames.ts'

export const l4Ports = { server: 67, client: 68 } as const
/** Option 53. */
const types = { discover: 1, offer: 2, request: 3, ack: 5, nak: 6, inform: 8 } as const
const cookie = 0x63825363
const headBytes = 236
/** Of options, that every client takes (RFC 2131 section 2). */
const optionsMin = 312
/** A day, as Neutron has it: the Port may be told of anew by then, and an agent that is away may be so for half of it. */
export const leaseSeconds = 86_400
/** Who answers where there is no gateway: an address that is no pod's (RFC 3927 section 2.1 keeps it free). */
const nobody = '169.254.0.1'

interface Request {
  readonly id: number
  readonly flags: number
  readonly mac: Uint8Array
  /** The address that the client has already; 0: none. */
  readonly has: number
  readonly options: ReadonlyMap<number, Uint8Array>
}

/** @throws RangeError where it is cut off */
export function answerDhcp(carried: Carried, message: Uint8Array, guest: Guest): Uint8Array | undefined {
  const { v4 } = guest
  const request = readRequest(message, guest.mac)
  if (carried.family !== 4 || v4 === undefined || request === undefined) return undefined
  const server = ipv4Value(v4.gateway ?? nobody)
  const type = answerType(request, server, ipv4Value(v4.address))
  return type === undefined ? undefined : replyOf(request, type, { guest, v4, server })
}

function readRequest(message: Uint8Array, mac: string): Request | undefined {
  const view = viewOf(message)
  // A request, of Ethernet, that no relay has passed on, of this guest.
  const isOurs = view.getUint32(0) >>> 8 === 0x010106 && view.getUint32(24) === 0 && view.getUint32(headBytes) === cookie
  if (!isOurs || view.getUint16(28) * 2 ** 32 + view.getUint32(30) !== macValue(mac)) return undefined
  return {
    id: view.getUint32(4),
    flags: view.getUint16(10),
    has: view.getUint32(12),
    mac: message.subarray(28, 44),
    options: optionsIn(message),
  }
}

function optionsIn(message: Uint8Array): ReadonlyMap<number, Uint8Array> {
  const options = new Map<number, Uint8Array>()
  for (let at = headBytes + 4; at < message.length && message[at] !== 255;) {
    const [code = 0, length] = [message[at], message[at + 1]]
    if (code === 0) {
      at++
      continue
    }
    if (length === undefined || at + 2 + length > message.length) throw new RangeError('an option is cut off')
    options.set(code, message.subarray(at + 2, at + 2 + length))
    at += 2 + length
  }
  return options
}

const numberIn = (option: Uint8Array | undefined, bytes: 1 | 2 | 4): number | undefined =>
  option?.length === bytes ? option.reduce((value, byte) => value * 256 + byte, 0) : undefined

function answerType({ has, options }: Request, server: number, address: number): number | undefined {
  const type = numberIn(options.get(53), 1)
  if (type === types.discover) return types.offer
  if (type === types.inform) return has === address ? types.ack : undefined
  const chosen = numberIn(options.get(54), 4)
  // Another server was chosen; or it declines or gives back what stays its own all the same.
  if (type !== types.request || (chosen !== undefined && chosen !== server)) return undefined
  return (numberIn(options.get(50), 4) ?? has) === address ? types.ack : types.nak
}

interface Around {
  readonly guest: Guest
  readonly v4: GuestAddress
  readonly server: number
}

function replyOf(request: Request, type: number, around: Around): Uint8Array {
  const { guest, v4, server } = around
  const address = ipv4Value(v4.address)
  const isNak = type === types.nak
  const isInform = numberIn(request.options.get(53), 1) === types.inform
  const message = new Bytes(headBytes + optionsMin)
  message.u32(0x02010600)
  message.u32(request.id)
  message.u16(0)
  message.u16(request.flags)
  message.u32(isNak ? 0 : request.has)
  message.u32(isNak || isInform ? 0 : address)
  message.u32(0)
  message.u32(0)
  message.raw(request.mac)
  message.skip(192)
  message.u32(cookie)
  const room = roomFor(request, guest.mtu)
  for (const bytes of fitting([fixed(53, 1, type), fixed(54, 4, server), ...(isNak ? [] : optionsFor(around, isInform))], room))
    message.raw(bytes)
  message.room(1)
  message.u8(255)
  // Section 4.1: to all where it has no address yet and says so; here all is one guest.
  const isToAll = isNak || (request.has === 0 && request.flags !== 0)
  return udpFrame(
    { mac: isToAll ? broadcastMac : macValue(guest.mac), family: 4, from: BigInt(server), to: BigInt(isToAll ? 0xffffffff : address) },
    { from: l4Ports.server, to: l4Ports.client },
    message.written(),
  )
}

/** Bytes for options: of the largest message that the client takes, headers of IP and UDP counted. */
function roomFor({ options }: Request, mtu: number): number {
  const most = Math.min(numberIn(options.get(57), 2) ?? 0, mtu) - 28 - headBytes - 4
  return Math.max(most, optionsMin - 4)
}

/** The first that fit, and the end's byte. */
function fitting(options: readonly Uint8Array[], room: number): readonly Uint8Array[] {
  let left = room - 1
  return options.filter(({ length }) => length <= left && (left -= length) >= 0)
}

const option = (code: number, bytes: Uint8Array | readonly number[]): Uint8Array => {
  const parts: number[] = []
  // RFC 3396: what is longer goes on in another one.
  for (let at = 0; at < bytes.length; at += 255) {
    const part = bytes.slice(at, at + 255)
    parts.push(code, part.length, ...part)
  }
  return Uint8Array.from(parts)
}
const bytesOf = (value: number, bytes: number): readonly number[] =>
  Array.from({ length: bytes }, (_, i) => Math.floor(value / 256 ** (bytes - 1 - i)) % 256)
const fixed = (code: number, bytes: 1 | 2 | 4, value: number): Uint8Array => option(code, bytesOf(value, bytes))
const addresses = (code: number, all: readonly string[]): Uint8Array =>
  option(
    code,
    all.flatMap((each) => bytesOf(ipv4Value(each), 4)),
  )

/** In the order in which they are worth their room; those of nothing have no bytes. */
function optionsFor({ guest, v4 }: Around, isInform: boolean): readonly Uint8Array[] {
  const { dns } = guest
  const mask = v4.length === 0 ? 0 : (2 ** 32 - 2 ** (32 - v4.length)) % 2 ** 32
  const lease = isInform ? [] : [fixed(51, 4, leaseSeconds)]
  const gateway = guest.defaultRoute && v4.gateway !== undefined ? [v4.gateway] : []
  return [
    ...lease,
    fixed(1, 4, mask),
    addresses(3, gateway),
    fixed(26, 2, guest.mtu),
    addresses(
      6,
      dns.nameservers.filter((each) => !each.includes(':')),
    ),
    option(121, routesOf(guest, gateway)),
    ...(dns.domain === undefined ? [] : [option(15, new TextEncoder().encode(dns.domain))]),
    option(119, encodeNames(dns.search)),
  ]
}

/** RFC 3442: who reads these passes over the router's option, so that the way out stands here too. */
function routesOf({ routes }: Guest, gateway: readonly string[]): readonly number[] {
  const own = routes.filter(({ nextHop }) => !nextHop.includes(':'))
  if (own.length === 0) return []
  const all = [...own, ...gateway.map((nextHop) => ({ destination: '0.0.0.0/0', nextHop }))]
  return all.flatMap(({ destination, nextHop }) => {
    const block = parseCidr(destination)
    if (block === undefined) return []
    return [block.length, ...bytesOf(Number(block.first), 4).slice(0, Math.ceil(block.length / 8)), ...bytesOf(ipv4Value(nextHop), 4)]
  })
}
