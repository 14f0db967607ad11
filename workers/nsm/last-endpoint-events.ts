// An Event of a NetworkService when its last endpoint has gone. Every worker hears of that, and the Event's name is a function of which
// endpoint it was, so that it is written once. It is a help for who looks, and no promise: one that is not written is not tried again.
import { inNamespaceOf } from '../../core/kinds/index.ts'
import { nsmNameOf } from '../../core/nsm/named.ts'
import { eventOf } from '../../core/plan/events.ts'
import type { Store } from '../../core/contracts/store.ts'
import type { Caches } from '../../platform/cache/caches.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'

export interface LastEndpointDeps {
  readonly caches: Caches
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
}

/** @returns hears no more */
export function tellOfLastEndpoints({ caches, store, clock, log }: LastEndpointDeps): () => void {
  let isOver = false
  caches.NetworkServiceEndpoint.on(({ before: gone, after }) => {
    if (isOver || after !== undefined || gone === undefined) return
    const at = { now: clock.now() }
    const sequence = Number(gone.metadata.resourceVersion)
    for (const name of new Set(gone.spec.network_service_names ?? [])) {
      const key = inNamespaceOf(gone, name)
      if ([...caches.NetworkServiceEndpoint.by('service', key)].length > 0) continue
      const note = `no endpoint serves ${name} any more: ${nsmNameOf(gone)} was the last, and was unregistered or has expired`
      for (const service of caches.NetworkService.by('name', key))
        store
          .commit([eventOf(service, { type: 'Warning', reason: 'NoEndpoints', note, sequence }, at.now)])
          .catch((err: unknown) => log.debug({ service: service.metadata.name, err }, 'event not written'))
    }
  })
  return () => (isOver = true)
}
