// May this caller? The table of roles first; in a cluster then the API server's own judgement.
import { allows, type AccessRequest } from '../../core/admit/rest/roles.ts'
import { Forbidden } from '../../core/errors.ts'
import type { Store } from '../../core/contracts/store.ts'
import type { Caller } from './auth.ts'

/** What a cluster says of callers, beyond our table. */
export interface ClusterAccess {
  /** @throws Forbidden */
  review(caller: Caller, request: AccessRequest): Promise<void>
  /** What would be said to the request, asked beforehand also of an account that the API server answers by itself. */
  wouldAllow(caller: Caller, request: AccessRequest): Promise<boolean>
  /** The store as this caller sees it; undefined: as we see it. */
  storeFor(caller: Caller): Store | undefined
  /** The name under which the API server judges a caller, where we write for that caller. */
  userOf(caller: Caller): string | undefined
}

export interface AccessDeps {
  readonly store: Store
  /** Absent: there is no API server to ask. */
  readonly access?: ClusterAccess
}

/** @throws Forbidden, the same whether what is asked for is there or not */
export async function mayDo({ access }: Pick<AccessDeps, 'access'>, caller: Caller, request: AccessRequest): Promise<void> {
  if (!allows(caller.grants, request)) throw new Forbidden({})
  await access?.review(caller, request)
}

/** Where a caller's objects are read and written. */
export const storeFor = ({ access, store }: AccessDeps, caller: Caller): Store => access?.storeFor(caller) ?? store

/** The name that is written on what we write for a caller. */
export interface Requester {
  /** Undefined: the caller writes under its own name. */
  readonly name: string | undefined
  /** Whether every object is marked. Where nobody writes past REST, only a mark that is there already, sent or stored, is replaced. */
  readonly always: boolean
}

export const requesterOf = ({ access }: Pick<AccessDeps, 'access'>, caller: Caller): Requester =>
  access === undefined ? { name: userOf(caller), always: false } : { name: access.userOf(caller), always: true }

/** The user that RBAC can name. The issuer stands in front, so that no two issuers can make the same user. */
export const userOf = ({ issuer, subject }: Caller): string => `megrez:${issuer}#${subject}`
