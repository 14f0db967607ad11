// An endpoint: it serves network services, and stays registered for them.
import type { NetworkServiceEndpointDraft } from '../../../core/wire/nsm/registry.ts'
import { endpointChain, type EndpointOptions } from '../connection/chains.ts'
import { EventHub } from '../connection/server/event-hub.ts'
import { servedConnections } from '../connection/server/serve.ts'
import { keepRegistered, type Registered } from '../registration.ts'
import { dialFrom, hopFrom, listen, type Program, type Running } from './program.ts'

export interface RegistrationOptions {
  /** URL of a registry or an nsmgr; absent: it is found by nobody. */
  readonly registry?: string | undefined
  /** With their labels. */
  readonly services: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Where others get to it; absent: where it listens. */
  readonly url?: string | undefined
}
export interface ServedEndpoint extends EndpointOptions, RegistrationOptions {
  /** `tcp://127.0.0.1:5004`, `unix:///run/nse.sock` */
  readonly listen: string
  readonly signal: AbortSignal
}

export async function startEndpoint(program: Program, options: ServedEndpoint): Promise<Running> {
  const [hub, hop] = [new EventHub(), hopFrom(program)]
  const chain = endpointChain(hop, hub, options)
  const listening = await listen(program, options.listen, servedConnections({ ...hop, chain, hub }))
  const registered = await register(program, listening.address, options)
  return {
    address: listening.address,
    async stop() {
      await registered?.stop().catch((err: unknown) => program.log.warn({ err }, 'unregistering failed'))
      await listening.stop()
    },
  }
}

/** @param address where it listens */
export async function register(
  program: Program,
  address: string,
  { registry, services, url = address, signal }: RegistrationOptions & { readonly signal: AbortSignal },
): Promise<Registered | undefined> {
  if (registry === undefined) return undefined
  const { name, tokens, clock, log } = program
  const draft: NetworkServiceEndpointDraft = {
    name,
    networkServiceNames: Object.keys(services),
    networkServiceLabels: new Map(
      Object.entries(services).flatMap(([service, labels]) => {
        const all = Object.entries(labels)
        return all.length === 0 ? [] : [[service, { labels: new Map(all) }] as const]
      }),
    ),
    url,
  }
  const failed = (err: unknown): void => log.warn({ err, registry }, 'registering failed, and is tried again')
  const dialled = dialFrom(program)(registry)
  const registered = await keepRegistered(draft, { registry: dialled, tokens, clock, failed }, signal)
  return {
    async stop() {
      await registered.stop().finally(() => dialled.channel.close())
    },
  }
}
