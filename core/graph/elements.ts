// The graph of BESS modules as items. A role is a module's name for us: `guard.17`; the daemon's name has its arguments behind it, so
// that what cannot be asked of a module is told by its name, to a second instance too, and is gone with the daemon.
import type { Because } from '../node/because.ts'
import type { Item } from '../node/item.ts'

/** Bytes as hex digits, in the order in which they stand in a packet. */
export type Hex = string

/** What a table looks at: metadata of the packet, or bytes at an offset from the frame's first. */
export interface MatchField {
  readonly at: string | number
  readonly bytes: number
  /** Absent: all bits. For exact tables only: wildcards have masks in their rules. */
  readonly mask?: Hex
}

export interface Attr {
  readonly name: string
  readonly value: Hex
}
/** What the packet has at an offset. */
export interface CopiedAttr {
  readonly name: string
  readonly offset: number
  readonly bytes: number
}

/** Arguments by class. A port is named by its role. */
export type ModuleArgs =
  | { readonly mclass: 'PortInc' | 'PortOut'; readonly port: string; readonly device: string }
  | { readonly mclass: 'SetMetadata'; readonly attrs: readonly (Attr | CopiedAttr)[] }
  | { readonly mclass: 'ExactMatch' | 'WildcardMatch'; readonly fields: readonly MatchField[] }
  /** `open`: what stands behind its gates is told by elements of their own, and free gates wait for more. */
  | { readonly mclass: 'Replicate'; readonly gates: number; readonly open?: true }
  | { readonly mclass: 'ArpResponder'; readonly ip: string; readonly mac: string }
  | { readonly mclass: 'Update'; readonly fields: readonly { readonly offset: number; readonly value: Hex }[] }
  | { readonly mclass: 'VXLANEncap'; readonly l4Port: number }
  /** `tci`: priority, and the VLAN in its lowest twelve bits (IEEE 802.1Q). */
  | { readonly mclass: 'VLANPush'; readonly tci: number }
  /** Bytes in front of the frame, metadata first, and off it. */
  | { readonly mclass: 'GenericEncap'; readonly attr?: Pick<CopiedAttr, 'name' | 'bytes'>; readonly value: Hex }
  | { readonly mclass: 'GenericDecap'; readonly bytes: number }
  | { readonly mclass: 'Queue'; readonly slots: number }
  | { readonly mclass: 'VXLANDecap' | 'IPEncap' | 'EtherEncap' | 'UpdateTTL' | 'VLANPop' | 'IPChecksum' | 'IPSwap' }

export interface ModuleElement {
  readonly kind: 'module'
  readonly role: string
  readonly args: ModuleArgs
  /** Roles behind output gates 0, 1, …; of a table: behind its default gate, none: what no rule matches is dropped. */
  readonly next: readonly string[]
}

/** One entry of a table. Which gate it uses is settled when it is put, by the module that it leads to. */
export interface RuleElement {
  readonly kind: 'rule'
  readonly table: string
  /** A value for each field of the table. */
  readonly values: readonly Hex[]
  /** Of wildcard tables: a mask for each field. */
  readonly masks?: readonly Hex[]
  /** Of wildcard tables: the highest that matches wins. */
  readonly priority?: number
  /** A role, or `drop`. */
  readonly to: string
}

/** One more that gets a copy: it stands behind a free gate of one of the open modules `FAMILY.0`, `FAMILY.1`, … */
export interface CopyElement {
  readonly kind: 'copy'
  readonly family: string
  /** A role. */
  readonly to: string
}

export interface PortElement {
  readonly kind: 'port'
  readonly role: string
  /** DPDK's device string: name, comma, arguments; or `kernel,iface=NAME`. */
  readonly vdev: string
}

/** No more than this of what a module's task brings: of a PortInc or a Queue. */
export interface LimitElement {
  readonly kind: 'limit'
  /** Of the module. */
  readonly role: string
  readonly bitsPerSecond: number
}

/** All workers run: forwarding was paused, and nobody is about to resume it. */
export interface RunningElement {
  readonly kind: 'running'
}

/** Something that is there and that nobody wants: its key says all that is needed to drop it. */
export interface GoneElement {
  readonly kind: 'gone'
  readonly key: string
}

export type MadeElement = ModuleElement | RuleElement | CopyElement | PortElement | LimitElement | RunningElement
export type Element = MadeElement | GoneElement
export type GraphItem = Item<Element>

const attrText = (attr: Attr | CopiedAttr): string => `${attr.name}=${'value' in attr ? attr.value : `@${attr.offset}/${attr.bytes}`}`
const fieldText = ({ at, bytes, mask }: MatchField): string => `${at}/${bytes}${mask === undefined ? '' : `&${mask}`}`

type ByClass<Out> = { readonly [K in ModuleArgs['mclass']]?: (args: ModuleArgs & { readonly mclass: K }) => Out }
const portText = ({ port, device }: { readonly port: string; readonly device: string }): string => `${port} ${device}`
const fieldsText = ({ fields }: { readonly fields: readonly MatchField[] }): string => fields.map(fieldText).join(' ')
const argsTexts: ByClass<string> = {
  PortInc: portText,
  PortOut: portText,
  SetMetadata: ({ attrs }) => attrs.map(attrText).join(' '),
  ExactMatch: fieldsText,
  WildcardMatch: fieldsText,
  Replicate: ({ gates, open }) => `${gates}${open === true ? ' open' : ''}`,
  ArpResponder: ({ ip, mac }) => `${ip} ${mac}`,
  Update: ({ fields }) => fields.map(({ offset, value }) => `${offset}=${value}`).join(' '),
  VXLANEncap: ({ l4Port }) => String(l4Port),
  VLANPush: ({ tci }) => String(tci),
  GenericEncap: ({ attr, value }) => (attr === undefined ? value : `${attr.name}/${attr.bytes} ${value}`),
  GenericDecap: ({ bytes }) => String(bytes),
  Queue: ({ slots }) => String(slots),
}

/** Arguments as they stand in a module's name: everything that makes it what it is. No two spellings of one thing. */
export const argsText = (args: ModuleArgs): string => (argsTexts[args.mclass] as ((args: ModuleArgs) => string) | undefined)?.(args) ?? ''

/** Behind the role in the daemon's name, and the first part of the item's text. */
export const classText = (args: ModuleArgs): string => `${args.mclass}(${argsText(args)})`

/** @param next roles, none where there is no module behind a gate */
export const moduleText = (made: string, next: readonly string[]): string => (next.length === 0 ? made : `${made} > ${next.join(' ')}`)

export const moduleKey = (role: string): string => `module/${role}`
export const limitKey = (role: string): string => `limit/${role}`
export const limitText = (bitsPerSecond: number): string => `${bitsPerSecond} bits a second`
export const portKey = (role: string): string => `port/${role}`
/** Whether a module is open, by its class text. */
export const isOpen = (made: string): boolean => /^Replicate\(\d+ open\)$/.test(made)
export const familyOf = (role: string): string => role.slice(0, role.lastIndexOf('.'))
export const copyKey = ({ family, to }: Pick<CopyElement, 'family' | 'to'>): string => `copy/${family}/${to}`
export const copyText = 'there'
export const runningKey = 'workers'
export const runningText = 'running'

/** `rule/TABLE/VALUES`, or `rule/TABLE/VALUES/MASKS`: values and masks are hex with dots between the fields. */
export const ruleKey = ({ table, values, masks }: Pick<RuleElement, 'table' | 'values' | 'masks'>): string =>
  `rule/${table}/${values.join('.')}${masks === undefined ? '' : `/${masks.join('.')}`}`
export const ruleText = ({ to, priority }: Pick<RuleElement, 'to' | 'priority'>): string =>
  priority === undefined ? to : `${to} priority ${priority}`

/** The parts of a copy's key; undefined for another key. */
export function copyOfKey(key: string): Pick<CopyElement, 'family' | 'to'> | undefined {
  const [kind, family, to] = key.split('/')
  return kind !== 'copy' || family === undefined || to === undefined ? undefined : { family, to }
}

/** The parts of a rule's key; undefined for another key. */
export function ruleOfKey(key: string): Pick<RuleElement, 'table' | 'values' | 'masks'> | undefined {
  const [kind, table, values, masks] = key.split('/')
  if (kind !== 'rule' || table === undefined || values === undefined) return undefined
  return { table, values: values.split('.'), ...(masks !== undefined && { masks: masks.split('.') }) }
}

export function itemOfElement(value: MadeElement, because: Because): GraphItem {
  switch (value.kind) {
    case 'module':
      return { key: moduleKey(value.role), text: moduleText(classText(value.args), value.next), value, because }
    case 'rule':
      return { key: ruleKey(value), text: ruleText(value), value, because }
    case 'copy':
      return { key: copyKey(value), text: copyText, value, because }
    case 'port':
      return { key: portKey(value.role), text: value.vdev, value, because }
    case 'limit':
      return { key: limitKey(value.role), text: limitText(value.bitsPerSecond), value, because }
    case 'running':
      return { key: runningKey, text: runningText, value, because }
  }
}
