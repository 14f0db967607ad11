// The OpenAPI document as one page of HTML for people: no script, nothing fetched.
import { escaped } from '../html.ts'

type Node = Readonly<Record<string, unknown>>
const fields = (value: unknown): [string, Node][] => Object.entries((value ?? {}) as Readonly<Record<string, Node>>)
const list = (value: unknown): readonly Node[] => (Array.isArray(value) ? (value as readonly Node[]) : [])
const text = (value: unknown): string => (typeof value === 'string' ? value : '')

const plain = (value: unknown): string => escaped(String(value ?? ''))
/** As the descriptions are written: code between backquotes. */
const prose = (value: unknown): string => plain(value).replace(/`([^`]+)`/g, '<code>$1</code>')
const row = (...cells: readonly string[]): string => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
const table = (heads: readonly string[], rows: readonly string[]): string =>
  rows.length === 0
    ? ''
    : `<div class="t"><table><tr>${heads.map((head) => `<th>${head}</th>`).join('')}</tr>${rows.join('')}</table></div>`

const methods = ['get', 'post', 'put', 'patch', 'delete']
const style = [
  '*{box-sizing:border-box}:root{color-scheme:light dark}',
  'body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;overflow-wrap:anywhere}',
  'code,pre{font:13px/1.4 ui-monospace,monospace}pre{overflow:auto;padding:.7rem;border:1px solid #8884}',
  'div.t{overflow-x:auto}table{border-collapse:collapse;margin:.5rem 0}td,th{border:1px solid #8884;padding:.2rem .5rem;text-align:left;vertical-align:top;min-width:4rem}',
  'summary{cursor:pointer}b.m{display:inline-block;min-width:4.5rem}',
  'nav{display:flex;flex-wrap:wrap;gap:.2rem .9rem;margin:1rem 0}form{display:flex;gap:.5rem;margin:1rem 0}input{flex:1;min-width:0;max-width:30rem;font:inherit;padding:.3rem .5rem}button{font:inherit}',
].join('')
/** So few are shown opened. */
const openedMost = 3
/** Characters of a search that are looked at. */
const searchMax = 200

/** One operation or schema: how it is shown, and its words. */
interface Entry {
  readonly html: string
  readonly words: string
}
interface Section {
  readonly head: string
  readonly entries: readonly Entry[]
}
const entryOf = (html: string): Entry => ({ html, words: html.replace(/<[^>]*>/g, ' ').toLowerCase() })

/**
 * Made once; `page` is quick.
 *
 * @param document parsed
 */
export function docsPages(document: Node): { page(search?: string): string } {
  const page = new Page(document)
  const { title, version, description } = (document['info'] ?? {}) as Node
  const tags = list(document['tags'])
  const sections: readonly Section[] = [
    ...tags.map(({ name, description: about }) => ({
      head: `<h2 id="tag-${plain(name)}">${plain(name)}</h2><p>${prose(about)}</p>`,
      entries: fields(document['paths'])
        .flatMap(([path, item]) => page.operations(path, item, text(name)))
        .map(entryOf),
    })),
    {
      head: '<h2 id="sent">What we send</h2>',
      entries: fields(document['webhooks'])
        .flatMap(([name, item]) => page.operations(name, item))
        .map(entryOf),
    },
    {
      head: '<h2 id="schemas">Schemas</h2>',
      entries: fields((document['components'] as Node | undefined)?.['schemas']).map(([name, schema]) =>
        entryOf(page.schema(name, schema)),
      ),
    },
  ]
  const head = [
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${plain(title)} ${plain(version)}</title><style>${style}</style>`,
    `<h1>${plain(title)} ${plain(version)}</h1><p>${prose(description)}</p><p>As data: <a href="/openapi.json">/openapi.json</a>.</p>`,
  ].join('\n')
  const nav = `<nav>${tags.map(({ name }) => `<a href="#tag-${plain(name)}">${plain(name)}</a>`).join('')}<a href="#sent">What we send</a><a href="#schemas">Schemas</a></nav>`
  const everything = [
    head,
    form(''),
    nav,
    ...sections.flatMap((each) => [each.head, ...each.entries.map(({ html }) => html)]),
    '</html>',
  ].join('\n')
  return {
    page(search = '') {
      const given = search.slice(0, searchMax)
      const words = given
        .toLowerCase()
        .split(/\s+/)
        .filter((word) => word !== '')
        .map(plain)
      return words.length === 0 ? everything : [head, form(given), ...found(sections, words), '</html>'].join('\n')
    },
  }
}

const form = (search: string): string =>
  `<form action="/docs" role="search"><input type="search" name="search" maxlength="${searchMax}" value="${plain(search)}" placeholder="words of an operation, field or schema" aria-label="search"><button>Search</button></form>`

/** Those with every word, under the heads that they are under. */
function found(sections: readonly Section[], words: readonly string[]): readonly string[] {
  const left = sections
    .map(({ head, entries }) => ({ head, entries: entries.filter((entry) => words.every((word) => entry.words.includes(word))) }))
    .filter(({ entries }) => entries.length > 0)
  const count = left.reduce((sum, { entries }) => sum + entries.length, 0)
  const shown = (html: string): string => (count <= openedMost ? html.replace('<details ', '<details open ') : html)
  return [
    `<p>${count === 0 ? 'Nothing has' : `${count} ${count === 1 ? 'has' : 'have'}`} all of these words. <a href="/docs">Show everything</a></p>`,
    ...left.flatMap(({ head, entries }) => [head, ...entries.map(({ html }) => shown(html))]),
  ]
}

class Page {
  #document: Node

  constructor(document: Node) {
    this.#document = document
  }

  /** @param tag absent: all of them */
  operations(path: string, item: Node, tag?: string): string[] {
    return methods.flatMap((method) => {
      const operation = item[method] as Node | undefined
      const meant = operation !== undefined && (tag === undefined || list(operation['tags']).includes(tag as unknown as Node))
      return meant
        ? [this.#operation(method, path, { ...operation, parameters: [...list(item['parameters']), ...list(operation['parameters'])] })]
        : []
    })
  }

  #operation(method: string, path: string, operation: Node): string {
    const parameters = list(operation['parameters'])
      .map((each) => this.#found(each))
      .map(({ name, in: where, required, description }) =>
        row(`<code>${plain(name)}</code>`, plain(where), required === true ? 'yes' : '', prose(description)),
      )
    const bodies = fields((operation['requestBody'] as Node | undefined)?.['content']).map(([type, { schema, example }]) =>
      row(plain(type), this.#kind(schema) + shown(example)),
    )
    const answers = fields(operation['responses']).map(([status, answer]) => {
      const found = this.#found(answer)
      return row(
        status,
        prose(found['description']),
        fields(found['content'])
          .map(([type, { schema }]) => `${plain(type)}: ${this.#kind(schema)}`)
          .join('<br>'),
      )
    })
    return [
      `<details id="${plain(operation['operationId'])}"><summary><b class="m">${method.toUpperCase()}</b><code>${plain(path)}</code> ${prose(operation['summary'])}</summary>`,
      `<p><code>${plain(operation['operationId'])}</code> ${prose(operation['description'])}</p>`,
      table(['parameter', 'in', 'required', 'meaning'], parameters),
      table(['body', 'of'], bodies),
      table(['answer', 'meaning', 'body'], answers),
      '</details>',
    ].join('')
  }

  schema(name: string, schema: Node): string {
    const required = (schema['required'] ?? []) as readonly string[]
    const rows = fields(schema['properties']).map(([field, each]) =>
      row(`<code>${plain(field)}</code>`, this.#kind(each), required.includes(field) ? 'yes' : '', prose(each['description'])),
    )
    return `<details id="schema-${plain(name)}"><summary><code>${plain(name)}</code> ${prose(schema['description'])}</summary>${table(['field', 'type', 'required', 'meaning'], rows)}${shown(list(schema['examples'])[0])}</details>`
  }

  /** What a reference means; anything else is itself. */
  #found(node: Node): Node {
    const at = text(node['$ref'])
    if (!at.startsWith('#/')) return node
    return (at
      .slice(2)
      .split('/')
      .reduce<unknown>((within, step) => (within as Node | undefined)?.[step], this.#document) ?? {}) as Node
  }

  #kind(schema: unknown): string {
    const { $ref, type, items, enum: words, format, anyOf } = (schema ?? {}) as Node
    if (Array.isArray(anyOf)) return (anyOf as readonly Node[]).map((each) => this.#kind(each)).join(' or ')
    if (Array.isArray(type))
      return [
        ...(type as readonly string[])
          .filter((each) => each !== 'null')
          .map((each) =>
            this.#kind({ ...(schema as Node), type: each, ...(Array.isArray(words) && { enum: words.filter((word) => word !== null) }) }),
          ),
        'null',
      ].join(' or ')
    if (typeof $ref === 'string') {
      const name = plain($ref.split('/').at(-1))
      return `<a href="#schema-${name}">${name}</a>`
    }
    if (type === 'array') return `list of ${this.#kind(items)}`
    if (Array.isArray(words)) return words.map((word) => `<code>${plain(word)}</code>`).join(', ')
    return plain(format ?? type ?? 'anything')
  }
}

const shown = (example: unknown): string => (example === undefined ? '' : `<pre>${plain(JSON.stringify(example, null, 2))}</pre>`)
