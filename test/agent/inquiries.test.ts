// A node is asked by Inquiries: its agent answers about Ports of the asker's namespace alone, and answered or not they go after a while.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { keyOfItem, type Resource, type SpecOf } from '../../core/kinds/index.ts'
import type { Links } from '../../agent/links/links.ts'
import { refusalByView } from '../../core/admit/object/by-view.ts'
import { inquiriesMax } from '../../core/kinds/node/inquiry.ts'
import { networkViewOf } from '../../platform/cache/network-view.ts'
import type { TestCluster } from '../workers/test-cluster.ts'
import { eventually, openTestClusterWithNode, wireWeb, type TestNode } from './node.ts'

type Inquiry = Resource<'Inquiry'>
let cluster: TestCluster
let node: TestNode
let port = ''
beforeEach(async () => {
  ;({ cluster, node } = await openTestClusterWithNode())
  await wireWeb(cluster, node)
  port = (await cluster.all('Port'))[0]!.metadata.name
})
afterEach(async () => {
  await node.close()
  await cluster.close()
})

const ask = (key: string, spec: SpecOf<'Inquiry'>): Promise<Inquiry> => cluster.make('Inquiry', key, spec)
async function settled(key: string): Promise<Inquiry> {
  let found: Inquiry | undefined
  await eventually(async () => {
    await cluster.settle()
    found = await cluster.get('Inquiry', key)
    return found?.status?.phase === 'ready' || found?.status?.phase === 'error'
  }, `${key} is answered`)
  return found!
}

test("what is wired on a node is answered of the Ports of the asker's namespace, and of no other", async () => {
  await ask('a/mine', { about: 'wiring', node: 'n1' })
  const { status } = await settled('a/mine')
  assert.equal(status?.phase, 'ready')
  assert.equal(status.node, 'n1')
  assert.deepEqual(
    status.answer?.ports?.map(({ port: name, wired }) => [name, wired]),
    [[port, true]],
  )
  await ask('b/theirs', { about: 'wiring', node: 'n1' })
  await ask('b/nowhere', { about: 'wiring', node: 'n9' })
  const [theirs, nowhere] = [await settled('b/theirs'), await settled('b/nowhere')]
  assert.equal(theirs.status?.answer, undefined)
  assert.equal(theirs.status?.message, nowhere.status?.message?.replace('n9', 'n1'), 'whether the node is there is not told')
})

test('a Port of another namespace is not found, whatever its name', async () => {
  await ask('b/theirs', { about: 'explain', port })
  const { status } = await settled('b/theirs')
  assert.equal(status?.phase, 'error')
  assert.equal(status.answer, undefined)
  assert.match(status.message ?? '', /not found in namespace b/)
})

test('a Port is explained by what is there because of it alone', async () => {
  await ask('a/why', { about: 'explain', port })
  const { status } = await settled('a/why')
  const items = status?.answer?.items ?? []
  assert.ok(items.length > 0)
  for (const { because, state } of items) assert.deepEqual([because.endsWith(`: Port a/${port}`), state], [true, 'there'])
})

test('what this node cannot tell is unsupported, by name', async () => {
  await ask('a/way', { about: 'trace', port, packet: { to: '10.0.0.9' } })
  const { status } = await settled('a/way')
  assert.deepEqual([status?.phase, status?.answer?.outcome], ['error', 'unsupported'])
  assert.match(status?.message ?? '', /^trace: memory /)
})

test('an answered Inquiry is deleted after its time, and so is one that nobody answers, which says so before', async () => {
  await ask('a/short', { about: 'wiring', port, ttlSeconds: 60 })
  await settled('a/short')
  await node.kill()
  await ask('a/never', { about: 'wiring', port, ttlSeconds: 60 })
  await cluster.settle()
  assert.match((await cluster.get('Inquiry', 'a/never'))?.status?.message ?? '', /the agent of node n1 is asked/)
  await cluster.advance(31_000)
  const late = await cluster.get('Inquiry', 'a/never')
  assert.deepEqual([late?.status?.phase, late?.status?.conditions?.find(({ type }) => type === 'Ready')?.reason], ['error', 'Unanswered'])
  await cluster.advance(31_000)
  assert.deepEqual(await cluster.all('Inquiry'), [])
})

test('what an agent before has answered is not answered once more by one that has not heard of that', async (t) => {
  const { store } = cluster
  const { patchStatus } = store
  const other = { time: new Date(0).toISOString(), dataplane: 'memory', outcome: 'failed', message: 'of the agent before' } as const
  const tried = Promise.withResolvers<void>()
  let writes = 0
  t.mock.method(store, 'patchStatus', async (...[item, sections]: Parameters<typeof patchStatus>) => {
    const isAnswer = item.ref.kind === 'Inquiry' && 'answer' in sections
    if (isAnswer && ++writes === 1) await patchStatus.call(store, { ref: item.ref, uid: item.uid }, { answer: { answer: other } })
    return patchStatus.call(store, item, sections).finally(() => isAnswer && tried.resolve())
  })
  await ask('a/mine', { about: 'wiring', node: 'n1' })
  await tried.promise
  const { status } = await settled('a/mine')
  assert.deepEqual([status?.answer?.message, writes], [other.message, 1])
})

test('an Inquiry that is deleted is not gone on with: its capture ends', async () => {
  let ended = false
  const links: Links = node.agent.env.links
  links.capture = (_, __, signal) =>
    new Promise((resolve) =>
      signal.addEventListener('abort', () => {
        ended = true
        resolve({ packets: 0, bytes: 0, pcap: '' })
      }),
    )
  const {
    metadata: { uid },
  } = await ask('a/long', { about: 'capture', port })
  await cluster.settle()
  await eventually(async () => (await cluster.get('Inquiry', 'a/long'))?.status?.node === 'n1', 'its node is asked')
  await eventually(() => node.agent.env.store !== undefined && cluster.caches.Inquiry.get('a/long') !== undefined, 'it is known')
  await cluster.store.delete({ kind: 'Inquiry', namespace: 'a', name: 'long' }, { uid })
  await eventually(() => ended, 'the capture has ended')
  assert.deepEqual(await cluster.all('Inquiry'), [])
})

test('a flood is refused by name, and leaves other namespaces their own', async () => {
  for (let i = 0; i < inquiriesMax; i++) await ask(`a/q${i}`, { about: 'wiring', port })
  await eventually(() => [...cluster.caches.Inquiry.values()].length === inquiriesMax, 'all are known')
  const one = (namespace: string) =>
    refusalByView(
      { kind: 'Inquiry', metadata: { namespace, name: 'more' }, spec: { about: 'wiring', port } },
      networkViewOf(cluster.caches),
    )
  assert.match(one('a')?.message ?? '', /16 Inquiries already/)
  assert.equal(one('a')?.at, '/metadata/namespace')
  assert.equal(one('b'), undefined)
  for (const item of await cluster.all('Inquiry')) assert.equal((await settled(keyOfItem(item))).status?.phase, 'ready')
})
