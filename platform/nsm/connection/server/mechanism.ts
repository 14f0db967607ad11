// How a connection is carried is settled here: what its client prefers is tried in turn, and failures are told in NSM's words.
import { ChainRefused } from '../../../../core/errors.ts'
import { interfaceName, noMechanism, possibleMechanisms, withServerInterface } from '../../../../core/nsm/connection/mechanisms.ts'
import type { Connection, Mechanism } from '../../../../core/wire/nsm/connection.ts'
import type { Random } from '../../../chance.ts'
import type { Element } from '../chain.ts'
import { textOf } from '../hops/failure.ts'

/** Where every process finds its own network namespace. */
export const ownNamespace = 'file:///proc/thread-self/ns/net'

export interface MechanismOptions {
  /** Types, as `KERNEL`. */
  readonly offered: readonly string[]
  readonly random: Random
  /** URL of the network namespace that interfaces come into; absent: that of the client, whose interface it is. */
  readonly namespace?: string
}

export const mechanism = ({ offered, random, namespace }: MechanismOptions): Element => {
  const types = new Set(offered)
  const settled = (connection: Connection, chosen: Mechanism): Connection => {
    const own = chosen.type === 'KERNEL' ? kernelOf(chosen, connection.networkService, { random, namespace }) : chosen
    return { ...connection, mechanism: own }
  }
  return {
    name: 'mechanism',
    async request(visit, next) {
      let failed: Error = new ChainRefused({ reason: noMechanism })
      for (const chosen of possibleMechanisms(visit.connection, visit.preferences, types)) {
        try {
          const answer = await next.request({ ...visit, connection: settled(visit.connection, chosen) })
          return withServerInterface(answer, answer.mechanism ?? chosen)
        } catch (err) {
          if (visit.connection.mechanism !== undefined) throw err
          failed = new ChainRefused({ reason: `${textOf(err)}: ${failed.message}`, cause: err })
        }
      }
      throw failed
    },
  }
}

/** The interface has a name of its own, where the other side has not said one. */
const kernelOf = (
  chosen: Mechanism,
  service: string,
  { random, namespace }: Pick<MechanismOptions, 'random'> & { readonly namespace: string | undefined },
): Mechanism => ({
  ...chosen,
  parameters: new Map([
    ...chosen.parameters,
    ...(namespace === undefined ? [] : [['inodeURL', namespace] as const]),
    ['name', chosen.parameters.get('name') || interfaceName(service, random)],
  ]),
})
