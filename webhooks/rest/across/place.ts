// Where a stream of many kinds is: one version a part, as one text that a client sends back as Last-Event-ID. It names the parts by a
// hash: told for other parts than these it leads nowhere, and all is told anew.
import { hash } from 'node:crypto'
import type { Kind } from '../../../core/kinds/index.ts'
import { BadParameter } from '../invalid-object.ts'

/** One watch of a store. */
export interface StreamPart {
  readonly kind: Kind
  /** Absent: all of them, or the kind is of none. */
  readonly namespace?: string
}

const form = /^[\w-]{11}(?:\.\d{1,18}){1,256}$/

export class StreamPlace {
  readonly #name: string
  readonly #names: boolean
  readonly #versions: string[]

  /** @param names whether nothing but names is told: whoever was told so cannot go on with whole objects */
  constructor(parts: readonly StreamPart[], names: boolean) {
    this.#names = names
    this.#name = nameOf(parts, names)
    this.#versions = parts.map(() => '0')
  }

  /** Whether the parts are still the same. */
  isOf(parts: readonly StreamPart[]): boolean {
    return this.#name === nameOf(parts, this.#names)
  }

  /** Goes on from what a client has seen. @returns whether it was of these parts @throws BadParameter */
  goOn(seen: string | undefined): boolean {
    if (seen === undefined || seen === '') return false
    if (!form.test(seen)) throw new BadParameter('Last-Event-ID', 'is not one that this watch gave')
    const [name, ...versions] = seen.split('.')
    if (name !== this.#name || versions.length !== this.#versions.length) return false
    versions.forEach((version, part) => this.reached(part, version))
    return true
  }

  /** Undefined: nothing of the part was seen. */
  from(part: number): string | undefined {
    return this.#versions[part] === '0' ? undefined : this.#versions[part]
  }

  reached(part: number, version: string): void {
    this.#versions[part] = version
  }

  print(): string {
    return [this.#name, ...this.#versions].join('.')
  }
}

const nameOf = (parts: readonly StreamPart[], names: boolean): string =>
  hash('sha256', JSON.stringify([names, parts.map(({ kind, namespace }) => [kind, namespace ?? null])]), 'base64url').slice(0, 11)
