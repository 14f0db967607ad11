// Packets of connections between two nodes: agents with an nsmgr and a forwarder each, NSM's own client on one, an endpoint on the other.
import assert from 'node:assert/strict'
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { parseCidr } from '../../core/net/cidr.ts'
import { noNamespaces } from '../../lab/namespaces.ts'
import { linuxCarrier } from '../../lab/nodes/carriers.ts'
import type { AgentNode } from '../../lab/nodes/node.ts'
import { realClock } from '../../platform/clock.ts'
import { silentLog } from '../../platform/log.ts'
import { startEndpoint } from '../../platform/nsm/roles/endpoint.ts'
import type { Running } from '../../platform/nsm/roles/program.ts'
import { spiffeTokens } from '../../platform/nsm/tokens/spiffe-tokens.ts'
import { followFiles } from '../../platform/tls/files.ts'
import { startAgents } from '../node/agents.ts'
import { withSpaces, type Space } from '../node/kernel.ts'
import { until } from '../setup/until.ts'
import { programOf, startPeer, startPeerInside, type PeerProcess } from './peers.ts'

const pings = async ({ namespace }: Space, address: string, ...more: readonly string[]): Promise<boolean> =>
  (await namespace.exec('ping', '-n', '-c', '2', '-i', '0.2', '-W', '1', ...more, address)).code === 0
const linksIn = async ({ namespace }: { readonly namespace: Space['namespace'] }, name = /./): Promise<readonly string[]> =>
  [...(await namespace.ip('-o', 'link')).stdout.matchAll(/^\d+: ([^:@]+)/gm)]
    .map(([, each]) => each!)
    .filter((each) => name.test(each) && each !== 'lo')
/** One that is made anew has another index. */
const indexesIn = async ({ namespace }: { readonly namespace: Space['namespace'] }): Promise<readonly string[]> =>
  [...(await namespace.ip('-o', 'link')).stdout.matchAll(/^(\d+: (?:mgv|svc-a)[^:@]+)/gm)].map(([, each]) => each!).sort()
const devices = (node: AgentNode): Promise<readonly string[]> => linksIn(node, /^mgv/)
const plain = (address: string): string => address.replace(/\/.*$/, '')

interface Answer {
  readonly networkServiceEndpointName: string
  readonly context: {
    readonly MTU?: number
    readonly ipContext: { readonly srcIpAddrs: readonly string[]; readonly dstIpAddrs: readonly string[] }
  }
  readonly path: { readonly pathSegments: readonly { readonly name: string; readonly metrics?: Readonly<Record<string, string>> }[] }
}
const answersOf = ({ events }: PeerProcess): readonly Answer[] =>
  events.filter(({ event }) => event === 'response').map(({ connection }) => connection as Answer)
const last = (client: PeerProcess): Answer => answersOf(client).at(-1)!

async function pingBothWays(near: Space, far: Space, { ipContext: { srcIpAddrs, dstIpAddrs } }: Answer['context']): Promise<void> {
  for (const address of dstIpAddrs) await until(() => pings(near, plain(address)), `the client pings ${address}`)
  for (const address of srcIpAddrs) await until(() => pings(far, plain(address)), `the endpoint pings ${address}`)
}

/** Two nodes whose agents are nsmgrs, with NSM's registry between them. */
async function twoNodes(stops: (() => unknown)[]) {
  const folder = mkdtempSync(join(tmpdir(), 'megrez-nsm-'))
  stops.push(() => rmSync(folder, { recursive: true, force: true }))
  const pem = (name: string): string => join(folder, name)
  const as = (name: string): readonly string[] => [
    ...['--tls', 'mtls', '--tls-ca', pem('ca.pem'), '--tls-cert', pem(`${name}.pem`), '--tls-key', pem(`${name}.key`)],
    ...['--token', 'spiffejwt', '--authorize', 'opa'],
  ]
  await startPeer('certs', '--out', folder, '--name', 'registry,one,two,nse-1,nse-2,client').ended
  const registry = `unix://${folder}/registry.sock`
  const registered = startPeer('registry-memory', '--listen', registry, ...as('registry'))
  stops.push(() => registered.kill())
  await registered.event('listening')
  const agents = await startAgents()
  stops.push(() => agents.close())
  const socketOf = (name: string): string => `unix://${folder}/${name}.sock`
  const node = (name: string, n: number) =>
    agents.node(name, linuxCarrier, {
      MEGREZ_NSMGR_LISTEN: 'tcp://:5001',
      MEGREZ_NSMGR_URL: `tcp://192.168.50.${n}:5001`,
      MEGREZ_NSMGR_SOCKET: socketOf(name),
      MEGREZ_NSMGR_REGISTRY: registry,
      MEGREZ_NSMGR_FORWARDER: 'kernel',
      MEGREZ_NSMGR_TOKEN_SECONDS: '30',
      MEGREZ_NSMGR_CERT: pem(`${name}.pem`),
      MEGREZ_NSMGR_KEY: pem(`${name}.key`),
      MEGREZ_NSMGR_CA: pem('ca.pem'),
    })
  const [one, two] = [await node('one', 1), await node('two', 2)]
  await startPeer('register-ns', '--registry', socketOf('one'), '--name', 'svc-a', ...as('client')).ended
  const serve = async (name: 'nse-1' | 'nse-2', at: string, { path }: Space, blocks: readonly string[]): Promise<Running> => {
    const files = { cert: pem(`${name}.pem`), key: pem(`${name}.key`), clientCa: pem('ca.pem') }
    const certificate = await followFiles(files, { clock: realClock, log: silentLog() })
    stops.push(() => certificate.close())
    const program = { ...programOf(name), certificate, tokens: spiffeTokens({ certificate, lifeMs: 600_000, clock: realClock }) }
    const running = await startEndpoint(program, {
      listen: `unix://${folder}/${name}.sock`,
      registry: socketOf(at),
      services: { 'svc-a': {} },
      mechanisms: ['KERNEL'],
      addresses: { blocks: blocks.map((block) => parseCidr(block)!), strict: true },
      namespace: `file://${path}`,
      signal: AbortSignal.timeout(100_000),
    })
    let stopped: Promise<void> | undefined
    const stop = (): Promise<void> => (stopped ??= running.stop())
    stops.push(stop)
    return { ...running, stop }
  }
  const connect = (space: Space, id: string, ...more: readonly string[]): PeerProcess => {
    const fd = openSync(space.path, 'r')
    stops.push(() => closeSync(fd))
    const ask = ['client', '--connect', socketOf('one'), '--service', 'svc-a', '--mechanism', 'kernel', ...as('client')]
    const client = startPeerInside(fd, ...ask, '--id', id, '--wait-for-ready', ...more)
    stops.push(() => client.kill('SIGKILL'))
    return client
  }
  return { one, two, serve, connect }
}

describe('connections to another node', { skip: (await noNamespaces()) ?? false }, () => {
  const stops: (() => unknown)[] = []
  let nodes: Awaited<ReturnType<typeof twoNodes>>
  before(async () => (nodes = await twoNodes(stops)))
  after(async () => {
    for (const stop of stops.reverse()) await stop()
  })

  test('packets pass both ways by VXLAN, are counted, stay over a kill of either agent, and nothing is left after Close', async () =>
    withSpaces(async (spaces) => {
      const [near, far] = [await spaces.make(), await spaces.make()]
      const { one, two, serve, connect } = nodes
      const v4 = await serve('nse-1', 'two', far, ['10.60.1.0/24'])
      // It does not heal, and so asks for the very same connection again.
      const refreshed = ['--token-lifetime', '20s', '--timeout', '4s']
      const client = connect(near, 'conn-1', ...refreshed)
      await client.event('connected')
      const { context, path } = last(client)
      assert.deepEqual(
        path.pathSegments.map(({ name }) => name),
        ['nsc', 'nsmgr-one', 'forwarder-one', 'nsmgr-two', 'forwarder-two', 'nse-1'],
      )
      const { dstIpAddrs } = context.ipContext
      assert.equal(context.MTU, 1_550)
      await pingBothWays(near, far, context)
      const whole = ['-M', 'do', '-s', String(1_550 - 28)]
      assert.ok(await pings(near, plain(dstIpAddrs[0]!), ...whole), 'what fits into the MTU arrives whole')

      const counted = (name: string): Readonly<Record<string, string>> =>
        last(client).path.pathSegments.find((segment) => segment.name === name)?.metrics ?? {}
      const before = answersOf(client).length
      await until(() => answersOf(client).length > before, 'the client has asked again')
      for (const [name, key] of [
        ['forwarder-one', 'server_rx_packets'],
        ['forwarder-one', 'client_rx_packets'],
        ['forwarder-two', 'server_tx_packets'],
        ['forwarder-two', 'client_tx_packets'],
      ] as const)
        assert.ok(Number(counted(name)[key]) >= 6, `${name} ${key} of ${JSON.stringify(counted(name))}`)
      assert.ok(Number(counted('forwarder-one')['server_rx_bytes']) >= 2 * 1_550)
      assert.equal(counted('forwarder-one')['client_drops'], '0')

      const v6 = await serve('nse-2', 'two', far, ['fd00:60::/120'])
      const second = connect(near, 'conn-2', '--nse', 'nse-2', ...refreshed)
      await second.event('connected')
      assert.match(last(second).context.ipContext.srcIpAddrs.join(), /^fd00:60::1\/128$/)
      await pingBothWays(near, far, last(second).context)

      const places = [one, two, near, far]
      const there = await Promise.all(places.map(indexesIn))
      assert.deepEqual(
        there.map((each) => each.length),
        [2, 2, 2, 2],
      )
      for (const node of [one, two]) {
        await node.killAgent()
        assert.ok(await pings(near, plain(dstIpAddrs[0]!)), 'packets pass while an agent is away')
        await node.startAgent()
        const clients = [client, second]
        const answered = clients.map((each) => answersOf(each).length)
        await until(() => clients.every((each, i) => answersOf(each).length > answered[i]!), 'both clients have asked again')
        await until(() => pings(near, plain(dstIpAddrs[0]!)), 'packets pass again')
        assert.deepEqual(await Promise.all(places.map(indexesIn)), there, 'no interface is made anew')
      }
      await Promise.all([client.kill(), second.kill()])
      const left = async (): Promise<number> =>
        [await devices(one), await devices(two), await linksIn(near), await linksIn(far)].flat().length
      await until(async () => (await left()) === 0, 'its Close takes all of it away')
      await Promise.all([v4.stop(), v6.stop()])
    }))

  test('a client whose endpoint on its own node has gone has packets to one on another node, until its tokens end', async () =>
    withSpaces(async (spaces) => {
      const [near, here, far] = [await spaces.make(), await spaces.make(), await spaces.make()]
      const { one, two, serve, connect } = nodes
      const first = await serve('nse-1', 'one', here, ['10.60.1.0/24'])
      const client = connect(near, 'conn-1', '--heal', '--token-lifetime', '10s', '--timeout', '2s')
      await client.event('connected')
      assert.ok(await pings(near, '10.60.1.0'))
      assert.deepEqual(await devices(one), [])
      await serve('nse-2', 'two', far, ['10.60.2.0/24'])
      await first.stop()
      await until(() => last(client).networkServiceEndpointName === 'nse-2', 'it is at the other endpoint')
      await until(() => pings(near, '10.60.2.0'), 'packets pass to the other node')
      assert.deepEqual([(await devices(one)).length, (await linksIn(here)).length, (await linksIn(far)).length], [1, 0, 1])
      await client.kill('SIGKILL')
      const left = async (): Promise<number> =>
        [await devices(one), await devices(two), await linksIn(near), await linksIn(far)].flat().length
      await until(async () => (await left()) === 0, 'nobody asks for it any more')
    }))
})
