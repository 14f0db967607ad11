// VLANs as OpenConfig has them (openconfig-vlan 3.2, openconfig-interfaces 3.8): from a switch's JSON to values, and the changes back.
import { isObject, type Json } from '../../json.ts'
import { parseVlan, type VlanId } from '../../net/segment.ts'

/** A VLAN, or a range "10..20" of somebody's. */
export type TrunkEntry = number | string

export interface VlanPort {
  readonly name: string
  /** Where its switched-vlan is. */
  readonly under: 'ethernet' | 'aggregation'
  readonly mode: 'ACCESS' | 'TRUNK' | undefined
  readonly native: number | undefined
  readonly entries: readonly TrunkEntry[]
}
export interface SwitchVlans {
  readonly ports: ReadonlyMap<string, VlanPort>
  /** VLANs of the network instance → name. */
  readonly names: ReadonlyMap<number, string>
}

/** JSON_IETF puts the module in front of outermost names and identities (RFC 7951 section 4); JSON does not. */
export function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name.replace(/^[A-Za-z][\w-]*:/, ''), plain(each)]))
}
export const fields = (value: unknown): Json => (isObject(value) ? value : {})
export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
/** Numbers stand as numbers or, in some targets, as text. */
export const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' ? value : typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : undefined

/**
 * @param interfaces what stands at /interfaces
 * @param vlans      what stands at …/network-instance[name=X]/vlans
 */
export function readVlans(interfaces: unknown, vlans: unknown): SwitchVlans {
  const ports = list(fields(plain(interfaces))['interface']).map((each) => readPort(fields(each)))
  const names = list(fields(plain(vlans))['vlan']).flatMap((each) => {
    const { config, 'vlan-id': key } = fields(each)
    const id = numberOf(key) ?? numberOf(fields(config)['vlan-id'])
    return id === undefined ? [] : [[id, textOf(fields(config)['name'])] as const]
  })
  return { ports: new Map(ports.map((each) => [each.name, each])), names: new Map(names) }
}
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

function readPort(item: Json): VlanPort {
  const { name, config, aggregation, ethernet } = item
  const lag = aggregation !== undefined || textOf(fields(config)['type']).endsWith('ieee8023adLag')
  const switched = fields(fields(fields(lag ? aggregation : ethernet)['switched-vlan'])['config'])
  const mode = textOf(switched['interface-mode'])
  const entries = list(switched['trunk-vlans']).flatMap((each) => numberOf(each) ?? (typeof each === 'string' ? each : []))
  return {
    name: textOf(name),
    under: lag ? 'aggregation' : 'ethernet',
    mode: mode === 'ACCESS' || mode === 'TRUNK' ? mode : entries.length > 0 ? 'TRUNK' : undefined,
    native: numberOf(switched['native-vlan']),
    entries,
  }
}

/** Every VLAN that entries stand for. */
export function spell(entries: readonly TrunkEntry[]): Set<VlanId> {
  const vlans = new Set<VlanId>()
  for (const entry of entries) {
    const [first, last] = typeof entry === 'number' ? [entry, entry] : rangeOf(entry)
    for (let number = first; number <= last; number++) {
      const vlan = parseVlan(number)
      if (vlan !== undefined) vlans.add(vlan)
    }
  }
  return vlans
}

function rangeOf(text: string): readonly [number, number] {
  const [, low, high] = /^(\d+)\.\.(\d+)$/.exec(text) ?? []
  return low === undefined || high === undefined ? [1, 0] : [Number(low), Math.min(Number(high), 4_094)]
}

/** trunk-vlans after some changes: entries of others, ranges among them, stay as and where they are. */
export function changedEntries(
  entries: readonly TrunkEntry[],
  open: ReadonlySet<number>,
  close: ReadonlySet<number>,
): readonly TrunkEntry[] {
  const kept = entries.filter((entry) => typeof entry !== 'number' || !close.has(entry))
  return [...kept, ...[...open].filter((vlan) => !kept.includes(vlan)).sort((a, b) => a - b)]
}
