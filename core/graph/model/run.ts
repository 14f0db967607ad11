// What becomes of a frame in bessd's graph: from module to module, as core/modules/*.cc have it. As many classes as our graph of VNIs uses;
// another is an error, so that a new one comes here too.
import type { Attr, CopiedAttr, Hex, MatchField, ModuleArgs } from '../elements.ts'
import { hexOf } from '../bytes.ts'
import type { Graph, Module, Rule } from './graph.ts'

export interface Packet {
  readonly bytes: Hex
  readonly metadata: ReadonlyMap<string, Hex>
}
export interface Outs {
  /** Out of a port, by its role. */
  port(role: string, bytes: Hex): void
  /** Into the tunnel: the MAC of the host would be looked for next. */
  tunnel(packet: Packet): void
  /** Told of each module that it comes to, by its role. */
  met?(role: string): void
}

/** Where the way to a host begins, which is the data plane's own and no item (agent/dataplanes/bess/hops.ts). */
const hops = 'nexthop'
const [outerDigits, arpRequest] = [100, '0001'] as const
const stepsMost = 1_000

/** The module that is next, where there is one. */
type Way = readonly [next: string | undefined, packet: Packet]

/** @param role of the module that it comes in at */
export function run(graph: Graph, role: string, packet: Packet, outs: Outs): void {
  const ways: Way[] = [[role, packet]]
  for (let steps = 0; ways.length > 0; steps++) {
    if (steps === stepsMost) throw new Error(`a frame goes round in the graph, from ${role} on`)
    const [at, is] = ways.shift()!
    const module = graph.modules.get(at ?? '')
    if (at === undefined || module === undefined) continue
    outs.met?.(at)
    ways.push(...through(at, module, is, outs))
  }
}

function through(role: string, module: Module, packet: Packet, outs: Outs): readonly Way[] {
  const { args, next } = module
  if (role === hops || args.mclass === 'PortOut') {
    if (args.mclass === 'PortOut') outs.port(args.port, packet.bytes)
    else outs.tunnel(packet)
    return []
  }
  // A copy has no metadata (Packet::copy in core/packet.cc); the packet itself goes to the first.
  if (args.mclass === 'Replicate') return next.map((each, i) => [each, i === 0 ? packet : { ...packet, metadata: new Map<string, Hex>() }])
  if (args.mclass === 'ExactMatch' || args.mclass === 'WildcardMatch') return [[strongest(module, args, packet) ?? next[0], packet]]
  const is = changed(args, packet)
  return is === undefined ? [] : [[next[0], is]]
}

type Changed<K extends ModuleArgs['mclass']> = (args: ModuleArgs & { readonly mclass: K }, packet: Packet) => Packet | undefined
const unchanged = (_: ModuleArgs, packet: Packet): Packet => packet
const changes: { readonly [K in ModuleArgs['mclass']]?: Changed<K> } = {
  PortInc: unchanged,
  Queue: unchanged,
  IPEncap: unchanged,
  VXLANEncap: unchanged,
  SetMetadata: ({ attrs }, { bytes, metadata }) => ({
    bytes,
    metadata: new Map([...metadata, ...attrs.map((attr) => [attr.name, valueOf(attr, bytes)] as const)]),
  }),
  Update: ({ fields }, { bytes, metadata }) => ({
    bytes: fields.reduce((is, { offset, value }) => written(is, offset, value), bytes),
    metadata,
  }),
  IPChecksum: (_, { bytes, metadata }) => ({ bytes: written(bytes, 24, checksumOf(bytes)), metadata }),
  IPSwap: (_, { bytes, metadata }) => ({ bytes: written(bytes, 26, at(bytes, 30, 4) + at(bytes, 26, 4)), metadata }),
  UpdateTTL(_, { bytes, metadata }) {
    const ttl = Number.parseInt(at(bytes, 22, 1), 16)
    return ttl <= 1 ? undefined : { bytes: written(written(bytes, 22, hexOf(ttl - 1, 1)), 24, oneLess(at(bytes, 24, 2))), metadata }
  },
  GenericDecap: (args, { bytes, metadata }) => ({ bytes: bytes.slice(args.bytes * 2), metadata }),
  GenericEncap: ({ attr, value }, { bytes, metadata }) => ({
    bytes: `${attr === undefined ? '' : metadata.get(attr.name)}${value}${bytes}`,
    metadata,
  }),
  ArpResponder: ({ mac }, { bytes, metadata }) => ({ bytes: answered(bytes, mac.replaceAll(':', '')), metadata }),
  VXLANDecap: (_, { bytes, metadata }) => decapsulated(bytes, metadata),
}

/** What a module of one way makes of it; undefined: it is dropped. */
function changed(args: ModuleArgs, packet: Packet): Packet | undefined {
  const change = changes[args.mclass] as ((args: ModuleArgs, packet: Packet) => Packet | undefined) | undefined
  if (change === undefined) throw new TypeError(`the model of bessd has no ${args.mclass}`)
  return change(args, packet)
}

const at = (bytes: Hex, offset: number, count: number): Hex => bytes.slice(offset * 2, (offset + count) * 2)
const written = (bytes: Hex, offset: number, value: Hex): Hex => bytes.slice(0, offset * 2) + value + bytes.slice(offset * 2 + value.length)

/** Of an IPv4 header as long as it says: RFC 1071. */
function checksumOf(bytes: Hex): Hex {
  const length = (Number.parseInt(at(bytes, 14, 1), 16) & 15) * 4
  let sum = 0
  for (let offset = 0; offset < length; offset += 2) sum += offset === 10 ? 0 : Number.parseInt(at(bytes, 14 + offset, 2), 16)
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >> 16)
  return hexOf(~sum & 0xffff, 2)
}

/** The checksum of a header whose first byte of a word is one less (RFC 1624). */
function oneLess(checksum: Hex): Hex {
  const sum = Number.parseInt(checksum, 16) + 0x0100
  return hexOf((sum & 0xffff) + (sum >> 16), 2)
}

const valueOf = (attr: Attr | CopiedAttr, bytes: Hex): Hex => ('value' in attr ? attr.value : at(bytes, attr.offset, attr.bytes))

/** In place (core/modules/arp_responder.cc). */
function answered(bytes: Hex, mac: Hex): Hex {
  const [asker, asked] = [at(bytes, 22, 10), at(bytes, 38, 4)]
  if (at(bytes, 20, 2) !== arpRequest) return bytes
  return [at(bytes, 6, 6), mac, at(bytes, 12, 8), '0002', mac, asked, asker].join('')
}

function decapsulated(bytes: Hex, metadata: ReadonlyMap<string, Hex>): Packet {
  const outer = [
    ['tun_ip_src', at(bytes, 26, 4)],
    ['tun_ip_dst', at(bytes, 30, 4)],
    ['tun_id', `00${at(bytes, 46, 3)}`],
  ] as const
  return { bytes: bytes.slice(outerDigits), metadata: new Map([...metadata, ...outer]) }
}

/** Where a rule leads; undefined: none matches. Nowhere is one of the places. */
function strongest(module: Module, args: TableArgs, packet: Packet): string | undefined {
  const { byKey, sorted } = readied(module, args)
  const found = args.fields.map((field) => read(field, packet))
  if (args.mclass === 'ExactMatch') return byKey.get(found.map((value, i) => masked(value, args.fields[i]!.mask)).join('.'))
  return sorted.find(({ terms }) => terms.every(([i, value, mask]) => masked(found[i]!, mask) === value))?.to
}

type TableArgs = Extract<ModuleArgs, { readonly mclass: 'ExactMatch' | 'WildcardMatch' }>
interface Ready {
  readonly version: number
  readonly byKey: ReadonlyMap<string, string>
  readonly sorted: readonly { readonly terms: readonly (readonly [field: number, value: Hex, mask: Hex])[]; readonly to: string }[]
}
const ready = new WeakMap<Module, Ready>()

/** Rules as they are looked up: made once for as long as they stay. */
function readied(module: Module, { mclass }: TableArgs): Ready {
  const known = ready.get(module)
  if (known?.version === module.version) return known
  const all = [...module.rules.values()]
  const made: Ready = {
    version: module.version,
    byKey: new Map(mclass === 'ExactMatch' ? all.map(({ values, to }) => [values.join('.'), to]) : []),
    sorted:
      mclass === 'ExactMatch'
        ? []
        : all.sort((a, b) => (b.priority ?? 0) - (a.priority ?? 0)).map((rule) => ({ terms: termsOf(rule), to: rule.to })),
  }
  ready.set(module, made)
  return made
}

const termsOf = ({ values, masks = [] }: Rule): Ready['sorted'][number]['terms'] =>
  values.flatMap((value, i) => (/^0*$/.test(masks[i]!) ? [] : [[i, value, masks[i]!] as const]))

/** What is behind a frame's end reads as zeros, as whatever stands in the buffer there is nobody's business. */
function read({ at: place, bytes: count }: MatchField, { bytes, metadata }: Packet): Hex {
  return typeof place === 'string' ? (metadata.get(place) ?? '00'.repeat(count)) : at(bytes, place, count).padEnd(count * 2, '0')
}

function masked(value: Hex, mask: Hex | undefined): Hex {
  if (mask === undefined || /^f*$/.test(mask)) return value
  return (BigInt(`0x${value}`) & BigInt(`0x${mask}`)).toString(16).padStart(value.length, '0')
}
