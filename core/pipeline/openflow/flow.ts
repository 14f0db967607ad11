// A flow as a value: what it matches, what it does, and one spelling of both, so that what a switch reads back compares with what was
// meant.
import { printActions, type Action } from './actions.ts'
import { printCookie, type Cookie } from '../cookie.ts'
import { fieldByName, type Field } from './fields.ts'
import { parseWords, printWords } from './named-bits.ts'
import { parseMask, parseValue, printMask, printValue, type FieldValue } from './values.ts'

/** `mask` absent: all bits. */
export interface Term {
  readonly field: Field
  readonly value: FieldValue
  readonly mask?: FieldValue
}

export interface Flow {
  readonly table: number
  readonly priority: number
  readonly cookie: Cookie
  /** In the order of the fields. */
  readonly match: readonly Term[]
  /** None: drop. A meter is the first, a goto the last. */
  readonly actions: readonly Action[]
}

export const is = (field: Field, value: FieldValue): Term => ({ field, value })
export const isMasked = (field: Field, value: FieldValue, mask: FieldValue): Term => ({ field, value, mask })

function printTerm({ field, value, mask }: Term): string {
  const under = mask === undefined ? undefined : Number(mask)
  if (field.words !== undefined) return `${field.name}=${printWords(field.words, Number(value), under)}`
  return `${field.name}=${printValue(field, value)}${mask === undefined ? '' : `/${printMask(field, mask)}`}`
}
export const printMatch = (match: readonly Term[]): string => match.map(printTerm).join(',')

/** What makes a flow the one it is in its table: two with the same cannot be there. */
export const flowKey = ({ table, priority, match }: Pick<Flow, 'table' | 'priority' | 'match'>): string =>
  `${table}/${priority}/${printMatch(match)}`
/** What of it can be otherwise. */
export const flowText = ({ cookie, actions }: Flow): string => `cookie=${printCookie(cookie)} ${printActions(actions)}`

/** Table, priority and match from what flowKey wrote. */
export function parseFlowKey(key: string): Pick<Flow, 'table' | 'priority' | 'match'> {
  const afterTable = key.indexOf('/')
  const afterPriority = key.indexOf('/', afterTable + 1)
  const match = key.slice(afterPriority + 1)
  return {
    table: Number(key.slice(0, afterTable)),
    priority: Number(key.slice(afterTable + 1, afterPriority)),
    match: match === '' ? [] : match.split(',').map(parseTerm),
  }
}

/** Keys of one VNI have most of their terms in common: those are read once, and are one value. */
const termsKept = 4_096
const kept = new Map<string, Term>()

function parseTerm(text: string): Term {
  const known = kept.get(text)
  if (known !== undefined) return known
  const term = readTerm(text)
  if (kept.size >= termsKept) kept.clear()
  kept.set(text, term)
  return term
}

function readTerm(text: string): Term {
  const at = text.indexOf('=')
  const field = fieldByName.get(text.slice(0, at))
  if (field === undefined) throw new SyntaxError(`no such field: ${text}`)
  if (field.words !== undefined) return { field, ...parseWords(field.words, text.slice(at + 1)) }
  const [value = '', mask] = text.slice(at + 1).split('/')
  return mask === undefined ? is(field, parseValue(field, value)) : isMasked(field, parseValue(field, value), parseMask(field, mask))
}
