// A forwarder: it carries connections to the endpoints that the registry has, and is registered for that itself.
import { forwarderChain, type ForwarderOptions } from '../connection/chains.ts'
import { Hops } from '../connection/hops/hop.ts'
import { EventHub } from '../connection/server/event-hub.ts'
import { servedConnections } from '../connection/server/serve.ts'
import { registryDirectory } from '../directory.ts'
import { register } from './endpoint.ts'
import { remoteRegistry } from '../upstream.ts'
import { dialFrom, hopFrom, listen, type Program, type Running } from './program.ts'

export interface ServedForwarder extends Omit<ForwarderOptions, 'hops' | 'directory'> {
  readonly listen: string
  /** URL of its nsmgr. */
  readonly nsmgr: string
  /** Under which it is registered. */
  readonly service: string
  readonly signal: AbortSignal
}

/** What NSM's matches want of a forwarder unless they say something else. */
const labels = { p2p: 'true' }

export async function startForwarder(program: Program, options: ServedForwarder): Promise<Running> {
  const { nsmgr, service, signal } = options
  const [hub, hop, dial] = [new EventHub(), hopFrom(program), dialFrom(program)]
  const [hops, registry] = [new Hops(dial), dial(nsmgr)]
  const { tokens, clock } = program
  const directory = registryDirectory(remoteRegistry({ registry, tokens, clock }), clock)
  const chain = forwarderChain(hop, hub, { ...options, hops, directory })
  const listening = await listen(program, options.listen, servedConnections({ ...hop, chain, hub }))
  const registered = await register(program, listening.address, { registry: nsmgr, services: { [service]: labels }, signal })
  return {
    address: listening.address,
    async stop() {
      await registered?.stop().catch((err: unknown) => program.log.warn({ err }, 'unregistering failed'))
      await listening.stop()
      hops.close()
      registry.channel.close()
    },
  }
}
