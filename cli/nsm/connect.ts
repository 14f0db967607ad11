// megrez nsm connect: a connection to a network service, kept until the command ends.
import { MegrezError } from '../../core/errors.ts'
import { noAddresses } from '../../core/nsm/connection/ip-context.ts'
import { interfaceName, mechanismOf } from '../../core/nsm/connection/mechanisms.ts'
import type { Connection, Mechanism } from '../../core/wire/nsm/connection.ts'
import type { IpContext } from '../../core/wire/nsm/context.ts'
import { realRandom } from '../../platform/chance.ts'
import { pingEndpoint } from '../../platform/nsm/connection/client/ping.ts'
import { openClient } from '../../platform/nsm/roles/client.ts'
import type { Flags, GivenArguments } from '../args.ts'
import { CliError, fallen, type Context, type Exit } from '../context.ts'
import { labelsFrom, mechanismsFrom, needed, ownNamespace, programFrom, wholeFrom } from './identity.ts'

export const connectFlags: Flags = {
  nsmgr: { type: 'string', value: 'URL', meaning: 'connect: the nsmgr of this node, or an endpoint' },
  id: { type: 'string', value: 'ID', meaning: 'connect: of the connection, to have the same again (its own unless given)' },
  endpoint: { type: 'string', value: 'NAME', meaning: 'connect: the endpoint by name' },
  heal: { type: 'boolean', meaning: 'connect: ask for another endpoint when its own is gone' },
  timeout: { type: 'string', value: 'SECONDS', meaning: 'connect: how long it is tried (15)' },
}

export async function connect(service: string, given: GivenArguments, context: Context): Promise<Exit> {
  const program = await programFrom(given, 'nsc')
  const timeoutMs = wholeFrom(given, 'timeout', 15) * 1000
  const say = (event: string, connection: Connection): void => context.out(`${JSON.stringify({ event, ...shown(connection) })}\n`)
  let last = ''
  const client = openClient(program, {
    url: needed(given, 'nsmgr'),
    refreshes: true,
    ...(given.has('heal') && { healing: { isAlive: pingEndpoint(), onLost: (connection) => say('lost', connection) } }),
    answered: (connection) => {
      // A refresh changes nothing that anybody wants to know.
      const text = JSON.stringify(shown(connection))
      if (text !== last) say('connected', connection)
      last = text
    },
  })
  try {
    const connection = await client.connect(
      {
        id: given.text('id') ?? program.newId(),
        service,
        endpoint: given.text('endpoint'),
        labels: labelsFrom(given.texts('label')),
        preferences: await preferencesFrom(given, service),
      },
      timeoutMs,
      context.signal,
    )
    await fallen(context.signal)
    await client.disconnect(connection, timeoutMs)
    say('closed', connection)
    return 0
  } catch (err) {
    throw err instanceof MegrezError ? new CliError(1, err.message) : err
  } finally {
    client.close()
    program.close()
  }
}

const preferencesFrom = async (given: GivenArguments, service: string): Promise<readonly Mechanism[]> => {
  const kernel = new Map([
    ['inodeURL', await ownNamespace()],
    ['name', interfaceName(service, realRandom)],
  ])
  return mechanismsFrom(given).map((type) => mechanismOf(type, type === 'KERNEL' ? kernel : undefined))
}

/** What somebody wants to know of it; tokens are nobody's affair. */
const shown = ({ id, networkService: service, networkServiceEndpointName: endpoint, mechanism, context, path }: Connection) => ({
  id,
  service,
  endpoint,
  mechanism: mechanism && { type: mechanism.type, parameters: Object.fromEntries(mechanism.parameters) },
  ...addressesOf(context?.ipContext ?? noAddresses),
  path: (path?.pathSegments ?? []).map(({ name }) => name),
})

const addressesOf = ({ srcIpAddrs: addresses, dstIpAddrs: otherEnd, srcRoutes }: IpContext) => ({
  addresses,
  otherEnd,
  routes: srcRoutes.map(({ prefix }) => prefix),
})
