// A node's agent on a standalone server's socket: the same story as on the store itself, and what the server will not let it write.
import assert from 'node:assert/strict'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import type { Draft } from '../../core/contracts/store.ts'
import { portFinalizer, portsWithoutPodLabel } from '../../core/kinds/annotations.ts'
import { refOf, type Resource } from '../../core/kinds/index.ts'
import { uplinkResource } from '../../core/node/booking/booking.ts'
import { realClock } from '../../platform/clock.ts'
import { silentLog } from '../../platform/log.ts'
import { RestStore } from '../../platform/store/rest.ts'
import { listenAgents } from '../../webhooks/agents/server.ts'
import { WatchRecorder } from '../laws/watch-recorder.ts'
import { openTestCluster, type TestCluster } from '../workers/test-cluster.ts'
import { makePod, withNetwork } from '../workers/network.ts'
import { eventually, openNode } from './node.ts'
import { judge, nameOf, openPoliced, putRuleSet } from './policed.ts'

let cluster: TestCluster
let folder: string
let server: Awaited<ReturnType<typeof listenAgents>>
let store: RestStore
const socket = (): string => join(folder, 'agents.sock')
const open = (node: string): RestStore => new RestStore({ socket: socket(), node, clock: realClock, random: Math.random })

beforeEach(async () => {
  cluster = await openTestCluster()
  folder = await mkdtemp(join(tmpdir(), 'mz-rest-'))
  server = await listenAgents({ store: cluster.store, log: silentLog(), socket: socket() })
  store = open('n1')
  await store.register('192.0.2.1')
})
afterEach(async () => {
  await store.close()
  await server.close()
  await cluster.close()
  await rm(folder, { recursive: true })
})

async function portHere(): Promise<Resource<'Port'>> {
  await withNetwork(cluster)
  await makePod(cluster, 'a/web', { node: 'n1' })
  await cluster.settle()
  return (await cluster.all('Port'))[0]!
}

test('an agent that registers is a Node that others can tunnel to', async () => {
  await portHere()
  assert.equal((await cluster.all('Port'))[0]?.status?.hostIP, '192.0.2.1')
})

test('it gets, lists and watches by field as in any store', async () => {
  const port = await portHere()
  assert.equal((await store.get(refOf(port)))?.metadata.uid, port.metadata.uid)
  assert.equal(await store.get({ kind: 'Port', namespace: 'a', name: 'none' }), undefined)
  assert.equal((await store.list('Port', { fields: { '.spec.node': 'n2' } })).items.length, 0)
  const seen = await WatchRecorder.open(store, 'Port', { fields: { '.spec.node': 'n1' } })
  assert.deepEqual(seen.log, [`all ${port.metadata.name}`])
  await cluster.store.update({ ...port, spec: { ...port.spec, retain: true } })
  await seen.until((log) => log.includes(`put ${port.metadata.name}`))
  await seen.close()
})

test('who is on a VNI is asked for by one watch of that VNI, and told in parts', async () => {
  const lock = (vni: number, i: number): Draft<'IPLock'> => ({
    kind: 'IPLock',
    metadata: { namespace: 'a', name: `v1-${vni}-10-0-${i >> 8}-${i & 255}` },
    spec: { vni, address: `10.0.${i >> 8}.${i & 255}`, holder: { kind: 'Port', namespace: 'a', name: `p${i}`, uid: `u${i}` } },
  })
  await cluster.store.commit(
    [...Array.from({ length: 1_100 }, (_, i) => lock(7, i)), ...Array.from({ length: 900 }, (_, i) => lock(8, i))].map((draft) => ({
      do: 'create',
      draft,
    })),
  )
  const asked: unknown[] = []
  const [watch, list] = [cluster.store.watch.bind(cluster.store), cluster.store.list.bind(cluster.store)]
  cluster.store.watch = (kind, within, signal) => {
    asked.push(['watch', kind, within])
    return watch(kind, within, signal)
  }
  cluster.store.list = (kind, within) => {
    asked.push(['list', kind, within])
    return list(kind, within)
  }
  const within = { namespace: 'a', fields: { '.spec.vni': '7' } }
  const stop = new AbortController()
  const told: string[] = []
  const vnis = new Set<unknown>()
  for await (const change of store.watchParts('IPLock', within, stop.signal)) {
    if (change.type === 'part') for (const { spec } of change.items) vnis.add(spec.vni)
    told.push(
      change.type === 'part' ? `part of ${change.items.length}` : change.type === 'put' ? `put ${change.item.metadata.name}` : change.type,
    )
    if (change.type === 'end')
      await cluster.store.commit([
        { do: 'create', draft: lock(8, 2_000) },
        { do: 'create', draft: lock(7, 2_000) },
      ])
    if (change.type === 'put') break
  }
  stop.abort()
  assert.deepEqual(
    told.filter((each) => each !== 'mark'),
    ['begin', 'part of 500', 'part of 500', 'part of 100', 'end', 'put v1-7-10-0-7-208'],
  )
  assert.deepEqual([[...vnis], asked], [[7], [['watch', 'IPLock', within]]])
})

test('a watch that was cut off says everything anew', async () => {
  const port = await portHere()
  const seen = await WatchRecorder.open(store, 'Port', {})
  await server.close()
  server = await listenAgents({ store: cluster.store, log: silentLog(), socket: socket() })
  await seen.until((log) => log.filter((line) => line === `all ${port.metadata.name}`).length === 2)
  await seen.close()
})

test('it writes what its own node may say, and nothing else', async () => {
  const port = await portHere()
  const of = { ref: refOf(port), uid: port.metadata.uid }
  assert.equal((await store.patchStatus(of, { node: { node: { wired: true } } })).status?.node?.wired, true)
  const other = open('n2')
  const refused = { code: 'forbidden' }
  await assert.rejects(other.patchStatus(of, { node: { node: { wired: false } } }), refused)
  await assert.rejects(store.patchStatus(of, { address: { addresses: [] } }), refused)
  await assert.rejects(store.commit([{ do: 'removeFinalizer', ref: of.ref, uid: of.uid, finalizer: portFinalizer }]), refused)
  await assert.rejects(store.commit([{ do: 'delete', ref: of.ref }]), refused)
  await assert.rejects(store.update({ ...port, spec: { ...port.spec, portSecurity: false } }), refused)
  const free = await cluster.make('Port', 'a/free', { subnet: 'one' })
  await assert.rejects(store.update({ ...free, spec: { ...free.spec, node: 'n1' } }), refused)
  assert.equal((await cluster.get('Port', `a/${port.metadata.name}`))?.status?.node?.wired, true)
  await other.close()
})

test('a pod is wired over it from ADD to the end', async () => {
  await withNetwork(cluster)
  const pod = await makePod(cluster, 'a/web', { node: 'n1' })
  await cluster.settle()
  const node = await openNode({ store, name: 'n1', address: '192.0.2.1' })
  assert.equal((await node.cni('ADD', { pod })).code, 0)
  await eventually(async () => (await cluster.all('Port'))[0]?.status?.node?.wired === true, 'the Port says that it is wired')
  await cluster.store.delete({ kind: 'Pod', namespace: 'a', name: 'web' })
  await eventually(async () => {
    await cluster.settle()
    return (await cluster.all('Port')).length === 0
  }, 'the Port is gone')
  assert.equal(node.links.there.size, 0)
  await node.close()
})

test('what judges a Port is in force over it, and what an agent may not read of policies it cannot', async (t) => {
  const { cluster: policed, pod, store: truth } = await openPoliced()
  const path = join(folder, 'policed.sock')
  const listen = () => listenAgents({ store: truth, log: silentLog(), socket: path })
  let listening = await listen()
  const over = new RestStore({ socket: path, node: 'n1', clock: realClock, random: Math.random })
  await putRuleSet(policed, 1)
  await judge(policed, 7, 1)
  const node = await openNode({ store: over, name: 'n1', address: '192.0.2.1' })
  t.after(async () => {
    await node.close()
    await over.close()
    await listening.close()
    await policed.close()
    await truth.close()
  })
  assert.equal((await node.cni('ADD', { pod })).code, 0)
  const policy = (): string | undefined => [...node.memory.things].find(([key]) => key.startsWith('policy/'))?.[1]
  await eventually(() => policy() === `7 by ${nameOf(1)}`, 'it is judged')
  await listening.close()
  await putRuleSet(policed, 1, { subjects: [8] })
  listening = await listen()
  await eventually(() => policy() === '7 closed', 'what changed while nobody listened is heard of')
  await assert.rejects(over.list('PolicyIdentity', {}), { code: 'not-found' })
})

test("the socket is its owner's alone from the moment it is there, whatever the umask", async () => {
  const path = join(folder, 'open.sock')
  const before = process.umask(0)
  try {
    const listening = listenAgents({ store: cluster.store, log: silentLog(), socket: path })
    let mode: number | undefined
    await eventually(
      async () =>
        (mode = await stat(path).then(
          (there) => there.mode & 0o777,
          () => undefined,
        )) !== undefined,
      'the socket is there',
    )
    assert.equal(mode, 0o600)
    await (await listening).close()
  } finally {
    process.umask(before)
  }
})

test('an agent says which Ports without a pod its node takes, and takes it back', async () => {
  const label = async (): Promise<unknown> => (await cluster.get('Node', 'n1'))?.metadata.labels?.[portsWithoutPodLabel]
  const said: unknown[] = [await label()]
  for (const ports of ['bare', 'addressed', 'anything', 'bare', 'none']) {
    await store.register('192.0.2.1', ports)
    said.push(await label())
  }
  assert.deepEqual(said, [undefined, 'bare', 'addressed', undefined, 'bare', undefined])
})

test('an agent says how much can be booked of its uplink, as a Node has it for the scheduler, and takes it back', async () => {
  const said: unknown[] = []
  for (const mbps of [9_500, undefined]) {
    await store.register('192.0.2.1', 'none', mbps)
    const { capacity, allocatable } = (await cluster.get('Node', 'n1'))?.status ?? {}
    said.push([capacity, allocatable])
  }
  const amount = { [uplinkResource]: '9500' }
  assert.deepEqual(said, [
    [amount, amount],
    [undefined, undefined],
  ])
})

test('letters of several bytes that are cut between two chunks are read whole', async () => {
  const port = await portHere()
  // Longer than a socket's chunks, whose lengths are no multiples of three.
  const message = '京'.repeat(100_000)
  await store.patchStatus({ ref: refOf(port), uid: port.metadata.uid }, { node: { node: { wired: false, message } } })
  assert.ok((await cluster.get('Port', `a/${port.metadata.name}`))?.status?.node?.message === message, 'another text has arrived')
})
