// Deployments that are started when a client of a NetworkService waits, and stopped when there has been none for a while.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { nicsAnnotation, poolAnnotation, vpcAnnotation } from '../../core/kinds/annotations.ts'
import { readyCondition } from '../../core/kinds/meta.ts'
import { refOf, type Resource } from '../../core/kinds/index.ts'
import { portNameOf } from '../../core/net/names.ts'
import { SqliteStore } from '../../platform/store/sqlite.ts'
import { scalesLaws } from '../laws/scales.ts'
import { interrupted } from './cut-store.ts'
import { heldBack } from './late-watch.ts'
import { MemoryScales } from './memory-scales.ts'
import { openTestCluster, type TestCluster } from './test-cluster.ts'

scalesLaws('memory', async () => {
  const scales = new MemoryScales()
  const set = async (...of: Parameters<MemoryScales['set']>): Promise<void> => scales.set(...of)
  return { scales, namespace: 'a', deploy: set, set, end: async () => undefined }
})

const config = { agents: false }
const dns = { namespace: 'a', name: 'dns-server' }
let cluster: TestCluster
let scales: MemoryScales
beforeEach(async () => {
  scales = new MemoryScales()
  scales.set(dns, 0)
  cluster = await openTestCluster({ config, scales })
  await world(cluster)
})
afterEach(() => cluster.close())

async function world(on: TestCluster): Promise<void> {
  await on.store.create({ kind: 'Node', metadata: { name: 'n1' }, spec: {} })
  await on.make('Vpc', 'a/blue', { vni: 5000 })
  await on.make('Subnet', 'a/one', { vpc: 'blue', ipv4: { cidr: '10.1.0.0/24' } })
  await on.make('NetworkService', 'a/dns', { name: 'dns' }, { annotations: { [poolAnnotation]: 'one' } })
  await on.make('EndpointScaler', 'a/dns', { scaleTargetRef: { name: dns.name }, cooldownSeconds: 10 })
  await on.settle()
}

async function pod(on: TestCluster, name: string, nic: object): Promise<Resource<'Pod'>> {
  const annotations = { [vpcAnnotation]: 'a/blue', [nicsAnnotation]: JSON.stringify([{ name: 'nsm-1', ...nic }]) }
  const made = await on.make('Pod', `a/${name}`, { nodeName: 'n1', containers: [{ name: 'one' }] }, { annotations })
  await on.settle()
  return made
}
const client = (on = cluster, name = 'web'): Promise<Resource<'Pod'>> => pod(on, name, { networkService: 'dns' })
const server = (on = cluster): Promise<Resource<'Pod'>> => pod(on, 'dns-1', { serves: 'dns' })
async function drop(of: Resource<'Pod'>, on = cluster): Promise<void> {
  await on.store.delete(refOf(of))
  await on.settle()
}
const replicas = (): number | undefined => scales.replicasOf(dns)
const scaler = async (on = cluster, name = 'dns'): Promise<NonNullable<Resource<'EndpointScaler'>['status']>> =>
  (await on.get('EndpointScaler', `a/${name}`))!.status!
const reasonOf = ({ conditions }: { readonly conditions?: readonly { readonly type: string; readonly reason: string }[] }) =>
  readyCondition(conditions)?.reason
async function connection(of: Resource<'Pod'>, on = cluster): Promise<readonly (string | undefined)[]> {
  const { status = {} } = (await on.get('Connection', `a/${portNameOf(of.metadata, 'nsm-1')}`)) ?? {}
  return [reasonOf(status), status.message]
}

test('it is started for a client that waits, which is told so, and stopped once there has been none for the time that it says', async () => {
  assert.deepEqual([replicas(), reasonOf(await scaler())], [0, 'Idle'])
  const web = await client()
  assert.deepEqual([replicas(), reasonOf(await scaler())], [1, 'Starting'])
  const waiting = 'NetworkService a/dns has no endpoint that fits its labels; Deployment dns-server is starting an endpoint for a client'
  await cluster.advance(31_000)
  assert.deepEqual(await connection(web), ['EndpointStarting', waiting])
  const one = await server()
  assert.deepEqual([(await connection(web))[0], reasonOf(await scaler())], ['Connected', 'Active'])
  await cluster.advance(3_600_000)
  assert.equal(replicas(), 1)
  await drop(web)
  assert.notEqual((await scaler()).idleSince, undefined)
  await cluster.advance(9_000)
  assert.equal(replicas(), 1)
  await cluster.advance(2_000)
  assert.equal(replicas(), 0)
  const { activatedAt, idleSince, deployment } = await scaler()
  assert.deepEqual([activatedAt, idleSince, deployment], [undefined, undefined, undefined])
  await drop(one)
  await client(cluster, 'again')
  assert.equal(replicas(), 1)
})

test('a client that comes meanwhile keeps it, and the time begins anew when that goes', async () => {
  const web = await client()
  await server()
  await drop(web)
  await cluster.advance(8_000)
  const other = await client(cluster, 'other')
  await cluster.advance(60_000)
  assert.equal(replicas(), 1)
  await drop(other)
  await cluster.advance(8_000)
  assert.equal(replicas(), 1)
  await cluster.advance(3_000)
  assert.equal(replicas(), 0)
})

test('nobody looks at a Deployment of a service whose clients have what they want', async () => {
  await client()
  await server()
  const { reads } = scales
  await client(cluster, 'other')
  await cluster.advance(3_600_000)
  assert.equal(scales.reads, reads)
})

test('a number that somebody else has set stays, above 1 and at 1', async () => {
  scales.set(dns, 3)
  const web = await client()
  assert.deepEqual([replicas(), reasonOf(await scaler())], [3, 'Starting'])
  await drop(web)
  await cluster.advance(60_000)
  assert.equal(replicas(), 3)
  scales.set(dns, 0)
  for (const later of [[2], [2, 1]]) {
    const next = await client(cluster, `next-${later.length}`)
    await cluster.advance(61_000)
    assert.equal(replicas(), 1)
    for (const number of later) scales.set(dns, number)
    await drop(next)
    await cluster.advance(60_000)
    assert.equal(replicas(), later.at(-1))
    assert.equal((await scaler()).activatedAt, undefined)
    scales.set(dns, 0)
  }
})

test('scaled to 0 by somebody while a client waits it is left so for a minute', async () => {
  await client()
  assert.equal(replicas(), 1)
  scales.set(dns, 0)
  await cluster.advance(31_000)
  assert.deepEqual([replicas(), reasonOf(await scaler())], [0, 'ScaledDown'])
  await cluster.advance(31_000)
  assert.equal(replicas(), 1)
})

test('a Deployment that is not there, or may not be scaled, is said to the client, and tried ever more seldom', async () => {
  scales.remove(dns)
  const web = await client()
  assert.deepEqual([reasonOf(await scaler()), (await scaler()).phase], ['DeploymentNotFound', 'error'])
  assert.deepEqual(await connection(web), [
    'NoEndpoint',
    'NetworkService a/dns has no endpoint that fits its labels; Deployment dns-server not found',
  ])
  const before = scales.reads
  for (let i = 0; i < 3600; i += 10) await cluster.advance(10_000)
  assert.ok(scales.reads - before < 30, `${scales.reads - before} times in an hour`)
  scales.forbidden = true
  await cluster.advance(301_000)
  assert.equal(reasonOf(await scaler()), 'ScaleForbidden')
  scales.forbidden = false
  scales.set(dns, 0)
  await cluster.advance(301_000)
  assert.equal(replicas(), 1)
})

test('that no endpoint comes in time is said, and it is left running while the client waits', async () => {
  const web = await client()
  await cluster.advance(601_000)
  assert.equal(reasonOf(await scaler()), 'NotReadyInTime')
  assert.equal((await connection(web))[0], 'NoEndpoint')
  assert.equal(replicas(), 1)
  await server()
  assert.equal(reasonOf(await scaler()), 'Active')
})

test('of two that name one Deployment the older one scales it, and the other once that is gone', async () => {
  cluster.clock.advance(1000)
  await cluster.make('NetworkService', 'a/alias', { name: 'alias' }, { annotations: { [poolAnnotation]: 'one' } })
  const spec = { scaleTargetRef: { name: dns.name }, cooldownSeconds: 10 }
  // By name where both are as old: `dns` is before `later`.
  await cluster.make('EndpointScaler', 'a/later', spec)
  await cluster.make('NetworkService', 'a/later', { name: 'later' }, { annotations: { [poolAnnotation]: 'one' } })
  await pod(cluster, 'web', { networkService: 'later' })
  assert.deepEqual([replicas(), reasonOf(await scaler(cluster, 'later'))], [0, 'DeploymentTaken'])
  await cluster.store.delete({ kind: 'EndpointScaler', namespace: 'a', name: 'dns' })
  await cluster.settle()
  assert.equal(replicas(), 1)
})

test('without Kubernetes it is said that there are no Deployments', async () => {
  const on = await openTestCluster({ config })
  await world(on)
  await client(on)
  assert.equal(reasonOf(await scaler(on)), 'Unsupported')
  await on.close()
})

test('what it has is left when it goes, or names another one', async () => {
  const other = { namespace: 'a', name: 'other' }
  scales.set(other, 0)
  await client()
  const item = (await cluster.get('EndpointScaler', 'a/dns'))!
  await cluster.store.update({ ...item, spec: { ...item.spec, scaleTargetRef: { name: 'other' } } })
  await cluster.settle()
  assert.deepEqual([replicas(), scales.replicasOf(other)], [1, 1])
  await cluster.store.delete(refOf(item))
  await cluster.advance(60_000)
  assert.deepEqual([replicas(), scales.replicasOf(other)], [1, 1])
})

test('a worker that has not heard of a client does not stop what that has', async () => {
  const store = SqliteStore.open(':memory:')
  const prompt = await openTestCluster({ store, config, scales })
  await world(prompt)
  const web = await client(prompt)
  await server(prompt)
  await drop(web, prompt)
  const idle = prompt.clock
  const held = heldBack(store, ({ kind }) => kind === 'Connection')
  await prompt.close()
  const late = await openTestCluster({ store: held.store, config, scales, clock: idle, seed: 2 })
  await late.settle()
  const spec = { networkService: 'a/dns', port: 'other', portUID: 'u' }
  await store.create({ kind: 'Connection', metadata: { namespace: 'a', name: 'other' }, spec })
  await late.advance(11_000)
  assert.equal(replicas(), 1)
  held.release()
  await late.close()
  await store.close()
})

test('killed anywhere between the first client and the end of the last, and started over, it ends where it should', async () => {
  for (const goes of [false, true])
    for (let k = 0, cut = true; cut; k++) {
      const store = SqliteStore.open(':memory:')
      const own = new MemoryScales()
      own.set(dns, 0)
      const whole = await openTestCluster({ store, config })
      await world(whole)
      await whole.close()
      const ask = async (on: TestCluster): Promise<void> => {
        const web = await client(on)
        if (goes) await drop(web, on)
        if (goes) await on.advance(11_000)
      }
      cut = await interrupted(store, k, ask, { ...config, scales: own })
      const at = await openTestCluster({ store, config, scales: own })
      await at.advance(61_000)
      assert.equal(own.replicasOf(dns), goes ? 0 : 1, `after ${k} writes`)
      const { activatedAt } = await scaler(at)
      assert.equal(activatedAt === undefined, goes, `after ${k} writes`)
      await at.close()
      await store.close()
    }
})
