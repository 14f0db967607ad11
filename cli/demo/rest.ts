// The few REST calls that the demo makes.
import { kinds, pluralOf, scopeOf, type Kind } from '../../core/kinds/index.ts'
import type { Ready } from './server.ts'

export interface Item {
  readonly kind: Kind
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    readonly uid: string
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
  }
  readonly status?: { readonly phase?: string; readonly timeline?: readonly { readonly phase: string; readonly time: string }[] }
}
export interface Answer {
  readonly status: number
  readonly body: Item & {
    readonly detail?: string
    readonly errors?: readonly { readonly pointer: string; readonly detail: string }[]
    readonly items?: readonly Item[]
  }
  readonly etag: string | null
  readonly tookMs: number
}

export type { Ready }

export class Rest {
  #ready: Ready

  constructor(ready: Ready) {
    this.#ready = ready
  }

  async call(method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const began = performance.now()
    const response = await fetch(`${this.#ready.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.#ready.token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return {
      status: response.status,
      body: (text === '' ? {} : JSON.parse(text)) as Answer['body'],
      etag: response.headers.get('etag'),
      tookMs: performance.now() - began,
    }
  }

  /** Deletes as it is now, also when it changes between reading and deleting. */
  async remove(path: string): Promise<void> {
    for (let tries = 0; tries < 20; tries++) {
      const { status, etag } = await this.call('GET', path)
      if (status === 404) return
      const answer = await this.call('DELETE', path, undefined, { 'if-match': etag ?? '' })
      if (answer.status < 300 || answer.status === 404) return
      if (answer.status !== 412) throw new Error(`DELETE ${path}: ${answer.status} ${answer.body.detail ?? ''}`)
    }
    throw new Error(`DELETE ${path}: it changed each time`)
  }

  /** Everything of ours that there is, and the pods. */
  async everything(): Promise<readonly Item[]> {
    const all: Item[] = []
    for (const kind of [...(Object.keys(kinds) as (keyof typeof kinds)[]), 'Pod' as const]) {
      const { body } = await this.call('GET', `/v1/${pluralOf(kind)}`)
      all.push(...(body.items ?? []).map((item) => ({ ...item, kind })))
    }
    return all
  }
}

export const pathOf = (kind: Kind, namespace: string, name = ''): string => {
  const base = scopeOf(kind) === 'Namespaced' ? `/v1/namespaces/${namespace}/${pluralOf(kind)}` : `/v1/${pluralOf(kind)}`
  return name === '' ? base : `${base}/${name}`
}
