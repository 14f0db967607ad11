// A flow as a value: what it matches, what it does, and one spelling of both, so that what a switch reads back compares with what was meant.
import { printCookie, type Cookie } from './cookie.ts'
import { fieldByName, type Field } from './fields.ts'
import { parseMask, parseValue, printMask, printValue, type FieldValue } from './values.ts'

/** `mask` absent: all bits. */
export interface Term {
  readonly field: Field
  readonly value: FieldValue
  readonly mask?: FieldValue
}

/** Bits of a field, from the lowest one, 0. */
export interface Bits {
  readonly field: Field
  readonly from: number
  readonly count: number
}

export type Action =
  | { readonly do: 'set'; readonly field: Field; readonly value: FieldValue }
  | { readonly do: 'load'; readonly to: Bits; readonly value: number }
  | { readonly do: 'move'; readonly of: Bits; readonly to: Bits }
  | { readonly do: 'output'; readonly number: number }
  | { readonly do: 'outputTo'; readonly of: Bits }
  | { readonly do: 'decTtl' }
  | { readonly do: 'popVlan' }
  | { readonly do: 'goto'; readonly table: number }

export interface Flow {
  readonly table: number
  readonly priority: number
  readonly cookie: Cookie
  /** In the order of the fields. */
  readonly match: readonly Term[]
  /** None: drop. A goto is the last. */
  readonly actions: readonly Action[]
}

/** Numbers of ports that are none (OpenFlow 1.4 section 7.2.1). */
export const backToSender = 0xfffffff8
export const normal = 0xfffffffa

export const is = (field: Field, value: FieldValue): Term => ({ field, value })
export const isMasked = (field: Field, value: FieldValue, mask: FieldValue): Term => ({ field, value, mask })
export const set = (field: Field, value: FieldValue): Action => ({ do: 'set', field, value })
export const load = (to: Bits, value: number): Action => ({ do: 'load', to, value })
export const move = (of: Bits, to: Bits): Action => ({ do: 'move', of, to })
export const output = (number: number): Action => ({ do: 'output', number })
export const goto = (table: number): Action => ({ do: 'goto', table })
/** All bits of a field, or its lowest `count`. */
export const bits = (field: Field, count = field.bytes * 8): Bits => ({ field, from: 0, count })

const printBits = ({ field, from, count }: Bits): string => `${field.name}[${from}..${from + count - 1}]`
const names: ReadonlyMap<number, string> = new Map([[backToSender, 'IN_PORT'], [normal, 'NORMAL']])

const printers: { readonly [Do in Action['do']]: (action: Extract<Action, { do: Do }>) => string } = {
  set: ({ field, value }) => `set_field:${printValue(field, value)}->${field.name}`,
  load: ({ to, value }) => `load:0x${value.toString(16)}->${printBits(to)}`,
  move: ({ of, to }) => `move:${printBits(of)}->${printBits(to)}`,
  output: ({ number }) => names.get(number) ?? `output:${number}`,
  outputTo: ({ of }) => `output:${printBits(of)}`,
  decTtl: () => 'dec_ttl',
  popVlan: () => 'pop_vlan',
  goto: ({ table }) => `goto_table:${table}`,
}
export const printAction = (action: Action): string => (printers[action.do] as (of: Action) => string)(action)
export const printActions = (actions: readonly Action[]): string => (actions.length === 0 ? 'drop' : actions.map(printAction).join(','))

const printTerm = ({ field, value, mask }: Term): string => `${field.name}=${printValue(field, value)}${mask === undefined ? '' : `/${printMask(field, mask)}`}`
export const printMatch = (match: readonly Term[]): string => match.map(printTerm).join(',')

/** What makes a flow the one it is in its table: two with the same cannot be there. */
export const flowKey = ({ table, priority, match }: Flow): string => `${table}/${priority}/${printMatch(match)}`
/** What of it can be otherwise. */
export const flowText = ({ cookie, actions }: Flow): string => `cookie=${printCookie(cookie)} ${printActions(actions)}`

/** Table, priority and match from what flowKey wrote. */
export function parseFlowKey(key: string): Pick<Flow, 'table' | 'priority' | 'match'> {
  const [table = '', priority = '', ...rest] = key.split('/')
  const match = rest.join('/')
  return { table: Number(table), priority: Number(priority), match: match === '' ? [] : match.split(',').map(parseTerm) }
}

function parseTerm(text: string): Term {
  const at = text.indexOf('=')
  const field = fieldByName.get(text.slice(0, at))
  if (field === undefined) throw new SyntaxError(`no such field: ${text}`)
  const [value = '', mask] = text.slice(at + 1).split('/')
  return mask === undefined ? is(field, parseValue(field, value)) : isMasked(field, parseValue(field, value), parseMask(field, mask))
}
