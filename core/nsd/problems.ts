// What is wrong with a descriptor, by path; all of it is told at once.
import { isObject, type Json } from '../json.ts'

export type Fields = Json

export const fieldsOf = (value: unknown): Fields => (isObject(value) ? value : {})

/** A name as one token of a JSON pointer. */
export const tokenOf = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')

const longest = 253

export class DescriptorProblems {
  readonly #all: { readonly at: string; readonly message: string }[] = []
  /** What is made, as kind and name → of what. */
  readonly #made = new Map<string, string>()

  get all(): readonly { readonly at: string; readonly message: string }[] {
    return this.#all
  }

  add(at: string, message: string): void {
    this.#all.push({ at, message })
  }

  /** Refuses every field but these. */
  only(fields: Fields, known: readonly string[], at: string): void {
    for (const name of Object.keys(fields)) if (!known.includes(name)) this.add(`${at}/${tokenOf(name)}`, 'is not understood')
  }

  /** One object is made of one place: names are cleaned, so two places may come to one name, and the second would be the first's VLAN. */
  one(kind: string, name: string, at: string): void {
    const first = this.#made.get(`${kind} ${name}`)
    if (name === '') this.add(at, `has neither letter nor digit to name its ${kind} by`)
    else if (name.length > longest) this.add(at, `is too long to name its ${kind} by: ${longest} characters at most`)
    else if (first !== undefined) this.add(at, `would be ${kind} ${name}, which is made of ${first}`)
    else this.#made.set(`${kind} ${name}`, at)
  }
}
