// Times as text with nanoseconds, as Go's time.RFC3339Nano has them.
import type { Timestamp } from '../wire/nsm/well-known.ts'

/** `2026-11-21T10:54:26.596251925Z`: no zeros at the end of the fraction. */
export function printRfc3339({ seconds, nanos }: Timestamp): string {
  const whole = new Date(seconds * 1000).toISOString().slice(0, 19)
  const fraction = String(nanos).padStart(9, '0').replace(/0+$/, '')
  return `${whole}${fraction === '' ? '' : `.${fraction}`}Z`
}

/** Any offset from UTC. Undefined for what is no time of RFC 3339. */
export function parseRfc3339(text: string): Timestamp | undefined {
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/.exec(text)
  if (match === null) return undefined
  const ms = Date.parse(`${match[1]}${match[3]}`)
  return Number.isNaN(ms) ? undefined : { seconds: ms / 1000, nanos: Number((match[2] ?? '').padEnd(9, '0')) }
}
