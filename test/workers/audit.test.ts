// An audit finds each kind of disagreement, changes nothing unless it is to, and puts right what is ours alone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CloudDriver } from '../../core/contracts/cloud.ts'
import { CloudUnreachable } from '../../core/errors.ts'
import type { Resource, SpecOf } from '../../core/kinds/index.ts'
import { TurnedClock } from '../../platform/clock.ts'
import { memory } from '../../workers/drivers/cloud/memory.ts'
import { MemoryCloud } from '../../workers/drivers/cloud/memory-cloud.ts'
import { openTestCluster, type TestCluster } from './test-cluster.ts'
import { plainSettings } from '../drivers/plain-port.ts'

interface Around {
  readonly cluster: TestCluster
  readonly cloud: MemoryCloud
  readonly faults: { way: (leg: 'there' | 'back') => Promise<void> }
}

/** Cloud `c` with Vpc `a/blue`, Subnet `a/one` and Port `a/p`, all ready. */
async function around({ tells = true }: { readonly tells?: boolean } = {}): Promise<Around> {
  const clock = new TurnedClock(Date.parse('2026-01-01T00:00:00Z'))
  const cloud = new MemoryCloud({ now: () => clock.now() })
  const faults: Around['faults'] = { way: () => Promise.resolve() }
  const driver = (): CloudDriver => {
    const { onChange, ...rest } = memory(cloud, { landsWithinMs: 5_000, way: (leg) => faults.way(leg) })
    return tells && onChange !== undefined ? { ...rest, onChange } : rest
  }
  const cluster = await openTestCluster({
    clock,
    config: { agents: false },
    cloudRegistry: { memory: driver },
  })
  await cluster.make('Cloud', 'c', { provider: 'memory', endpoint: 'here' })
  await cluster.make('Vpc', 'a/blue', { provider: 'memory', cloud: 'c' })
  await cluster.make('Subnet', 'a/one', { vpc: 'blue', ipv4: { cidr: '10.0.0.0/24' } })
  await cluster.make('Port', 'a/p', { subnet: 'one' })
  await until(cluster, async () => (await cluster.get('Port', 'a/p'))?.status?.phase === 'ready')
  return { cluster, cloud, faults }
}

async function until(cluster: TestCluster, isSo: () => Promise<boolean>, most = 200): Promise<void> {
  for (let seconds = 0; seconds < most; seconds++) {
    if (await isSo()) return
    await cluster.advance(1_000)
  }
  assert.fail(`not so within ${most} seconds`)
}

/** An Audit, to its end. */
async function audited(cluster: TestCluster, spec: SpecOf<'Audit'> = {}, name = 'x'): Promise<Resource<'Audit'>> {
  await cluster.make('Audit', name, spec)
  await until(cluster, async () => ['ready', 'error'].includes((await cluster.get('Audit', name))?.status?.phase ?? ''))
  return (await cluster.get('Audit', name))!
}
const foundIn = ({ status }: Resource<'Audit'>): string[] =>
  (status?.findings ?? []).map(({ class: what, object = '', id = '', repair = '' }) => [what, object, id, repair].join('|'))

const port = { ...plainSettings, addresses: ['10.0.0.77'] }
/** As the end of a worker between its plan and its request leaves it; and what others have. */
function strew(cloud: MemoryCloud): void {
  const subnet = cloud.all('subnet')[0]?.id
  const ours = { installation: 'here', isMade: true, subnet }
  cloud.put('port', 'megrez-gone', { ...ours, owner: 'gone', port: { ...port, mac: '02:00:00:00:00:01' } })
  cloud.put('port', 'precious', { owner: 'gone too', installation: 'here', subnet, port: { ...port, mac: '02:00:00:00:00:02' } })
  cloud.put('network', 'megrez-lost', { installation: 'here', isMade: true, owner: 'lost' })
  cloud.put('port', 'foreign', { subnet, port: { ...port, mac: '02:00:00:00:00:03' } })
  cloud.put('port', 'megrez-other', { ...ours, owner: 'other', installation: 'elsewhere', port: { ...port, mac: '02:00:00:00:00:04' } })
}
const atCloud = (cloud: MemoryCloud): string[] =>
  (['network', 'subnet', 'port'] as const).flatMap((kind) => cloud.all(kind).map(({ name, owner }) => `${name} ${owner ?? '-'}`)).sort()

test('where all agree nothing is found', async () => {
  const { cluster } = await around()
  const audit = await audited(cluster)
  assert.deepEqual([foundIn(audit), audit.status?.compared, audit.status?.phase], [[], 6, 'ready'])
  await cluster.close()
})

test('what a cloud has of objects that are gone is found, and without repair nothing is changed', async () => {
  const { cluster, cloud } = await around()
  strew(cloud)
  const before = atCloud(cloud)
  const audit = await audited(cluster)
  assert.deepEqual(foundIn(audit), ['orphan||port-4|', 'orphan||port-5|', 'orphan||network-6|'])
  await cluster.advance(120_000)
  assert.deepEqual(atCloud(cloud), before)
  await cluster.close()
})

test('with repair what was made goes, what was adopted is let go, and what is of another installation or of nobody stays', async () => {
  const { cluster, cloud } = await around()
  strew(cloud)
  const before = atCloud(cloud)
  const audit = await audited(cluster, { repair: true })
  assert.deepEqual(foundIn(audit), ['orphan||port-4|gone', 'orphan||port-5|gone', 'orphan||network-6|gone'])
  assert.deepEqual(
    atCloud(cloud),
    before.filter((line) => !/megrez-gone|megrez-lost/.test(line)).map((line) => (line.startsWith('precious') ? 'precious -' : line)),
  )
  await cluster.close()
})

test('nothing is put right before no request can be under way any more', async () => {
  const { cluster, cloud } = await around()
  strew(cloud)
  const before = atCloud(cloud)
  await cluster.make('Audit', 'x', { repair: true })
  // What is sent within 10 s may take 5 s, and clocks may differ by 30.
  for (let seconds = 0; seconds < 44; seconds++) await cluster.advance(1_000)
  assert.deepEqual(atCloud(cloud), before)
  await until(cluster, async () => (await cluster.get('Audit', 'x'))?.status?.phase === 'ready')
  assert.notDeepEqual(atCloud(cloud), before)
  await cluster.close()
})

test('of two things of one object the one that its status tells of stays', async () => {
  const { cluster, cloud } = await around()
  const uid = (await cluster.get('Port', 'a/p'))!.metadata.uid
  const subnet = cloud.all('subnet')[0]?.id
  cloud.put('port', 'double', { installation: 'here', isMade: true, owner: uid, subnet, port: { ...port, mac: '02:00:00:00:00:01' } })
  assert.deepEqual(foundIn(await audited(cluster, { repair: true })), ['doubled|Port a/p|port-4|gone'])
  assert.deepEqual(
    cloud.all('port').map(({ id }) => id),
    ['port-3'],
  )
  await cluster.close()
})

test('what others have deleted is missing, and whoever looks after it makes it anew', async () => {
  // Nobody tells of changes, and the next look by time is minutes away.
  const { cluster, cloud } = await around({ tells: false })
  const { providerID = '' } = (await cluster.get('Port', 'a/p'))!.status!
  cloud.remove('port', providerID)
  await cluster.advance(1_000)
  assert.deepEqual(cloud.all('port'), [])
  const audit = await audited(cluster, { repair: true })
  assert.deepEqual(foundIn(audit), [`missing|Port a/p|${providerID}|gone`])
  assert.deepEqual(
    cloud.all('port').map(({ owner }) => owner),
    [(await cluster.get('Port', 'a/p'))!.metadata.uid],
  )
  await cluster.close()
})

test('a cloud that does not answer keeps everything from being compared, and is asked again', async () => {
  const { cluster, cloud, faults } = await around()
  strew(cloud)
  const before = atCloud(cloud)
  faults.way = () => Promise.reject(new CloudUnreachable({ cloud: 'c', reason: '503' }))
  await cluster.make('Audit', 'x', { repair: true })
  for (let seconds = 0; seconds < 90; seconds++) await cluster.advance(1_000)
  const { status } = (await cluster.get('Audit', 'x'))!
  assert.deepEqual([status?.phase, status?.findings, atCloud(cloud)], ['pending', undefined, before])
  assert.match(status?.conditions?.[0]?.message ?? '', /nothing is compared: .*503/)
  faults.way = () => Promise.resolve()
  await until(cluster, async () => (await cluster.get('Audit', 'x'))?.status?.phase === 'ready')
  assert.equal((await cluster.get('Audit', 'x'))?.status?.left, 0)
  await cluster.close()
})

test('wherever the way to the cloud fails midway, a repair ends with nothing left and nothing of others touched', async () => {
  for (let at = 1; at <= 12; at++) {
    const { cluster, cloud, faults } = await around()
    strew(cloud)
    let legs = 0
    faults.way = () => (++legs === at ? Promise.reject(new CloudUnreachable({ cloud: 'c', reason: 'lost' })) : Promise.resolve())
    const audit = await audited(cluster, { repair: true })
    assert.deepEqual([audit.status?.left, audit.status?.phase], [0, 'ready'], `fault at ${at}`)
    assert.deepEqual(
      atCloud(cloud).filter((line) => !line.startsWith('megrez-')),
      ['foreign -', 'precious -'],
    )
    assert.equal(cloud.all('port').filter(({ owner }) => owner === 'other').length, 1)
    await cluster.close()
  }
})
