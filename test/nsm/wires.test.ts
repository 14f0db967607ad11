// Packets of connections of Network Service Mesh: asked for by gRPC, joined by our forwarder, between network namespaces.
import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { describe, test, type TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { kernelWires } from '../../agent/nsm/wires.ts'
import { openNamespace } from '../../agent/nsm/namespaces.ts'
import { openNetlink } from '../../agent/netlink/addon.ts'
import { LinkRefused, LinkTaken, NetnsGone } from '../../core/errors.ts'
import { parseCidr } from '../../core/net/cidr.ts'
import { mechanismOf } from '../../core/nsm/connection/mechanisms.ts'
import type { Connection } from '../../core/wire/nsm/connection.ts'
import type { PairWire, TunnelWire } from '../../core/nsm/connection/wire.ts'
import { pingEndpoint } from '../../platform/nsm/connection/client/ping.ts'
import { openClient } from '../../platform/nsm/roles/client.ts'
import { startEndpoint } from '../../platform/nsm/roles/endpoint.ts'
import { startNsmgr } from '../../platform/nsm/roles/nsmgr.ts'
import type { Running } from '../../platform/nsm/roles/program.ts'
import { freePorts } from '../../platform/programs/free-ports.ts'
import { noNamespaces } from '../../lab/namespaces.ts'
import { builtAddon, withSpaces, type Space } from '../node/kernel.ts'
import { until } from '../setup/until.ts'
import { programOf, startPeer, testTokens } from './peers.ts'
import { play } from './played.ts'
import { serveRegistry } from './registry-served.ts'

const skip = (await noNamespaces()) ?? false

const any = 'tcp://127.0.0.1:0'
const file = ({ path }: Space): string => `file://${path}`
const inode = async ({ path }: Space): Promise<string> => {
  const { dev, ino } = await stat(path)
  return `inode://${dev}/${ino}`
}
/** Each with its index, which a new one of the same name has not. */
const linksIn = async ({ namespace }: Space): Promise<readonly string[]> =>
  [...(await namespace.ip('-o', 'link')).stdout.matchAll(/^(\d+: [^:@]+)/gm)]
    .map(([, name]) => name!)
    .filter((name) => !name.endsWith(' lo'))
const namesIn = async (space: Space): Promise<readonly string[]> => (await linksIn(space)).map((link) => link.replace(/^.* /, ''))
const pings = async ({ namespace }: Space, address: string): Promise<boolean> =>
  (await namespace.exec('ping', '-n', '-c', '2', '-i', '0.2', '-W', '1', address)).code === 0
const plain = (address: string): string => address.replace(/\/.*$/, '')

/** Registry, nsmgr and forwarder of ours; the forwarder is a process, and may be killed and begun anew. */
async function mesh(t: TestContext) {
  await builtAddon()
  const { address: registry } = await serveRegistry(t)
  const [port, forwarderPort] = await freePorts(2)
  const nsmgrUrl = `tcp://127.0.0.1:${port}`
  const signal = AbortSignal.timeout(60_000)
  const nsmgr = await startNsmgr(programOf('nsmgr-1'), { listen: nsmgrUrl, registry, forwarderService: 'forwarder', excludedPrefixes: [] })
  const played = play()
  const at = ['--listen', `tcp://127.0.0.1:${forwarderPort}`, '--registry', nsmgrUrl, '--name', 'forwarder-1']
  const startForwarder = (): Promise<void> => played.startOurs('forwarder', 'forwarder', ...at, '--wires')
  await startForwarder()
  const endpoint = (name: string, namespace: string, n: number): Promise<Running> =>
    startEndpoint(programOf(name), {
      listen: any,
      registry: nsmgrUrl,
      services: { 'svc-a': {} },
      mechanisms: ['KERNEL'],
      addresses: { blocks: [parseCidr(`10.60.${n}.0/24`)!], strict: true },
      namespace,
      signal,
    })
  await startPeer('register-ns', '--registry', registry, '--name', 'svc-a').ended
  const stops: (() => Promise<unknown>)[] = [() => nsmgr.stop(), () => played.finish()]
  t.after(async () => {
    for (const stop of stops.reverse()) await stop()
  })
  const serve = async (...of: Parameters<typeof endpoint>): Promise<Running> => {
    const running = await endpoint(...of)
    stops.push(() => running.stop())
    return running
  }
  const answers: Connection[] = []
  const client = openClient(programOf('nsc', testTokens(20_000)), {
    url: nsmgrUrl,
    refreshes: true,
    answered: (connection) => void answers.push(connection),
  })
  stops.push(async () => client.close())
  return { nsmgrUrl, startForwarder, killForwarder: () => played.end('forwarder', 'SIGKILL'), serve, signal, client, answers }
}

const wanted = (namespace: string, ifname = 'nsm-1') => ({
  id: 'conn-1',
  service: 'svc-a',
  labels: {},
  preferences: [
    mechanismOf(
      'kernel',
      new Map([
        ['inodeURL', namespace],
        ['name', ifname],
      ]),
    ),
  ],
})

describe('connections of mechanism KERNEL on one node', { skip }, () => {
  test('a client and its endpoint ping each other, by file and by inode, and nothing is left after Close', async (t) =>
    withSpaces(async (spaces) => {
      const [a, b] = [await spaces.make(), await spaces.make()]
      const { serve, client, answers, signal } = await mesh(t)
      await serve('nse-1', await inode(b), 1)
      const connection = await client.connect(wanted(file(a)), 10_000, signal)
      const { srcIpAddrs: [own] = [], dstIpAddrs: [other] = [] } = connection.context!.ipContext!
      assert.ok(await pings(a, plain(other!)), 'the client pings its endpoint')
      assert.ok(await pings(b, plain(own!)), 'the endpoint pings its client')
      const [before, far] = [await linksIn(a), await linksIn(b)]
      assert.deepEqual([before.length, far.length], [1, 1])
      const asked = answers.length
      await until(() => answers.length >= asked + 2, 'it is refreshed')
      assert.deepEqual([await linksIn(a), await linksIn(b)], [before, far], 'further Requests make no further interfaces')
      await client.disconnect(answers.at(-1)!, 10_000)
      assert.deepEqual([await linksIn(a), await linksIn(b)], [[], []])
    }))

  test('a forwarder that was killed finds the interfaces again, and takes them away', async (t) =>
    withSpaces(async (spaces) => {
      const [a, b] = [await spaces.make(), await spaces.make()]
      const { serve, client, answers, signal, startForwarder, killForwarder } = await mesh(t)
      await serve('nse-1', file(b), 1)
      await client.connect(wanted(file(a)), 10_000, signal)
      const [before, far] = [await linksIn(a), await linksIn(b)]
      await killForwarder()
      assert.ok(await pings(a, '10.60.1.0'), 'packets pass while it is away')
      const asked = answers.length
      await startForwarder()
      await until(() => answers.length > asked, 'the client has refreshed through the new one')
      assert.deepEqual([await linksIn(a), await linksIn(b)], [before, far], 'the interfaces are the same')
      await client.disconnect(answers.at(-1)!, 10_000)
      assert.deepEqual([await linksIn(a), await linksIn(b)], [[], []])
    }))

  test('a client whose packets are cut, while gRPC lives, has another endpoint after three pings without an answer', async (t) =>
    withSpaces(async (spaces) => {
      const [a, b, c] = [await spaces.make(), await spaces.make(), await spaces.make()]
      const { nsmgrUrl, serve, signal } = await mesh(t)
      await serve('nse-1', file(b), 1)
      const answers: Connection[] = []
      const client = openClient(programOf('nsc'), {
        url: nsmgrUrl,
        refreshes: true,
        healing: { isAlive: pingEndpoint((...program) => a.namespace.exec(...program)) },
        answered: (connection) => void answers.push(connection),
      })
      t.after(() => client.close())
      await client.connect(wanted(file(a)), 10_000, signal)
      await serve('nse-2', file(c), 2)
      const at = Date.now()
      await wait(1_500)
      assert.equal(answers.length, 1, 'while packets pass nothing is asked for')
      await b.namespace.exec('sysctl', '-w', 'net.ipv4.icmp_echo_ignore_all=1')
      await until(() => answers.at(-1)?.networkServiceEndpointName === 'nse-2', 'it is at the other endpoint')
      assert.ok(Date.now() - at > 1_500 + 900, 'one ping that is missed is none')
      assert.equal(answers.at(-1)!.id, 'conn-1')
      assert.ok(await pings(a, '10.60.2.0'))
      assert.deepEqual([await namesIn(a), await namesIn(b), (await namesIn(c)).length], [['nsm-1'], [], 1])
      await client.disconnect(answers.at(-1)!, 10_000)
      assert.deepEqual([await linksIn(a), await linksIn(b), await linksIn(c)], [[], [], []])
    }))

  test('NSM’s own client gets its interface, and loses it by its Close', async (t) =>
    withSpaces(async (spaces) => {
      const [a, b] = [await spaces.make(), await spaces.make()]
      const { nsmgrUrl, serve } = await mesh(t)
      await serve('nse-1', file(b), 1)
      const kernel = ['--mechanism', 'kernel', '--mechanism-param', `inodeURL=${await inode(a)}`, '--mechanism-param', 'name=nsm-1']
      const client = startPeer('client', '--connect', nsmgrUrl, '--service', 'svc-a', '--id', 'conn-1', ...kernel)
      await client.event('connected')
      assert.ok(await pings(a, '10.60.1.0'))
      await client.kill()
      assert.deepEqual([await linksIn(a), await linksIn(b)], [[], []])
    }))
})

describe('wires', { skip }, () => {
  const wire = (a: Space, b: Space, more: Partial<PairWire> = {}): PairWire => ({
    id: 'c-1',
    client: { namespace: file(a), ifname: 'one', addresses: ['10.1.0.1/32'], routes: [{ to: '10.1.0.2/32' }] },
    endpoint: { namespace: file(b), ifname: 'two', addresses: ['10.1.0.2/32'], routes: [{ to: '10.1.0.1/32' }] },
    mtu: undefined,
    ...more,
  })

  test('put right what differs, touch nothing of others, and are made anew where an end has moved', async () =>
    withSpaces(async (spaces) => {
      const [a, b, c] = [await spaces.make(), await spaces.make(), await spaces.make()]
      const netlink = await openNetlink(await builtAddon())
      const { join, part } = kernelWires(netlink)
      await join(wire(a, b))
      await a.namespace.ip('addr', 'add', '10.9.9.9/32', 'dev', 'one')
      await a.namespace.ip('addr', 'del', '10.1.0.1/32', 'dev', 'one')
      await join(wire(a, b))
      assert.ok(await pings(a, '10.1.0.2'))
      assert.doesNotMatch((await a.namespace.ip('addr')).stdout, /10\.9\.9\.9/)
      await join(wire(a, c))
      assert.deepEqual([await namesIn(a), await namesIn(b), await namesIn(c)], [['one'], [], ['two']])
      await assert.rejects(join(wire(a, b, { id: 'c-2' })), LinkTaken)
      await part(wire(a, c))
      await part(wire(a, c))
      await b.namespace.ip('link', 'add', 'two', 'type', 'veth', 'peer', 'name', 'three')
      await assert.rejects(join(wire(a, b)), LinkTaken)
      await part(wire(a, b))
      assert.deepEqual([await namesIn(a), (await namesIn(b)).toSorted()], [[], ['three', 'two']])
      await netlink.close()
    }))

  test('a half that was killed before it had its alias is taken away', async () =>
    withSpaces(async (spaces) => {
      const [a, b] = [await spaces.make(), await spaces.make()]
      const netlink = await openNetlink(await builtAddon())
      const group = ['group', String(0x6d6e)]
      await a.namespace.ip('link', 'add', 'one', ...group, 'type', 'veth', 'peer', 'name', 'two', ...group, 'netns', b.name)
      await kernelWires(netlink).join(wire(a, b))
      assert.deepEqual([await namesIn(a), await namesIn(b)], [['one'], ['two']])
      assert.ok(await pings(a, '10.1.0.2'))
      await netlink.close()
    }))

  test('a tunnel leads to the other node’s port, is put right, and goes where nobody asks for it any more', async () =>
    withSpaces(async (spaces) => {
      const [one, two, a, b] = [await spaces.make(), await spaces.make(), await spaces.make(), await spaces.make()]
      await one.namespace.ip('link', 'add', 'under', 'type', 'veth', 'peer', 'name', 'under', 'netns', two.name)
      for (const [node, n] of [
        [one, 1],
        [two, 2],
      ] as const) {
        await node.namespace.ip('addr', 'add', `192.0.2.${n}/24`, 'dev', 'under')
        await node.namespace.ip('link', 'set', 'under', 'up')
      }
      const addon = await builtAddon()
      const [near, far] = [await openNetlink(addon, one.path), await openNetlink(addon, two.path)]
      const end = (space: Space, own: string, other: string) => ({
        namespace: file(space),
        ifname: 'nsm-1',
        addresses: [own],
        routes: [{ to: other }],
      })
      const here = (remote: string, more: Partial<TunnelWire> = {}): TunnelWire => ({
        id: 'c-1',
        mtu: 1_400,
        endIs: 'client',
        end: end(a, '10.1.0.1/32', '10.1.0.2/32'),
        tunnel: { vni: 15_728_640, local: '192.0.2.1', l4Port: 14_789, remote, remoteL4Port: 4789 },
        ...more,
      })
      const there: TunnelWire = {
        id: 'c-2',
        mtu: 1_400,
        endIs: 'endpoint',
        end: end(b, '10.1.0.2/32', '10.1.0.1/32'),
        tunnel: { vni: 15_728_640, local: '192.0.2.2', l4Port: 4789, remote: '192.0.2.1', remoteL4Port: 14_789 },
      }
      const wires = [kernelWires(near), kernelWires(far)] as const
      await wires[0].join(here('192.0.2.9'))
      await wires[1].join(there)
      assert.equal(await pings(a, '10.1.0.2'), false, 'it leads to a node that is not there')
      await kernelWires(near).join(here('192.0.2.2'))
      assert.ok(await pings(a, '10.1.0.2'), 'each sends to the port on which the other one listens')
      const [before] = [await linksIn(a)]
      await a.namespace.ip('link', 'set', 'nsm-1', 'mtu', '1300')
      await wires[0].join(here('192.0.2.2'))
      assert.match((await a.namespace.ip('link')).stdout, /mtu 1400/)
      assert.deepEqual(await linksIn(a), before)
      const { client, endpoint } = (await wires[0].counted(here('192.0.2.2')))!
      assert.ok(client.receivedPackets >= 2 && endpoint.receivedPackets >= 2, JSON.stringify({ client, endpoint }))
      await assert.rejects(wires[0].join(here('192.0.2.2', { id: 'c-3' })), LinkTaken)
      await assert.rejects(
        wires[0].join(here('192.0.2.2', { id: 'c-4', end: { ...end(b, '10.1.0.1/32', '10.1.0.2/32'), ifname: 'nsm-2' } })),
        LinkRefused,
      )
      await wires[0].sweep()
      assert.ok(await pings(a, '10.1.0.2'), 'what somebody asks for stays')
      await kernelWires(near).sweep()
      assert.deepEqual([await namesIn(a), await namesIn(one)], [[], ['under']])
      await wires[1].part(there)
      await wires[1].part(there)
      assert.deepEqual([await namesIn(b), await namesIn(two)], [[], ['under']])
      for (const netlink of [near, far]) await netlink.close()
    }))

  test('a network namespace is one that the URL names for everybody, and never the node’s own', async () =>
    withSpaces(async (spaces) => {
      const a = await spaces.make()
      for (const url of [file(a), await inode(a)]) await (await openNamespace(url)).close()
      const own = await stat('/proc/self/ns/net')
      for (const url of [`file:///proc/${process.pid}/ns/net`, `inode://${own.dev}/${own.ino}`])
        await assert.rejects(openNamespace(url), LinkRefused)
      for (const url of [
        'file:///proc/thread-self/ns/net',
        'file:///proc/self/ns/net',
        'file:///etc/passwd',
        'inode://4/1',
        '',
        'file:///run/netns/..',
      ])
        await assert.rejects(openNamespace(url), NetnsGone, url)
    }))
})
