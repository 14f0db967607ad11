// Which request an object is as it is for: its W3C Trace Context (level 1, 2021-11-23), as the request gave it.
import { traceparentAnnotation } from './annotations.ts'

const form = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/

/** The trace of a header traceparent; undefined where it is none. */
export const traceIn = (traceparent: string): string | undefined => form.exec(traceparent)?.[1]

/** The traceparent of the request that has last changed what is wanted of an object; undefined where it gave none. */
export function causeOf(object: unknown): string | undefined {
  const { metadata } = object as { readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> } }
  const given = metadata?.annotations?.[traceparentAnnotation]
  return given !== undefined && form.test(given) ? given : undefined
}
