// A registry, an nsmgr, a forwarder and an endpoint of ours in this process, and a client: what a connection of gRPC goes through.
import { parseCidr } from '../../../core/net/cidr.ts'
import { mechanismOf } from '../../../core/nsm/connection/mechanisms.ts'
import type { Connection } from '../../../core/wire/nsm/connection.ts'
import { startEndpoint } from '../../../platform/nsm/roles/endpoint.ts'
import { startForwarder } from '../../../platform/nsm/roles/forwarder.ts'
import { startNsmgr } from '../../../platform/nsm/roles/nsmgr.ts'
import { openClient } from '../../../platform/nsm/roles/client.ts'
import { freePorts } from '../../../platform/programs/free-ports.ts'
import { programOf, testTokens } from '../../nsm/peers.ts'
import { serveRegistry, type ServedRegistry } from '../../nsm/registry-served.ts'

export interface NsmSystem {
  readonly registry: ServedRegistry
  /** So many, some of them at once, each of an id of its own. */
  connectMany(count: number, prefix?: string): Promise<void>
  stop(): Promise<void>
}
interface NsmSystemOptions {
  /** Of tokens: a client refreshes after a third of it. */
  readonly tokenMs: number
  /** Of every answer: the first ones, and those of refreshes. */
  readonly answered?: () => void
}

const service = 'svc-a'
const mechanisms = ['KERNEL', 'NOOP']
const listen = 'tcp://127.0.0.1:0'
const connectMs = 20_000
const atOnce = 16

export async function openNsmSystem({ tokenMs, answered }: NsmSystemOptions): Promise<NsmSystem> {
  const stops: (() => unknown)[] = []
  const ended = new AbortController()
  const program = (name: string) => ({ ...programOf(name, testTokens(tokenMs)), most: Infinity })
  const registry = await serveRegistry({ after: (stop) => void stops.push(stop) })
  await registry.store.create({ kind: 'NetworkService', metadata: { namespace: 'nsm', name: service }, spec: { name: service } })
  const nsmgr = `tcp://127.0.0.1:${(await freePorts(1))[0]}`
  const signal = ended.signal
  const started = async (running: Promise<{ stop(): Promise<void> }>): Promise<void> => {
    const { stop } = await running
    stops.push(stop)
  }
  await started(
    startNsmgr(program('nsmgr-1'), { listen: nsmgr, registry: registry.address, forwarderService: 'forwarder', excludedPrefixes: [] }),
  )
  const preferences = () => [mechanismOf('kernel')]
  await started(startForwarder(program('forwarder-1'), { listen, nsmgr, service: 'forwarder', mechanisms, preferences, signal }))
  const addresses = { blocks: [parseCidr('10.60.0.0/15')!], strict: false }
  await started(startEndpoint(program('nse-1'), { listen, registry: nsmgr, services: { [service]: {} }, mechanisms, addresses, signal }))
  const client = openClient(program('nsc'), { url: nsmgr, refreshes: true, ...(answered !== undefined && { answered }) })
  const connect = (id: string): Promise<Connection> =>
    client.connect({ id, service, labels: {}, preferences: [mechanismOf('kernel')] }, connectMs, signal)
  return {
    registry,
    async connectMany(count, prefix = 'conn') {
      let next = 0
      const some = async (): Promise<void> => {
        while (next < count) await connect(`${prefix}-${next++}`)
      }
      await Promise.all(Array.from({ length: atOnce }, some))
    },
    async stop() {
      client.close()
      for (const stop of stops.reverse()) await stop()
      ended.abort()
    },
  }
}
