// Events of what rules have logged: one for each word that a node says of it in a Port's status. Every worker hears that word, and the
// Event's name is a function of it, so that it is written once. It is a help for who looks, and no promise: one that is not written is
// not tried again.
import { eventOf } from '../../core/plan/events.ts'
import type { Store } from '../../core/contracts/store.ts'
import type { Resource } from '../../core/kinds/index.ts'
import type { Cache, ChangeEvent } from '../../platform/cache/cache.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'

/** Of one namespace: what a tenant has logged of ten thousand Ports keeps an API server from nothing. */
const apartMs = 1_000

export interface LogEventsDeps {
  readonly ports: Cache<'Port'>
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
}

/** @returns hears no more */
export function tellOfLogs({ ports, store, clock, log }: LogEventsDeps): () => void {
  const last = new Map<string, number>()
  const isTooSoon = ({ metadata: { namespace = '' } }: Resource): boolean => {
    const now = clock.elapsed()
    for (const [each, at] of last) if (now - at >= apartMs) last.delete(each)
    if (last.has(namespace)) return true
    last.set(namespace, now)
    return false
  }
  let isOver = false
  ports.on((event) => {
    const port = isOver ? undefined : newlyLogged(event)
    if (port === undefined || isTooSoon(port)) return
    const { time, last: note } = port.status!.node!.logged!
    const at = { now: clock.now() }
    const draft = eventOf(port, { type: 'Normal', reason: 'PacketLogged', note, sequence: Date.parse(time) }, at.now)
    store.commit([draft]).catch((err: unknown) => log.debug({ port: port.metadata.name, err }, 'event not written'))
  })
  return () => (isOver = true)
}

const loggedAt = (port: Resource<'Port'> | undefined): string | undefined => port?.status?.node?.logged?.time

/** What was there before this process began has been told of. */
function newlyLogged({ before, after }: ChangeEvent<'Port'>): Resource<'Port'> | undefined {
  const time = loggedAt(after)
  return before === undefined || time === undefined || time === loggedAt(before) ? undefined : after
}
