// What becomes of a connection is told to monitors; of a hop that has another one behind it, what that one tells as well.
import { states, type Connection } from '../../../../core/wire/nsm/connection.ts'
import type { Element } from '../chain.ts'
import { hopOf } from '../hops/hop.ts'
import { slot, type Visit } from '../visit.ts'
import type { EventHub } from './event-hub.ts'
import { followConnection, type FollowOptions } from '../hops/follow.ts'

const following = slot<() => void>('monitor')

export function monitor(hub: EventHub, options: FollowOptions): Element {
  const stop = ({ kept }: Visit): boolean => {
    const end = kept.take(following)
    end?.()
    return end !== undefined
  }
  const follow = (visit: Visit, connection: Connection): void => {
    const hop = hopOf(visit.kept)
    if (hop === undefined) return
    const ended = new AbortController()
    visit.kept.set(following, () => ended.abort())
    const isNews = (event: Connection, isFirst: boolean): boolean => !isFirst || event.state !== connection.state
    followConnection(hop, connection, ended.signal, { ...options, isNews, notify: (event) => hub.update(event) })
  }
  return {
    name: 'monitor',
    async request(visit, next) {
      const wasFollowed = stop(visit)
      try {
        const connection = await next.request(visit)
        hub.update(connection)
        follow(visit, connection)
        return connection
      } catch (err) {
        if (wasFollowed) hub.update({ ...visit.connection, state: states.DOWN })
        throw err
      }
    },
    async close(visit, next) {
      stop(visit)
      try {
        await next.close(visit)
      } finally {
        hub.delete(visit.connection)
      }
    },
  }
}
