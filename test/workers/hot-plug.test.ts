// NICs that come and go while their pod runs: what workers make and let go of, whatever they have heard and in whichever order.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { hotNicsAnnotation, wiredFinalizer } from '../../core/kinds/annotations.ts'
import { refOf, type Resource } from '../../core/kinds/index.ts'
import { portNameOf } from '../../core/net/names.ts'
import { withLateWatch } from './late-watch.ts'
import { deletePod, lockedAddresses, makePod, toldOf, withNetwork } from './network.ts'
import { openTestCluster, type TestCluster } from './test-cluster.ts'

let cluster: TestCluster
beforeEach(async () => {
  cluster = await openTestCluster()
  await withNetwork(cluster)
  await cluster.make('Node', 'n1', {})
  await cluster.settle()
})
afterEach(() => cluster.close())

const fast = { name: 'fast', subnet: 'one', ip: '10.0.0.9' }

/** @param nics undefined: the annotation goes */
async function plug(nics: readonly object[] | string | undefined, of = cluster, key = 'a/web'): Promise<void> {
  const pod = (await of.get('Pod', key))!
  const { [hotNicsAnnotation]: _, ...others } = pod.metadata.annotations ?? {}
  const text = typeof nics === 'string' ? nics : JSON.stringify(nics)
  const annotations = nics === undefined ? others : { ...others, [hotNicsAnnotation]: text }
  await of.store.update({ ...pod, metadata: { ...pod.metadata, annotations } })
}
/** A pod on n1 whose network kubelet has set up long ago. */
async function running(of = cluster): Promise<Resource<'Pod'>> {
  const pod = await makePod(of, 'a/web', { node: 'n1', nics: [{ name: 'net1', subnet: 'one', ip: '10.0.0.5' }] })
  await of.settle()
  await runsSince(pod, (await portOf(pod, 'net1', of))!.metadata.creationTimestamp, of)
  return pod
}
async function runsSince(pod: Resource<'Pod'>, since: string, of = cluster): Promise<void> {
  const conditions = [{ type: 'PodReadyToStartContainers', status: 'True' as const, lastTransitionTime: since }]
  await of.store.replaceForeignStatus(refOf(pod), pod.metadata.uid, { ...pod.status, phase: 'Running', conditions })
  await of.settle()
}
const portOf = (pod: Resource<'Pod'>, nic = 'fast', of = cluster): Promise<Resource<'Port'> | undefined> =>
  of.get('Port', `a/${portNameOf(pod.metadata, nic)}`)
const nicsTold = async (): Promise<readonly string[]> => {
  const { phase, nics } = await toldOf(cluster, 'a/web')
  return [phase, ...nics.map((nic) => `${nic.name} ${nic.addresses?.join() ?? '-'} ${nic.phase}`)]
}
/** As the node does once it has unwired it. */
async function unwired(port: Resource<'Port'>): Promise<void> {
  const uid = port.metadata.uid
  await cluster.store.commit([{ do: 'removeFinalizer', ref: refOf(port), uid, finalizer: wiredFinalizer }])
  await cluster.settle()
}

test('a NIC that comes gets a Port of the pod’s, on its node and with its finalizer, and the pod is told', async () => {
  const pod = await running()
  await plug([fast])
  await cluster.settle()
  const port = (await portOf(pod))!
  assert.deepEqual(port.spec.claim, { pod: 'web', nic: 'fast', owner: 'Pod/web', podUID: pod.metadata.uid })
  assert.deepEqual([port.spec.node, port.metadata.finalizers?.includes(wiredFinalizer)], ['n1', true])
  assert.deepEqual(await nicsTold(), ['ready', 'net1 10.0.0.5 ready', 'fast 10.0.0.9 ready'])
  await runsSince(pod, '2026-01-01T00:00:00Z')
  await plug([fast, { name: 'more', subnet: 'one', ip: '10.0.0.10' }])
  await cluster.settle()
  const { nics } = await toldOf(cluster, 'a/web')
  const phases = nics.map(({ name, phase }) => `${name} ${phase}`)
  assert.deepEqual(phases, ['net1 error', 'fast ready', 'more ready'], 'to have come later is the fault of those alone that cannot')
})

test('a NIC that goes takes its Port along, whose address is free once its node has let it go', async () => {
  const pod = await running()
  await plug([fast])
  await cluster.settle()
  await plug([])
  await cluster.settle()
  const going = (await portOf(pod))!
  assert.ok(going.metadata.deletionTimestamp !== undefined)
  assert.deepEqual(await lockedAddresses(cluster), ['10.0.0.5', '10.0.0.9'])
  assert.deepEqual(await nicsTold(), ['ready', 'net1 10.0.0.5 ready'])
  await unwired(going)
  assert.equal(await portOf(pod), undefined)
  assert.deepEqual(await lockedAddresses(cluster), ['10.0.0.5'])
})

test('one that goes and comes again is made anew after the Port before', async () => {
  const pod = await running()
  await plug([fast])
  await cluster.settle()
  const first = (await portOf(pod))!
  await plug(undefined)
  await cluster.settle()
  await plug([fast])
  await cluster.settle()
  assert.deepEqual(await nicsTold(), ['terminating', 'net1 10.0.0.5 ready', 'fast 10.0.0.9 terminating'])
  await unwired(first)
  const second = (await portOf(pod))!
  assert.notEqual(second.metadata.uid, first.metadata.uid)
  assert.deepEqual(await nicsTold(), ['ready', 'net1 10.0.0.5 ready', 'fast 10.0.0.9 ready'])
})

test('one that names a Port that is there takes it, and leaves it behind', async () => {
  const pod = await running()
  await cluster.make('Port', 'a/door', { subnet: 'one', portID: 'door' })
  await cluster.settle()
  await plug([{ name: 'fast', portID: 'door' }])
  await cluster.settle()
  const taken = (await cluster.get('Port', 'a/door'))!
  assert.deepEqual([taken.spec.claim?.nic, taken.spec.podUID, taken.spec.node], ['fast', pod.metadata.uid, 'n1'])
  await plug([])
  await cluster.settle()
  const left = (await cluster.get('Port', 'a/door'))!
  assert.deepEqual([left.spec.claim, left.metadata.deletionTimestamp, left.spec.node], [undefined, undefined, 'n1'], 'until it is unwired')
})

test('a list that came past admission and cannot be changes nothing, and the pod is told why', async () => {
  const pod = await running()
  await plug([fast])
  await cluster.settle()
  for (const wrong of ['[', '[{"name":"fast","subnet":"one","ip":"192.0.2.1"}]', '[{"name":"fast"}]']) {
    await plug(wrong)
    await cluster.settle()
    assert.equal((await portOf(pod))?.metadata.deletionTimestamp, undefined, wrong)
    assert.match((await toldOf(cluster, 'a/web')).message, /2 NICs ready; it stays where it is: .+/, wrong)
  }
})

test('one that is taken from the list goes also while nothing else of the pod may change', async () => {
  const pod = await running()
  await plug([fast])
  await cluster.settle()
  await cluster.store.delete({ kind: 'Vpc', namespace: 'a', name: 'blue' })
  await cluster.settle()
  assert.equal((await portOf(pod))?.metadata.deletionTimestamp, undefined, 'as long as it is listed')
  await plug([])
  await cluster.settle()
  assert.notEqual((await portOf(pod))?.metadata.deletionTimestamp, undefined)
  assert.equal((await portOf(pod, 'net1'))?.metadata.deletionTimestamp, undefined)
  assert.match((await toldOf(cluster, 'a/web')).message, /it stays where it is: Vpc blue is being deleted/)
})

test('a pod that is deleted meanwhile lets all go', async () => {
  const pod = await running()
  await plug([fast])
  await deletePod(cluster, 'a/web')
  await cluster.settle()
  for (const nic of ['net1', 'fast']) {
    const port = await portOf(pod, nic)
    if (port !== undefined) await unwired(port)
  }
  assert.deepEqual([await cluster.all('Port'), await lockedAddresses(cluster)], [[], []])
})

test('what admission keeps for a NIC whose change is not stored yet is left alone', async () => {
  const pod = await running()
  const until = new Date(cluster.clock.now() + 30_000).toISOString()
  const claim = { pod: 'web', nic: 'fast', owner: 'Pod/web', podUID: pod.metadata.uid, until }
  const port = await cluster.make('Port', 'a/door', { subnet: 'one', portID: 'door', claim })
  await cluster.settle()
  assert.deepEqual((await cluster.get('Port', 'a/door'))?.spec.claim, claim)
  await cluster.advance(31_000)
  assert.equal((await cluster.get('Port', 'a/door'))?.spec.claim, undefined, 'it lapses by itself')
  assert.equal(port.metadata.name, 'door')
})

test('a worker that has not heard of the change deletes no Port that another has made for it', async () => {
  let late = false
  const store = withLateWatch(({ kind }) => late && kind === 'Pod', 200)
  const behind = await openTestCluster({ store })
  await withNetwork(behind)
  const pod = await running(behind)
  late = true
  await plug([fast], behind)
  const claim = { pod: 'web', nic: 'fast', owner: 'Pod/web', podUID: pod.metadata.uid }
  const made = await store.create({
    kind: 'Port',
    metadata: { namespace: 'a', name: portNameOf(pod.metadata, 'fast') },
    spec: { subnet: 'one', claim, podUID: pod.metadata.uid, node: 'n1' },
  })
  assert.equal(behind.caches.Pod.get('a/web')?.metadata.annotations?.[hotNicsAnnotation], undefined, 'its watch is late')
  await behind.settle()
  const kept = await portOf(pod, 'fast', behind)
  assert.deepEqual([kept?.metadata.uid, kept?.metadata.deletionTimestamp], [made.metadata.uid, undefined])
  await behind.close()
  await store.close()
})
