// Label and field selectors, as values.
import { definitionOf, isOwnKind, type Kind, type Resource } from './index.ts'

export type LabelTest = (labels: Readonly<Record<string, string>>) => boolean

/** Longer ones are nobody's: read once for each watch and Subscription, and asked of every object. */
const selectorMax = 4_096
/** Kubernetes' own bounds (labels and selectors, syntax and character set). */
const nameMax = 63
const prefixMax = 253

const isAlphanumeric = (char: string | undefined): boolean => char !== undefined && /[A-Za-z0-9]/.test(char)
const isWord = (text: string, max: number): boolean =>
  text.length <= max && /^[-A-Za-z0-9_.]+$/.test(text) && isAlphanumeric(text[0]) && isAlphanumeric(text.at(-1))
const isValue = (text: string): boolean => text === '' || isWord(text, nameMax)
const isNumber = (text: string): boolean => text.length <= 20 && /^-?\d+$/.test(text)

function isKey(text: string): boolean {
  const slash = text.indexOf('/')
  return slash < 0 ? isWord(text, nameMax) : isWord(text.slice(0, slash), prefixMax) && isWord(text.slice(slash + 1), nameMax)
}

/** Compares as neither more nor less where the label is absent or no number. */
const integer = (text: string | undefined): number => (text !== undefined && isNumber(text) ? Number(text) : Number.NaN)

/** What stands between key and value, the longer before the shorter. */
const operators: Readonly<Record<string, (key: string, value: string) => LabelTest | undefined>> = {
  '!=': (k, v) => (isValue(v) ? (labels) => labels[k] !== v : undefined),
  '==': (k, v) => (isValue(v) ? (labels) => labels[k] === v : undefined),
  '=': (k, v) => (isValue(v) ? (labels) => labels[k] === v : undefined),
  '>': (k, v) => (isNumber(v) ? (labels) => integer(labels[k]) > Number(v) : undefined),
  '<': (k, v) => (isNumber(v) ? (labels) => integer(labels[k]) < Number(v) : undefined),
  ' in': (k, v) => among(v, (values) => (labels) => labels[k] !== undefined && values.has(labels[k])),
  ' notin': (k, v) => among(v, (values) => (labels) => labels[k] === undefined || !values.has(labels[k])),
}

function among(text: string, test: (values: ReadonlySet<string>) => LabelTest): LabelTest | undefined {
  if (!text.startsWith('(') || !text.endsWith(')')) return undefined
  const values = text
    .slice(1, -1)
    .split(',')
    .map((each) => each.trim())
  return values.every(isValue) ? test(new Set(values)) : undefined
}

/**
 * A label selector's test, or undefined where the text is none (Kubernetes, labels and selectors). Nothing selects everything.
 * Each character is looked at a fixed number of times, whatever stands there: a pattern would try every way of reading it.
 */
export function parseLabels(text: string): LabelTest | undefined {
  if (text.length > selectorMax) return undefined
  if (text.trim() === '') return () => true
  const tests: LabelTest[] = []
  for (const part of requirementsIn(text)) {
    const test = parseRequirement(part.trim())
    if (test === undefined) return undefined
    tests.push(test)
  }
  return (labels) => tests.every((test) => test(labels))
}

/** What stands between commas, but for those in brackets. */
function requirementsIn(text: string): readonly string[] {
  const parts: string[] = []
  let from = 0
  let inBrackets = false
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '(') inBrackets = true
    else if (text[i] === ')') inBrackets = false
    else if (text[i] === ',' && !inBrackets) {
      parts.push(text.slice(from, i))
      from = i + 1
    }
  }
  return [...parts, text.slice(from)]
}

function parseRequirement(text: string): LabelTest | undefined {
  if (text.startsWith('!')) return ofPresence(text.slice(1).trim(), false)
  const keyEnd = text.search(/[\s!=<>(]/)
  if (keyEnd < 0) return ofPresence(text, true)
  const [key, rest] = [text.slice(0, keyEnd), text.slice(keyEnd)]
  const trimmed = rest.trimStart()
  // A word needs a blank before it.
  const operator = Object.keys(operators).find((each) =>
    each.startsWith(' ') ? rest !== trimmed && isFirstWord(each.slice(1), trimmed) : trimmed.startsWith(each),
  )
  if (operator === undefined || !isKey(key)) return undefined
  return operators[operator]!(key, trimmed.slice(operator.trim().length).trim())
}

const isFirstWord = (word: string, text: string): boolean =>
  text.startsWith(word) && /^[\s(]/.test(text.slice(word.length, word.length + 1))

function ofPresence(key: string, wanted: boolean): LabelTest | undefined {
  return isKey(key) ? (labels) => Object.hasOwn(labels, key) === wanted : undefined
}

const podFields = ['.spec.nodeName', '.status.phase']

/** The paths that a kind can be selected by. */
export function selectablePaths(kind: Kind): readonly string[] {
  const more = isOwnKind(kind) ? definitionOf(kind).selectable : kind === 'Pod' ? podFields : []
  return ['.metadata.name', '.metadata.namespace', ...more]
}

/** The value at a selectable path as text; '' where absent, as the API server has it. */
export function fieldText(item: Resource, path: string): string {
  let at: unknown = item
  for (const step of path.slice(1).split('.'))
    at = typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[step] : undefined
  return typeof at === 'string' || typeof at === 'number' || typeof at === 'boolean' ? String(at) : ''
}
