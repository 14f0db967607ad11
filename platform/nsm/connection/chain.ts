// A chain of elements: each does its part, calls the next one, and may do something with its answer. Lists are read from top to bottom on
// the way there, from bottom to top on the way back.
import type { Connection } from '../../../core/wire/nsm/connection.ts'
import type { Visit } from './visit.ts'

export interface Chain {
  /** @throws ChainRefused; PeerUnavailable and PeerRefused with the status of the next hop, where nothing else is between */
  request(visit: Visit): Promise<Connection>
  /** Of what is not there: nothing. @throws as request */
  close(visit: Visit): Promise<void>
}

/** Where one of the two is absent, the next element is called at once. */
export interface Element {
  readonly name: string
  request?(visit: Visit, next: Chain): Promise<Connection>
  close?(visit: Visit, next: Chain): Promise<void>
}

const end: Chain = { request: ({ connection }) => Promise.resolve(connection), close: () => Promise.resolve() }

export const chainOf = (elements: readonly Element[]): Chain =>
  elements.reduceRight<Chain>(
    (next, element) => ({
      request: async (visit) => (element.request === undefined ? next.request(visit) : element.request(visit, next)),
      close: async (visit) => (element.close === undefined ? next.close(visit) : element.close(visit, next)),
    }),
    end,
  )
