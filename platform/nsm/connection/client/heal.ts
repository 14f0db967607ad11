// Looks after a connection, by what the next hop tells of it and by its data path where somebody asks that, and asks for it anew.
import {
  healed,
  livenessEveryMs,
  usualHealRules,
  wellAtFirst,
  type Health,
  type HealEvent,
  type HealRules,
} from '../../../../core/nsm/connection/heal.ts'
import { states, type Connection } from '../../../../core/wire/nsm/connection.ts'
import type { Random } from '../../../chance.ts'
import type { Clock } from '../../../clock.ts'
import type { Element } from '../chain.ts'
import { followConnection, type FollowOptions } from '../hops/follow.ts'
import { hopOf } from '../hops/hop.ts'
import { slot, type Again, type Visit } from '../visit.ts'

export interface HealOptions extends FollowOptions {
  readonly clock: Clock
  readonly random: Random
  readonly rules?: HealRules
  /** Whether packets pass; absent: nobody asks, and what the next hop says is all there is. */
  readonly isAlive?: (connection: Connection) => Promise<boolean>
  /** Told once, when no further Request is tried. */
  readonly onLost?: (connection: Connection) => void
}

const watching = slot<Watch>('heal')

export function heal(options: HealOptions): Element {
  return {
    name: 'heal',
    async request(visit, next) {
      const before = visit.kept.get(watching)
      const connection = await next.request(visit)
      before?.stop()
      const watch = new Watch(visit.again, options)
      visit.kept.set(watching, watch)
      watch.start(visit, connection)
      return connection
    },
    async close(visit, next) {
      visit.kept.get(watching)?.pause()
      await next.close(visit)
    },
  }
}

class Watch {
  readonly #again: Again
  readonly #options: HealOptions
  readonly #ended = new AbortController()
  #health: Health = wellAtFirst
  #cancel: (() => void) | undefined

  constructor(again: Again, options: HealOptions) {
    this.#again = again
    this.#options = options
  }

  start(visit: Visit, connection: Connection): void {
    const hop = hopOf(visit.kept)
    const notify = (event: Connection): void => {
      if (event.state === states.DOWN) this.#on({ is: 'down', isAsked: this.#options.isAlive !== undefined }, connection)
    }
    if (hop !== undefined) followConnection(hop, connection, this.#ended.signal, { ...this.#options, isNews: () => true, notify })
    if (this.#options.isAlive !== undefined) this.#askSoon(connection)
  }

  /** The connection is asked for anew by somebody, and another watch follows it. */
  stop(): void {
    this.#health = wellAtFirst
    this.pause()
  }

  /** Nothing more is heard of it; a Request that is under way goes on. */
  pause(): void {
    this.#ended.abort()
    this.#cancel?.()
  }

  #on(event: HealEvent, connection: Connection): void {
    const { random, rules = usualHealRules, clock, onLost } = this.#options
    const was = this.#health.phase
    const [health, step] = healed(this.#health, event, random(), rules)
    this.#health = health
    if (health.phase === 'lost' && was !== 'lost') onLost?.(connection)
    if (step !== undefined) clock.after(step.afterMs, () => void this.#request(connection))
  }

  async #request(connection: Connection): Promise<void> {
    if (this.#health.phase !== 'healing') return
    try {
      await this.#again.request({ reselect: this.#health.reselect })
      this.#health = wellAtFirst
    } catch {
      this.#on({ is: 'requested', ok: false }, connection)
    }
  }

  #askSoon(connection: Connection): void {
    this.#cancel = this.#options.clock.after(livenessEveryMs, () => void this.#ask(connection))
  }

  async #ask(connection: Connection): Promise<void> {
    const answered = await this.#options.isAlive?.(connection).catch(() => false)
    if (this.#ended.signal.aborted) return
    this.#on({ is: answered === true ? 'answered' : 'missed' }, connection)
    this.#askSoon(connection)
  }
}
