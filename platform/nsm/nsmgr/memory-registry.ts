// A registry that is kept in the memory of its nsmgr, where no other is named: what is registered here is found here alone.
import { openCaches } from '../../cache/caches.ts'
import { openNsmRegistry } from '../registry/registry.ts'
import type { Program } from '../roles/program.ts'
import { spiffeRules, type RegistryRules } from '../tokens/authorize.ts'
import { SqliteStore } from '../../store/sqlite.ts'
import { registryInProcess, type Upstream } from '../upstream.ts'

/** As NSM's memory registry has it. */
const longestMs = 60_000

export interface MemoryRegistry extends Upstream {
  stop(): Promise<void>
}

/** Without certificates nobody has a name to be judged by. */
const anybody: RegistryRules = { check: () => Promise.resolve(), checkOwner: () => undefined }

export async function openMemoryRegistry({ tokens, clock, certificate, log }: Program): Promise<MemoryRegistry> {
  const store = SqliteStore.open(':memory:')
  const following = new AbortController()
  const caches = openCaches(store, { only: ['NetworkService', 'NetworkServiceEndpoint'] })
  await caches.start(following.signal)
  const registry = openNsmRegistry({
    store,
    caches,
    namespace: 'nsm',
    longestMs,
    tokens,
    rules: certificate === undefined ? anybody : spiffeRules(clock),
    clock,
    mark: 0,
    failed: (err) => log.error({ err }, 'an endpoint whose time is over could not be taken away'),
  })
  return {
    ...registryInProcess(registry.handlers, clock),
    async stop() {
      registry.stop()
      following.abort()
      await store.close()
    },
  }
}
