// Label and field selectors, as values.
import { definitionOf, isOwnKind, type Kind, type Resource } from './index.ts'

export type LabelTest = (labels: Readonly<Record<string, string>>) => boolean

const word = '[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?'
const key = `(?<k>(?:${word}/)?${word})`
const value = `(?<v>(?:${word})?)`
const number = '(?<v>-?\\d+)'
const list = '\\((?<v>[^()]*)\\)'
const forms: readonly (readonly [RegExp, (k: string, v: string) => LabelTest | undefined])[] = [
  [new RegExp(`^${key}\\s*==?\\s*${value}$`), (k, v) => (labels) => labels[k] === v],
  [new RegExp(`^${key}\\s*!=\\s*${value}$`), (k, v) => (labels) => labels[k] !== v],
  [new RegExp(`^${key}\\s+in\\s+${list}$`), (k, v) => oneOf(v, (among) => (labels) => labels[k] !== undefined && among.includes(labels[k]))],
  [new RegExp(`^${key}\\s+notin\\s+${list}$`), (k, v) => oneOf(v, (among) => (labels) => labels[k] === undefined || !among.includes(labels[k]))],
  [new RegExp(`^${key}\\s*>\\s*${number}$`), (k, v) => (labels) => integer(labels[k]) > Number(v)],
  [new RegExp(`^${key}\\s*<\\s*${number}$`), (k, v) => (labels) => integer(labels[k]) < Number(v)],
  [new RegExp(`^!\\s*${key}$`), (k) => (labels) => !Object.hasOwn(labels, k)],
  [new RegExp(`^${key}$`), (k) => (labels) => Object.hasOwn(labels, k)],
]
const member = new RegExp(`^(?:${word})?$`)
/** Taken apart by hand: a pattern for the list would try blanks in every way there is. */
function oneOf(text: string, test: (among: readonly string[]) => LabelTest): LabelTest | undefined {
  const among = text.split(',').map((part) => part.trim())
  return among.every((each) => member.test(each)) ? test(among) : undefined
}
/** Compares as neither more nor less where the label is absent or no number. */
const integer = (text: string | undefined): number => (text !== undefined && /^-?\d+$/.test(text) ? Number(text) : Number.NaN)

/** A label selector's test, or undefined where the text is none (Kubernetes, labels and selectors). Nothing selects everything. */
export function parseLabels(text: string): LabelTest | undefined {
  if (text.trim() === '') return () => true
  const tests: LabelTest[] = []
  for (const part of text.split(/,(?![^(]*\))/)) {
    const test = parseRequirement(part.trim())
    if (test === undefined) return undefined
    tests.push(test)
  }
  return (labels) => tests.every((test) => test(labels))
}

function parseRequirement(text: string): LabelTest | undefined {
  for (const [form, make] of forms) {
    const found = form.exec(text)?.groups
    if (found !== undefined) return make(found['k'] ?? '', found['v'] ?? '')
  }
  return undefined
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
  for (const step of path.slice(1).split('.')) at = typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[step] : undefined
  return typeof at === 'string' || typeof at === 'number' || typeof at === 'boolean' ? String(at) : ''
}
