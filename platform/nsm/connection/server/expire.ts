// What its client no longer refreshes is closed when that client's token ends.
import { ChainRefused } from '../../../../core/errors.ts'
import { closesAtMs } from '../../../../core/nsm/connection/expiry.ts'
import type { Clock } from '../../../clock.ts'
import type { Element } from '../chain.ts'
import { slot, type Visit } from '../visit.ts'

const timer = slot<() => void>('expire')

export function expire(clock: Clock): Element {
  const stop = ({ kept }: Visit): void => kept.take(timer)?.()
  return {
    name: 'expire',
    async request(visit, next) {
      const connection = await next.request(visit)
      const at = closesAtMs(connection, visit.caller.leftMs)
      if (at === undefined) {
        // NSM's servers leave open what is behind them. What was well before is closed by its own timer.
        if (visit.kept.get(timer) === undefined) await next.close({ ...visit, connection }).catch(() => undefined)
        throw new ChainRefused({
          reason: `expiration for the previous path segment cannot be nil: id:"${connection.id}" network_service:"${connection.networkService}"`,
        })
      }
      stop(visit)
      visit.kept.set(
        timer,
        clock.after(Math.max(0, at - clock.now()), () => void visit.again.close().catch(() => undefined)),
      )
      return connection
    },
    async close(visit, next) {
      stop(visit)
      await next.close(visit)
    },
  }
}
