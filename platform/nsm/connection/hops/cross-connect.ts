// Of a forwarder that moves packets: both ends of a connection of mechanism KERNEL are joined once its endpoint has answered, and are no
// more when it is closed.
import { ChainRefused, messageOf } from '../../../../core/errors.ts'
import { wireOf, type Wire } from '../../../../core/nsm/connection/wire.ts'
import type { Element } from '../chain.ts'
import { slot } from '../visit.ts'
import { mechanismBehind } from './translate.ts'

export interface Wires {
  /** Twice is once; what differs is put right. @throws where an end is not there, or its interface is somebody else's */
  join(wire: Wire): Promise<void>
  /** Gone already is success. */
  part(wire: Wire): Promise<void>
}

const joined = slot<Wire>('wire')

export const crossConnect = (wires: Wires): Element => ({
  name: 'cross connect',
  async request(visit, next) {
    const connection = await next.request(visit)
    if (visit.connection.mechanism?.type !== 'KERNEL') return connection
    const had = visit.kept.get(joined)
    const wire = wireOf(connection, visit.connection.mechanism, mechanismBehind(visit.kept))
    try {
      if (wire === undefined) throw new ChainRefused({ reason: 'one end says no interface and network namespace to join' })
      if (had !== undefined && isElsewhere(had, wire)) await wires.part(had)
      await wires.join(wire)
      visit.kept.set(joined, wire)
      return connection
    } catch (err) {
      if (had === undefined) await next.close({ ...visit, connection }).catch(() => undefined)
      throw new ChainRefused({ reason: `the interfaces cannot be joined: ${messageOf(err)}`, cause: err })
    }
  },
  async close(visit, next) {
    const wire = visit.kept.take(joined)
    try {
      if (wire !== undefined) await wires.part(wire)
    } finally {
      await next.close(visit)
    }
  },
})

const isElsewhere = (a: Wire, b: Wire): boolean =>
  (['client', 'endpoint'] as const).some((end) => a[end].namespace !== b[end].namespace || a[end].ifname !== b[end].ifname)
