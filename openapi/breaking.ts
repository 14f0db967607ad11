// What of a new contract would break a client of the old one. Within v1 there may be more of everything, and less of nothing: an
// operation, a field, a word of an enum, a wider range.
import type { Schema } from './schemas/render.ts'

type Node = Readonly<Record<string, unknown>>
/** What is sent may be taken in more ways than before; what is answered must be no less than before. */
type Way = 'sent' | 'answered'

const methods = ['get', 'post', 'put', 'patch', 'delete']
const nodes = (value: unknown): Readonly<Record<string, Node>> => (value ?? {}) as Readonly<Record<string, Node>>

/** Each break in a sentence; none where every client of `before` can go on with `after`. */
export function breaking(before: Schema, after: Schema): readonly string[] {
  const found: string[] = []
  for (const [path, item] of Object.entries(nodes(before['paths']))) {
    for (const method of methods.filter((each) => item[each] !== undefined)) {
      const [old, now] = [item, nodes(after['paths'])[path] ?? {}].map((each) => each[method] as Node | undefined)
      const name = `${method.toUpperCase()} ${path}`
      if (now === undefined) found.push(`${name} is gone`)
      else
        found.push(
          ...new Comparison(before, after, name).operation(
            { ...old, common: item['parameters'] },
            { ...now, common: nodes(after['paths'])[path]?.['parameters'] },
          ),
        )
    }
  }
  return [...new Set(found)]
}

class Comparison {
  #before: Schema
  #after: Schema
  #name: string
  #found: string[] = []
  #seen = new Set<string>()

  constructor(before: Schema, after: Schema, name: string) {
    this.#before = before
    this.#after = after
    this.#name = name
  }

  operation(old: Node, now: Node): readonly string[] {
    if (old['operationId'] !== now['operationId'])
      this.#say(`is called ${String(now['operationId'])}, and was ${String(old['operationId'])}`)
    this.#parameters(old, now)
    this.#contents({ at: 'body', way: 'sent' }, nodes(old['requestBody'])['content'], nodes(now['requestBody'])['content'])
    const answers = nodes(now['responses'])
    for (const [status, answer] of Object.entries(nodes(old['responses']))) {
      const there = answers[status]
      if (there !== undefined)
        this.#contents({ at: status, way: 'answered' }, this.#of(this.#before, answer)['content'], this.#of(this.#after, there)['content'])
      else if (/^[23]/.test(status)) this.#say(`no longer answers ${status}`)
    }
    return this.#found
  }

  #parameters(old: Node, now: Node): void {
    const all = (of: Schema, operation: Node): Map<string, Node> =>
      new Map(
        [operation['common'], operation['parameters']]
          .flatMap((each) => (Array.isArray(each) ? (each as Node[]) : []))
          .map((each) => this.#of(of, each))
          .map((each) => [`${String(each['in'])} ${String(each['name'])}`, each]),
      )
    const [before, after] = [all(this.#before, old), all(this.#after, now)]
    for (const [key, parameter] of before) {
      const there = after.get(key)
      if (there === undefined) this.#say(`no longer takes ${key}`)
      // A name in a path never was served where it can be no object's: that it is said now takes nothing back.
      else if (parameter['in'] !== 'path') this.#schema(`parameter ${key}`, 'sent', [parameter['schema'], there['schema']])
    }
    for (const [key, { required }] of after) if (required === true && before.get(key)?.['required'] !== true) this.#say(`needs ${key}`)
  }

  #contents({ at, way }: { readonly at: string; readonly way: Way }, old: unknown, now: unknown): void {
    for (const [type, { schema }] of Object.entries(nodes(old))) {
      const there = nodes(now)[type]
      if (there === undefined) this.#say(`${at} is no longer ${type}`)
      else this.#schema(at, way, [schema, there['schema']])
    }
  }

  #schema(at: string, way: Way, [old, now]: readonly [unknown, unknown]): void {
    const mark = `${way} ${String((old as Node | undefined)?.['$ref'])} ${String((now as Node | undefined)?.['$ref'])}`
    if ((old as Node | undefined)?.['$ref'] !== undefined) {
      if (this.#seen.has(mark)) return
      this.#seen.add(mark)
    }
    const [a, b] = [this.#of(this.#before, nodes(old)), this.#of(this.#after, nodes(now))]
    if (String(a['type']) !== String(b['type'])) return this.#say(`${at} is ${String(b['type'])}, and was ${String(a['type'])}`)
    this.#values(at, way, a, b)
    this.#fields(at, way, a, b)
    if (a['items'] !== undefined) this.#schema(`${at}[]`, way, [a['items'], b['items']])
  }

  #values(at: string, way: Way, a: Node, b: Node): void {
    const [old, now] = [wordsOf(a), wordsOf(b)]
    const gone = old?.filter((word) => now?.includes(word) === false) ?? []
    if (gone.length > 0) this.#say(`${at} no longer knows ${gone.join(', ')}`)
    if (way === 'sent') this.#narrowed(at, a, b)
  }

  #narrowed(at: string, a: Node, b: Node): void {
    const [old, now] = [wordsOf(a), wordsOf(b)]
    if (old === undefined && now !== undefined) this.#say(`${at} takes only some words now`)
    if (b['pattern'] !== undefined && b['pattern'] !== a['pattern']) this.#say(`${at} must look otherwise now`)
    for (const [bound, lower] of bounds) if (isTighter(a[bound], b[bound], lower)) this.#say(`${at} has a tighter ${bound}`)
  }

  #fields(at: string, way: Way, a: Node, b: Node): void {
    const [old, now] = [nodes(a['properties']), nodes(b['properties'])]
    for (const [field, schema] of Object.entries(old)) {
      if (now[field] === undefined) this.#say(`${at}.${field} is gone`)
      else this.#schema(`${at}.${field}`, way, [schema, now[field]])
    }
    const required = (of: Node): readonly string[] => (Array.isArray(of['required']) ? (of['required'] as string[]) : [])
    if (way === 'sent') for (const field of required(b)) if (!required(a).includes(field)) this.#say(`${at}.${field} must be sent now`)
    if (way === 'answered')
      for (const field of required(a)) if (!required(b).includes(field)) this.#say(`${at}.${field} may be missing now`)
  }

  #of(document: Schema, node: Node): Node {
    const at = node['$ref']
    if (typeof at !== 'string') return node
    return nodes(
      at
        .slice(2)
        .split('/')
        .reduce<unknown>((within, step) => nodes(within)[step], document),
    )
  }

  #say(what: string): void {
    this.#found.push(`${this.#name}: ${what}`)
  }
}

const wordsOf = (schema: Node): readonly unknown[] | undefined =>
  Array.isArray(schema['enum']) ? (schema['enum'] as unknown[]) : undefined

/** Which bounds there are, and whether more of it is less room. */
const bounds = [
  ['minimum', true],
  ['minLength', true],
  ['minItems', true],
  ['maximum', false],
  ['maxLength', false],
  ['maxItems', false],
] as const

function isTighter(before: unknown, after: unknown, lower: boolean): boolean {
  if (typeof after !== 'number') return false
  if (typeof before !== 'number') return true
  return lower ? after > before : after < before
}
