// What a flow or a group's bucket does with a packet, and one spelling of it: that of ovs-actions(7).
import { printCookie, type Cookie } from '../cookie.ts'
import { printNat, type Nat } from './nat.ts'
import type { Field } from './fields.ts'
import { printValue, type FieldValue } from './values.ts'

/** Bits of a field, from the lowest one, 0. */
export interface Bits {
  readonly field: Field
  readonly from: number
  readonly count: number
}

export interface SetField {
  readonly do: 'set'
  readonly field: Field
  readonly value: FieldValue
}

/** 53 bits at most. */
export interface LoadBits {
  readonly do: 'load'
  readonly to: Bits
  readonly value: number
}

/** Connection tracking. With `table` a copy of the packet goes on there with its ct_state; this one goes on without. */
export interface Conntrack {
  readonly do: 'ct'
  /** A number, or where it stands: bits of a register. 0 is Open vSwitch's default. */
  readonly zone: number | Bits
  readonly table?: number
  /** The connection is kept. `force`: also where it is known the other way round, which is forgotten. */
  readonly commit?: 'new' | 'force'
  readonly nat?: Nat
  /** Sets ct_mark and ct_label; with `commit` alone. */
  readonly exec?: readonly (SetField | LoadBits)[]
  /** Whose related connections are expected. */
  readonly alg?: 'ftp' | 'tftp'
}

/** Why a packet was sent to a controller (OpenFlow 1.4 section 7.4.1). */
export const reasons = ['no_match', 'action', 'invalid_ttl', 'action_set', 'group', 'packet_out'] as const

/** A packet for whoever listens on the bridge: of the first `maxBytes`, within the rate of a meter. */
export interface ToController {
  readonly do: 'controller'
  readonly maxBytes?: number
  /** 0, the default: every controller that has said nothing else. */
  readonly controller?: number
  readonly reason?: (typeof reasons)[number]
  /** Comes back with the packet. */
  readonly userdata?: Uint8Array
  readonly meter?: number
}

/** One packet of 65,536 / `probability` to the IPFIX collectors of a row of Flow_Sample_Collector_Set. */
export interface Sample {
  readonly do: 'sample'
  /** 1 to 65,535. */
  readonly probability: number
  readonly collectorSet: number
  readonly domain: number
  readonly point: number
}

/** The `clause`th of `of` dimensions, counted from 1, of what matches as conj_id `id`. */
export interface Conjunction {
  readonly do: 'conjunction'
  readonly id: number
  readonly clause: number
  readonly of: number
}

/** Bits and what they are to have: the value of other bits of the packet, or this one. */
export interface Copied {
  readonly to: Bits
  readonly of: Bits | number
}

/**
 * The packet makes a flow in another table, or renews the one that has its match. All that a flow has so made goes with it
 * (`delete_learned`): several of one cookie in one table are as one in that.
 */
export interface Learn {
  readonly do: 'learn'
  readonly table: number
  readonly priority: number
  readonly cookie: Cookie
  /** After the last packet that made or renewed it: using it is nothing. */
  readonly ageSeconds: number
  /** With its cookie in that table: where there are as many none is added, nor changed to be so. */
  readonly most: number
  /** What it matches. */
  readonly match: readonly Copied[]
  /** What it writes. */
  readonly loads: readonly Copied[]
}

export type Action =
  | SetField
  | LoadBits
  | { readonly do: 'move'; readonly of: Bits; readonly to: Bits }
  | { readonly do: 'output'; readonly number: number }
  | { readonly do: 'outputTo'; readonly of: Bits }
  | { readonly do: 'decTtl' }
  | { readonly do: 'popVlan' }
  | { readonly do: 'group'; readonly group: number }
  | { readonly do: 'setQueue'; readonly queue: number }
  | { readonly do: 'popQueue' }
  | Conjunction
  | { readonly do: 'ctClear' }
  /** What a table does with the packet, and then this flow goes on: with what that has written on it. */
  | { readonly do: 'resubmit'; readonly table: number }
  | Conntrack
  | Learn
  | ToController
  | Sample
  | { readonly do: 'meter'; readonly meter: number }
  | { readonly do: 'goto'; readonly table: number }

/** Numbers of ports that are none (OpenFlow 1.4 section 7.2.1). */
export const backToSender = 0xfffffff8
export const normal = 0xfffffffa

export const set = (field: Field, value: FieldValue): SetField => ({ do: 'set', field, value })
export const load = (to: Bits, value: number): LoadBits => ({ do: 'load', to, value })
export const move = (of: Bits, to: Bits): Action => ({ do: 'move', of, to })
export const output = (number: number): Action => ({ do: 'output', number })
export const resubmit = (table: number): Action => ({ do: 'resubmit', table })
export const goto = (table: number): Action => ({ do: 'goto', table })
/** It stands in its flow beside others of its kind, and nothing else. */
export const conjunction = (id: number, clause: number, of: number): Conjunction => ({ do: 'conjunction', id, clause, of })
/** All bits of a field, or its lowest `count`. */
export const bits = (field: Field, count = field.bytes * 8): Bits => ({ field, from: 0, count })

const printBits = ({ field, from, count }: Bits): string => `${field.name}[${from}..${from + count - 1}]`
const names: ReadonlyMap<number, string> = new Map([
  [backToSender, 'IN_PORT'],
  [normal, 'NORMAL'],
])
const hex2 = (byte: number): string => byte.toString(16).padStart(2, '0')
const joined = (parts: readonly (string | false | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== false && part !== '').join(',')
/** A part of it, where it is there. */
const part = <Value>(value: Value | undefined, print: (value: Value) => string): string => (value === undefined ? '' : print(value))

const printers: { readonly [Do in Action['do']]: (action: Extract<Action, { do: Do }>) => string } = {
  set: ({ field, value }) => `set_field:${printValue(field, value)}->${field.name}`,
  load: ({ to, value }) => `load:0x${value.toString(16)}->${printBits(to)}`,
  move: ({ of, to }) => `move:${printBits(of)}->${printBits(to)}`,
  output: ({ number }) => names.get(number) ?? `output:${number}`,
  outputTo: ({ of }) => `output:${printBits(of)}`,
  decTtl: () => 'dec_ttl',
  popVlan: () => 'pop_vlan',
  group: ({ group }) => `group:${group}`,
  setQueue: ({ queue }) => `set_queue:${queue}`,
  popQueue: () => 'pop_queue',
  conjunction: ({ id, clause, of }) => `conjunction(${id}${clauseText(clause, of)}`,
  ctClear: () => 'ct_clear',
  resubmit: ({ table }) => `resubmit(,${table})`,
  ct: printConntrack,
  learn: printLearn,
  controller: printController,
  sample: ({ probability, collectorSet, domain, point }) =>
    `sample(probability=${probability},collector_set_id=${collectorSet},obs_domain_id=${domain},obs_point_id=${point})`,
  meter: ({ meter }) => `meter:${meter}`,
  goto: ({ table }) => `goto_table:${table}`,
}
/** Of the thousand conjunctions of a flow only a few differ in this: it is written once. */
const clauseTexts = new Map<number, string>()
function clauseText(clause: number, of: number): string {
  const both = clause * 64 + of
  const known = clauseTexts.get(both)
  if (known !== undefined) return known
  const text = `,${clause}/${of})`
  clauseTexts.set(both, text)
  return text
}

export const printAction = (action: Action): string => (printers[action.do] as (of: Action) => string)(action)
export const printActions = (actions: readonly Action[]): string => (actions.length === 0 ? 'drop' : actions.map(printAction).join(','))

function printConntrack({ zone, table, commit, nat, exec = [], alg }: Conntrack): string {
  const text = joined([
    part(commit, (how) => (how === 'force' ? 'commit,force' : 'commit')),
    part(table, (number) => `table=${number}`),
    zone !== 0 && `zone=${typeof zone === 'number' ? zone : printBits(zone)}`,
    part(nat, printNat),
    exec.length > 0 && `exec(${exec.map(printAction).join(',')})`,
    part(alg, (name) => `alg=${name}`),
  ])
  return text === '' ? 'ct' : `ct(${text})`
}

function printLearn({ table, priority, cookie, ageSeconds, most, match, loads }: Learn): string {
  const value = (of: Copied['of']): string => (typeof of === 'number' ? `0x${of.toString(16)}` : printBits(of))
  const parts = [
    ...match.map(({ to, of }) => `${printBits(to)}=${value(of)}`),
    ...loads.map(({ to, of }) => `load:${value(of)}->${printBits(to)}`),
  ]
  const head = `table=${table}, hard_timeout=${ageSeconds}, priority=${priority}, delete_learned, cookie=${printCookie(cookie)}, limit=${most}`
  return `learn(${[head, ...parts].join(', ')})`
}

/** All of a packet: what is more than a message holds does not come. */
const wholePacket = 65_535

function printController({ maxBytes, controller = 0, reason = 'action', userdata, meter }: ToController): string {
  const more = joined([
    reason !== 'action' && `reason=${reason}`,
    part(maxBytes, (bytes) => `max_len=${bytes}`),
    controller !== 0 && `id=${controller}`,
    part(userdata, (bytes) => `userdata=${[...bytes].map(hex2).join('.')}`),
    part(meter, (id) => `meter_id=${id}`),
  ])
  const isPlain = [controller === 0, reason === 'action', userdata === undefined, meter === undefined].every(Boolean)
  return isPlain ? `CONTROLLER:${maxBytes ?? wholePacket}` : `controller(${more})`
}
