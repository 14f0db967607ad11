// What one node's BGP daemon is to do, as its BGPSpeaker says, for reading alone.
import type { SpecOf } from '../kinds/index.ts'

type ReadOnly<T> = T extends readonly (infer E)[]
  ? readonly ReadOnly<E>[]
  : T extends object
    ? { readonly [K in keyof T]: ReadOnly<T[K]> }
    : T

export type SpeakerSpec = ReadOnly<SpecOf<'BGPSpeaker'>>
export type SpeakerGroup = SpeakerSpec['groups'][number]
export type SpeakerSession = SpeakerGroup['sessions'][number]
export type PrefixRule = SpeakerSession['import'][number]
export type PrefixFilter = SpeakerGroup['imports'][number]['allow'][number]
export type Family = SpeakerSession['addressFamilies'][number]

/** The same, saying of all of it that it is about to go: whoever has another way takes that (RFC 8326). */
export const leavingSpeaker = (speaker: SpeakerSpec): SpeakerSpec => ({
  ...speaker,
  groups: speaker.groups.map((group) => ({
    ...group,
    sessions: group.sessions.map((session) => ({
      ...session,
      communities: [...new Set([...(session.communities ?? []), 'graceful-shutdown'])],
    })),
  })),
})
