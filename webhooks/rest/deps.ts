// What REST works with.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { IdentityGiver, Store } from '../../core/contracts/store.ts'
import type { Foreign, Ref, Resource } from '../../core/kinds/index.ts'
import type { Uids } from '../../platform/chance.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { NamespaceSecrets } from '../../platform/signing.ts'
import type { CertificateSource } from '../../platform/tls.ts'
import type { PageDeps } from '../page/sign-in.ts'
import type { AccessDeps } from '../plugins/access.ts'
import type { Caller, Tokens } from '../plugins/auth.ts'
import type { Limiting } from '../../platform/http/limits.ts'
import type { Signer } from '../plugins/signer.ts'
import type { Backlog } from './across/backlog.ts'
import type { AdmissionDeps } from '../admission/deps.ts'

/** The store where no API server is in front of it: pods, Nodes and Namespaces are made here too. */
export interface StandaloneStore extends Store, IdentityGiver {
  replaceForeignStatus<K extends keyof Foreign>(ref: Ref<K>, uid: string, status: Foreign[K]['status']): Promise<Resource<K>>
}

export interface RestDeps extends AccessDeps {
  /** The same store where it is standalone's; absent in a cluster, where the API server runs admission and keeps Nodes and Namespaces. */
  readonly standalone?: StandaloneStore
  readonly admission: AdmissionDeps
  readonly tokens: Tokens
  /** Of ids and places that come back to us: one for all servers on a store. */
  readonly seal: Signer
  readonly clock: Clock
  readonly random: () => number
  /** For what is named by us. */
  readonly uids: Uids
  readonly log: Log
  /** Absent: plain HTTP, on loopback. */
  readonly certificate?: CertificateSource
  /** PEM of who signs clients' certificates; absent: they are not asked for any. */
  readonly clientCa?: string
  /** Absent: callers may ask as much as they like. */
  readonly limits?: Limiting
  /** How long a new SOL subscription waits for the test of its callbackUri; absent: 20 s. */
  readonly testWaitMs?: number
  /** What waits for one reader of a stream of many kinds; absent: as many changes as is usual. */
  readonly openBacklog?: () => Backlog
  /** Where REST is for those outside; absent: as each client has reached us. */
  readonly publicUrl?: string | undefined
  /** What callbacks of each namespace are signed with; absent: with nothing. */
  readonly signing?: NamespaceSecrets
  /** Of browsers; absent: there is no page. */
  readonly page?: PageDeps
  /** openapi/openapi.yaml as text. */
  readonly document: string
  /** Who sends a request, as it is judged now. @throws Unauthorized, IssuerUnavailable */
  readonly identify: (request: FastifyRequest) => Caller | Promise<Caller>
  /** Falls when the server begins to stop: watches end. */
  readonly stopping: AbortSignal
}

export type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>
