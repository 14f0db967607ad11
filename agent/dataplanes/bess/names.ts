// Names in the daemon. A module's has its role and what it is made of; a port's ends in a word of its own, because a name that is taken
// is no error for CreatePort: it frees the port that has it, and the daemon ends later.
import { randomBytes } from 'node:crypto'

/** In front of everything that is ours. */
export const ours = 'mgz:'

export const moduleName = (role: string, made: string): string => `${ours}${role} ${made}`
export const portName = (role: string): string => `${ours}${role} ${randomBytes(6).toString('hex')}`

/** Undefined: somebody else's. `made`: what stands behind the role. */
export function ourName(name: string): { readonly role: string; readonly made: string } | undefined {
  if (!name.startsWith(ours)) return undefined
  const space = name.indexOf(' ')
  return space < 0 ? { role: name.slice(ours.length), made: '' } : { role: name.slice(ours.length, space), made: name.slice(space + 1) }
}

/** Ways to hosts are kept by the data plane itself, and are no items. */
export const hopRole = (host: string): string => `hop.${host}`
export const isHop = (role: string): boolean => role.startsWith('hop.')
export const hopTable = 'nexthop'
