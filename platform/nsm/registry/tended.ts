import type { Store } from '../../../core/contracts/store.ts'
import type { Caches } from '../../cache/caches.ts'
import type { Clock } from '../../clock.ts'
import type { RegistryRules } from '../tokens/authorize.ts'
import type { Tokens } from '../tokens/token.ts'

/** What both registries of NSM are made of. */
export interface Tended {
  readonly store: Pick<Store, 'get' | 'create' | 'update' | 'delete'>
  readonly caches: Pick<Caches, 'NetworkService' | 'NetworkServiceEndpoint'>
  /** Where registrations are kept; those of every namespace are found. */
  readonly namespace: string
  /** An endpoint that is not refreshed goes after so long, or earlier. */
  readonly longestMs: number
  /** Of a service that says none; absent: it has none, as in the memory of NSM's nsmgr. */
  readonly usualPayload?: 'IP'
  readonly tokens: Tokens
  readonly rules: RegistryRules
  readonly clock: Clock
  /** 0 to 999,999, of this process and no other that serves the same store. */
  readonly mark: number
  /** Of something that nobody waits for. */
  readonly failed: (err: unknown) => void
}
