// Which request an object is as it is for: its W3C Trace Context (level 1, 2021-11-23), as the request gave it, and when it came.
import { requestedAtAnnotation, traceparentAnnotation, tracestateAnnotation } from './annotations.ts'

type Annotations = Readonly<Record<string, string>>

/** The trace that a request is part of. */
export interface Cause {
  readonly traceparent: string
  /** What the systems on its way have added; goes with the former, and never alone. */
  readonly tracestate?: string
}

const form = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/

/** The trace of a header traceparent; undefined where it is none. */
export const traceIn = (traceparent: string): string | undefined => form.exec(traceparent)?.[1]

/** One member of a list (3.3.1.3): `key=value`, the key alone or as `tenant@system`. */
const member =
  /^(?:[a-z0-9][a-z0-9_*/-]{0,255}|[a-z0-9][a-z0-9_*/-]{0,240}@[a-z][a-z0-9_*/-]{0,13})=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/
const membersMax = 32
/** As much as everybody has to pass on (3.3.1.5). */
const statesMax = 512

/** What is passed on of a header tracestate: its members from the left, which are the latest; undefined where it is none. */
function statesIn(given: string): string | undefined {
  const members = given
    .split(',')
    .map((each) => each.replace(/^[ \t]+|[ \t]+$/g, ''))
    .filter((each) => each !== '')
  if (members.length === 0 || members.length > membersMax || !members.every((each) => member.test(each))) return undefined
  while (members.join(',').length > statesMax) members.pop()
  return members.length === 0 ? undefined : members.join(',')
}

/** The trace that these headers, or annotations, tell of. */
function causeFrom(traceparent: unknown, tracestate: unknown): Cause | undefined {
  if (typeof traceparent !== 'string' || !form.test(traceparent)) return undefined
  const states = typeof tracestate === 'string' ? statesIn(tracestate) : undefined
  return { traceparent, ...(states !== undefined && { tracestate: states }) }
}

/** Undefined where the request says nothing that can be kept. */
export const causeInHeaders = (headers: Readonly<Record<string, unknown>>): Cause | undefined =>
  causeFrom(headers['traceparent'], headers['tracestate'])

const causeIn = (annotations: Annotations): Cause | undefined =>
  causeFrom(annotations[traceparentAnnotation], annotations[tracestateAnnotation])

/** The trace of the request that has last changed what is wanted of an object; undefined where it gave none. */
export function causeOf(object: unknown): Cause | undefined {
  const { metadata } = object as { readonly metadata?: { readonly annotations?: Annotations } }
  return causeIn(metadata?.annotations ?? {})
}

/** The trace of an object, for a line of a log. */
export function traceOf(object: unknown): string | undefined {
  const cause = causeOf(object)
  return cause && traceIn(cause.traceparent)
}

/**
 * The trace of a review whose API server gave none: it is named by the review's UID, which is 128 random bits, and so leads from an
 * API server's log to ours and on to whoever is told.
 */
export function causeOfReview(uid: string): Cause | undefined {
  const trace = uid.replaceAll('-', '').toLowerCase()
  return causeFrom(`00-${trace}-${trace.slice(0, 16)}-01`, undefined)
}

/** The annotations that say of a request which trace it is part of. */
export const notesOf = (cause: Cause | undefined): Annotations =>
  cause === undefined
    ? {}
    : { [traceparentAnnotation]: cause.traceparent, ...(cause.tracestate !== undefined && { [tracestateAnnotation]: cause.tracestate }) }

/** What is on an object of the request that it is for: for what is made for its sake. */
export function requestNotes(object: unknown): Annotations {
  const { metadata } = object as { readonly metadata?: { readonly annotations?: Annotations } }
  const at = metadata?.annotations?.[requestedAtAnnotation]
  return { ...notesOf(causeOf(object)), ...(at !== undefined && { [requestedAtAnnotation]: at }) }
}

/** A review that comes again, or through another of us, within this time is of the same request. */
const sameRequestMs = 60_000

/**
 * What a request writes on what it creates or changes: its trace, unless its sender has written one, and the time.
 *
 * @param sent what the request brings with it
 * @param at   `now` in milliseconds since 1970
 */
export function requestedNotes(sent: Annotations, cause: Cause | undefined, { now }: { readonly now: number }): Annotations {
  const age = now - Date.parse(sent[requestedAtAnnotation] ?? '')
  const isNoted = age >= 0 && age <= sameRequestMs
  return { ...(causeIn(sent) === undefined && notesOf(cause)), ...(!isNoted && { [requestedAtAnnotation]: new Date(now).toISOString() }) }
}
