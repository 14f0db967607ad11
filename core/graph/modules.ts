// Modules and tables as elements, and the metadata that they hand on.
import type { MatchField, ModuleElement } from './elements.ts'

/** Set by a port's pipeline: which port a frame came in from, and its VNI (network byte order). BESS names the second. */
export const inPort = 'mgz_in'
export const tunId = 'tun_id'

export const module = (role: string, args: ModuleElement['args'], next: readonly string[] = []): ModuleElement => ({
  kind: 'module',
  role,
  args,
  next,
})
export interface TableRow {
  readonly role: string
  readonly fields: readonly MatchField[]
  readonly next: readonly string[]
}
export const table = ({ role, fields, next }: TableRow): ModuleElement => module(role, { mclass: 'ExactMatch', fields }, next)
