// Of a forwarder: it asks its endpoint for a mechanism of its own, as each side of it is carried by itself.
// Source: networkservicemesh/sdk, common/mechanismtranslation/client.go (2026-11).
import type { Connection, Mechanism } from '../../../../core/wire/nsm/connection.ts'
import type { Element } from '../chain.ts'
import { slot, type ConnectionMemory } from '../visit.ts'

const behind = slot<Mechanism>('mechanism behind')
/** By which the endpoint is carried. */
export const mechanismBehind = (kept: ConnectionMemory): Mechanism | undefined => kept.get(behind)

/** For the endpoint, in order, made anew for each Request. @param target URL of the next hop, where one has been chosen */
export type Preferences = (connection: Connection, target: string | undefined) => readonly Mechanism[]

export const translateMechanism = (preferences: Preferences): Element => {
  const withMechanism = ({ mechanism: _, ...connection }: Connection, mechanism: Mechanism | undefined): Connection =>
    mechanism === undefined ? connection : { ...connection, mechanism }
  return {
    name: 'translate mechanism',
    async request(visit, next) {
      const wanted = preferences(visit.connection, visit.target)
      const had = visit.kept.get(behind)
      // An endpoint that has moved to another node is carried by another one.
      const kept = wanted.some(({ type }) => type === had?.type) ? had : undefined
      const answer = await next.request({ ...visit, connection: withMechanism(visit.connection, kept), preferences: wanted })
      if (answer.mechanism !== undefined) visit.kept.set(behind, answer.mechanism)
      return withMechanism(answer, visit.connection.mechanism)
    },
    close: async (visit, next) => next.close({ ...visit, connection: withMechanism(visit.connection, visit.kept.take(behind)) }),
  }
}
