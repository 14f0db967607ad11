// What a daemon says of a session of its own, in words of RFC 4271 section 8.2.2.
import { sessionStates } from '../kinds/bgp/bgp-speaker.ts'
import type { StatusOf } from '../kinds/index.ts'

export type SeenSession = NonNullable<StatusOf<'BGPSpeaker'>['sessions']>[number]
export type SessionState = SeenSession['state']

/** `OpenSent` as daemons write it; what is no state of ours is idle. */
export const stateOf = (text: string): SessionState => sessionStates.find((each) => each.toLowerCase() === text.toLowerCase()) ?? 'idle'

/** A neighbour's words may be in it: one line, and not without end. */
export const lineOf = (text: string): string =>
  text
    .replace(/[^\x20-\x7e]+/g, ' ')
    .trim()
    .slice(0, 200)
