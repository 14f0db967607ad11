// Callers in a cluster. An account of the cluster's own is passed through: its token goes with its requests, and the API server
// decides. Whoever the API server does not know is judged by it under a name of ours (SubjectAccessReview), and written for by our
// account. Nobody is impersonated: that right would be the right to everything.
import { decodeJwt } from 'jose'
import type { AccessRequest } from '../../core/admit/rest/roles.ts'
import type { Store } from '../../core/contracts/store.ts'
import { Forbidden, IssuerUnavailable, StoreUnavailable } from '../../core/errors.ts'
import { apiVersionOf, pluralOf, type Kind } from '../../core/kinds/index.ts'
import type { Clock } from '../../platform/clock.ts'
import { userOf, type ClusterAccess } from './access.ts'
import type { Caller, Reviewer } from './auth.ts'

/** What of a KubeStore is needed. */
export interface ReviewingStore {
  as(authorization: string): Store
  /** @param authorization of the account that asks about itself; absent: we ask */
  review<T>(
    resource: 'tokenreviews' | 'subjectaccessreviews' | 'selfsubjectaccessreviews',
    spec: object,
    authorization?: string,
  ): Promise<T>
}

interface TokenStatus {
  readonly authenticated?: boolean
  readonly user?: { readonly username?: string; readonly extra?: Readonly<Record<string, readonly string[]>> }
}
const inFlightMax = 16
const defaultLifeMs = 300_000
const nodeName = 'authentication.kubernetes.io/node-name'

/** Has the API server judge tokens of its own. So many at once and no more: bad tokens are cheap to make. */
export function kubeReviewer(store: ReviewingStore, clock: Clock): Reviewer {
  let inFlight = 0
  return async (token) => {
    if (inFlight >= inFlightMax) throw new IssuerUnavailable({ issuer: "the cluster's accounts" })
    inFlight++
    try {
      return callerOf(await store.review<TokenStatus>('tokenreviews', { token }), token, clock.now())
    } catch (cause) {
      throw cause instanceof StoreUnavailable ? new IssuerUnavailable({ issuer: "the cluster's accounts", cause }) : cause
    } finally {
      inFlight--
    }
  }
}

function callerOf(
  { authenticated, user: { username = '', extra = {} } = {} }: TokenStatus,
  token: string,
  now: number,
): Caller | undefined {
  if (authenticated !== true || username === '') return undefined
  const { exp } = decodeJwt(token)
  const [node] = extra[nodeName] ?? []
  // Our table lets all through: what the caller may, the API server says to each request.
  return {
    subject: username,
    issuer: 'kubernetes',
    grants: [{ role: 'admin', namespaces: undefined }],
    ...(node !== undefined && { node }),
    until: exp === undefined ? now + defaultLifeMs : exp * 1000,
    passed: `Bearer ${token}`,
  }
}

/** Who may read a Secret, or scale a Deployment, only the API server knows. */
const onlyServers: ReadonlySet<string> = new Set(['Secret', 'Deployment'])

const answeredMs = 10_000
const answeredMax = 4096
const guestMax = 256

/** @param review whether the API server is asked about callers that it has not authenticated itself */
export function kubeAccess(store: ReviewingStore, clock: Clock, { review }: { readonly review: boolean }): ClusterAccess {
  const answered = new Map<string, { readonly allowed: boolean; readonly until: number }>()
  const guests = new Map<string, Store>()

  const ask = async (spec: object, authorization?: string): Promise<boolean> => {
    const key = JSON.stringify([spec, authorization])
    const known = answered.get(key)
    if (known !== undefined && known.until > clock.elapsed()) return known.allowed
    const { allowed } = await store.review<{ readonly allowed?: boolean }>(
      authorization === undefined ? 'subjectaccessreviews' : 'selfsubjectaccessreviews',
      spec,
      authorization,
    )
    keep(answered, answeredMax, key, { allowed: allowed === true, until: clock.elapsed() + answeredMs })
    return allowed === true
  }
  const judged = (caller: Caller, resourceAttributes: object): Promise<boolean> =>
    caller.passed === undefined
      ? ask({ user: userOf(caller), groups: groupsOf(caller), resourceAttributes })
      : ask({ resourceAttributes }, caller.passed)
  return {
    async wouldAllow(caller, request) {
      return (caller.passed === undefined && !review && !onlyServers.has(request.kind)) || judged(caller, attributesOf(request))
    },
    async review(caller, request) {
      const resourceAttributes = attributesOf(request)
      if (caller.passed !== undefined) {
        // Everything else the API server answers to the account itself; a watch is answered before the API server is asked.
        if (request.verb === 'watch' && !(await judged(caller, resourceAttributes))) throw new Forbidden({})
        return
      }
      if (!review && !onlyServers.has(request.kind)) return
      if (!(await judged(caller, resourceAttributes))) throw new Forbidden({})
    },
    storeFor({ passed }) {
      if (passed === undefined) return undefined
      const there = guests.get(passed)
      if (there !== undefined) return there
      const made = store.as(passed)
      keep(guests, guestMax, passed, made)
      return made
    },
    userOf: (caller) => (caller.passed === undefined ? userOf(caller) : undefined),
  }
}

function keep<V>(map: Map<string, V>, max: number, key: string, value: V): void {
  map.delete(key)
  if (map.size >= max) map.delete(map.keys().next().value ?? '')
  map.set(key, value)
}

/** A role that is narrowed to namespaces is narrowed by our table, which was asked first. */
const groupsOf = ({ grants }: Caller): string[] => [...new Set(grants.map(({ role }) => `megrez:${role}`))]

/** Verbs of our own are asked for as they are. */
const verbs: Readonly<Partial<Record<AccessRequest['act'], string>>> = { read: 'list', write: 'patch', report: 'patch' }

const attributesOf = (request: AccessRequest): object => (request.act === 'scale' ? attributesOfScale(request) : attributesOfKind(request))

const attributesOfScale = ({ namespace, name }: AccessRequest): object => ({
  namespace,
  name,
  verb: 'patch',
  group: 'apps',
  version: 'v1',
  resource: 'deployments',
  subresource: 'scale',
})

function attributesOfKind({ act, kind, namespace, name, verb }: AccessRequest): object {
  const [group = '', version = ''] = apiVersionOf(kind as Kind).includes('/')
    ? apiVersionOf(kind as Kind).split('/')
    : ['', apiVersionOf(kind as Kind)]
  return {
    ...(namespace !== undefined && kind !== 'Namespace' && { namespace }),
    ...(name !== undefined && { name }),
    verb: verb ?? verbs[act] ?? act,
    group,
    version,
    resource: pluralOf(kind as Kind),
    ...(act === 'report' && { subresource: 'status' }),
  }
}
