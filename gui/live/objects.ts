// What the stream has told, by kind. Readers subscribe to `version`, which counts up once a picture however much has changed.
import { signal } from '@preact/signals'
import { keyOf, type Item, type Kind } from '../contract/kinds.ts'

const leastMs = 120
const empty: ReadonlyMap<string, Item> = new Map()

export class Objects {
  readonly version = signal(0)
  #byKind = new Map<Kind, Map<string, Item>>()
  #asked = false
  #told = 0

  /** By `namespace/name`. Reading it in a component makes that follow. */
  of<K extends Kind>(kind: K): ReadonlyMap<string, Item<K>> {
    void this.version.value
    return (this.#byKind.get(kind) ?? empty) as ReadonlyMap<string, Item<K>>
  }

  /** Whether all there is of a kind has been told once. */
  has(kind: Kind): boolean {
    void this.version.value
    return this.#byKind.has(kind)
  }

  /** All there is of a kind, or of a kind in a namespace. */
  all(kind: Kind, items: readonly Item[], namespace?: string): void {
    const others =
      namespace === undefined ? [] : [...(this.#byKind.get(kind) ?? empty)].filter(([, item]) => item.metadata.namespace !== namespace)
    this.#byKind.set(kind, new Map([...others, ...items.map((item) => [keyOf(item), item] as const)]))
    this.#tell()
  }

  put(kind: Kind, item: Item): void {
    const held = this.#byKind.get(kind) ?? new Map<string, Item>()
    this.#byKind.set(kind, held)
    held.set(keyOf(item), item)
    this.#tell()
  }

  gone(kind: Kind, item: Item): void {
    if (this.#byKind.get(kind)?.delete(keyOf(item)) === true) this.#tell()
  }

  /** Another namespace, or somebody else looks: nothing of before may stay. */
  clear(keep: readonly Kind[] = []): void {
    for (const kind of [...this.#byKind.keys()]) if (!keep.includes(kind)) this.#byKind.delete(kind)
    this.version.value++
  }

  /** Once a picture, and some eight times a second where changes come like hail. A page that nobody sees draws none, and is told too. */
  #tell(): void {
    if (this.#asked) return
    this.#asked = true
    const say = (): void => {
      this.#asked = false
      this.#told = performance.now()
      this.version.value++
    }
    const wait = Math.max(0, this.#told + leastMs - performance.now())
    setTimeout(say, wait)
  }
}

export const objects = new Objects()
