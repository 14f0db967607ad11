// What things of ours are called in a daemon. A name is a function of what it is of, so that a change touches what has changed alone.
import { hash80 } from '../net/names.ts'

/** Of what a person should recognise at most; BIRD's names have 63 characters. */
const readableMost = 40

/** Letters, digits and underscores alone, so it needs no quotes anywhere; the hash keeps `a-b` and `a.b` apart. */
const word = (readable: string, parts: readonly string[]): string =>
  `m_${readable
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .slice(0, readableMost)}_${hash80(...parts).slice(0, 8)}`

export const groupWord = (group: string): string => word(group, ['bgp-group', group])
export const sessionWord = (group: string, session: string): string => word(`${group}_${session}`, ['bgp-session', group, session])
