// A cookie in bytes and back.
import type { Cookie } from '../../pipeline/cookie.ts'
import type { Bytes } from '../bytes.ts'

export function writeCookie(out: Bytes, { high, low }: Cookie): void {
  out.u32(high)
  out.u32(low)
}

export const readCookieAt = (view: DataView, at: number): Cookie => ({ high: view.getUint32(at), low: view.getUint32(at + 4) })
