// One path of a JSONPath: its steps, and what they find.
import { CliError } from '../context.ts'
import { isObject } from '../../core/json.ts'

/** From a value to those that the step leads to. */
export type Step = (value: unknown, root: unknown) => readonly unknown[]

export function evaluate(steps: readonly Step[], value: unknown, root: unknown): readonly unknown[] {
  return steps.reduce<readonly unknown[]>((at, step) => at.flatMap((each) => step(each, root)), [value])
}

const children = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [])
const everything = (value: unknown): readonly unknown[] => [value, ...children(value).flatMap(everything)]
const root: Step = (_, from) => [from]

const field =
  (name: string): Step =>
  (value) =>
    isObject(value) && Object.hasOwn(value, name) ? [value[name]] : []

/** `a:b:c` as in Python; a single number counts from the end where it is negative. */
function slice(text: string): Step {
  const [first, end, by] = text.split(':').map((each) => (each === '' ? undefined : Number(each)))
  if (!text.includes(':')) return (value) => (Array.isArray(value) && value.at(first ?? 0) !== undefined ? [value.at(first ?? 0)] : [])
  return (value) => (Array.isArray(value) ? value.slice(first, end).filter((_, i) => i % Math.max(1, by ?? 1) === 0) : [])
}

type Rule = readonly [form: RegExp, step: (...found: readonly string[]) => Step]
const name = String.raw`((?:[^.[\]{}\s'"()\\]|\\.)+)`
const plain = (text: string): string => text.replace(/\\(.)/g, '$1')

/** What may stand at the beginning of what is left, the longer before the shorter. */
const rules: readonly Rule[] = [
  [/^\$/, () => root],
  [/^@/, () => (value) => [value]],
  [/^\.\.\*/, () => (value) => everything(value).slice(1)],
  [
    new RegExp(`^\\.\\.${name}`),
    (found = '') =>
      (value) =>
        everything(value).flatMap((each) => field(plain(found))(each, undefined)),
  ],
  [/^(?:\.\*|\.?\[\*\])/, () => children],
  [/^\.?\[\?\(((?:[^()"']|"[^"]*"|'[^']*')*)\)\]/, (found = '') => filter(found)],
  [/^\.?\[(-?\d+|-?\d*:-?\d*(?::\d*)?)\]/, (found = '0') => slice(found)],
  [/^\.?\[((?:-?\d+\s*,\s*)+-?\d+)\]/, (found = '') => union(found.split(',').map((each) => slice(each.trim())))],
  [
    /^\.?\[\s*((?:'[^']*'|"[^"]*")(?:\s*,\s*(?:'[^']*'|"[^"]*"))*)\s*\]/,
    (found = '') => union([...found.matchAll(/'([^']*)'|"([^"]*)"/g)].map(([, one, other]) => field(one ?? other ?? ''))),
  ],
  [new RegExp(`^\\.${name}`), (found = '') => field(plain(found))],
  [/^\.$/, () => (value) => [value]],
]

const union =
  (steps: readonly Step[]): Step =>
  (value, from) =>
    steps.flatMap((step) => step(value, from))

/** @throws CliError 2, with what is not understood */
export function parsePath(text: string): readonly Step[] {
  const steps: Step[] = []
  let left = text
  while (left !== '') {
    const read = readStep(left)
    if (read === undefined) throw new CliError(2, `jsonpath: ${JSON.stringify(left)} of {${text}} is not understood`)
    steps.push(read.step)
    left = left.slice(read.length)
  }
  return steps
}

function readStep(text: string): { readonly step: Step; readonly length: number } | undefined {
  for (const [form, step] of rules) {
    const found = form.exec(text)
    if (found !== null) return { step: step(...found.slice(1)), length: found[0].length }
  }
  return undefined
}

const operators: Readonly<Record<string, (a: unknown, b: unknown) => boolean>> = {
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '<=': (a, b) => (a as number) <= (b as number),
  '>=': (a, b) => (a as number) >= (b as number),
  '<': (a, b) => (a as number) < (b as number),
  '>': (a, b) => (a as number) > (b as number),
}

/** `@.a=="b"`, or `@.a`: those that have it. */
function filter(text: string): Step {
  const [, left = '', operator = '', right = ''] = /^\s*(.*?)\s*(?:(==|!=|<=|>=|<|>)\s*(.*?)\s*)?$/s.exec(text) ?? []
  const [a, b] = [operand(left), operand(right)]
  const compare = operators[operator]
  return (value, from) =>
    children(value).filter((each) => {
      const [found] = a(each, from)
      return compare === undefined ? found !== undefined : found !== undefined && compare(found, b(each, from)[0])
    })
}

function operand(text: string): Step {
  const quoted = /^(['"])(.*)\1$/s.exec(text)
  if (quoted !== null) return () => [quoted[2]]
  if (/^-?\d+(\.\d+)?$/.test(text)) return () => [Number(text)]
  if (text === 'true' || text === 'false') return () => [text === 'true']
  const path = parsePath(text)
  return (value, from) => evaluate(path, value, from)
}
