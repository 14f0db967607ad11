// What time it is, by the server's clock: all dates that are shown come from there, and a browser's own may be wrong by hours.
import { signal } from '@preact/signals'

/** Milliseconds that the server's clock is ahead of this browser's. */
export const serverAheadMs = signal(0)
/** Less is what a header that says whole seconds, and the way to here, cannot tell from nothing. */
const noticedMs = 2_500

/** From the Date of any answer (RFC 9110, 6.6.1). */
export function noteServerTime({ headers }: Pick<Response, 'headers'>): void {
  const aheadMs = Date.parse(headers.get('date') ?? '') + 500 - Date.now()
  if (Math.abs(aheadMs - serverAheadMs.value) > noticedMs) serverAheadMs.value = Math.abs(aheadMs) > noticedMs ? aheadMs : 0
}

/** Milliseconds since 1970. */
export const serverNow = (): number => Date.now() + serverAheadMs.value
