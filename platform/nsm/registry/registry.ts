// NSM's registry, as its clients know it: both services, from the objects in the store.
import type { ServedHandler } from '../../grpc/handlers.ts'
import { servedEndpoints } from './endpoints.ts'
import { servedServices } from './services.ts'
import type { Tended } from './tended.ts'

export interface NsmRegistry {
  readonly handlers: readonly ServedHandler[]
  /** Nothing expires from here on. */
  stop(): void
}

export function openNsmRegistry(tended: Tended): NsmRegistry {
  const endpoints = servedEndpoints(tended)
  return { handlers: [...servedServices(tended), ...endpoints.handlers], stop: () => endpoints.stop() }
}
