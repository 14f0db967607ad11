// Guests of a Vpc whose namespace is being deleted: they are told to leave, and nothing of theirs is free before their nodes have unwired
// them.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { wiredFinalizer } from '../../core/kinds/annotations.ts'
import { refOf } from '../../core/kinds/index.ts'
import { openTestCluster, type TestCluster } from './test-cluster.ts'

let cluster: TestCluster
beforeEach(async () => {
  cluster = await openTestCluster()
  await cluster.make('Namespace', 'net', {})
  await cluster.make('Node', 'n1', {})
  await cluster.make('Vpc', 'net/shared', { vni: 6000, sharedWith: ['a'] })
  await cluster.make('Subnet', 'net/s', { vpc: 'shared', ipv4: { cidr: '10.1.0.0/24' } })
  await cluster.settle()
})
afterEach(() => cluster.close())

const guest = 'a/guest'
async function wiredGuest(): Promise<void> {
  await cluster.make('Port', guest, { subnet: 'net/s', node: 'n1' })
  await cluster.settle()
  const port = await cluster.get('Port', guest)
  assert.deepEqual([port?.status?.phase, port?.metadata.finalizers?.includes(wiredFinalizer)], ['ready', true])
}
async function namespaceGoes(ms: number): Promise<void> {
  await cluster.store.delete({ kind: 'Namespace', name: 'net' })
  await cluster.advance(ms)
  await cluster.advance(1_000)
}
const unwired = async (key: string): Promise<void> => {
  const port = (await cluster.get('Port', key))!
  await cluster.store.commit([
    {
      do: 'removeFinalizer',
      ref: { kind: 'Port', namespace: port.metadata.namespace!, name: port.metadata.name },
      uid: port.metadata.uid,
      finalizer: wiredFinalizer,
    },
  ])
  await cluster.advance(1_000)
}
const reportOf = async (key: string): Promise<unknown[]> => {
  const { phase, conditions, addresses } = (await cluster.get('Port', key))?.status ?? {}
  return [phase, conditions?.find(({ type }) => type === 'Ready')?.reason, addresses]
}
const left = async (): Promise<unknown[]> => [
  (await cluster.all('SegmentLock')).length,
  (await cluster.all('IPLock')).length,
  (await cluster.get('Namespace', 'net')) !== undefined,
]

test('a guest is told to leave after ten minutes, keeps its address until its node has unwired it, and then all goes', async () => {
  await wiredGuest()
  await namespaceGoes(cluster.config.blockerWaitMs - 60_000)
  assert.deepEqual((await reportOf(guest)).slice(0, 2), ['ready', 'InPlace'])
  await cluster.advance(61_000)
  await cluster.advance(1_000)
  const [phase, reason, addresses] = await reportOf(guest)
  assert.deepEqual([phase, reason, (addresses as string[]).length], ['error', 'VpcGoing', 1])
  await cluster.advance(3_600_000)
  assert.deepEqual(await left(), [1, 1, true], 'however long its node takes')
  await unwired(guest)
  assert.deepEqual(await left(), [0, 0, false])
  assert.equal((await cluster.get('Port', guest))?.status?.addresses, undefined)
  await cluster.store.delete({ kind: 'Port', namespace: 'a', name: 'guest' })
  await cluster.settle()
  assert.equal(await cluster.get('Port', guest), undefined)
})

test('a guest that was never served, with whom the network is not shared any more, is told to leave too', async () => {
  await cluster.make('Port', 'a/first', { subnet: 'net/s', ips: ['10.1.0.9'] })
  await cluster.settle()
  // Its node may have it from its birth on, as that of a pod's Port does.
  const {
    metadata: { uid },
  } = await cluster.make('Port', guest, { subnet: 'net/s', ips: ['10.1.0.9'], node: 'n1' })
  await cluster.store.commit([{ do: 'addFinalizer', ref: { kind: 'Port', namespace: 'a', name: 'guest' }, uid, finalizer: wiredFinalizer }])
  await cluster.settle()
  assert.deepEqual((await reportOf(guest)).slice(0, 2), ['error', 'AddressTaken'])
  const vpc = (await cluster.get('Vpc', 'net/shared'))!
  await cluster.store.update({ ...vpc, spec: { ...vpc.spec, sharedWith: [] } })
  await cluster.advance(61_000)
  assert.deepEqual((await reportOf(guest)).slice(0, 2), ['pending', 'SubnetMissing'])
  await namespaceGoes(cluster.config.blockerWaitMs + 60_000)
  await cluster.advance(11_000)
  assert.deepEqual((await reportOf(guest)).slice(0, 2), ['error', 'VpcGoing'])
  await unwired(guest)
  await cluster.advance(11_000)
  assert.deepEqual(await left(), [0, 0, false])
})

test('a VNI goes to nobody else while a guest of its old owner is wired', async () => {
  await wiredGuest()
  await namespaceGoes(cluster.config.blockerWaitMs + 60_000)
  await cluster.make('Vpc', 'b/next', { vni: 6000 })
  await cluster.advance(60_000)
  assert.equal((await cluster.get('Vpc', 'b/next'))?.status?.phase, 'error')
  await unwired(guest)
  await cluster.advance(31_000)
  assert.deepEqual(
    [(await cluster.get('Vpc', 'b/next'))?.status?.phase, (await cluster.get('Vpc', 'b/next'))?.status?.vni],
    ['ready', 6000],
  )
})

test('for a node that is away it takes both proofs: that the guest is to leave, and that the node is gone', async () => {
  for (const first of ['node', 'time'] as const) {
    await wiredGuest()
    if (first === 'node') await cluster.store.delete({ kind: 'Node', name: 'n1' })
    await namespaceGoes(cluster.config.blockerWaitMs - 60_000)
    assert.deepEqual(await left(), [1, 1, true], 'not before it is told')
    await cluster.advance(61_000)
    await cluster.advance(1_000)
    if (first === 'time') {
      assert.deepEqual(await left(), [1, 1, true], 'nor while its node is there')
      await cluster.store.delete({ kind: 'Node', name: 'n1' })
    }
    for (let i = 0; i < 3; i++) await cluster.advance(11_000)
    assert.deepEqual(await left(), [0, 0, false], `${first} first`)
    await cluster.store.delete({ kind: 'Port', namespace: 'a', name: 'guest' })
    for (const [kind, key, spec] of [
      ['Namespace', 'net', {}],
      ['Node', 'n1', {}],
      ['Vpc', 'net/shared', { vni: 6000, sharedWith: ['a'] }],
      ['Subnet', 'net/s', { vpc: 'shared', ipv4: { cidr: '10.1.0.0/24' } }],
    ] as const)
      await cluster.make(kind, key, spec)
    await cluster.settle()
  }
})

test('a Port of the namespace itself that its node has not unwired is waited for as long as it takes', async () => {
  await cluster.make('Port', 'net/own', { subnet: 's', node: 'n1' })
  await cluster.settle()
  await namespaceGoes(cluster.config.blockerWaitMs + 3_600_000)
  assert.deepEqual(await left(), [1, 1, true])
  await unwired('net/own')
  assert.deepEqual(await left(), [0, 0, false])
})

test('a guest that has nothing yet gets nothing any more, and holds nothing up', async () => {
  await wiredGuest()
  await namespaceGoes(cluster.config.blockerWaitMs + 60_000)
  await cluster.make('Port', 'a/late', { subnet: 'net/s' })
  await cluster.advance(1_000)
  assert.deepEqual((await reportOf('a/late')).slice(0, 2), ['error', 'VpcGoing'])
  await unwired(guest)
  assert.deepEqual(await left(), [0, 0, false])
})

test('a guest whose node is gone is not said to be wired there any more', async () => {
  await wiredGuest()
  const port = (await cluster.get('Port', guest))!
  await cluster.store.patchStatus({ ref: refOf(port), uid: port.metadata.uid }, { node: { node: { wired: true } } })
  await cluster.store.delete({ kind: 'Node', name: 'n1' })
  await namespaceGoes(cluster.config.blockerWaitMs + 60_000)
  for (let i = 0; i < 3; i++) await cluster.advance(11_000)
  assert.deepEqual(await left(), [0, 0, false])
  assert.deepEqual((await cluster.get('Port', guest))?.status?.node, { wired: false })
})

test('a guest is told to leave after ten minutes also where Subnet and Vpc were being deleted before the namespace was', async () => {
  await wiredGuest()
  await cluster.store.delete({ kind: 'Subnet', namespace: 'net', name: 's' })
  await cluster.store.delete({ kind: 'Vpc', namespace: 'net', name: 'shared' })
  await cluster.advance(60_000)
  await namespaceGoes(cluster.config.blockerWaitMs)
  await cluster.advance(11_000)
  assert.deepEqual((await reportOf(guest)).slice(0, 2), ['error', 'VpcGoing'])
})
