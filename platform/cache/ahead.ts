// What a cache knows from a live read and its watch has not told of yet. Versions are compared as numbers: the API server's are
// (etcd's revisions, promised since Kubernetes 1.35), and our own store's too. Where one is none, nothing is held to be older.
import type { WatchEvent } from '../../core/contracts/store.ts'
import type { Kind, Resource } from '../../core/kinds/index.ts'

/** Gone objects that are remembered; a watch, or an answer, that is later than so many deletions is believed again. */
const remembered = 1_024

/** Without leading zeros, as they are written: then the longer one is the greater. */
const isNumber = (version: string): boolean => /^(?:0|[1-9]\d{0,29})$/.test(version)
/** Nothing that is no number is before anything. */
export const isBefore = (a: string, b: string): boolean =>
  a !== b && isNumber(a) && isNumber(b) && (a.length === b.length ? a < b : a.length < b.length)

export const isOlder = (a: Resource, b: Resource): boolean => isBefore(a.metadata.resourceVersion, b.metadata.resourceVersion)

function remember(uids: Set<string>, uid: string): void {
  uids.add(uid)
  if (uids.size > remembered) uids.delete(uids.values().next().value!)
}

export class Ahead<K extends Kind> {
  /** Key → as it was read. */
  #items = new Map<string, Resource<K>>()
  /** UIDs of what was read to be gone, and the watch has not told of yet. */
  #gone = new Set<string>()
  /** UIDs of what is here no longer, whoever said so. */
  #left = new Set<string>()

  put(key: string, item: Resource<K>): void {
    this.#items.set(key, item)
  }

  gone({ metadata: { uid } }: Resource<K>): void {
    remember(this.#gone, uid)
  }

  left({ metadata: { uid } }: Resource<K>): void {
    remember(this.#left, uid)
  }

  /** A late answer of the store may have it still: nobody comes back. */
  isGone({ metadata: { uid } }: Resource<K>): boolean {
    return this.#gone.has(uid) || this.#left.has(uid)
  }

  /** Whether a watch tells of something that is no longer so. What it has come up with is forgotten here. */
  isOld(key: string, { type, item }: Extract<WatchEvent<K>, { readonly item: Resource<K> }>): boolean {
    const { uid } = item.metadata
    if (this.#gone.has(uid)) {
      if (type === 'gone') this.#gone.delete(uid)
      return true
    }
    const ahead = this.#items.get(key)
    if (ahead === undefined) return false
    // That it is gone is so for ever.
    if (isOlder(item, ahead) && !(type === 'gone' && ahead.metadata.uid === uid)) return true
    this.#items.delete(key)
    return false
  }

  /** @returns the keys of what was read after that version, and so need not be in a list of then */
  relisted(resourceVersion: string): readonly string[] {
    for (const [key, item] of this.#items) if (!isBefore(resourceVersion, item.metadata.resourceVersion)) this.#items.delete(key)
    return [...this.#items.keys()]
  }
}
