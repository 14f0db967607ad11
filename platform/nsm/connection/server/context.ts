// What a hop adds to the context of a connection: blocks that no address may come from, routes, names.
import { noAddresses } from '../../../../core/nsm/connection/ip-context.ts'
import type { Connection } from '../../../../core/wire/nsm/connection.ts'
import type { ConnectionContext } from '../../../../core/wire/nsm/context.ts'
import type { Element } from '../chain.ts'

export interface Addition {
  /** Blocks of the cluster that must not come twice. */
  readonly excludedPrefixes?: readonly string[]
  /** Blocks that the client gets to through the endpoint. */
  readonly routes?: readonly string[]
  readonly dns?: { readonly servers: readonly string[]; readonly searchDomains: readonly string[] }
}

/** What is there already stays, and is not there twice. */
export const addContext = (addition: Addition): Element => ({
  name: 'context',
  request: async (visit, next) => next.request({ ...visit, connection: withAddition(visit.connection, addition) }),
})

function withAddition(connection: Connection, { excludedPrefixes = [], routes = [], dns }: Addition): Connection {
  const context: ConnectionContext = { extraContext: new Map<string, string>(), mtu: 0, ...connection.context }
  const { ipContext = noAddresses, dnsContext = { configs: [] } } = context
  const excluded = [...new Set([...ipContext.excludedPrefixes, ...excludedPrefixes])]
  const more = routes
    .filter((prefix) => !ipContext.srcRoutes.some((each) => each.prefix === prefix))
    .map((prefix) => ({ prefix, nextHop: '' }))
  const config = dns === undefined ? undefined : { dnsServerIps: dns.servers, searchDomains: dns.searchDomains }
  const isThere = config !== undefined && dnsContext.configs.some((each) => JSON.stringify(each) === JSON.stringify(config))
  return {
    ...connection,
    context: {
      ...context,
      ipContext: { ...ipContext, excludedPrefixes: excluded, srcRoutes: [...ipContext.srcRoutes, ...more] },
      ...(config !== undefined && { dnsContext: { configs: isThere ? dnsContext.configs : [...dnsContext.configs, config] } }),
    },
  }
}
