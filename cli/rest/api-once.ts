// A server that several parts of one command ask the same of, one after the other: each is asked once.
import type { Kind } from '../../core/kinds/index.ts'
import type { Selection } from '../args.ts'
import type { Item } from '../kinds/columns.ts'
import { Api } from './api.ts'

interface KeptList {
  readonly items: readonly Item[]
  /** Not cut off by a `max`. */
  readonly isWhole: boolean
}

export class ApiOnce extends Api {
  readonly #lists = new Map<string, KeptList>()
  readonly #texts = new Map<string, Promise<string | undefined>>()
  #me: ReturnType<Api['me']> | undefined

  override async all(kind: Kind, namespace: string | undefined, selection: Selection = {}, max = Infinity): Promise<readonly Item[]> {
    const what = JSON.stringify([kind, namespace, selection])
    const known = this.#lists.get(what)
    if (known?.isWhole === true) return known.items.slice(0, max)
    const items = await super.all(kind, namespace, selection, max)
    this.#lists.set(what, { items, isWhole: items.length < max })
    return items
  }

  override text(path: string): Promise<string | undefined> {
    const known = this.#texts.get(path) ?? super.text(path)
    this.#texts.set(path, known)
    return known
  }

  override me(): ReturnType<Api['me']> {
    return (this.#me ??= super.me())
  }
}
