// Guests of a Vpc whose namespace is being deleted: they are told to leave, and nothing of theirs is free before their nodes have unwired them.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { wiredFinalizer } from '../../core/kinds/annotations.ts'
import { refOf } from '../../core/kinds/index.ts'
import { openHouse, type House } from './house.ts'

let house: House
beforeEach(async () => {
  house = await openHouse()
  await house.make('Namespace', 'net', {})
  await house.make('Node', 'n1', {})
  await house.make('Vpc', 'net/shared', { vni: 6000, sharedWith: ['a'] })
  await house.make('Subnet', 'net/s', { vpc: 'shared', ipv4: { cidr: '10.1.0.0/24' } })
  await house.settle()
})
afterEach(() => house.close())

const guest = 'a/guest'
async function wiredGuest(): Promise<void> {
  await house.make('Port', guest, { subnet: 'net/s', node: 'n1' })
  await house.settle()
  const port = await house.get('Port', guest)
  assert.deepEqual([port?.status?.phase, port?.metadata.finalizers?.includes(wiredFinalizer)], ['ready', true])
}
async function namespaceGoes(ms: number): Promise<void> {
  await house.store.delete({ kind: 'Namespace', name: 'net' })
  await house.turn(ms)
  await house.turn(1_000)
}
const unwired = async (key: string): Promise<void> => {
  const port = (await house.get('Port', key))!
  await house.store.commit([{ do: 'removeFinalizer', ref: { kind: 'Port', namespace: port.metadata.namespace!, name: port.metadata.name }, uid: port.metadata.uid, finalizer: wiredFinalizer }])
  await house.turn(1_000)
}
const said = async (key: string): Promise<unknown[]> => {
  const { phase, conditions, addresses } = (await house.get('Port', key))?.status ?? {}
  return [phase, conditions?.find(({ type }) => type === 'Ready')?.reason, addresses]
}
const left = async (): Promise<unknown[]> => [(await house.all('SegmentLock')).length, (await house.all('IPLock')).length, (await house.get('Namespace', 'net')) !== undefined]

test('a guest is told to leave after ten minutes, keeps its address until its node has unwired it, and then all goes', async () => {
  await wiredGuest()
  await namespaceGoes(house.config.blockerWaitMs - 60_000)
  assert.deepEqual((await said(guest)).slice(0, 2), ['ready', 'InPlace'])
  await house.turn(61_000)
  await house.turn(1_000)
  const [phase, reason, addresses] = await said(guest)
  assert.deepEqual([phase, reason, (addresses as string[]).length], ['error', 'VpcGoing', 1])
  await house.turn(3_600_000)
  assert.deepEqual(await left(), [1, 1, true], 'however long its node takes')
  await unwired(guest)
  assert.deepEqual(await left(), [0, 0, false])
  assert.equal((await house.get('Port', guest))?.status?.addresses, undefined)
  await house.store.delete({ kind: 'Port', namespace: 'a', name: 'guest' })
  await house.settle()
  assert.equal(await house.get('Port', guest), undefined)
})

test('a VNI goes to nobody else while a guest of its old owner is wired', async () => {
  await wiredGuest()
  await namespaceGoes(house.config.blockerWaitMs + 60_000)
  await house.make('Vpc', 'b/next', { vni: 6000 })
  await house.turn(60_000)
  assert.equal((await house.get('Vpc', 'b/next'))?.status?.phase, 'error')
  await unwired(guest)
  await house.turn(31_000)
  assert.deepEqual([(await house.get('Vpc', 'b/next'))?.status?.phase, (await house.get('Vpc', 'b/next'))?.status?.vni], ['ready', 6000])
})

test('for a node that is away it takes both proofs: that the guest is to leave, and that the node is gone', async () => {
  for (const first of ['node', 'time'] as const) {
    await wiredGuest()
    if (first === 'node') await house.store.delete({ kind: 'Node', name: 'n1' })
    await namespaceGoes(house.config.blockerWaitMs - 60_000)
    assert.deepEqual(await left(), [1, 1, true], 'not before it is told')
    await house.turn(61_000)
    await house.turn(1_000)
    if (first === 'time') {
      assert.deepEqual(await left(), [1, 1, true], 'nor while its node is there')
      await house.store.delete({ kind: 'Node', name: 'n1' })
    }
    for (let i = 0; i < 3; i++) await house.turn(11_000)
    assert.deepEqual(await left(), [0, 0, false], `${first} first`)
    await house.store.delete({ kind: 'Port', namespace: 'a', name: 'guest' })
    for (const [kind, key, spec] of [['Namespace', 'net', {}], ['Node', 'n1', {}], ['Vpc', 'net/shared', { vni: 6000, sharedWith: ['a'] }], ['Subnet', 'net/s', { vpc: 'shared', ipv4: { cidr: '10.1.0.0/24' } }]] as const) await house.make(kind, key, spec)
    await house.settle()
  }
})

test('a Port of the namespace itself that its node has not unwired is waited for as long as it takes', async () => {
  await house.make('Port', 'net/own', { subnet: 's', node: 'n1' })
  await house.settle()
  await namespaceGoes(house.config.blockerWaitMs + 3_600_000)
  assert.deepEqual(await left(), [1, 1, true])
  await unwired('net/own')
  assert.deepEqual(await left(), [0, 0, false])
})

test('a guest that has nothing yet gets nothing any more, and holds nothing up', async () => {
  await wiredGuest()
  await namespaceGoes(house.config.blockerWaitMs + 60_000)
  await house.make('Port', 'a/late', { subnet: 'net/s' })
  await house.turn(1_000)
  assert.deepEqual((await said('a/late')).slice(0, 2), ['error', 'VpcGoing'])
  await unwired(guest)
  assert.deepEqual(await left(), [0, 0, false])
})

test('a guest whose node is gone is not said to be wired there any more', async () => {
  await wiredGuest()
  const port = (await house.get('Port', guest))!
  await house.store.patchStatus({ ref: refOf(port), uid: port.metadata.uid }, { node: { node: { wired: true } } })
  await house.store.delete({ kind: 'Node', name: 'n1' })
  await namespaceGoes(house.config.blockerWaitMs + 60_000)
  for (let i = 0; i < 3; i++) await house.turn(11_000)
  assert.deepEqual(await left(), [0, 0, false])
  assert.deepEqual((await house.get('Port', guest))?.status?.node, { wired: false })
})
