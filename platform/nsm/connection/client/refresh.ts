// Asks again for a connection before the first of its tokens ends.
import { refreshAgainMs, refreshDelayMs } from '../../../../core/nsm/connection/refresh-delay.ts'
import type { Path } from '../../../../core/wire/nsm/connection.ts'
import type { Clock } from '../../../clock.ts'
import type { Element } from '../chain.ts'
import { slot, type Again, type ConnectionMemory } from '../visit.ts'

const timer = slot<() => void>('refresh')
const noPath: Path = { index: 0, pathSegments: [] }

export function refresh(clock: Clock): Element {
  const after = (ms: number, kept: ConnectionMemory, again: Again): void => {
    kept.take(timer)?.()
    const cancel = clock.after(ms, () => {
      // Its answer sets the next one; a timer that was set meanwhile stays.
      again.request().catch(() => kept.get(timer) === cancel && after(refreshAgainMs, kept, again))
    })
    kept.set(timer, cancel)
  }
  return {
    name: 'refresh',
    async request(visit, next) {
      const connection = await next.request(visit)
      after(refreshDelayMs(connection.path ?? noPath, clock.now()), visit.kept, visit.again)
      return connection
    },
    async close(visit, next) {
      visit.kept.take(timer)?.()
      await next.close(visit)
    },
  }
}
