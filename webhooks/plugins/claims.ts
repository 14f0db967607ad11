// What a verified token says of its bearer.
import type { JWTPayload } from 'jose'
import { grantOf, type Grant } from '../../core/admit/rest/roles.ts'
import { Unauthorized, type MegrezError } from '../../core/errors.ts'

/** Clocks may differ by so much. */
export const toleranceSeconds = 30
const namespaceName = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/

export interface TokenClaims {
  readonly subject: string
  readonly grants: readonly Grant[]
  readonly node?: string
  readonly until: number
}

/**
 * @param rolesClaim where the words of roles are: `scope` (RFC 8693, words apart by spaces), or a list of texts; dots lead inwards
 * @throws Unauthorized: a claim that cannot be read must not mean "all"
 */
export function readClaims(payload: JWTPayload, now: number, rolesClaim = 'scope'): TokenClaims {
  const subject = readSubject(payload, now)
  const node = readNode(payload['node'])
  const grants = narrowed(
    wordsOf(payload, rolesClaim)
      .map(grantOf)
      .filter((each) => each !== undefined),
    readNamespaces(payload['namespaces']),
  )
  if (grants.length === 0) throw new Unauthorized({ reason: `its ${rolesClaim} names no role of ours` })
  // An agent is one node's: without the node's name nobody knows which.
  if (node === undefined && grants.some(({ role }) => role === 'agent')) throw wrong('node')
  return { subject, grants, ...(node !== undefined && { node }), until: Number(payload.exp) * 1000 }
}

function readSubject({ sub, iat }: JWTPayload, now: number): string {
  if (typeof sub !== 'string' || sub === '' || sub.length > 256) throw wrong('sub')
  if (typeof iat !== 'number' || iat * 1000 > now + toleranceSeconds * 1000) throw wrong('iat')
  return sub
}

function readNode(claim: unknown): string | undefined {
  if (claim === undefined || (typeof claim === 'string' && claim !== '')) return claim
  throw wrong('node')
}

const wrong = (claim: string): MegrezError => new Unauthorized({ reason: `its claim ${claim} is not right` })

function wordsOf(payload: JWTPayload, path: string): readonly string[] {
  const found = path
    .split('.')
    .reduce<unknown>(
      (at, step) =>
        typeof at === 'object' && at !== null && Object.hasOwn(at, step) ? (at as Readonly<Record<string, unknown>>)[step] : undefined,
      payload,
    )
  if (typeof found === 'string') return found.split(' ')
  return path !== 'scope' && Array.isArray(found) ? found.filter((each) => typeof each === 'string') : []
}

function readNamespaces(claim: unknown): ReadonlySet<string> | undefined {
  if (claim === undefined) return undefined
  const right = Array.isArray(claim) && claim.length > 0 && claim.every((each) => typeof each === 'string' && namespaceName.test(each))
  if (!right) throw wrong('namespaces')
  return new Set(claim as string[])
}

/** Where the token names namespaces, no role reaches beyond them. */
function narrowed(grants: readonly Grant[], within: ReadonlySet<string> | undefined): readonly Grant[] {
  if (within === undefined) return grants
  return grants
    .map(({ role, namespaces }) => ({
      role,
      namespaces: namespaces === undefined ? within : new Set([...namespaces].filter((each) => within.has(each))),
    }))
    .filter(({ namespaces }) => namespaces.size > 0)
}
