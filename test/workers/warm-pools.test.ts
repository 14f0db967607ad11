// Ports made ahead: a pool is filled, one is taken, and its place is filled again, through the workers as they run.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CloudRefused } from '../../core/errors.ts'
import type { Resource } from '../../core/kinds/index.ts'
import { MetricSet } from '../../platform/metrics/set.ts'
import { deletePod, makePod } from './network.ts'
import { around, entriesIn, filled, freeIn, isFilled, portOf, reasonOf, until, type Around } from './warm-cluster.ts'

type Status = NonNullable<Resource<'Port'>['status']>
const statusOf = async (of: Around, pod: string): Promise<Status> => (await portOf(of, pod))?.status ?? {}
const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('nobody asks for Ports made ahead, and none are', async () => {
  const of = await around({ max: 3, min: 2 })
  await of.cluster.advance(60_000)
  assert.deepEqual(await entriesIn(of), [])
  await of.end()
})

for (const [how, isClusterLike] of [
  ['in our own store', false],
  ['in a store as that of a cluster', true],
] as const) {
  test(`a pod's Port takes what was made ahead: it tells of addresses before the cloud is asked, ${how}`, async () => {
    const of = await around({ max: 3, min: 2 }, { isClusterLike })
    const { cluster, cloud, faults } = of
    await filled(of, 2)
    const before = await freeIn(of)
    const ids = cloud.all('port').map(({ id }) => id)
    const held = Promise.withResolvers<void>()
    faults.way = (leg) => (leg === 'there' ? held.promise : Promise.resolve())
    await makePod(cluster, 'a/web')
    for (let rounds = 0; rounds < 1_000 && (await statusOf(of, 'web')).addresses === undefined; rounds++) await tick()
    const told = await statusOf(of, 'web')
    const from = before.find(({ metadata }) => metadata.uid === told.from?.uid)!
    const offered: Status = from.status ?? {}
    assert.deepEqual([told.addresses, told.mac, told.phase], [offered.addresses, offered.mac, 'pending'])
    faults.way = () => Promise.resolve()
    held.resolve()
    await until(cluster, async () => reasonOf((await portOf(of, 'web'))!) === 'Made')
    const ready = await statusOf(of, 'web')
    assert.equal(ids.includes(ready.providerID!), true, 'it was there before')
    assert.deepEqual([ready.addresses, ready.providerID, ready.from], [offered.addresses, offered.providerID, undefined])
    await until(cluster, isFilled(of, 2))
    await until(cluster, async () => (await cluster.get('Port', `a/${from.metadata.name}`)) === undefined)
    await of.end()
  })
}

test('of many that come at once each takes another, and who finds none makes its own', async () => {
  const metrics = new MetricSet({ ofProcess: false })
  const of = await around({ max: 5, min: 5 }, { metrics })
  const { cluster, cloud } = of
  await filled(of, 5)
  const there = new Set(cloud.all('port').map(({ id }) => id))
  const pods = Array.from({ length: 8 }, (_, i) => `p${i}`)
  await Promise.all(pods.map((pod) => makePod(cluster, `a/${pod}`)))
  const madeOf = async (): Promise<readonly Resource<'Port'>[]> =>
    (await cluster.all('Port')).filter((port) => pods.includes(port.spec.claim?.pod ?? '') && reasonOf(port) === 'Made')
  await until(cluster, async () => (await madeOf()).length === 8)
  const ports = await madeOf()
  const ids = ports.map(({ status }) => status?.providerID ?? '')
  assert.deepEqual([new Set(ids).size, new Set(ports.flatMap(({ status }) => status?.addresses ?? [])).size], [8, 8])
  assert.equal(ids.filter((id) => there.has(id)).length, 5)
  await until(cluster, isFilled(of, 5))
  await until(cluster, () => cloud.all('port').length === 1 + 8 + 5)
  const counted = await metrics.registry.metrics()
  // The first pod's too: its pool began with it.
  for (const [how, count] of [
    ['taken', 5],
    ['made', 4],
  ])
    assert.match(counted, new RegExp(`^megrez_cloud_ports_total\\{cloud="c",how="${how}"\\} ${count}$`, 'm'))
  await of.end()
})

test('pods that are gone are remembered: who comes again finds as many as came before', async () => {
  const of = await around({ max: 5 })
  const { cluster } = of
  const pods = ['p0', 'p1', 'p2', 'p3']
  const wave = async (name: string): Promise<readonly Resource<'Port'>[]> => {
    await Promise.all(pods.map((pod) => makePod(cluster, `a/${name}-${pod}`)))
    const ports = async (): Promise<readonly (Resource<'Port'> | undefined)[]> =>
      Promise.all(pods.map((pod) => portOf(of, `${name}-${pod}`)))
    await until(cluster, async () => (await ports()).every((port) => port !== undefined && reasonOf(port) === 'Made'))
    await until(cluster, isFilled(of, 4))
    const made = (await ports()).map((port) => port!)
    for (const pod of pods) await deletePod(cluster, `a/${name}-${pod}`)
    return made
  }
  await wave('first')
  // Longer than a pool forgets what is more than came within a minute, and longer than one is looked at.
  await cluster.advance(600_000)
  assert.equal((await freeIn(of)).length, 4)
  const kept = new Set((await freeIn(of)).map(({ status }) => status!.addresses![0]))
  const second = await wave('second')
  assert.deepEqual(new Set(second.map(({ status }) => status!.addresses![0])), kept)
  await cluster.advance(600_000)
  assert.equal((await freeIn(of)).length, 4)
  await until(cluster, isFilled(of, 0), 3_600, 30_000)
  await of.end()
})

test('what names an address, a MAC or a port of the cloud takes nothing, nor does one of other groups', async () => {
  const of = await around({ max: 2, min: 2 })
  const { cluster } = of
  await filled(of, 2)
  await cluster.make('Port', 'a/ip', { subnet: 'one', ips: ['10.0.0.77'] })
  await cluster.make('Port', 'a/mac', { subnet: 'one', mac: '02:00:00:00:00:77' })
  await cluster.make('Port', 'a/web', { subnet: 'one', securityGroups: ['web'] })
  const own = ['a/ip', 'a/mac', 'a/web']
  await until(cluster, async () => {
    const all = await Promise.all(own.map((key) => cluster.get('Port', key)))
    return all.every((port) => port !== undefined && reasonOf(port) === 'Made')
  })
  const kept = (await entriesIn(of)).filter(({ spec }) => spec.warm?.for !== undefined)
  assert.deepEqual([kept.length, (await cluster.get('Port', 'a/ip'))?.status?.addresses], [0, ['10.0.0.77']])
  assert.equal((await cluster.get('Port', 'a/mac'))?.status?.mac, '02:00:00:00:00:77')
  await until(cluster, async () => (await freeIn(of)).filter(({ spec }) => spec.securityGroups?.[0] === 'web').length === 2)
  await of.end()
})

test('a pool has as many as came at once, at most max, and none once nobody has used it for an hour', async () => {
  const of = await around({ max: 4 })
  const { cluster } = of
  await filled(of, 1)
  await cluster.advance(60_000)
  await Promise.all([1, 2, 3].map((i) => makePod(cluster, `a/three${i}`)))
  await until(cluster, isFilled(of, 3))
  await cluster.advance(60_000)
  await Promise.all([1, 2, 3, 4, 5, 6].map((i) => makePod(cluster, `a/six${i}`)))
  await until(cluster, isFilled(of, 4))
  for (let minutes = 0; minutes < 65; minutes++) await cluster.advance(60_000)
  await until(cluster, async () => (await entriesIn(of)).length === 0)
  assert.equal((await cluster.all('Port')).length, 10, 'Ports of pods stay')
  await of.end()
})

test('a pool is drained where its Cloud makes none ahead any more', async () => {
  const of = await around({ max: 3, min: 3 })
  const { cluster, cloud } = of
  await filled(of, 3)
  const there = await cluster.get('Cloud', 'c')
  const { warmPools: _, ...spec } = there!.spec
  await cluster.store.update({ ...there!, spec })
  await until(cluster, async () => (await entriesIn(of)).length === 0)
  assert.equal(cloud.all('port').length, 1)
  await of.end()
})

test('a pool does not hold up the end of its Subnet', async () => {
  const of = await around({ max: 3, min: 3 })
  const { cluster, cloud } = of
  await filled(of, 3)
  await deletePod(cluster, 'a/first')
  await cluster.store.delete({ kind: 'Subnet', namespace: 'a', name: 'one' })
  await until(cluster, async () => (await cluster.get('Subnet', 'a/one')) === undefined)
  assert.deepEqual([cloud.all('port'), cloud.all('subnet'), await cluster.all('Port')], [[], [], []])
  await of.end()
})

test('of the quota so many are left free as its Cloud says, and are given back when others use it up', async () => {
  const of = await around({ max: 10, min: 10, reserve: 5 }, { portsMax: 12 })
  const { cluster, cloud } = of
  await filled(of, 6)
  await cluster.advance(120_000)
  assert.deepEqual([(await freeIn(of)).length, cloud.all('port').length], [6, 7])
  for (let i = 0; i < 3; i++) cloud.put('port', `theirs-${i}`, { subnet: cloud.all('subnet')[0]!.id })
  await until(cluster, async () => (await freeIn(of)).length === 3)
  assert.equal(cloud.all('port').length, 7)
  await of.end()
})

test('where addresses run out, what was made ahead is given back to Ports that are wanted now', async () => {
  const of = await around({ max: 20, min: 20, reserve: 0 }, { cidr: '10.0.0.0/28' })
  const { cluster } = of
  await makePod(cluster, 'a/first')
  await until(cluster, async () => (await freeIn(of)).length >= 10)
  await cluster.make('Port', 'a/web', { subnet: 'one', securityGroups: ['web'] })
  await until(cluster, async () => (await cluster.get('Port', 'a/web'))?.status?.phase === 'error')
  await until(cluster, async () => reasonOf((await cluster.get('Port', 'a/web'))!) === 'Made')
  await of.end()
})

test('a cloud that does not say how many ports it still lets be made is asked for none ahead, and loses none', async () => {
  const of = await around({ max: 3, min: 2 })
  const { cluster, cloud, faults } = of
  await filled(of, 2)
  faults.way = () => Promise.reject(new CloudRefused({ cloud: 'c', what: 'its quota', reason: '403' }))
  await cluster.advance(300_000)
  faults.way = () => Promise.resolve()
  assert.equal(cloud.all('port').length, 3)
  await until(cluster, isFilled(of, 2))
  await of.end()
})

test('a Port whose port at the cloud was taken from it before it had it makes its own', async () => {
  const of = await around({ max: 1, min: 1 })
  const { cluster, cloud, faults } = of
  await filled(of, 1)
  const [entry] = await freeIn(of)
  const held = Promise.withResolvers<void>()
  faults.way = (leg) => (leg === 'there' ? held.promise : Promise.resolve())
  await makePod(cluster, 'a/web')
  for (let rounds = 0; rounds < 50; rounds++) await tick()
  assert.equal((await portOf(of, 'web'))?.status?.from?.uid, entry?.metadata.uid)
  cloud.remove('port', entry!.status!.providerID!)
  faults.way = () => Promise.resolve()
  held.resolve()
  await until(cluster, async () => reasonOf((await portOf(of, 'web'))!) === 'Made')
  const port = (await portOf(of, 'web'))!
  assert.equal(cloud.get('port', port.status!.providerID!)?.owner, port.metadata.uid)
  await until(cluster, isFilled(of, 1))
  await until(cluster, () => cloud.all('port').length === 3)
  await of.end()
})

test('a Port made ahead that its tenant deletes, changes or binds harms nobody else, and is replaced', async () => {
  const of = await around({ max: 3, min: 3 })
  const { cluster, cloud } = of
  await filled(of, 3)
  const [one, two, three] = (await freeIn(of)) as [Resource<'Port'>, Resource<'Port'>, Resource<'Port'>]
  await cluster.store.delete({ kind: 'Port', namespace: 'a', name: one.metadata.name })
  await cluster.store.update({ ...two, spec: { ...two.spec, portSecurity: false } })
  await cluster.store.update({ ...three, spec: { ...three.spec, warm: { for: { name: 'nobody', uid: 'nobody' } } } })
  await until(cluster, async () => {
    const names = (await cluster.all('Port')).map(({ metadata }) => metadata.name)
    return (await freeIn(of)).length === 3 && ![one, two, three].some(({ metadata }) => names.includes(metadata.name))
  })
  assert.equal(cloud.all('port').length, 4)
  await of.end()
})

test('a Cloud says how many Ports are made ahead there, and nothing where none are', async () => {
  const of = await around({ max: 3, min: 2 })
  const { cluster } = of
  await filled(of, 2)
  await cluster.advance(30_000)
  const there = (await cluster.get('Cloud', 'c'))!
  assert.deepEqual(there.status?.pools, { pools: 1, ready: 2, making: 0 })
  const { warmPools: _, ...spec } = there.spec
  await cluster.store.update({ ...there, spec })
  await until(cluster, async () => (await cluster.get('Cloud', 'c'))?.status?.pools === undefined)
  await of.end()
})

test('nobody takes what was made ahead for another namespace, in a Subnet that they share', async () => {
  const of = await around({ max: 2, min: 2 })
  const { cluster } = of
  const vpc = await cluster.get('Vpc', 'a/blue')
  await cluster.store.update({ ...vpc!, spec: { ...vpc!.spec, sharedWith: ['b'] } })
  await cluster.make('Namespace', 'b', {})
  await filled(of, 2)
  await cluster.make('Port', 'b/theirs', { subnet: 'a/one' })
  await until(cluster, async () => reasonOf((await cluster.get('Port', 'b/theirs'))!) === 'Made')
  const all = await entriesIn(of)
  assert.equal(all.filter(({ metadata, spec }) => metadata.namespace === 'a' && spec.warm?.for !== undefined).length, 0)
  await until(cluster, async () => (await freeIn(of)).filter(({ metadata }) => metadata.namespace === 'b').length === 2)
  await of.end()
})
