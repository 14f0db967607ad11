// A refusal says where and why; all rules of admission make the same kind.
import type { NicResolution } from './network-view.ts'

export type Refusal = Extract<NicResolution, { readonly kind: 'refused' }>

/** @param at JSON pointer (RFC 6901) into the object */
export const refuse = (at: string, message: string): Refusal => ({ kind: 'refused', at, message, later: false })
/** What is missing may still come: a worker waits for it. */
export const refuseForNow = (at: string, message: string): Refusal => ({ kind: 'refused', at, message, later: true })

export const isRefusal = (value: unknown): value is Refusal =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'refused'

/** One step of a JSON pointer (RFC 6901 section 3). */
export const escapeStep = (step: string): string =>
  step.includes('~') || step.includes('/') ? step.replaceAll('~', '~0').replaceAll('/', '~1') : step
export const pointerTo = (...steps: readonly (string | number)[]): string => steps.map((step) => `/${escapeStep(String(step))}`).join('')
/** Where an annotation stands in an object; further steps go into its JSON. */
export const annotationAt = (name: string, ...steps: readonly (string | number)[]): string =>
  pointerTo('metadata', 'annotations', name, ...steps)
