// events.k8s.io/v1 has its fields at the top; we keep them under spec.
import { hostname } from 'node:os'
import type { EventSpec } from '../../core/kinds/foreign.ts'
import type { RawObject } from './watch/watch-stream.ts'

/** The API server takes MicroTime with six digits and no others (apimachinery meta/v1, RFC3339Micro). */
const microTime = (time: string): string => new Date(time).toISOString().replace('Z', '000Z')

export function eventBody(spec: EventSpec): object {
  const { count: _, eventTime, note, ...rest } = spec
  // At most 1024 bytes.
  const short = Buffer.from(note)
    .subarray(0, 1024)
    .toString('utf8')
    .replace(/\uFFFD+$/, '')
  return {
    ...rest,
    note: short,
    eventTime: microTime(eventTime),
    ...eventSeries(spec),
    reportingController: 'megrez.io/workers',
    reportingInstance: hostname(),
  }
}

/** All that may change of an event. A series begins with the second (validation of events.k8s.io/v1). */
export const eventSeries = ({ count = 1, eventTime }: EventSpec): object =>
  count > 1 ? { series: { count, lastObservedTime: microTime(eventTime) } } : {}

export function eventSpec(raw: RawObject): EventSpec {
  const {
    regarding,
    type,
    reason,
    action = '',
    note = '',
    eventTime,
    series,
    deprecatedCount,
    deprecatedLastTimestamp,
  } = raw as unknown as EventSpec & {
    readonly series?: { readonly count: number }
    readonly deprecatedCount?: number
    readonly deprecatedLastTimestamp?: string
  }
  const count = series?.count ?? deprecatedCount
  const time = eventTime ?? deprecatedLastTimestamp ?? raw.metadata['creationTimestamp']
  return { regarding, type, reason, action, note, eventTime: String(time), ...(count === undefined ? {} : { count }) }
}
