// DHCPv6 (RFC 8415) for the one guest behind a TAP: the address of its Port, and names; routers and MTU are told by advertisements.
import type { Guest } from '../../node/guest.ts'
import { ipv6Value, macValue } from '../../pipeline/openflow/values.ts'
import { Bytes } from '../bytes.ts'
import { viewOf } from '../openflow/openflow.ts'
import { leaseSeconds } from './dhcp.ts'
import { encodeNames } from './domain-names.ts'
import { addressAt, router, udpFrame, type Carried } from './frames.ts'

export const l4Ports = { server: 547, client: 546 } as const
const types = {
  solicit: 1,
  advertise: 2,
  request: 3,
  confirm: 4,
  renew: 5,
  rebind: 6,
  reply: 7,
  release: 8,
  decline: 9,
  inform: 11,
} as const
const codes = {
  client: 1,
  server: 2,
  address: 3,
  temporary: 4,
  iaAddress: 5,
  status: 13,
  rapid: 14,
  dns: 23,
  search: 24,
  prefix: 25,
} as const
const statuses = { success: 0, noAddress: 2, notOnLink: 4, noPrefix: 6 } as const
const known: readonly number[] = Object.values(types)
/** Those that speak to one server name it. */
const named: readonly number[] = [types.request, types.renew, types.release, types.decline]
/** A guest has few; more are an attack. */
const optionsMax = 64
/** All_DHCP_Relay_Agents_and_Servers. */
const allServers = 'ff02::1:2'

interface Option {
  readonly code: number
  readonly bytes: Uint8Array
}

function optionsIn(bytes: Uint8Array): readonly Option[] {
  const view = viewOf(bytes)
  const options: Option[] = []
  for (let at = 0; at < bytes.length;) {
    const [code, length] = [view.getUint16(at), view.getUint16(at + 2)]
    if (at + 4 + length > bytes.length || options.length >= optionsMax) throw new RangeError('an option is cut off')
    options.push({ code, bytes: bytes.subarray(at + 4, at + 4 + length) })
    at += 4 + length
  }
  return options
}

/** A DUID that is the gateway's MAC, the same on every node (section 11.4). */
const serverID = ((): Uint8Array => {
  const bytes = new Bytes(10)
  bytes.u32(0x00030001)
  bytes.u48(router.mac)
  return bytes.written()
})()

const isServer = (bytes: Uint8Array): boolean => bytes.length === serverID.length && bytes.every((byte, i) => byte === serverID[i])

/** @throws RangeError where it is cut off */
export function answerDhcp6(carried: Carried, message: Uint8Array, guest: Guest): Uint8Array | undefined {
  const { v6 } = guest
  const type = message[0] ?? 0
  if (v6 === undefined || !isToServers(carried) || !known.includes(type)) return undefined
  const options = optionsIn(message.subarray(4))
  const find = (code: number): Uint8Array | undefined => options.find((each) => each.code === code)?.bytes
  const [client, server] = [find(codes.client), find(codes.server)]
  if (!isMeant(type, client, server)) return undefined
  const isRapid = type === types.solicit && find(codes.rapid) !== undefined
  const answer = new Bytes(512)
  answer.u8(type === types.solicit && !isRapid ? types.advertise : types.reply)
  answer.raw(message.subarray(1, 4))
  const contents = bodyOf(type, options, { address: ipv6Value(v6.address), dns: guest.dns })
  for (const { code, bytes } of [...headOf(client, isRapid), ...contents]) put(answer, code, bytes)
  return udpFrame(
    { mac: macValue(guest.mac), family: 6, from: router.linkLocal, to: carried.from },
    { from: l4Ports.server, to: l4Ports.client },
    answer.written(),
  )
}

/** Who asked, who answers, and that nothing more is to be agreed. */
const headOf = (client: Uint8Array | undefined, isRapid: boolean): readonly Option[] => [
  ...(client === undefined ? [] : [{ code: codes.client, bytes: client }]),
  { code: codes.server, bytes: serverID },
  ...(isRapid ? [{ code: codes.rapid, bytes: new Uint8Array() }] : []),
]

/** To all servers, from an address of the link: nothing else reaches one that the client cannot have found. */
const isToServers = ({ from, to }: Carried): boolean => to === ipv6Value(allServers) && from >> 118n === 0x3fan

/** Section 16: who has to say who it is, and to whom it speaks. */
function isMeant(type: number, client: Uint8Array | undefined, server: Uint8Array | undefined): boolean {
  if (type === types.advertise || type === types.reply) return false
  if (client === undefined ? type !== types.inform : client.length > 130) return false
  return server === undefined ? !named.includes(type) : isServer(server) && (named.includes(type) || type === types.inform)
}

function put(into: Bytes, code: number, bytes: Uint8Array): void {
  into.room(4 + bytes.length)
  into.u16(code)
  into.u16(bytes.length)
  into.raw(bytes)
}

interface Contents {
  readonly address: bigint
  readonly dns: Guest['dns']
}

function bodyOf(type: number, options: readonly Option[], { address, dns }: Contents): readonly Option[] {
  if (type === types.release || type === types.decline) return [statusOf(statuses.success)]
  if (type === types.confirm) return [statusOf(areAll(options, address) ? statuses.success : statuses.notOnLink)]
  const first = options.findIndex(({ code }) => code === codes.address)
  const associations = options.flatMap(({ code, bytes }, i): readonly Option[] => {
    if (code === codes.address) return [associationOf(bytes, i === first ? address : undefined)]
    if (code === codes.temporary) return [{ code, bytes: joined(bytes.subarray(0, 4), statusOf(statuses.noAddress)) }]
    return code === codes.prefix ? [{ code, bytes: joined(head(bytes, 0), statusOf(statuses.noPrefix)) }] : []
  })
  return [...associations, ...namesOf(dns)]
}

/** IAID, and when to ask again: half and four fifths of the lease. */
function head(bytes: Uint8Array, lease: number): Uint8Array {
  const into = new Bytes(12)
  into.u32(viewOf(bytes).getUint32(0))
  into.u32(lease / 2)
  into.u32((lease * 4) / 5)
  return into.written()
}

/** What the client has of another address is no longer good. */
function associationOf(bytes: Uint8Array, address: bigint | undefined): Option {
  const others = addressesIn(bytes.subarray(12)).filter((each) => each !== address)
  const given = [...(address === undefined ? [] : [leased(address, leaseSeconds)]), ...others.map((each) => leased(each, 0))]
  const status = address === undefined ? [statusOf(statuses.noAddress)] : []
  return { code: codes.address, bytes: joined(head(bytes, address === undefined ? 0 : leaseSeconds), ...given, ...status) }
}

const addressesIn = (bytes: Uint8Array): readonly bigint[] =>
  optionsIn(bytes).flatMap(({ code, bytes: inner }) => (code === codes.iaAddress ? [addressAt(viewOf(inner), 0)] : []))

const areAll = (options: readonly Option[], address: bigint): boolean =>
  options.every(({ code, bytes }) => code !== codes.address || addressesIn(bytes.subarray(12)).every((each) => each === address))

function leased(address: bigint, seconds: number): Option {
  const into = new Bytes(24)
  into.u128(address)
  into.u32(seconds)
  into.u32(seconds)
  return { code: codes.iaAddress, bytes: into.written() }
}

const statusOf = (status: number): Option => ({ code: codes.status, bytes: Uint8Array.of(0, status) })

function joined(start: Uint8Array, ...options: readonly Option[]): Uint8Array {
  const into = new Bytes(64)
  into.raw(start)
  for (const { code, bytes } of options) put(into, code, bytes)
  return into.written()
}

function namesOf({ nameservers, search }: Guest['dns']): readonly Option[] {
  const servers = new Bytes(16 * 8)
  for (const each of nameservers.filter((each) => each.includes(':'))) servers.u128(ipv6Value(each))
  const names = encodeNames(search)
  return [
    ...(servers.at === 0 ? [] : [{ code: codes.dns, bytes: servers.written() }]),
    ...(names.length === 0 ? [] : [{ code: codes.search, bytes: names }]),
  ]
}
