// An object as somebody wrote it, before anybody has checked it, and what is found wrong in it.

export type Json = Readonly<Record<string, unknown>>
/** What is wrong, and where: a JSON pointer (RFC 6901). */
export interface Fault {
  readonly pointer: string
  readonly detail: string
}

export const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
/** One step of a JSON pointer. */
export const escaped = (step: string): string => step.replaceAll('~', '~0').replaceAll('/', '~1')
