// No worker deletes an endpoint before its time, as it was last refreshed, and none is left for long after it.
import { keyOfItem, type Resource } from '../../../core/kinds/index.ts'
import { expiryOf } from '../../../core/nsm/expiry.ts'
import { portOfEndpoint } from '../../../core/plan/connections/endpoint.ts'
import { clockDriftMs } from '../../../core/plan/nsm/endpoint.ts'
import { perKind, type Invariant } from '../invariant.ts'
import { epochMs } from '../process.ts'
import { goesWithNamespace } from './with-namespace.ts'

type Endpoint = Resource<'NetworkServiceEndpoint'>
/** A worker's clock may be so much behind; then the queue and one write, where nothing goes wrong. */
const lateMs = clockDriftMs + 30_000 + 10_000

export const networkServices: Invariant = {
  name: 'network-services',
  begin({ site }, fail) {
    const now = (): number => epochMs + site.scheduler.now
    const isOver = (endpoint: Endpoint, afterMs: number): boolean => (expiryOf(endpoint.spec) ?? Infinity) + afterMs < now()
    const noneLeft = (): void => {
      for (const endpoint of site.truth.values('NetworkServiceEndpoint'))
        if (isOver(endpoint, lateMs)) fail(`NetworkServiceEndpoint ${keyOfItem(endpoint)} is there, and its time is over for long`)
    }
    return {
      landed: perKind({
        NetworkServiceEndpoint(before, after) {
          if (before === undefined || after !== undefined) return
          const by = site.truth.log.at(-1)?.by ?? ''
          // One that is a Port is an endpoint as long as that.
          if (portOfEndpoint(before) !== undefined) return
          if (by.startsWith('workers-') && !isOver(before, 0) && !goesWithNamespace(before, site.truth))
            fail(`${by} deletes ${keyOfItem(before)}, whose time is not over`)
        },
      }),
      atRest: noneLeft,
      atEnd: noneLeft,
    }
  },
}
