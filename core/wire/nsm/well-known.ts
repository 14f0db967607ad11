// google/protobuf/timestamp.proto and empty.proto, as NSM's messages have them.
import { define, int32, safeInt64, type ReadOf } from '../protobuf/protobuf.ts'

/** Seconds since 1970 and nanoseconds within them, 0 to 999,999,999. */
export const Timestamp = define('google.protobuf.Timestamp', { seconds: safeInt64(1), nanos: int32(2) })
export type Timestamp = ReadOf<typeof Timestamp>

export const Empty = define('google.protobuf.Empty', {})

/** Milliseconds since 1970, with parts of one. */
export const msOf = ({ seconds, nanos }: Timestamp): number => seconds * 1000 + nanos / 1_000_000

/** @param ms since 1970; parts of a millisecond are kept as far as a number has them */
export function timestampOf(ms: number): Timestamp {
  const seconds = Math.floor(ms / 1000)
  return { seconds, nanos: Math.min(999_999_999, Math.round((ms - seconds * 1000) * 1_000_000)) }
}
