// Kubernetes Events: one for each change that a person would want to see with `kubectl describe`.
import type { Write } from '../contracts/store.ts'
import type { Resource } from '../kinds/index.ts'
import { derivedName } from '../net/names.ts'

export interface EventDraft {
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly note: string
  /** Which change of phase it goes with: the name is a function of it, so a change that is reported twice makes one Event. */
  readonly sequence: number
}
/** The API server's limit (events.k8s.io/v1, note). */
const noteMax = 1024

export function eventOf(about: Resource, { type, reason, note, sequence }: EventDraft, now: number): Write {
  const { namespace, name, uid } = about.metadata
  const regarding = { apiVersion: about.apiVersion, kind: about.kind, ...(namespace !== undefined && { namespace }), name, uid }
  const metadata = { namespace: namespace ?? 'default', name: derivedName(name, ['event', uid, reason, String(sequence)], 253) }
  return {
    do: 'create',
    draft: {
      kind: 'Event',
      metadata,
      spec: {
        regarding,
        type,
        reason,
        action: 'Networking',
        note: note.slice(0, noteMax),
        eventTime: new Date(now).toISOString().replace('Z', '000Z'),
      },
    },
  }
}
