// JSONPath as kubectl has it (kubernetes.io, JSONPath Support): text with {paths}, {range …}{end}, filters; not that of RFC 9535.
import { CliError } from '../context.ts'
import { evaluate, parsePath, type Step } from './jsonpath-path.ts'

type Part =
  { readonly text: string } | { readonly path: readonly Step[] } | { readonly range: readonly Step[]; readonly body: readonly Part[] }

/** @returns what prints a value. @throws CliError 2 for a template that is none */
export function jsonPath(template: string): (value: unknown) => string {
  const parts = partsIn(template)
  return (value) => print(parts, value, value)
}

/** What one path finds. @throws CliError 2 */
export function jsonPathValues(template: string): (value: unknown) => readonly unknown[] {
  const path = parsePath(relaxed(template).slice(1, -1).trim())
  return (value) => evaluate(path, value, value)
}

function print(parts: readonly Part[], at: unknown, root: unknown): string {
  return parts
    .map((part) => {
      if ('text' in part) return part.text
      if ('path' in part) return evaluate(part.path, at, root).map(textOf).join(' ')
      return evaluate(part.range, at, root)
        .map((each) => print(part.body, each, root))
        .join('')
    })
    .join('')
}

/** As a template prints it. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** `.a.b` and `a.b` stand for `{.a.b}`. */
const relaxed = (template: string): string => (template.includes('{') ? template : `{${/^[.[$@]/.test(template) ? '' : '.'}${template}}`)

function partsIn(template: string): readonly Part[] {
  const outer: Part[] = []
  const open: { readonly range: readonly Step[]; readonly body: Part[] }[] = []
  for (const piece of piecesIn(relaxed(template))) {
    const into = open.at(-1)?.body ?? outer
    if (piece.literal !== undefined) into.push({ text: piece.literal })
    else if (piece.inside === 'end') close(open, outer)
    else if (piece.inside.startsWith('range ')) open.push({ range: parsePath(piece.inside.slice(6).trim()), body: [] })
    else into.push(insideOf(piece.inside))
  }
  if (open.length > 0) throw new CliError(2, 'jsonpath: a {range …} has no {end}')
  return outer
}

function close(open: { readonly range: readonly Step[]; readonly body: Part[] }[], outer: Part[]): void {
  const ended = open.pop()
  if (ended === undefined) throw new CliError(2, 'jsonpath: an {end} has no {range …}')
  ;(open.at(-1)?.body ?? outer).push(ended)
}

function insideOf(inside: string): Part {
  const quoted = /^"((?:[^"\\]|\\.)*)"$|^'((?:[^'\\]|\\.)*)'$/.exec(inside)
  if (quoted === null) return { path: parsePath(inside) }
  return { text: (quoted[1] ?? quoted[2] ?? '').replace(/\\(.)/g, (_, char: string) => escapes[char] ?? char) }
}
const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }

type Piece = { readonly literal: string; readonly inside?: undefined } | { readonly literal?: undefined; readonly inside: string }

function* piecesIn(template: string): Generator<Piece> {
  let at = 0
  while (at < template.length) {
    const begin = template.indexOf('{', at)
    if (begin !== at) yield { literal: template.slice(at, begin < 0 ? undefined : begin) }
    if (begin < 0) return
    const end = endOf(template, begin)
    yield { inside: template.slice(begin + 1, end).trim() }
    at = end + 1
  }
}

/** Of the brace that opens at `begin`: one inside quotes closes nothing. */
function endOf(template: string, begin: number): number {
  const found = /^\{(?:[^}"'\\]|\\.|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')*\}/s.exec(template.slice(begin))
  if (found === null) throw new CliError(2, `jsonpath: ${template.slice(begin)} has no closing brace`)
  return begin + found[0].length - 1
}
