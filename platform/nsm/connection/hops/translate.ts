// Of a forwarder: it asks its endpoint for a mechanism of its own, as each side of it is carried by itself.
// Source: networkservicemesh/sdk, common/mechanismtranslation/client.go (2026-11).
import type { Connection, Mechanism } from '../../../../core/wire/nsm/connection.ts'
import type { Element } from '../chain.ts'
import { slot, type ConnectionMemory } from '../visit.ts'

const behind = slot<Mechanism>('mechanism behind')
/** By which the endpoint is carried. */
export const mechanismBehind = (kept: ConnectionMemory): Mechanism | undefined => kept.get(behind)

/** @param preferences for the endpoint, in order, made anew for each Request */
export const translateMechanism = (preferences: (connection: Connection) => readonly Mechanism[]): Element => {
  const withMechanism = ({ mechanism: _, ...connection }: Connection, mechanism: Mechanism | undefined): Connection =>
    mechanism === undefined ? connection : { ...connection, mechanism }
  return {
    name: 'translate mechanism',
    async request(visit, next) {
      const connection = withMechanism(visit.connection, visit.kept.get(behind))
      const answer = await next.request({ ...visit, connection, preferences: preferences(visit.connection) })
      if (answer.mechanism !== undefined) visit.kept.set(behind, answer.mechanism)
      return withMechanism(answer, visit.connection.mechanism)
    },
    close: async (visit, next) => next.close({ ...visit, connection: withMechanism(visit.connection, visit.kept.take(behind)) }),
  }
}
