// The OpenAPI document as one page of HTML for people: no script, nothing fetched.

type Node = Readonly<Record<string, unknown>>
const fields = (value: unknown): [string, Node][] => Object.entries((value ?? {}) as Readonly<Record<string, Node>>)
const list = (value: unknown): readonly Node[] => (Array.isArray(value) ? (value as readonly Node[]) : [])
const text = (value: unknown): string => (typeof value === 'string' ? value : '')

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const plain = (value: unknown): string => String(value ?? '').replace(/[&<>"']/g, (each) => escapes[each] ?? each)
/** As the descriptions are written: code between backquotes. */
const prose = (value: unknown): string => plain(value).replace(/`([^`]+)`/g, '<code>$1</code>')
const row = (...cells: readonly string[]): string => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
const table = (heads: readonly string[], rows: readonly string[]): string => (rows.length === 0 ? '' : `<table><tr>${heads.map((head) => `<th>${head}</th>`).join('')}</tr>${rows.join('')}</table>`)

const methods = ['get', 'post', 'put', 'patch', 'delete']
const style = 'body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem}code,pre{font:13px/1.4 ui-monospace,monospace}pre{overflow:auto;padding:.7rem;border:1px solid #8884}table{border-collapse:collapse;margin:.5rem 0}td,th{border:1px solid #8884;padding:.2rem .5rem;text-align:left;vertical-align:top}summary{cursor:pointer}b.m{display:inline-block;min-width:4.5rem}nav a{margin-right:.8rem}:root{color-scheme:light dark}'

/** @param document parsed */
export function docsPage(document: Node): string {
  const page = new Page(document)
  const { title, version, description } = (document['info'] ?? {}) as Node
  const tags = list(document['tags'])
  return [
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${plain(title)} ${plain(version)}</title><style>${style}</style>`,
    `<h1>${plain(title)} ${plain(version)}</h1><p>${prose(description)}</p><p>As data: <a href="/openapi.json">/openapi.json</a>.</p>`,
    `<nav>${tags.map(({ name }) => `<a href="#tag-${plain(name)}">${plain(name)}</a>`).join('')}<a href="#sent">What we send</a><a href="#schemas">Schemas</a></nav>`,
    ...tags.map((tag) => page.tag(tag)),
    '<h2 id="sent">What we send</h2>',
    ...fields(document['webhooks']).map(([name, item]) => page.operations(name, item)),
    '<h2 id="schemas">Schemas</h2>',
    ...fields((document['components'] as Node | undefined)?.['schemas']).map(([name, schema]) => page.schema(name, schema)),
    '</html>',
  ].join('\n')
}

class Page {
  #document: Node

  constructor(document: Node) {
    this.#document = document
  }

  tag({ name, description }: Node): string {
    const all = fields(this.#document['paths']).map(([path, item]) => this.operations(path, item, text(name)))
    return `<h2 id="tag-${plain(name)}">${plain(name)}</h2><p>${prose(description)}</p>${all.join('')}`
  }

  /** @param tag absent: all of them */
  operations(path: string, item: Node, tag?: string): string {
    return methods.flatMap((method) => {
      const operation = item[method] as Node | undefined
      const meant = operation !== undefined && (tag === undefined || list(operation['tags']).includes(tag as unknown as Node))
      return meant ? [this.#operation(method, path, { ...operation, parameters: [...list(item['parameters']), ...list(operation['parameters'])] })] : []
    }).join('')
  }

  #operation(method: string, path: string, operation: Node): string {
    const parameters = list(operation['parameters']).map((each) => this.#found(each)).map(({ name, in: where, required, description }) => row(`<code>${plain(name)}</code>`, plain(where), required === true ? 'yes' : '', prose(description)))
    const bodies = fields((operation['requestBody'] as Node | undefined)?.['content']).map(([type, { schema, example }]) => row(plain(type), this.#kind(schema) + shown(example)))
    const answers = fields(operation['responses']).map(([status, answer]) => {
      const found = this.#found(answer)
      return row(status, prose(found['description']), fields(found['content']).map(([type, { schema }]) => `${plain(type)}: ${this.#kind(schema)}`).join('<br>'))
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
    const rows = fields(schema['properties']).map(([field, each]) => row(`<code>${plain(field)}</code>`, this.#kind(each), required.includes(field) ? 'yes' : '', prose(each['description'])))
    return `<details id="schema-${plain(name)}"><summary><code>${plain(name)}</code> ${prose(schema['description'])}</summary>${table(['field', 'type', 'required', 'meaning'], rows)}${shown(list(schema['examples'])[0])}</details>`
  }

  /** What a reference means; anything else is itself. */
  #found(node: Node): Node {
    const at = text(node['$ref'])
    if (!at.startsWith('#/')) return node
    return (at.slice(2).split('/').reduce<unknown>((within, step) => (within as Node | undefined)?.[step], this.#document) ?? {}) as Node
  }

  #kind(schema: unknown): string {
    const { $ref, type, items, enum: words, format } = (schema ?? {}) as Node
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
