// That something has changed, for who asks the server anew and holds no objects. Readers subscribe to `version`, which counts up some
// eight times a second at most, however much has changed.
import { signal } from '@preact/signals'
import { keyAt, type Item, type Kind } from '../contract/kinds.ts'

const leastMs = 120
/** So many are remembered by name; of more it is only known that something has changed. */
const rememberedMost = 10_000

/** What a stream of names has of an object. */
export interface Changed {
  readonly kind: Kind
  readonly metadata: Pick<Item['metadata'], 'namespace' | 'name'>
}

class Changes {
  readonly version = signal(0)
  readonly #counts = new Map<string, number>()
  #everything = 0
  #timer = false
  #countedMs = 0

  /** Counts up whenever an object of this kind and key may have changed. Reading it in a component makes that follow. */
  of(kind: Kind, key: string): number {
    void this.version.value
    return this.#everything + (this.#counts.get(`${kind}/${key}`) ?? 0)
  }

  add({ kind, metadata: { namespace, name } }: Changed): void {
    const id = `${kind}/${keyAt(namespace, name)}`
    if (this.#counts.size >= rememberedMost) this.#forget()
    this.#counts.set(id, (this.#counts.get(id) ?? 0) + 1)
    this.#count()
  }

  /** A stream has begun, or has missed something. */
  addAll(): void {
    this.#forget()
    this.#count()
  }

  #forget(): void {
    this.#everything += 1 + Math.max(0, ...this.#counts.values())
    this.#counts.clear()
  }

  #count(): void {
    if (this.#timer) return
    this.#timer = true
    setTimeout(
      () => {
        this.#timer = false
        this.#countedMs = performance.now()
        this.version.value++
      },
      Math.max(0, this.#countedMs + leastMs - performance.now()),
    )
  }
}

export const changes = new Changes()
