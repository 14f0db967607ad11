// With whom of an identity may be talked, where a verdict is about two ends and nothing else.
import type { AddressRange } from '../../net/ranges.ts'

/** Anyone with an identity that no rule names. Identities have 24 bits. */
export const anyoneElse = 0x1000000

export interface PeerAccess {
  /** `world`, `unknown` and `anyoneElse` among them. */
  readonly identity: number
  /** By the address that it has: in order, and none touches another. */
  readonly ranges: readonly AddressRange[]
}

/** Nobody may be talked to. */
export const noAccess: readonly [PeerAccess] = [{ identity: anyoneElse, ranges: [] }]
