import { afterEach, beforeEach, test } from 'node:test'
import assert from 'node:assert/strict'
import { wiredFinalizer } from '../../core/kinds/annotations.ts'
import { deletePod, lockedAddresses, makePod, podPhase, toldOf, withNetwork } from './network.ts'
import { openTestCluster, type TestCluster } from './test-cluster.ts'

let cluster: TestCluster
let lapsed: string[] = []
beforeEach(async () => {
  lapsed = []
  cluster = await openTestCluster({ lapsed: (kind) => lapsed.push(kind) })
  await withNetwork(cluster)
})
afterEach(() => cluster.close())

for (const phase of ['Succeeded', 'Failed'] as const) {
  test(`a pod that ${phase} counts as gone: its address is free while it is still there to be read`, async () => {
    await makePod(cluster, 'a/job')
    await cluster.settle()
    await podPhase(cluster, 'a/job', 'Running')
    assert.equal((await cluster.all('Port')).length, 1)
    await podPhase(cluster, 'a/job', phase)
    assert.deepEqual([await cluster.all('Port'), await lockedAddresses(cluster)], [[], []])
    assert.deepEqual([(await toldOf(cluster, 'a/job')).phase, (await toldOf(cluster, 'a/job')).reason], ['terminating', 'PodOver'])
  })
}

test('a pod within its grace period keeps its Ports', async () => {
  await makePod(cluster, 'a/slow', { metadata: { finalizers: ['example.org/hold'], ...({ deletionGracePeriodSeconds: 30 } as object) } })
  await cluster.settle()
  await deletePod(cluster, 'a/slow')
  await cluster.settle()
  assert.equal((await cluster.all('Port')).length, 1)
})

test('a force-deleted pod on a dead node keeps its address until the Node is out of service', async () => {
  await cluster.make('Node', 'n1', {})
  await makePod(cluster, 'a/web', { node: 'n1' })
  await cluster.settle()
  const before = await lockedAddresses(cluster)
  assert.equal(before.length, 1)
  await deletePod(cluster, 'a/web')
  await cluster.settle()
  const [port] = await cluster.all('Port')
  assert.deepEqual([port?.status?.phase, port?.status?.message], ['terminating', 'node n1 has still to unwire it'])
  assert.deepEqual(await lockedAddresses(cluster), before)
  const node = await cluster.get('Node', 'n1')
  await cluster.store.update({ ...node!, spec: { taints: [{ key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' }] } })
  await cluster.advance(3_600_000)
  assert.deepEqual(await lockedAddresses(cluster), before, 'unreachable is no proof, and no time is')
  const unreachable = await cluster.get('Node', 'n1')
  await cluster.store.update({
    ...unreachable!,
    spec: { taints: [{ key: 'node.kubernetes.io/out-of-service', effect: 'NoExecute', value: 'nodeshutdown' }] },
  })
  await cluster.settle()
  assert.deepEqual([await cluster.all('Port'), await lockedAddresses(cluster)], [[], []])
})

test('a Node that is deleted frees what force-deleted pods have left on it, whichever goes first', async () => {
  for (const first of ['pod', 'node']) {
    await cluster.make('Node', 'n1', {})
    await makePod(cluster, 'a/web', { node: 'n1' })
    await cluster.settle()
    const steps = [
      (): Promise<unknown> => deletePod(cluster, 'a/web'),
      (): Promise<unknown> => cluster.store.delete({ kind: 'Node', name: 'n1' }),
    ]
    for (const step of first === 'pod' ? steps : steps.reverse()) {
      assert.equal((await cluster.all('Port')).length, 1)
      await step()
      await cluster.settle()
    }
    assert.deepEqual([await cluster.all('Port'), await lockedAddresses(cluster)], [[], []], `${first} first`)
  }
})

test('what the node itself has unwired is free without the Node going', async () => {
  await cluster.make('Node', 'n1', {})
  await makePod(cluster, 'a/web', { node: 'n1' })
  await cluster.settle()
  await deletePod(cluster, 'a/web')
  await cluster.settle()
  const [port] = await cluster.all('Port')
  await cluster.store.commit([
    {
      do: 'removeFinalizer',
      ref: { kind: 'Port', namespace: 'a', name: port!.metadata.name },
      uid: port!.metadata.uid,
      finalizer: wiredFinalizer,
    },
  ])
  await cluster.settle()
  assert.deepEqual([await cluster.all('Port'), await lockedAddresses(cluster)], [[], []])
})

test('a pre-made Port goes from node to node only when the first has unwired it', async () => {
  for (const name of ['n1', 'n2']) await cluster.make('Node', name, {})
  await cluster.make('Port', 'a/mine', { subnet: 'one', portID: 'mine' })
  await cluster.settle()
  await makePod(cluster, 'a/one', { node: 'n1', nics: [{ name: 'net1', portID: 'mine' }] })
  await cluster.settle()
  await deletePod(cluster, 'a/one')
  await makePod(cluster, 'a/two', { node: 'n2', nics: [{ name: 'net1', portID: 'mine' }] })
  await cluster.settle()
  const between = await cluster.get('Port', 'a/mine')
  assert.deepEqual([between?.spec.node, between?.spec.claim?.pod], ['n1', 'two'])
  await cluster.store.commit([
    { do: 'removeFinalizer', ref: { kind: 'Port', namespace: 'a', name: 'mine' }, uid: between!.metadata.uid, finalizer: wiredFinalizer },
  ])
  await cluster.settle()
  const after = await cluster.get('Port', 'a/mine')
  assert.deepEqual([after?.spec.node, after?.spec.podUID], ['n2', (await cluster.get('Pod', 'a/two'))?.metadata.uid])
  assert.ok(after?.metadata.finalizers?.includes(wiredFinalizer))
})

test('a namespace that is deleted takes everything in it along, and then goes', async () => {
  await cluster.make('Namespace', 'a', {})
  await makePod(cluster, 'a/web')
  await makePod(cluster, 'a/other', { nics: [{ name: 'net1', ip: '10.0.0.9' }] })
  await cluster.make('Port', 'a/mine', { subnet: 'one' })
  await cluster.make('SecurityGroup', 'a/sg', {})
  await cluster.settle()
  await cluster.store.delete({ kind: 'Namespace', name: 'a' })
  await cluster.settle()
  for (const kind of ['Pod', 'Port', 'Subnet', 'Vpc', 'SecurityGroup', 'IPLock', 'SegmentLock', 'Namespace'] as const)
    assert.deepEqual(await cluster.all(kind), [], kind)
})

test('in a namespace that is deleted, users from other namespaces hold a Subnet back ten minutes at most', async () => {
  await cluster.make('Namespace', 'net', {})
  await cluster.make('Vpc', 'net/shared', { vni: 6000, sharedWith: ['a'] })
  await cluster.make('Subnet', 'net/s', { vpc: 'shared', ipv4: { cidr: '10.1.0.0/24' } })
  await cluster.settle()
  await cluster.make('Port', 'a/user', { subnet: 'net/s' })
  await cluster.settle()
  await cluster.store.delete({ kind: 'Namespace', name: 'net' })
  await cluster.settle()
  assert.equal((await cluster.get('Subnet', 'net/s'))?.status?.message, 'Port user is still in it')
  await cluster.advance(cluster.config.blockerWaitMs - 60_000)
  assert.notEqual(await cluster.get('Subnet', 'net/s'), undefined)
  // The guest is told to leave, its addresses are taken back, and then they are free.
  for (const ms of [120_000, 10, 10, 2_000]) await cluster.advance(ms)
  assert.deepEqual([await cluster.get('Subnet', 'net/s'), await cluster.get('Namespace', 'net')], [undefined, undefined])
  await cluster.store.delete({ kind: 'Port', namespace: 'a', name: 'user' })
  await cluster.settle()
  assert.equal(await cluster.get('Port', 'a/user'), undefined, 'and the user can still go')
})

test('a reservation of an address lapses unless its pod comes, and is counted once', async () => {
  const until = new Date(cluster.clock.now() + 30_000).toISOString()
  const reservation = (podUID: string): object => ({ namespace: 'a', owner: 'StatefulSet/db', nic: 'net1', podUID, until })
  await cluster.make('IPLock', 'a/v1-5000-10-0-0-9', {
    vni: 5000,
    address: '10.0.0.9',
    subnet: 'one',
    reservation: reservation('never') as never,
  })
  await cluster.settle()
  await cluster.advance(29_000)
  assert.deepEqual([await lockedAddresses(cluster), lapsed], [['10.0.0.9'], []])
  await cluster.advance(2_000)
  await cluster.advance(60_000)
  assert.deepEqual([await lockedAddresses(cluster), lapsed], [[], ['IPLock']])
})

test('a reservation lapses its length after a worker first saw it, whatever the clock of who made it said', async () => {
  const reservationAt = (ms: number): object => ({
    namespace: 'a',
    owner: 'Pod/web',
    nic: 'net1',
    podUID: 'never',
    until: new Date(cluster.clock.now() + ms).toISOString(),
  })
  // Made by clocks that are 30 s behind and 30 s ahead of ours, to last 30 s.
  await cluster.make('IPLock', 'a/v1-5000-10-0-0-8', {
    vni: 5000,
    address: '10.0.0.8',
    subnet: 'one',
    reservation: reservationAt(0) as never,
  })
  await cluster.make('IPLock', 'a/v1-5000-10-0-0-9', {
    vni: 5000,
    address: '10.0.0.9',
    subnet: 'one',
    reservation: reservationAt(60_000) as never,
  })
  await cluster.settle()
  await cluster.advance(29_000)
  assert.deepEqual(await lockedAddresses(cluster), ['10.0.0.8', '10.0.0.9'])
  await cluster.advance(2_000)
  assert.deepEqual(await lockedAddresses(cluster), [])
})

test('a reservation lapses although its pod has come, where the pod can no longer be served in that Vpc', async () => {
  const until = new Date(cluster.clock.now() + 30_000).toISOString()
  // Its worker comes to it only once the Vpc is on its way out.
  await cluster.store.delete({ kind: 'Vpc', namespace: 'a', name: 'blue' })
  const pod = await makePod(cluster, 'a/late', { nics: [{ name: 'net1', ip: '10.0.0.9' }] })
  await cluster.make('IPLock', 'a/v1-5000-10-0-0-9', {
    vni: 5000,
    address: '10.0.0.9',
    subnet: 'one',
    reservation: { namespace: 'a', owner: 'Pod/late', nic: 'net1', podUID: pod.metadata.uid, until },
  })
  await cluster.settle()
  assert.equal((await toldOf(cluster, 'a/late')).reason, 'NicsRefused')
  assert.deepEqual(await lockedAddresses(cluster), ['10.0.0.9'])
  await cluster.advance(60_000)
  assert.deepEqual([await lockedAddresses(cluster), lapsed], [[], ['IPLock']])
})

test('a pod of the same owner and NIC takes a reservation over; another pod does not', async () => {
  const until = new Date(cluster.clock.now() + 30_000).toISOString()
  const owner = [{ apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'db', uid: 'u', controller: true }]
  await cluster.make('IPLock', 'a/v1-5000-10-0-0-9', {
    vni: 5000,
    address: '10.0.0.9',
    subnet: 'one',
    reservation: { namespace: 'a', owner: 'StatefulSet/db', nic: 'net1', podUID: 'refused-by-quota', until },
  })
  await cluster.settle()
  const fixed = { nics: [{ name: 'net1', ip: '10.0.0.9' }] }
  await makePod(cluster, 'a/thief', fixed)
  await cluster.settle()
  assert.deepEqual(
    [(await toldOf(cluster, 'a/thief')).reason, (await toldOf(cluster, 'a/thief')).message],
    ['AddressTaken', 'NIC net1: address 10.0.0.9 is taken by a reservation for StatefulSet/db'],
  )
  await makePod(cluster, 'a/db-0', { ...fixed, metadata: { ownerReferences: owner } })
  await cluster.settle()
  assert.equal((await toldOf(cluster, 'a/db-0')).phase, 'ready')
  const lock = await cluster.get('IPLock', 'a/v1-5000-10-0-0-9')
  assert.deepEqual([lock?.spec.reservation, lock?.spec.holder?.kind], [undefined, 'Port'])
  await cluster.advance(60_000)
  assert.deepEqual(await lockedAddresses(cluster), ['10.0.0.9'], 'a lock that is held does not lapse')
})

test('a claim on a pre-made Port lapses unless its pod comes, and is confirmed when it does', async () => {
  const claim = (podUID: string): object => ({
    pod: 'web',
    nic: 'net1',
    owner: 'Pod/web',
    podUID,
    until: new Date(cluster.clock.now() + 30_000).toISOString(),
  })
  await cluster.make('Port', 'a/mine', { subnet: 'one', portID: 'mine', claim: claim('never') as never })
  await cluster.settle()
  await cluster.advance(31_000)
  assert.equal((await cluster.get('Port', 'a/mine'))?.spec.claim, undefined)
  const pod = await makePod(cluster, 'a/web', { nics: [{ name: 'net1', portID: 'mine' }] })
  const port = await cluster.get('Port', 'a/mine')
  await cluster.store.update({ ...port!, spec: { ...port!.spec, claim: claim(pod.metadata.uid) as never } })
  await cluster.advance(60_000)
  const confirmed = await cluster.get('Port', 'a/mine')
  assert.deepEqual([confirmed?.spec.claim?.until, confirmed?.spec.podUID], [undefined, pod.metadata.uid])
})

test('a freed address rests a minute before it is handed out again', async () => {
  await cluster.make('Subnet', 'a/tiny', { vpc: 'blue', ipv4: { cidr: '10.9.0.0/29' } })
  await cluster.settle()
  const tiny = { nics: [{ name: 'net1', subnet: 'tiny' }] }
  for (const name of ['p1', 'p2', 'p3', 'p4', 'p5', 'p6']) await makePod(cluster, `a/${name}`, tiny)
  await cluster.settle()
  const waiting = (
    await Promise.all(
      ['p1', 'p2', 'p3', 'p4', 'p5', 'p6'].map(async (name) => [name, (await toldOf(cluster, `a/${name}`)).reason] as const),
    )
  ).filter(([, reason]) => reason === 'SubnetFull')
  assert.equal(waiting.length, 1, 'five addresses for six pods')
  const served = ['p1', 'p2'].find((name) => name !== waiting[0]![0])!
  await deletePod(cluster, `a/${served}`)
  await cluster.settle()
  await cluster.advance(30_000)
  assert.equal((await toldOf(cluster, `a/${waiting[0]![0]}`)).phase, 'pending')
  await cluster.advance(31_000)
  assert.equal((await toldOf(cluster, `a/${waiting[0]![0]}`)).phase, 'ready')
})

test('the sweeper frees a lock whose holder is gone, and no other', async () => {
  const ghost = { kind: 'Port', namespace: 'a', name: 'ghost', uid: 'gone' }
  await cluster.make('IPLock', 'a/v1-5000-10-0-0-99', { vni: 5000, address: '10.0.0.99', subnet: 'one', holder: ghost })
  await cluster.make('SegmentLock', 'vni-7000', { vni: 7000, holder: { ...ghost, kind: 'Vpc' } })
  await makePod(cluster, 'a/web')
  await cluster.settle()
  const [address] = (await toldOf(cluster, 'a/web')).nics[0]?.addresses ?? []
  await cluster.advance(61_000)
  assert.equal((await lockedAddresses(cluster)).length, 2, 'not before the grace period is over')
  await cluster.advance(61_000)
  await cluster.advance(61_000)
  assert.deepEqual([await lockedAddresses(cluster), await cluster.get('SegmentLock', 'vni-7000')], [[address], undefined])
})
