// Network Service Mesh's registry in the webhooks process: who may call, where it listens, what is counted.
import type { Store } from '../../core/contracts/store.ts'
import type { Caches } from '../../platform/cache/caches.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config.ts'
import { listenGrpc } from '../../platform/grpc/listen-grpc.ts'
import type { Log } from '../../platform/log.ts'
import type { MetricSet } from '../../platform/metrics/set.ts'
import { openNsmRegistry } from '../../platform/nsm/registry/registry.ts'
import { spiffeRules } from '../../platform/nsm/tokens/authorize.ts'
import { spiffeTokens } from '../../platform/nsm/tokens/spiffe-tokens.ts'
import { followFiles } from '../../platform/tls/files.ts'

export interface NsmDeps {
  readonly store: Pick<Store, 'get' | 'create' | 'update' | 'delete'>
  readonly caches: Pick<Caches, 'NetworkService' | 'NetworkServiceEndpoint'>
  readonly metrics: MetricSet
  readonly clock: Clock
  readonly random: () => number
  readonly log: Log
}

export interface NsmServed {
  /** With the real port. */
  readonly address: string
  /** Streams end with OK, calls are answered; then whoever is left is cut off. */
  stop(): Promise<void>
}

/** @throws ConfigInvalid where a certificate is not there or names no SPIFFE id, or what listening throws */
export async function startNsm(
  address: string,
  config: Config,
  { store, caches, metrics, clock, random, log }: NsmDeps,
): Promise<NsmServed> {
  const certificate = await followFiles({ cert: config.nsmCert, key: config.nsmKey, clientCa: config.nsmCa }, { clock, log })
  const calls = metrics.counter('megrez_nsm_calls_total')
  try {
    const registry = openNsmRegistry({
      store,
      caches,
      namespace: config.nsmNamespace ?? config.namespace,
      longestMs: config.nsmEndpointSeconds * 1000,
      usualPayload: 'IP',
      tokens: spiffeTokens({ certificate, lifeMs: config.nsmTokenSeconds * 1000, clock }),
      rules: spiffeRules(clock),
      clock,
      mark: Math.floor(random() * 1_000_000),
      failed: (err) => log.error({ err }, 'an endpoint whose time is over could not be taken away'),
    })
    const ended = (path: string, code: string): void => calls({ method: path.slice(1), code })
    const listening = await listenGrpc({ address, handlers: registry.handlers, certificate, clock, log, ended })
    return {
      address: listening.address,
      async stop() {
        registry.stop()
        await listening.stop()
        certificate.close()
      },
    }
  } catch (err) {
    certificate.close()
    throw err
  }
}
