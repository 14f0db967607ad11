// The whole way of Ports of a cloud that takes its time, through the workers as they run.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { CloudRefused, CloudUnreachable } from '../../core/errors.ts'
import { memory } from '../../workers/drivers/cloud/memory.ts'
import { MemoryCloud } from '../../workers/drivers/cloud/memory-cloud.ts'
import { deletePod, makePod, toldOf } from './network.ts'
import { openTestCluster } from './test-cluster.ts'
import { around, isReason, makeReady, reasonOf, until } from './cloud-site.ts'
import { untilWithin } from './until-within.ts'
import { plainSettings } from '../drivers/plain-port.ts'

test('a Port of a cloud is made, bound, plugged in and active, one after the other, and each is told', async () => {
  const of = await around({ agents: true, takesMs: 3_000 })
  const { cluster, cloud } = of
  await cluster.make('Node', 'n1', {})
  await makePod(cluster, 'a/web', { node: 'n1' })
  const reasons: (string | undefined)[] = []
  const note = async (): Promise<void> => {
    const [port] = await cluster.all('Port')
    const reason = reasonOf(port)
    if (reason !== undefined && reason !== reasons.at(-1)) reasons.push(reason)
  }
  await until(cluster, async () => {
    await note()
    return reasons.at(-1) === 'Bound'
  })
  const [port] = await cluster.all('Port')
  const [there] = cloud.all('port')
  assert.deepEqual(port?.status?.vif, {
    node: 'n1',
    plug: 'bridge',
    bridge: 'br-int',
    interfaceID: there?.id,
    type: 'ovs',
    details: { port_filter: 'true', bridge_name: 'br-int' },
  })
  assert.deepEqual(
    [port.status.vni, port.status.addresses, port.status.mtu, port.status.providerID, port.status.state, port.status.phase],
    [undefined, ['10.0.0.2'], 1450, there?.id, 'down', 'pending'],
  )
  // Its node has plugged it in, and the cloud has seen it.
  cloud.plug(there!.id)
  await cluster.store.patchStatus(
    { ref: { kind: 'Port', namespace: 'a', name: port.metadata.name }, uid: port.metadata.uid },
    { node: { node: { wired: true } } },
  )
  await until(cluster, async () => {
    await note()
    return reasons.at(-1) === 'Active'
  })
  assert.deepEqual(
    reasons.filter((each) => each !== 'SubnetMissing' && each !== 'SubnetNotReady'),
    ['Creating', 'Building', 'Binding', 'Bound', 'Active'],
  )
  await until(cluster, async () => (await toldOf(cluster, 'a/web')).phase === 'ready')
  assert.deepEqual(
    [(await cluster.all('IPLock')).length, (await cluster.all('SegmentLock')).length],
    [0, 0],
    'nothing of ours is held for it',
  )
  await cluster.close()
})

test('at their end nothing is left at the cloud, and nothing goes before a request that may be under way', async () => {
  const of = await around()
  const { cluster, cloud } = of
  await until(cluster, async () => (await cluster.get('Subnet', 'a/one'))?.status?.validated === true)
  await makePod(cluster, 'a/web')
  await until(cluster, () => cloud.all('port').length === 1)
  await deletePod(cluster, 'a/web')
  await cluster.store.delete({ kind: 'Subnet', namespace: 'a', name: 'one' })
  await cluster.store.delete({ kind: 'Vpc', namespace: 'a', name: 'blue' })
  await cluster.store.delete({ kind: 'Cloud', name: 'c' })
  await until(cluster, () => cloud.all('port').length === 0)
  assert.equal((await cluster.all('Port')).length, 1, 'it stays until nothing of it can land any more')
  await until(cluster, async () => (await cluster.all('Cloud')).length === 0)
  assert.deepEqual([cloud.all('network'), cloud.all('subnet'), await cluster.all('Port'), await cluster.all('Vpc')], [[], [], [], []])
  await cluster.close()
})

test('a create whose answer is lost is found again, and not made twice', async () => {
  const of = await around()
  const { cluster, cloud, faults } = of
  await until(cluster, async () => (await cluster.get('Subnet', 'a/one'))?.status?.validated === true)
  let calls = 0
  faults.way = () => {
    const isLost = cloud.all('port').length === 1 && calls++ < 4
    return isLost ? Promise.reject(new CloudUnreachable({ cloud: 'c', reason: 'connection reset' })) : Promise.resolve()
  }
  await cluster.make('Port', 'a/p', { subnet: 'one' })
  await until(cluster, isReason(of, 'Port', 'a/p', 'Made'))
  assert.deepEqual([cloud.all('port').length, calls > 1], [1, true])
  await cluster.close()
})

test('a cloud that does not answer is told of, and what was ready stays so', async () => {
  const of = await around()
  const { cluster, faults } = of
  await makeReady(of)
  faults.way = () => Promise.reject(new CloudUnreachable({ cloud: 'c', reason: 'connection refused' }))
  await cluster.make('Port', 'a/q', { subnet: 'one' })
  await until(cluster, isReason(of, 'Port', 'a/q', 'CloudUnreachable'))
  assert.match((await cluster.get('Port', 'a/q'))?.status?.message ?? '', /connection refused/)
  await cluster.advance(400_000)
  const ready = await cluster.get('Port', 'a/p')
  assert.deepEqual(
    [ready?.status?.phase, ready?.status?.conditions?.find(({ type }) => type === 'CloudReachable')?.status],
    ['ready', 'False'],
  )
  faults.way = () => Promise.resolve()
  await until(cluster, isReason(of, 'Port', 'a/q', 'Made'))
  await cluster.close()
})

test('what a pass tells that asked the cloud long before is looked at once more soon', async () => {
  const of = await around()
  const { cluster } = of
  const { metadata, status } = await makeReady(of)
  const condition = { type: 'CloudReachable', status: 'False' as const, reason: 'CloudUnreachable', message: 'asked a minute ago' }
  const lastTransitionTime = new Date(cluster.clock.now()).toISOString()
  const { phase, message, observedGeneration, sequence, timeline, conditions: was } = status as Required<NonNullable<typeof status>>
  const conditions = [...was, { ...condition, observedGeneration: 1, lastTransitionTime }]
  await cluster.store.patchStatus(
    { ref: { kind: 'Port', namespace: 'a', name: 'p' }, uid: metadata.uid },
    { report: { phase, message, observedGeneration, sequence, timeline, conditions } },
  )
  await until(cluster, async () => (await cluster.get('Port', 'a/p'))?.status?.conditions?.length === 2, 15)
  await cluster.close()
})

test('what the cloud has refused stays told so while it does not answer', async () => {
  const of = await around()
  const { cluster, faults } = of
  await until(cluster, async () => (await cluster.get('Subnet', 'a/one'))?.status?.validated === true)
  faults.way = () => Promise.reject(new CloudRefused({ cloud: 'c', what: 'a port', reason: 'Quota exceeded for port' }))
  await cluster.make('Port', 'a/p', { subnet: 'one' })
  await until(cluster, isReason(of, 'Port', 'a/p', 'Refused'))
  faults.way = () => Promise.reject(new CloudUnreachable({ cloud: 'c', reason: 'connection refused' }))
  const reachable = async (): Promise<unknown> =>
    (await cluster.get('Port', 'a/p'))?.status?.conditions?.find(({ type }) => type === 'CloudReachable')?.status
  await until(cluster, async () => (await reachable()) === 'False', 120)
  const { phase, message } = (await cluster.get('Port', 'a/p'))?.status ?? {}
  assert.equal(phase, 'error')
  assert.match(message ?? '', /Quota exceeded/)
  await cluster.close()
})

test("what the cloud refuses is told in the cloud's words, and asked for again later", async () => {
  const of = await around()
  const { cluster, cloud, faults } = of
  await until(cluster, async () => (await cluster.get('Subnet', 'a/one'))?.status?.validated === true)
  let isFull = true
  faults.way = () =>
    isFull ? Promise.reject(new CloudRefused({ cloud: 'c', what: 'a port', reason: 'Quota exceeded for port' })) : Promise.resolve()
  await cluster.make('Port', 'a/p', { subnet: 'one' })
  await until(cluster, async () => (await cluster.get('Port', 'a/p'))?.status?.phase === 'error')
  assert.match((await cluster.get('Port', 'a/p'))?.status?.message ?? '', /Quota exceeded/)
  isFull = false
  await until(cluster, () => cloud.all('port').length === 1, 120)
  await cluster.close()
})

test('what others change or delete at the cloud is put right', async () => {
  const of = await around()
  const { cluster, cloud } = of
  await makeReady(of, { securityGroups: ['web'] })
  const [there] = cloud.all('port')
  cloud.change('port', there!.id, { port: { ...there!.port!, securityGroups: ['other'] } })
  await until(cluster, () => cloud.all('port')[0]?.port?.securityGroups[0] === 'web')
  cloud.remove('port', there!.id)
  await until(cluster, () => cloud.all('port').length === 1 && cloud.all('port')[0]?.id !== there?.id)
  await until(cluster, async () => (await cluster.get('Port', 'a/p'))?.status?.providerID === cloud.all('port')[0]?.id)
  await cluster.close()
})

test('what is there already is adopted by its name, and stays when its object goes', async () => {
  const of = await around()
  const { cluster, cloud } = of
  await until(cluster, async () => (await cluster.get('Subnet', 'a/one'))?.status?.validated === true)
  const inSubnet = { subnet: cloud.all('subnet')[0]!.id }
  const port = { ...plainSettings, mac: '02:00:00:00:00:07', addresses: ['10.0.0.7'] }
  const spare = cloud.put('port', 'spare', { ...inSubnet, port })
  await cluster.make('Port', 'a/p', { subnet: 'one', portID: 'spare' })
  await until(cluster, isReason(of, 'Port', 'a/p', 'Made'))
  assert.deepEqual([(await cluster.get('Port', 'a/p'))?.status?.addresses, cloud.all('port').length], [['10.0.0.7'], 1])
  // Another object cannot have it too.
  await cluster.make('Namespace', 'b', {})
  await cluster.make('Port', 'a/q', { subnet: 'one', portID: spare.id })
  await until(cluster, isReason(of, 'Port', 'a/q', 'TakenAtCloud'))
  await cluster.store.delete({ kind: 'Port', namespace: 'a', name: 'p' })
  await until(cluster, async () => (await cluster.get('Port', 'a/p')) === undefined)
  await until(cluster, isReason(of, 'Port', 'a/q', 'Made'))
  assert.deepEqual(
    cloud.all('port').map(({ id }) => id),
    [spare.id],
  )
  await cluster.make('Port', 'a/none', { subnet: 'one', portID: 'nowhere' })
  await until(cluster, isReason(of, 'Port', 'a/none', 'NotAtCloud'))
  await cluster.close()
})

test('two Clouds of one provider are two clouds, and one that may not be named is not asked', async () => {
  const clouds = { one: new MemoryCloud(), two: new MemoryCloud() }
  const cluster = await openTestCluster({ cloudRegistry: { memory: ({ spec }) => memory(clouds[spec.endpoint as 'one' | 'two']) } })
  await cluster.make('Cloud', 'one', { provider: 'memory', endpoint: 'one' })
  await cluster.make('Cloud', 'two', { provider: 'memory', endpoint: 'two', namespaces: ['b'] })
  await cluster.make('Vpc', 'a/x', { provider: 'memory', cloud: 'one' })
  await cluster.make('Vpc', 'b/x', { provider: 'memory', cloud: 'two' })
  await cluster.make('Vpc', 'a/y', { provider: 'memory', cloud: 'two' })
  await cluster.make('Vpc', 'a/z', { provider: 'memory', cloud: 'nowhere' })
  await until(cluster, isReason({ cluster }, 'Vpc', 'b/x', 'InPlace'))
  const reasons = await Promise.all(['a/x', 'b/x', 'a/y', 'a/z'].map(async (key) => reasonOf(await cluster.get('Vpc', key))))
  assert.deepEqual(reasons, ['InPlace', 'InPlace', 'CloudNotAllowed', 'CloudMissing'])
  assert.deepEqual([clouds.one.all('network').length, clouds.two.all('network').length], [1, 1])
  await cluster.close()
})

test('a provider that workers do not know is told so, is never served by ours, and holds its end up', async () => {
  const cluster = await openTestCluster()
  await cluster.make('Vpc', 'a/blue', { provider: 'tomorrow' as 'memory', cloud: 'c' })
  await cluster.make('Subnet', 'a/one', { vpc: 'blue', ipv4: { cidr: '10.0.0.0/24' } })
  await cluster.make('Port', 'a/p', { subnet: 'one' })
  await cluster.settle()
  const all = [await cluster.get('Vpc', 'a/blue'), await cluster.get('Subnet', 'a/one'), await cluster.get('Port', 'a/p')]
  assert.deepEqual(
    all.map((item) => [item?.status?.phase, reasonOf(item)]),
    all.map(() => ['error', 'UnknownProvider']),
  )
  assert.match(all[0]?.status?.message ?? '', /builtin, memory/)
  assert.deepEqual([await cluster.all('IPLock'), await cluster.all('SegmentLock')], [[], []])
  await cluster.store.delete({ kind: 'Vpc', namespace: 'a', name: 'blue' })
  await cluster.advance(61_000)
  assert.equal((await cluster.get('Vpc', 'a/blue'))?.status?.phase, 'terminating')
  await cluster.close()
})

test('what the quota of a cloud is, and how much of it is used, is told each minute; where there is none nothing is', async () => {
  const of = await around({ portsMax: 3 })
  const quotaOf = async () => (await of.cluster.get('Cloud', 'c'))?.status?.portQuota
  await until(of.cluster, async () => (await quotaOf()) !== undefined)
  assert.deepEqual(await quotaOf(), { used: 0, limit: 3 })
  await makeReady(of)
  await untilWithin(120)(of.cluster, async () => (await quotaOf())?.used === 1)
  await of.cluster.close()
  const free = await around()
  await makeReady(free)
  assert.equal((await free.cluster.get('Cloud', 'c'))?.status?.portQuota, undefined)
  await free.cluster.close()
})
