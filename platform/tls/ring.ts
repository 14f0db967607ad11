// One step of a rotation: what is kept of certificates after it, and what servers and clients get of that.
import type { CertificatePair } from '../tls.ts'
import { issueLeaf, makeAuthority } from './authority.ts'
import { nextRotation, type Authority, type Lives, type Ring, type KeyRotation } from './rotation.ts'

const name = 'megrez'

export interface Turning {
  readonly now: number
  readonly lives: Lives
  readonly jitterMs: number
}

/** The ring after that step. */
function rotated(ring: Ring, rotation: Exclude<KeyRotation, { do: 'rest' }>, names: readonly string[], { now, lives }: Turning): Ring {
  if (rotation.do === 'drop') return { ...ring, authorities: ring.authorities.filter((each) => each !== rotation.authority) }
  if (rotation.do === 'makeAuthority') {
    const made = makeAuthority(name, { now, ms: lives.authorityMs })
    return {
      ...ring,
      authorities: [...ring.authorities.filter(({ until }) => until > now), { ...made, signsFrom: rotation.signsFrom, lastLeaf: now }],
    }
  }
  const leaf = issueLeaf(rotation.by, names, { now, ms: lives.leafMs })
  const authorities = ring.authorities.map((each): Authority =>
    each === rotation.by ? { ...each, lastLeaf: Math.max(each.lastLeaf, leaf.until) } : each,
  )
  return { authorities, leaf: { ...leaf, names, by: rotation.by.cert } }
}

export interface Tended {
  /** The same object where nothing was due. */
  readonly ring: Ring
  /** What was done, in order. */
  readonly steps: readonly string[]
  /** How long nothing is due. */
  readonly restMs: number
}

/** The ring with everything done that is due. */
export function tended(ring: Ring, names: readonly string[], turning: Turning): Tended {
  const steps: string[] = []
  for (let now = ring; ;) {
    const rotation = nextRotation(now, names, turning.now, turning)
    if (rotation.do === 'rest') return { ring: now, steps, restMs: rotation.until - turning.now }
    steps.push(rotation.do)
    now = rotated(now, rotation, names, turning)
  }
}

/** PEM of every authority whose leaves may still be met. */
export const bundleOf = ({ authorities }: Ring): string => authorities.map(({ cert }) => `${cert.trim()}\n`).join('')
export const pairOf = ({ leaf }: Ring): CertificatePair => ({ key: leaf?.key ?? '', cert: leaf?.cert ?? '' })
