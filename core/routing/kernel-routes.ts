// What the kernel of a node routes for VNIs, as things with a key and a text: both are read back from the kernel. Whatever the data plane
// is, a VNI that is routed has a device of the kernel (its router), which one port of the data plane leads to.
import type { Item } from '../node/item.ts'
import type { Because } from '../node/because.ts'
import { egressReaders, egressWriters, type EgressThing } from './egress-things.ts'
import { untrackedReaders, untrackedWriters, type UntrackedThing } from './untracked.ts'
import { serviceReaders, serviceWriters, type ServiceThing } from './service-things.ts'

export type KernelRoute =
  /** The device and the data plane's port, where the data plane does not make them itself. */
  | { readonly kind: 'pair'; readonly vni: number; readonly up: boolean }
  /** The device is the gateway: it has its MAC, takes in what is for it, and passes it on. */
  | { readonly kind: 'device'; readonly vni: number; readonly right: boolean }
  /** Which table is asked about what comes from a VNI, or goes to a block. */
  | ({ readonly kind: 'rule' } & RuleKey & { readonly table: number | undefined })
  /** Ours, in the table of a group. */
  | ({ readonly kind: 'route'; readonly table: number; readonly to: string } & RouteLead)
  /** Who has an address behind the router. */
  | { readonly kind: 'neighbour'; readonly vni: number; readonly address: string; readonly mac: string }
  | ServiceThing
  | EgressThing
  | UntrackedThing

export interface RuleKey {
  readonly priority: number
  /** What comes from its router; absent: what comes from anywhere. */
  readonly vni?: number
  /** Only what is from this block; absent: from anywhere. */
  readonly from?: string
  /** A block; of a rule without one the family is said. */
  readonly to: string
  /** Only what is marked as of this router: its number, or that among those of egress; absent: whatever its mark. */
  readonly mark?: number
}

/** Behind the router of a VNI, in packets of so many bytes at most; or no way in this table, whatever shorter prefixes there are. */
export type RouteLead =
  /** `via`: to a neighbour there, whoever has the address; `leaving`: it is about to go, and others are told so first (RFC 8326). */
  { readonly vni: number; readonly via?: string; readonly mtu?: number; readonly leaving?: boolean } | { readonly vni?: undefined }

/** What a prefix of such a key begins with: nothing else in a data plane does. */
export const kernelPrefix = 'kernel/'
export const isKernelKey = (key: string): boolean => key.startsWith(kernelPrefix)

export const keyOf = (thing: KernelRoute): string => `${kernelPrefix}${texts(thing)[0]}`
export const textOf = (thing: KernelRoute): string => texts(thing)[1]

type KeyAndText = readonly [key: string, text: string]
const writers: { readonly [K in KernelRoute['kind']]: (thing: Extract<KernelRoute, { readonly kind: K }>) => KeyAndText } = {
  pair: ({ vni, up }) => [`pair/${vni}`, up ? 'up' : 'down'],
  device: ({ vni, right }) => [`device/${vni}`, right ? 'the gateway' : 'not the gateway'],
  rule: ({ priority, vni, from, to, mark, table }) => [
    `rule/${priority}/${vni ?? 'any'}/${table ?? 'none'}/${to}${optionText('from', from)}${optionText('mark', mark)}`,
    table === undefined ? 'unreachable' : `table ${table}`,
  ],
  // Behind one that leads somewhere there may be one that does not.
  route: (thing) =>
    thing.vni === undefined ? [`past/${thing.table}/${thing.to}`, 'no way'] : [`route/${thing.table}/${thing.to}`, leadText(thing)],
  neighbour: ({ vni, address, mac }) => [`neighbour/${vni}/${address}`, mac],
  ...serviceWriters,
  ...egressWriters,
  ...untrackedWriters,
}
const optionText = (word: string, value: string | number | undefined): string => (value === undefined ? '' : ` ${word} ${value}`)
const leadText = ({ vni, via, mtu, leaving }: Extract<RouteLead, { readonly vni: number }>): string =>
  `into ${vni}${via === undefined ? '' : ` via ${via}`}${mtu === undefined ? '' : ` mtu ${mtu}`}${leaving === true ? ' leaving' : ''}`
const texts = (thing: KernelRoute): KeyAndText => (writers[thing.kind] as (of: KernelRoute) => KeyAndText)(thing)

/**
 * The thing of a key and a text that `keyOf` and `textOf` gave: enough of it to drop it.
 *
 * @throws RangeError for any other: a fault of the program
 */
export function kernelRouteOf(key: string, text: string): KernelRoute {
  const [is = '', first = '', second = '', ...rest] = key.slice(kernelPrefix.length).split('/')
  const parts = [first, second, ...rest]
  const readers: Readonly<Record<string, () => KernelRoute>> = {
    pair: () => ({ kind: 'pair', vni: Number(first), up: text === 'up' }),
    device: () => ({ kind: 'device', vni: Number(first), right: text === 'the gateway' }),
    rule: () => ({
      kind: 'rule',
      priority: Number(first),
      ...(second === 'any' ? {} : { vni: Number(second) }),
      ...blocksOf(rest.slice(1).join('/')),
      table: rest[0] === 'none' ? undefined : Number(rest[0]),
    }),
    past: () => ({ kind: 'route', table: Number(first), to: [second, ...rest].join('/') }),
    route: () => ({ kind: 'route', table: Number(first), to: [second, ...rest].join('/'), ...leadOf(text) }),
    neighbour: () => ({ kind: 'neighbour', vni: Number(first), address: second, mac: text }),
    vip: () => serviceReaders.vip(parts, text),
    service: () => serviceReaders.service(parts, text),
    from: () => serviceReaders.from(parts, text),
    egress: () => egressReaders.egress(parts, text),
    sender: () => egressReaders.sender(parts, text),
    untracked: () => untrackedReaders.untracked(parts),
  }
  const read = readers[is]
  if (read === undefined) throw new RangeError(`${key} is nothing that the kernel routes`)
  return read()
}

function blocksOf(text: string): Pick<RuleKey, 'from' | 'to' | 'mark'> {
  const [, to = '', from, mark] = /^(\S+)(?: from (\S+))?(?: mark (\d+))?$/.exec(text) ?? []
  return { to, ...(from !== undefined && { from }), ...(mark !== undefined && { mark: Number(mark) }) }
}

function leadOf(text: string): RouteLead {
  const [, vni, via, mtu, leaving] = /^into (\d+)(?: via (\S+))?(?: mtu (\d+))?( leaving)?$/.exec(text) ?? []
  if (vni === undefined) return {}
  return {
    vni: Number(vni),
    ...(via !== undefined && { via }),
    ...(mtu !== undefined && { mtu: Number(mtu) }),
    ...(leaving !== undefined && { leaving: true }),
  }
}

export const routeItems = (because: Because, things: readonly KernelRoute[]): readonly Item<KernelRoute>[] =>
  things.map((thing) => ({ key: keyOf(thing), text: textOf(thing), value: thing, because }))
