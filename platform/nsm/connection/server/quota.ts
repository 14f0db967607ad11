// How many connections one client may have here. Who it is says its certificate; without one all are the same client.
import { ChainRefused } from '../../../../core/errors.ts'
import type { Element } from '../chain.ts'
import { slot, type Visit } from '../visit.ts'

const counted = slot<string>('quota')

/** @param most of one client */
export function quota(most: number): Element {
  const counts = new Map<string, number>()
  const release = ({ kept }: Visit): void => {
    const who = kept.take(counted)
    if (who === undefined) return
    const left = (counts.get(who) ?? 1) - 1
    if (left === 0) counts.delete(who)
    else counts.set(who, left)
  }
  return {
    name: 'quota',
    async request(visit, next) {
      if (visit.kept.get(counted) !== undefined) return next.request(visit)
      const who = visit.caller.identity?.spiffeId ?? ''
      const has = counts.get(who) ?? 0
      if (has >= most)
        throw new ChainRefused({
          reason: `${who === '' ? 'clients without a name have' : `${who} has`} ${has} connections here, as many as may be`,
        })
      counts.set(who, has + 1)
      visit.kept.set(counted, who)
      try {
        return await next.request(visit)
      } catch (err) {
        release(visit)
        throw err
      }
    },
    async close(visit, next) {
      release(visit)
      await next.close(visit)
    },
  }
}
