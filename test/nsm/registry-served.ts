// Our registry, served from a store in memory, for NSM's own clients.
import { openCaches } from '../../platform/cache/caches.ts'
import { realClock } from '../../platform/clock.ts'
import { listenGrpc, type GrpcListening } from '../../platform/grpc/listen-grpc.ts'
import { silentLog } from '../../platform/log.ts'
import { openNsmRegistry } from '../../platform/nsm/registry/registry.ts'
import type { RegistryRules } from '../../platform/nsm/tokens/authorize.ts'
import type { Tokens } from '../../platform/nsm/tokens/token.ts'
import { SqliteStore } from '../../platform/store/sqlite.ts'
import type { CertificateSource } from '../../platform/tls.ts'
import { testTokens } from './peers.ts'

/** As NSM's `Any`: whoever asks. In tests alone. */
export const anybody: RegistryRules = { check: () => Promise.resolve(), checkOwner: () => undefined }

export interface ServedRegistry {
  readonly address: string
  readonly store: SqliteStore
  /** Every write to the store so far. */
  stop(graceMs?: number): Promise<void>
}

export interface RegistryOptions {
  readonly address?: string
  readonly longestMs?: number
  readonly certificate?: CertificateSource
  readonly tokens?: Tokens
  readonly rules?: RegistryRules
  readonly store?: SqliteStore
  readonly faults?: unknown[]
}

/** A test's context, or whoever else calls these in the end. */
interface EndHook {
  after(stop: () => Promise<void>): void
}

export async function serveRegistry(t: EndHook, options: RegistryOptions = {}): Promise<ServedRegistry> {
  const { address = 'tcp://127.0.0.1:0', longestMs = 60_000, tokens = testTokens(), rules = anybody, faults = [] } = options
  const store = options.store ?? SqliteStore.open(':memory:')
  const following = new AbortController()
  const caches = openCaches(store, { only: ['NetworkService', 'NetworkServiceEndpoint'] })
  await caches.start(following.signal)
  const failed = (err: unknown): void => void faults.push(err)
  const registry = openNsmRegistry({
    store,
    caches,
    namespace: 'nsm',
    longestMs,
    usualPayload: 'IP',
    tokens,
    rules,
    clock: realClock,
    mark: 0,
    failed,
  })
  const log = { ...silentLog(), error: (values: { readonly err: unknown }) => failed(values.err) } as ReturnType<typeof silentLog>
  const { certificate } = options
  const listening: GrpcListening = await listenGrpc({ address, handlers: registry.handlers, certificate, clock: realClock, log })
  let stopped: Promise<void> | undefined
  const stop = (graceMs = 500): Promise<void> =>
    (stopped ??= (async () => {
      registry.stop()
      await listening.stop(graceMs)
      following.abort()
      if (options.store === undefined) await store.close()
    })())
  t.after(() => stop())
  return { address: listening.address, store, stop }
}
