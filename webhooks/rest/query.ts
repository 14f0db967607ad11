// What an address says behind the question mark. A parameter that would be ignored is refused: it was meant to matter.
import type { FastifyRequest } from 'fastify'
import { nearest } from '../../core/admit/nearest.ts'
import type { Within } from '../../core/contracts/store.ts'
import { Invalid } from '../../core/errors.ts'
import type { Kind } from '../../core/kinds/index.ts'
import { listParameters, misplaced } from '../../core/kinds/list-parameters.ts'
import { parseLabels, selectablePaths } from '../../core/kinds/selector.ts'
import type { Signer } from '../plugins/signer.ts'
import { BadParameter } from './invalid-object.ts'

export type Parameters = Readonly<Record<string, string>>

/** @throws BadParameter for one that is not among `known` or is given twice */
export function parametersOf(request: Pick<FastifyRequest, 'query'>, known: readonly string[]): Parameters {
  const given = request.query as Readonly<Record<string, string | readonly string[]>>
  for (const name in given) {
    if (!known.includes(name)) throw new BadParameter(name, `is not a parameter here; ${suggestion(name, known)}`)
    if (typeof given[name] !== 'string') throw new BadParameter(name, 'is given more than once')
  }
  return given as Parameters
}

/** Those of a list, or of a watch. @throws BadParameter for one that stands beside what it cannot stand beside */
export function listAnswer(request: FastifyRequest, watching: boolean): Parameters {
  const parameters = parametersOf(request, listParameters)
  for (const name in parameters) {
    const why = misplaced(name, watching)
    if (why !== undefined) throw new BadParameter(name, why)
  }
  return parameters
}

function suggestion(name: string, known: readonly string[]): string {
  if (known.length === 0) return 'there are none'
  const meant = nearest(name, known)
  return meant === undefined ? `there are ${known.join(', ')}` : `did you mean ${meant}?`
}

export function flagIn(parameters: Parameters, name: string): boolean {
  const value = parameters[name]
  if (value === undefined || value === 'false') return false
  if (value === 'true') return true
  throw new BadParameter(name, 'must be true or false')
}

/** Items in a page at most. */
export const pageSize = 1000

export const limitIn = (parameters: Parameters): number => wholeIn(parameters, 'limit', { max: pageSize, digits: 9 }) ?? pageSize

export interface WholeRange {
  readonly max: number
  /** How many may be written, zeros in front too; absent: as many as `max` has. */
  readonly digits?: number
}

/** A whole number from 1 on; undefined where it is not given. @throws BadParameter */
export function wholeIn(parameters: Parameters, name: string, { max, digits = String(max).length }: WholeRange): number | undefined {
  const given = parameters[name]
  if (given === undefined) return undefined
  const number = Number(given)
  if (/^\d+$/.test(given) && given.length <= digits && number >= 1 && number <= max) return number
  throw new BadParameter(name, `must be a whole number from 1 to ${max}`)
}

/** Where lists go on: what the store says, signed with the question that it goes on with. */
export class ListTokens {
  #seal: Signer
  #parameter: string
  #question: readonly string[]

  /** @param question all that chooses among objects, the same for each of its pages */
  constructor(seal: Signer, parameter: string, question: readonly (string | undefined)[]) {
    this.#seal = seal
    this.#parameter = parameter
    this.#question = [parameter, ...question.map((part) => part ?? '')]
  }

  /** What the store is asked with. @throws BadParameter for what no list of this question gave */
  read(parameters: Parameters): { readonly continue?: string } {
    const given = parameters[this.#parameter]
    if (given === undefined || given === '') return {}
    return { continue: this.#seal.open(given, this.#question) ?? this.#refuse() }
  }

  print(place: string): string {
    return this.#seal.close(place, this.#question)
  }

  /** For what a list throws: a store may have forgotten the place. @throws BadParameter */
  forgotten = (err: unknown): never => {
    throw err instanceof Invalid ? this.#refuse() : err
  }

  #refuse(): never {
    throw new BadParameter(this.#parameter, 'is not one that a list of this very question gave: begin again without it')
  }
}

/** Which objects of a kind are meant, by the two selectors of Kubernetes. */
export function selectionIn(kind: Kind, namespace: string | undefined, parameters: Parameters): Within {
  const { labelSelector = '', fieldSelector = '' } = parameters
  if (labelSelector !== '' && parseLabels(labelSelector) === undefined)
    throw new BadParameter('labelSelector', 'is none: write a=b,c!=d,e in (f,g),h,!i')
  return {
    ...(namespace !== undefined && { namespace }),
    ...(labelSelector !== '' && { labels: labelSelector }),
    ...(fieldSelector !== '' && { fields: fieldsOf(kind, fieldSelector) }),
  }
}

function fieldsOf(kind: Kind, text: string): Readonly<Record<string, string>> {
  const fields: Record<string, string> = {}
  for (const part of text.split(',')) {
    const [path = '', value, ...more] = part.split(/==?/).map((each) => each.trim())
    if (value === undefined || more.length > 0 || value.includes('!') || !/^[A-Za-z][A-Za-z0-9.]*$/.test(path))
      throw new BadParameter('fieldSelector', 'is none: write spec.node=a,metadata.name=b')
    const paths = selectablePaths(kind)
    if (!paths.includes(`.${path}`))
      throw new BadParameter('fieldSelector', `cannot be by ${path}, only by ${paths.map((each) => each.slice(1)).join(', ')}`)
    if ((fields[`.${path}`] ?? value) !== value) throw new BadParameter('fieldSelector', `wants ${path} to be two things at once`)
    fields[`.${path}`] = value
  }
  return fields
}

/** Where a watch goes on. A version is opaque to clients, a whole number to us. */
export function versionIn(text: string | undefined, name: string): string | undefined {
  if (text === undefined || text === '' || text === '0') return undefined
  if (/^\d{1,18}$/.test(text)) return text
  throw new BadParameter(name, 'is not one that a list or watch gave')
}
