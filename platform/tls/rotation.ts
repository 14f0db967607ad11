// When certificates are made anew, as a pure function of what there is: the next authority is published before it signs, and
// the old one stays published until its last leaf has ended, so that no client meets a leaf that it cannot judge.
import type { Issued } from './authority.ts'

export interface Authority extends Issued {
  /** It is in the bundle at once, and signs from here on. */
  readonly signsFrom: number
  /** The end of the last leaf that it signed. */
  readonly lastLeaf: number
}
export interface Leaf extends Issued {
  readonly names: readonly string[]
  /** PEM of the authority that signed it. */
  readonly by: string
}
/** What is kept; authorities in order of age. */
export interface Ring {
  readonly authorities: readonly Authority[]
  readonly leaf?: Leaf
}

export interface Lives {
  readonly authorityMs: number
  readonly leafMs: number
  /** How long a new authority is published before it signs: as long as clients need to read the bundle again. */
  readonly overlapMs: number
}
const day = 24 * 3_600_000
/** Leaves of 30 days, renewed after 20, are what cert-manager's users are used to. */
export const usualLives: Lives = { authorityMs: 365 * day, leafMs: 30 * day, overlapMs: day }

export type KeyRotation =
  | { readonly do: 'rest'; readonly until: number }
  | { readonly do: 'makeAuthority'; readonly signsFrom: number }
  | { readonly do: 'issueLeaf'; readonly by: Authority }
  | { readonly do: 'drop'; readonly authority: Authority }

/** Two thirds of a life. */
const renewalOf = ({ from, until }: Issued): number => from + ((until - from) * 2) / 3

/**
 * The next thing to do.
 *
 * @param jitterMs added to every renewal, so that many processes do not all renew at once
 */
export function nextRotation(
  ring: Ring,
  names: readonly string[],
  now: number,
  { lives, jitterMs }: { readonly lives: Lives; readonly jitterMs: number },
): KeyRotation {
  const newest = ring.authorities.at(-1)
  if (newest === undefined || newest.until <= now) return { do: 'makeAuthority', signsFrom: now }
  if (renewalOf(newest) + jitterMs <= now) return { do: 'makeAuthority', signsFrom: now + lives.overlapMs }
  const signing = ring.authorities.findLast((authority) => authority.signsFrom <= now && authority.until > now) ?? newest
  const { leaf } = ring
  if (leaf === undefined || isDue(leaf, signing, names, now - jitterMs)) return { do: 'issueLeaf', by: signing }
  const spent = ring.authorities.find(
    (authority) =>
      authority !== newest && authority !== signing && authority.cert !== leaf.by && Math.min(authority.lastLeaf, authority.until) <= now,
  )
  if (spent !== undefined) return { do: 'drop', authority: spent }
  const next = [
    renewalOf(leaf) + jitterMs,
    renewalOf(newest) + jitterMs,
    ...ring.authorities.flatMap(({ signsFrom, lastLeaf }) => [signsFrom, lastLeaf]),
  ].filter((at) => at > now)
  return { do: 'rest', until: Math.min(...next) }
}

function isDue(leaf: Leaf, signing: Authority, names: readonly string[], now: number): boolean {
  return renewalOf(leaf) <= now || leaf.by !== signing.cert || names.some((name) => !leaf.names.includes(name))
}
