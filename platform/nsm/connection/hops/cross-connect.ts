// Of a forwarder that moves packets: both ends of a connection are joined once its endpoint has answered, and are no more when it is
// closed. An end is an interface of mechanism KERNEL, or the tunnel to another node's forwarder.
import { ChainRefused, messageOf } from '../../../../core/errors.ts'
import { indexOf, segmentsOf, withSegment } from '../../../../core/nsm/connection/path.ts'
import type { TunnelPlace } from '../../../../core/nsm/connection/tunnel.ts'
import { metricsOf, wireOf, type Wire, type WireCounters } from '../../../../core/nsm/connection/wire.ts'
import type { Connection } from '../../../../core/wire/nsm/connection.ts'
import type { Element } from '../chain.ts'
import { slot } from '../visit.ts'
import { mechanismBehind } from './translate.ts'

export interface Wires {
  /** Twice is once; what differs is put right. @throws where an end is not there, or its interface is somebody else's */
  join(wire: Wire): Promise<void>
  /** Gone already is success. */
  part(wire: Wire): Promise<void>
  /** Of one that is joined; undefined where it is gone. */
  counted(wire: Wire): Promise<WireCounters | undefined>
}

const joined = slot<Wire>('wire')

/** @param place absent: nothing is carried to other nodes */
export const crossConnect = (wires: Wires, place?: TunnelPlace): Element => {
  const types = new Set(place === undefined ? ['KERNEL'] : ['KERNEL', 'VXLAN'])
  const joinedAs = async (wire: Wire | undefined, had: Wire | undefined): Promise<Wire> => {
    if (wire === undefined)
      throw new ChainRefused({ reason: 'one end is neither an interface in a network namespace nor a tunnel of this node' })
    if (had !== undefined && placesOf(had) !== placesOf(wire)) await wires.part(had)
    try {
      await wires.join(wire)
      return wire
    } catch (err) {
      if (had === undefined) await wires.part(wire).catch(() => undefined)
      throw err
    }
  }
  return {
    name: 'cross connect',
    async request(visit, next) {
      const connection = await next.request(visit)
      const { mechanism } = visit.connection
      if (mechanism === undefined || !types.has(mechanism.type)) return connection
      const had = visit.kept.get(joined)
      try {
        const wire = await joinedAs(wireOf(connection, [mechanism, mechanismBehind(visit.kept)], place), had)
        visit.kept.set(joined, wire)
        return withCounters(connection, await wires.counted(wire).catch(() => undefined))
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
  }
}

/** What cannot be changed where it is. */
const placesOf = (wire: Wire): string =>
  JSON.stringify(
    'tunnel' in wire
      ? [wire.end.namespace, wire.end.ifname, wire.tunnel]
      : [wire.client, wire.endpoint].map(({ namespace, ifname }) => [namespace, ifname]),
  )

function withCounters(connection: Connection, counters: WireCounters | undefined): Connection {
  const index = indexOf(connection)
  const metrics = segmentsOf(connection)[index]?.metrics ?? new Map<string, string>()
  return counters === undefined ? connection : withSegment(connection, index, { metrics: new Map([...metrics, ...metricsOf(counters)]) })
}
