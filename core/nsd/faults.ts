// What is wrong with a descriptor, by path; all of it is told at once.
import { isObject, type Json } from '../json.ts'

export type Fields = Json

export const fieldsOf = (value: unknown): Fields => (isObject(value) ? value : {})

export class Faults {
  readonly #all: { readonly at: string; readonly message: string }[] = []

  get all(): readonly { readonly at: string; readonly message: string }[] {
    return this.#all
  }

  add(at: string, message: string): void {
    this.#all.push({ at, message })
  }

  /** Refuses every field but these. */
  only(fields: Fields, known: readonly string[], at: string): void {
    for (const name of Object.keys(fields)) if (!known.includes(name)) this.add(`${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, 'is not understood')
  }
}
