import { afterEach, beforeEach, test } from 'node:test'
import assert from 'node:assert/strict'
import { wiredFinalizer } from '../../core/kinds/annotations.ts'
import { deletePod, lockedAddresses, makePod, podPhase, toldOf, withNetwork } from './network.ts'
import { openHouse, type House } from './house.ts'

let house: House
let lapsed: string[] = []
beforeEach(async () => {
  lapsed = []
  house = await openHouse({ lapsed: (kind) => lapsed.push(kind) })
  await withNetwork(house)
})
afterEach(() => house.close())

for (const phase of ['Succeeded', 'Failed'] as const) {
  test(`a pod that ${phase} counts as gone: its address is free while it is still there to be read`, async () => {
    await makePod(house, 'a/job')
    await house.settle()
    await podPhase(house, 'a/job', 'Running')
    assert.equal((await house.all('Port')).length, 1)
    await podPhase(house, 'a/job', phase)
    assert.deepEqual([await house.all('Port'), await lockedAddresses(house)], [[], []])
    assert.deepEqual([(await toldOf(house, 'a/job')).phase, (await toldOf(house, 'a/job')).reason], ['terminating', 'PodOver'])
  })
}

test('a pod within its grace period keeps its Ports', async () => {
  await makePod(house, 'a/slow', { metadata: { finalizers: ['example.org/hold'], ...({ deletionGracePeriodSeconds: 30 } as object) } })
  await house.settle()
  await deletePod(house, 'a/slow')
  await house.settle()
  assert.equal((await house.all('Port')).length, 1)
})

test('a force-deleted pod on a dead node keeps its address until the Node is out of service', async () => {
  await house.make('Node', 'n1', {})
  await makePod(house, 'a/web', { node: 'n1' })
  await house.settle()
  const before = await lockedAddresses(house)
  assert.equal(before.length, 1)
  await deletePod(house, 'a/web')
  await house.settle()
  const [port] = await house.all('Port')
  assert.deepEqual([port?.status?.phase, port?.status?.message], ['terminating', 'node n1 has still to unwire it'])
  assert.deepEqual(await lockedAddresses(house), before)
  const node = await house.get('Node', 'n1')
  await house.store.update({ ...node!, spec: { taints: [{ key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' }] } })
  await house.turn(3_600_000)
  assert.deepEqual(await lockedAddresses(house), before, 'unreachable is no proof, and no time is')
  const unreachable = await house.get('Node', 'n1')
  await house.store.update({ ...unreachable!, spec: { taints: [{ key: 'node.kubernetes.io/out-of-service', effect: 'NoExecute', value: 'nodeshutdown' }] } })
  await house.settle()
  assert.deepEqual([await house.all('Port'), await lockedAddresses(house)], [[], []])
})

test('a Node that is deleted frees what force-deleted pods have left on it, whichever goes first', async () => {
  for (const first of ['pod', 'node']) {
    await house.make('Node', 'n1', {})
    await makePod(house, 'a/web', { node: 'n1' })
    await house.settle()
    const steps = [(): Promise<unknown> => deletePod(house, 'a/web'), (): Promise<unknown> => house.store.delete({ kind: 'Node', name: 'n1' })]
    for (const step of first === 'pod' ? steps : steps.reverse()) {
      assert.equal((await house.all('Port')).length, 1)
      await step()
      await house.settle()
    }
    assert.deepEqual([await house.all('Port'), await lockedAddresses(house)], [[], []], `${first} first`)
  }
})

test('what the node itself has unwired is free without the Node going', async () => {
  await house.make('Node', 'n1', {})
  await makePod(house, 'a/web', { node: 'n1' })
  await house.settle()
  await deletePod(house, 'a/web')
  await house.settle()
  const [port] = await house.all('Port')
  await house.store.commit([{ do: 'removeFinalizer', ref: { kind: 'Port', namespace: 'a', name: port!.metadata.name }, uid: port!.metadata.uid, finalizer: wiredFinalizer }])
  await house.settle()
  assert.deepEqual([await house.all('Port'), await lockedAddresses(house)], [[], []])
})

test('a pre-made Port goes from node to node only when the first has unwired it', async () => {
  for (const name of ['n1', 'n2']) await house.make('Node', name, {})
  await house.make('Port', 'a/mine', { subnet: 'one', portID: 'mine' })
  await house.settle()
  await makePod(house, 'a/one', { node: 'n1', nics: [{ name: 'net1', portID: 'mine' }] })
  await house.settle()
  await deletePod(house, 'a/one')
  await makePod(house, 'a/two', { node: 'n2', nics: [{ name: 'net1', portID: 'mine' }] })
  await house.settle()
  const between = await house.get('Port', 'a/mine')
  assert.deepEqual([between?.spec.node, between?.spec.claim?.pod], ['n1', 'two'])
  await house.store.commit([{ do: 'removeFinalizer', ref: { kind: 'Port', namespace: 'a', name: 'mine' }, uid: between!.metadata.uid, finalizer: wiredFinalizer }])
  await house.settle()
  const after = await house.get('Port', 'a/mine')
  assert.deepEqual([after?.spec.node, after?.spec.podUID], ['n2', (await house.get('Pod', 'a/two'))?.metadata.uid])
  assert.ok(after?.metadata.finalizers?.includes(wiredFinalizer))
})

test('a namespace that is deleted takes everything in it along, and then goes', async () => {
  await house.make('Namespace', 'a', {})
  await makePod(house, 'a/web')
  await makePod(house, 'a/other', { nics: [{ name: 'net1', ip: '10.0.0.9' }] })
  await house.make('Port', 'a/mine', { subnet: 'one' })
  await house.make('SecurityGroup', 'a/sg', {})
  await house.settle()
  await house.store.delete({ kind: 'Namespace', name: 'a' })
  await house.settle()
  for (const kind of ['Pod', 'Port', 'Subnet', 'Vpc', 'SecurityGroup', 'IPLock', 'SegmentLock', 'Namespace'] as const) assert.deepEqual(await house.all(kind), [], kind)
})

test('in a namespace that is deleted, users from other namespaces hold a Subnet back ten minutes at most', async () => {
  await house.make('Namespace', 'net', {})
  await house.make('Vpc', 'net/shared', { vni: 6000, sharedWith: ['a'] })
  await house.make('Subnet', 'net/s', { vpc: 'shared', ipv4: { cidr: '10.1.0.0/24' } })
  await house.settle()
  await house.make('Port', 'a/user', { subnet: 'net/s' })
  await house.settle()
  await house.store.delete({ kind: 'Namespace', name: 'net' })
  await house.settle()
  assert.equal((await house.get('Subnet', 'net/s'))?.status?.message, 'Port user is still in it')
  await house.turn(house.config.blockerWaitMs - 60_000)
  assert.notEqual(await house.get('Subnet', 'net/s'), undefined)
  // The guest is told to leave, its addresses are taken back, and then they are free.
  for (const ms of [120_000, 10, 10, 2_000]) await house.turn(ms)
  assert.deepEqual([await house.get('Subnet', 'net/s'), await house.get('Namespace', 'net')], [undefined, undefined])
  await house.store.delete({ kind: 'Port', namespace: 'a', name: 'user' })
  await house.settle()
  assert.equal(await house.get('Port', 'a/user'), undefined, 'and the user can still go')
})

test('a reservation of an address lapses unless its pod comes, and is counted once', async () => {
  const until = new Date(house.clock.now() + 30_000).toISOString()
  const reservation = (podUID: string): object => ({ namespace: 'a', owner: 'StatefulSet/db', nic: 'net1', podUID, until })
  await house.make('IPLock', 'a/v1-5000-10-0-0-9', { vni: 5000, address: '10.0.0.9', subnet: 'one', reservation: reservation('never') as never })
  await house.settle()
  await house.turn(29_000)
  assert.deepEqual([await lockedAddresses(house), lapsed], [['10.0.0.9'], []])
  await house.turn(2_000)
  await house.turn(60_000)
  assert.deepEqual([await lockedAddresses(house), lapsed], [[], ['IPLock']])
})

test('a reservation lapses although its pod has come, where the pod can no longer be served in that Vpc', async () => {
  const until = new Date(house.clock.now() + 30_000).toISOString()
  // Its worker comes to it only once the Vpc is on its way out.
  await house.store.delete({ kind: 'Vpc', namespace: 'a', name: 'blue' })
  const pod = await makePod(house, 'a/late', { nics: [{ name: 'net1', ip: '10.0.0.9' }] })
  await house.make('IPLock', 'a/v1-5000-10-0-0-9', { vni: 5000, address: '10.0.0.9', subnet: 'one', reservation: { namespace: 'a', owner: 'Pod/late', nic: 'net1', podUID: pod.metadata.uid, until } })
  await house.settle()
  assert.equal((await toldOf(house, 'a/late')).reason, 'NicsRefused')
  assert.deepEqual(await lockedAddresses(house), ['10.0.0.9'])
  await house.turn(60_000)
  assert.deepEqual([await lockedAddresses(house), lapsed], [[], ['IPLock']])
})

test('a pod of the same owner and NIC takes a reservation over; another pod does not', async () => {
  const until = new Date(house.clock.now() + 30_000).toISOString()
  const owner = [{ apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'db', uid: 'u', controller: true }]
  await house.make('IPLock', 'a/v1-5000-10-0-0-9', { vni: 5000, address: '10.0.0.9', subnet: 'one', reservation: { namespace: 'a', owner: 'StatefulSet/db', nic: 'net1', podUID: 'refused-by-quota', until } })
  await house.settle()
  const fixed = { nics: [{ name: 'net1', ip: '10.0.0.9' }] }
  await makePod(house, 'a/thief', fixed)
  await house.settle()
  assert.deepEqual([(await toldOf(house, 'a/thief')).reason, (await toldOf(house, 'a/thief')).message], ['AddressTaken', 'NIC net1: address 10.0.0.9 is taken by a reservation for StatefulSet/db'])
  await makePod(house, 'a/db-0', { ...fixed, metadata: { ownerReferences: owner } })
  await house.settle()
  assert.equal((await toldOf(house, 'a/db-0')).phase, 'ready')
  const lock = await house.get('IPLock', 'a/v1-5000-10-0-0-9')
  assert.deepEqual([lock?.spec.reservation, lock?.spec.holder?.kind], [undefined, 'Port'])
  await house.turn(60_000)
  assert.deepEqual(await lockedAddresses(house), ['10.0.0.9'], 'a lock that is held does not lapse')
})

test('a claim on a pre-made Port lapses unless its pod comes, and is confirmed when it does', async () => {
  const claim = (podUID: string): object => ({ pod: 'web', nic: 'net1', owner: 'Pod/web', podUID, until: new Date(house.clock.now() + 30_000).toISOString() })
  await house.make('Port', 'a/mine', { subnet: 'one', portID: 'mine', claim: claim('never') as never })
  await house.settle()
  await house.turn(31_000)
  assert.equal((await house.get('Port', 'a/mine'))?.spec.claim, undefined)
  const pod = await makePod(house, 'a/web', { nics: [{ name: 'net1', portID: 'mine' }] })
  const port = await house.get('Port', 'a/mine')
  await house.store.update({ ...port!, spec: { ...port!.spec, claim: claim(pod.metadata.uid) as never } })
  await house.turn(60_000)
  const confirmed = await house.get('Port', 'a/mine')
  assert.deepEqual([confirmed?.spec.claim?.until, confirmed?.spec.podUID], [undefined, pod.metadata.uid])
})

test('a freed address rests a minute before it is handed out again', async () => {
  await house.make('Subnet', 'a/tiny', { vpc: 'blue', ipv4: { cidr: '10.9.0.0/29' } })
  await house.settle()
  const tiny = { nics: [{ name: 'net1', subnet: 'tiny' }] }
  for (const name of ['p1', 'p2', 'p3', 'p4', 'p5', 'p6']) await makePod(house, `a/${name}`, tiny)
  await house.settle()
  const waiting = (await Promise.all(['p1', 'p2', 'p3', 'p4', 'p5', 'p6'].map(async (name) => [name, (await toldOf(house, `a/${name}`)).reason] as const))).filter(([, reason]) => reason === 'SubnetFull')
  assert.equal(waiting.length, 1, 'five addresses for six pods')
  const served = ['p1', 'p2'].find((name) => name !== waiting[0]![0])!
  await deletePod(house, `a/${served}`)
  await house.settle()
  await house.turn(30_000)
  assert.equal((await toldOf(house, `a/${waiting[0]![0]}`)).phase, 'pending')
  await house.turn(31_000)
  assert.equal((await toldOf(house, `a/${waiting[0]![0]}`)).phase, 'ready')
})

test('the sweeper frees a lock whose holder is gone, and no other', async () => {
  const ghost = { kind: 'Port', namespace: 'a', name: 'ghost', uid: 'gone' }
  await house.make('IPLock', 'a/v1-5000-10-0-0-99', { vni: 5000, address: '10.0.0.99', subnet: 'one', holder: ghost })
  await house.make('SegmentLock', 'vni-7000', { vni: 7000, holder: { ...ghost, kind: 'Vpc' } })
  await makePod(house, 'a/web')
  await house.settle()
  const [address] = (await toldOf(house, 'a/web')).nics[0]?.addresses ?? []
  await house.turn(61_000)
  assert.equal((await lockedAddresses(house)).length, 2, 'not before the grace period is over')
  await house.turn(61_000)
  await house.turn(61_000)
  assert.deepEqual([await lockedAddresses(house), await house.get('SegmentLock', 'vni-7000')], [[address], undefined])
})
