// Label and field selectors, as values.
import { definitionOf, isOwnKind, type Kind, type Resource } from './index.ts'

export type LabelTest = (labels: Readonly<Record<string, string>>) => boolean

const key = '[A-Za-z0-9]([-A-Za-z0-9_./]*[A-Za-z0-9])?'
const value = '[-A-Za-z0-9_.]*'
const forms: readonly (readonly [RegExp, (k: string, v: string) => LabelTest])[] = [
  [new RegExp(`^(?<k>${key})\\s*(?:==|=)\\s*(?<v>${value})$`), (k, v) => (labels) => labels[k] === v],
  [new RegExp(`^(?<k>${key})\\s*!=\\s*(?<v>${value})$`), (k, v) => (labels) => labels[k] !== v],
  [new RegExp(`^(?<k>${key})\\s+in\\s+\\((?<v>[^()]*)\\)$`), (k, v) => (labels) => labels[k] !== undefined && members(v).includes(labels[k])],
  [new RegExp(`^(?<k>${key})\\s+notin\\s+\\((?<v>[^()]*)\\)$`), (k, v) => (labels) => labels[k] === undefined || !members(v).includes(labels[k])],
  [new RegExp(`^!\\s*(?<k>${key})$`), (k) => (labels) => !(k in labels)],
  [new RegExp(`^(?<k>${key})$`), (k) => (labels) => k in labels],
]
const members = (text: string): string[] => text.split(',').map((part) => part.trim())

/** A label selector's test, or undefined where the text is none (Kubernetes, labels and selectors). */
export function parseLabels(text: string): LabelTest | undefined {
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
