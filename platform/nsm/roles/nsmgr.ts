// An nsmgr: what its node's clients and endpoints call, and what other nodes' forwarders get to.
import { nsmgrChain } from '../connection/chains.ts'
import { Hops } from '../connection/hops/hop.ts'
import { EventHub } from '../connection/server/event-hub.ts'
import { servedConnections } from '../connection/server/serve.ts'
import { registryDirectory } from '../directory.ts'
import { LocalRegistry } from '../nsmgr/local-registry.ts'
import { openMemoryRegistry, type MemoryRegistry } from '../nsmgr/memory-registry.ts'
import type { Namespaces } from '../connection/server/namespaces.ts'
import { remoteRegistry } from '../upstream.ts'
import { dialFrom, hopFrom, listen, type Program, type Running } from './program.ts'

export interface ServedNsmgr {
  readonly listen: string
  /** A unix socket beside it, as `unix:///run/megrez/nsm.sock`; absent: none. */
  readonly socket?: string | undefined
  /** Where other nodes get to it; absent: where it listens. */
  readonly url?: string | undefined
  /** URL of the registry that all nsmgrs share; absent: one in this process, of this nsmgr alone. */
  readonly registry?: string | undefined
  /** Under which forwarders are registered. */
  readonly forwarderService: string
  /** Blocks that no endpoint may give addresses of. */
  readonly excludedPrefixes: readonly string[]
  /** Where network namespaces are held that clients have sent; absent: nobody here uses them. */
  readonly namespaces?: Namespaces | undefined
}

export interface RunningNsmgr extends Running {
  /** Whether that is where an endpoint of this node is called, and no other node's nsmgr. */
  isOfNode(url: string): boolean
}

export async function startNsmgr(program: Program, options: ServedNsmgr): Promise<RunningNsmgr> {
  const { clock } = program
  const [hub, hop, dial] = [new EventHub(), hopFrom(program), dialFrom(program)]
  const hops = new Hops(dial)
  const registry = await registryOf(program, options.registry)
  const local = new LocalRegistry(registry, clock, options.url ?? options.listen)
  const everywhere = registryDirectory(registry, clock)
  const [directory, forwarders] = [local.directory(everywhere), local.ofNode(everywhere)]
  const chain = nsmgrChain(hop, hub, { ...options, hops, directory, forwarders })
  const handlers = [...servedConnections({ ...hop, chain, hub }), ...local.handlers()]
  const listening = await listen(program, options.listen, handlers)
  const beside = options.socket === undefined ? undefined : await listen(program, options.socket, handlers)
  return {
    address: listening.address,
    isOfNode: (url) => local.isOfNode(url),
    async stop() {
      await Promise.all([listening.stop(), beside?.stop()])
      hops.close()
      await registry.stop()
    },
  }
}

async function registryOf(program: Program, url: string | undefined): Promise<MemoryRegistry> {
  if (url === undefined) return openMemoryRegistry(program)
  const registry = dialFrom(program)(url)
  return {
    ...remoteRegistry({ registry, tokens: program.tokens, clock: program.clock }),
    stop: () => Promise.resolve(registry.channel.close()),
  }
}
