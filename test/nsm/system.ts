// NSM's system of registry, nsmgr, forwarder and endpoints, of which some are ours.
import type { TestContext } from 'node:test'
import { parseCidr } from '../../core/net/cidr.ts'
import { interfaceName, mechanismOf } from '../../core/nsm/connection/mechanisms.ts'
import type { Connection } from '../../core/wire/nsm/connection.ts'
import { realRandom } from '../../platform/chance.ts'
import { startEndpoint } from '../../platform/nsm/roles/endpoint.ts'
import { startForwarder } from '../../platform/nsm/roles/forwarder.ts'
import { startNsmgr } from '../../platform/nsm/roles/nsmgr.ts'
import { freePorts } from '../../platform/programs/free-ports.ts'
import { addressOf, programOf, startPeer, type PeerProcess } from './peers.ts'

/** Of our forwarders and endpoints. */
export const mechanisms = ['KERNEL', 'MEMIF', 'VXLAN', 'NOOP']
/** What a forwarder of ours asks endpoints for, as NSM's does. */
export const kernel = ({ networkService }: Connection) => [
  mechanismOf(
    'kernel',
    new Map([
      ['inodeURL', 'file:///proc/thread-self/ns/net'],
      ['name', interfaceName(networkService, realRandom)],
    ]),
  ),
]
export type Role = 'nsmgr' | 'forwarder' | 'endpoint'

/** A registry of NSM's, network service svc-a, and the three others, of which `ours` are ours. */
export async function system(t: TestContext, ours: readonly Role[]) {
  const signal = AbortSignal.timeout(60_000)
  const stops: (() => Promise<unknown>)[] = []
  t.after(async () => {
    for (const stop of stops.reverse()) await stop()
  })
  const peer = async (...args: readonly string[]): Promise<string> => {
    const started = startPeer(...args)
    stops.push(() => started.kill())
    return addressOf(started)
  }
  const registry = await peer('registry-memory', '--listen', 'tcp://127.0.0.1:0')
  const listen = `tcp://127.0.0.1:${(await freePorts(1))[0]}`
  const own = async (running: Promise<{ readonly address: string; stop(): Promise<void> }>): Promise<string> => {
    const { address, stop } = await running
    stops.push(stop)
    return address
  }
  const nsmgr = ours.includes('nsmgr')
    ? await own(startNsmgr(programOf('nsmgr-1'), { listen, registry, forwarderService: 'forwarder', excludedPrefixes: [] }))
    : await peer('nsmgr', '--listen', listen, '--registry', registry, '--name', 'nsmgr-1')
  const listenAny = 'tcp://127.0.0.1:0'
  if (ours.includes('forwarder'))
    await own(
      startForwarder(programOf('forwarder-1'), { listen: listenAny, nsmgr, service: 'forwarder', mechanisms, preferences: kernel, signal }),
    )
  else await registered(startPeer('forwarder', '--listen', listenAny, '--registry', nsmgr, '--name', 'forwarder-1'), stops)
  await startPeer('register-ns', '--registry', nsmgr, '--name', 'svc-a').ended
  const endpoint = async (n: 1 | 2): Promise<{ kill(): Promise<unknown> }> => {
    if (ours.includes('endpoint')) {
      const running = await startEndpoint(programOf(`nse-${n}`), {
        listen: listenAny,
        registry: nsmgr,
        services: { 'svc-a': {} },
        mechanisms,
        addresses: { blocks: [parseCidr(`10.60.${n}.0/24`)!], strict: false },
        signal,
      })
      stops.push(() => running.stop())
      return { kill: () => running.stop() }
    }
    const args = ['--name', `nse-${n}`, '--service', 'svc-a', '--cidr', `10.60.${n}.0/24`]
    const started = startPeer('endpoint', '--listen', listenAny, '--registry', nsmgr, ...args)
    await registered(started, stops)
    return { kill: () => started.kill('SIGKILL') }
  }
  return { nsmgr, endpoint, registry }
}

async function registered(peer: PeerProcess, stops: (() => Promise<unknown>)[]): Promise<void> {
  stops.push(() => peer.kill())
  await peer.event('registered')
}
