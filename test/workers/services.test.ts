// Services of type LoadBalancer, from objects to addresses, slices and what they are told.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressAnnotation, poolAnnotation, serviceClass, serviceReadyCondition } from '../../core/kinds/annotations.ts'
import type { ServiceSpec } from '../../core/kinds/foreign-services.ts'
import { refOf, type Resource } from '../../core/kinds/index.ts'
import { withdrawnMs } from '../../core/plan/pool/pool-address.ts'
import { lockedAddresses, makePod, withNetwork } from './network.ts'
import { openTestCluster, type TestCluster } from './test-cluster.ts'

const inCluster = async (run: (cluster: TestCluster) => Promise<void>): Promise<void> => {
  const cluster = await openTestCluster({ config: { agents: false } })
  try {
    await withNetwork(cluster)
    await cluster.make('Subnet', 'a/pool', { vpc: 'blue', ipv4: { cidr: '192.0.2.0/24' } })
    await cluster.settle()
    await run(cluster)
  } finally {
    await cluster.close()
  }
}

const spec: ServiceSpec = {
  type: 'LoadBalancer',
  loadBalancerClass: serviceClass,
  selector: { app: 'web' },
  ports: [{ name: 'http', port: 80, targetPort: 8080 }],
}
async function service(
  cluster: TestCluster,
  key = 'a/web',
  { annotations = { [poolAnnotation]: 'pool' }, ...more }: Partial<ServiceSpec> & { annotations?: Record<string, string> } = {},
): Promise<Resource<'Service'>> {
  const made = await cluster.make('Service', key, { ...spec, ...more }, { annotations })
  await cluster.settle()
  return made
}
async function served(cluster: TestCluster, name: string, { ready = true, node = 'n1' } = {}): Promise<void> {
  await makePod(cluster, `a/${name}`, { nics: [{ name: 'net1', subnet: 'one' }], node, metadata: { labels: { app: 'web' } } })
  await cluster.settle()
  await podIs(cluster, name, ready)
}
async function podIs(cluster: TestCluster, name: string, ready: boolean): Promise<void> {
  const pod = (await cluster.get('Pod', `a/${name}`))!
  const conditions = [
    ...(pod.status?.conditions ?? []).filter(({ type }) => type !== 'Ready'),
    { type: 'Ready', status: ready ? 'True' : 'False' } as const,
  ]
  await cluster.store.replaceForeignStatus(refOf(pod), pod.metadata.uid, { ...pod.status, phase: 'Running', conditions })
  await cluster.settle()
}
const addressOf = async (cluster: TestCluster, key = 'a/web') => (await cluster.get('ServiceAddress', key))?.spec
const toldOf = async (cluster: TestCluster, key = 'a/web') => {
  const { loadBalancer, conditions = [] } = (await cluster.get('Service', key))?.status ?? {}
  const { status, reason, message } = conditions.find(({ type }) => type === serviceReadyCondition) ?? {}
  return { ips: (loadBalancer?.ingress ?? []).map(({ ip }) => ip), is: status, why: reason, message }
}
const slices = async (cluster: TestCluster): Promise<readonly string[]> =>
  (await cluster.all('EndpointSlice')).flatMap(({ spec: { endpoints, ports } }) =>
    endpoints.map(
      ({ addresses, targetRef, conditions: { ready, serving, terminating } }) =>
        `${targetRef.name} ${addresses[0]}:${ports.map(({ port }) => port).join()} ${[ready && 'ready', serving && 'serving', terminating && 'terminating'].filter(Boolean).join(' ')}`,
    ),
  )
const change = async (cluster: TestCluster, next: Partial<ServiceSpec>, annotations?: Record<string, string>): Promise<void> => {
  const { metadata, ...item } = (await cluster.get('Service', 'a/web'))!
  await cluster.store.update({ ...item, metadata: { ...metadata, ...(annotations && { annotations }) }, spec: { ...item.spec, ...next } })
  await cluster.settle()
}

test('a Service gets an address of its pool, is told, and its pods stand in slices as they are', () =>
  inCluster(async (cluster) => {
    await served(cluster, 'one')
    await served(cluster, 'two', { ready: false })
    await service(cluster)
    const address = (await addressOf(cluster))!
    assert.equal(address.addresses.length, 1)
    assert.match(address.addresses[0]!, /^192\.0\.2\./)
    assert.ok((await lockedAddresses(cluster)).includes(address.addresses[0]!))
    assert.deepEqual(
      [address.vpc, address.subnet, address.vni, address.ports, address.externalTrafficPolicy],
      ['a/blue', 'a/pool', 5000, [{ name: 'http', protocol: 'TCP', port: 80 }], 'Cluster'],
    )
    assert.deepEqual(
      address.endpoints.map(({ node, targetPorts, state }) => [node, targetPorts, state]),
      [['n1', [8080], 'ready']],
    )
    assert.deepEqual(await toldOf(cluster), {
      ips: address.addresses,
      is: 'True',
      why: 'InPlace',
      message: `${address.addresses[0]} of Subnet a/pool`,
    })
    assert.deepEqual(
      (await slices(cluster)).map((each) => each.replace(/ [0-9.]+:/, ' ')),
      ['one 8080 ready serving', 'two 8080 '],
    )

    await podIs(cluster, 'two', true)
    await podIs(cluster, 'one', false)
    assert.deepEqual(
      (await slices(cluster)).map((each) => each.replace(/ [0-9.]+:/, ' ')),
      ['one 8080 ', 'two 8080 ready serving'],
    )
    assert.equal((await addressOf(cluster))?.endpoints.length, 1)
  }))

const bare = async (cluster: TestCluster): Promise<readonly string[]> =>
  (await slices(cluster)).map((each) => each.replace(/ [0-9.]+:/, ' '))

test('a pod that is being deleted drains, and one that changes its labels is no endpoint any more', () =>
  inCluster(async (cluster) => {
    await served(cluster, 'one')
    await served(cluster, 'two')
    await service(cluster)
    const pod = (await cluster.get('Pod', 'a/one'))!
    await cluster.store.commit([{ do: 'addFinalizer', ref: refOf(pod), uid: pod.metadata.uid, finalizer: 'example.org/slow' }])
    await cluster.store.delete(refOf(pod))
    const going = (await cluster.get('Pod', 'a/one'))!
    // As an API server has it while the grace period lasts.
    const graceful = { ...going.metadata, deletionGracePeriodSeconds: 30 }
    cluster.caches.Pod.learn('a/one', { ...going, metadata: graceful })
    await cluster.settle()
    await cluster.advance(0)
    assert.deepEqual(
      (await addressOf(cluster))?.endpoints.map(({ port, state }) => [port.startsWith('one'), state]),
      [
        [true, 'draining'],
        [false, 'ready'],
      ],
    )
    assert.deepEqual(await bare(cluster), ['one 8080 serving terminating', 'two 8080 ready serving'])

    const two = (await cluster.get('Pod', 'a/two'))!
    await cluster.store.update({ ...two, metadata: { ...two.metadata, labels: { app: 'other' } } })
    await cluster.settle()
    assert.deepEqual(await bare(cluster), ['one 8080 serving terminating'])
  }))

test('Services of other classes, and of none, are left alone, and so is what their status says', () =>
  inCluster(async (cluster) => {
    const { loadBalancerClass: _, ...none } = spec
    for (const [key, other] of [
      ['a/metal', { ...spec, loadBalancerClass: 'metallb.io/metallb' }],
      ['a/none', none],
      ['a/inner', { ...none, type: 'ClusterIP' }],
    ] as const) {
      const made = await cluster.make('Service', key, other, { annotations: { [poolAnnotation]: 'pool' } })
      await cluster.store.replaceForeignStatus(refOf(made), made.metadata.uid, { loadBalancer: { ingress: [{ ip: '198.51.100.7' }] } })
    }
    await cluster.settle()
    for (const { metadata, status } of await cluster.all('Service'))
      assert.deepEqual([metadata.finalizers, status?.loadBalancer?.ingress], [undefined, [{ ip: '198.51.100.7' }]], metadata.name)
    assert.deepEqual(await cluster.all('ServiceAddress'), [])
  }))

test('a Service has the address that it names, or is told who has it; it has it once that is free', () =>
  inCluster(async (cluster) => {
    const named = { [poolAnnotation]: 'pool', [addressAnnotation]: '192.0.2.77' }
    await service(cluster, 'a/first', { annotations: named })
    assert.deepEqual((await toldOf(cluster, 'a/first')).ips, ['192.0.2.77'])
    await service(cluster, 'a/second', { annotations: { [poolAnnotation]: 'pool' }, loadBalancerIP: '192.0.2.77' })
    assert.deepEqual(await toldOf(cluster, 'a/second'), {
      ips: [],
      is: 'False',
      why: 'AddressTaken',
      message: 'address 192.0.2.77 is taken by ServiceAddress a/first',
    })
    const events = (await cluster.all('Event')).map((event) => [event.spec.regarding.kind, event.spec.regarding.name, event.spec.reason])
    assert.deepEqual(events, [['Service', 'second', 'AddressTaken']])
    await cluster.store.delete({ kind: 'Service', namespace: 'a', name: 'first' })
    await cluster.settle()
    await cluster.advance(1_000)
    assert.equal(await cluster.get('Service', 'a/first'), undefined)
    assert.deepEqual((await toldOf(cluster, 'a/second')).ips, ['192.0.2.77'])
  }))

test('the gateway, an address outside and two of a family are refused where they stand', () =>
  inCluster(async (cluster) => {
    for (const [asked, message] of [
      ['192.0.2.1', /^\/metadata\/annotations\/megrez.io~1address: 192.0.2.1 is the gateway of Subnet pool$/],
      ['198.51.100.1', /: 198.51.100.1 is not in 192.0.2.0\/24 of Subnet pool$/],
      ['192.0.2.7, 192.0.2.8', /: names two IPv4 addresses: name one$/],
      ['web', /: web is not an address$/],
    ] as const) {
      await service(cluster, 'a/web', { annotations: { [poolAnnotation]: 'pool', [addressAnnotation]: asked } })
      assert.match((await toldOf(cluster)).message!, message)
      assert.equal(await addressOf(cluster), undefined)
      await cluster.store.delete({ kind: 'Service', namespace: 'a', name: 'web' })
      await cluster.settle()
    }
  }))

test('a pool of a Vpc that is not shared is as one that is not there, until it is shared; and what a Service has it keeps', () =>
  inCluster(async (cluster) => {
    await service(cluster, 'b/web', { annotations: { [poolAnnotation]: 'a/pool' } })
    assert.deepEqual(
      [(await toldOf(cluster, 'b/web')).why, (await toldOf(cluster, 'b/web')).message],
      ['PoolMissing', '/metadata/annotations/megrez.io~1subnet: Subnet a/pool not found for namespace b'],
    )
    const share = async (sharedWith: string[]): Promise<void> => {
      const vpc = (await cluster.get('Vpc', 'a/blue'))!
      await cluster.store.update({ ...vpc, spec: { ...vpc.spec, sharedWith } })
      await cluster.settle()
    }
    await share(['b'])
    const { ips } = await toldOf(cluster, 'b/web')
    assert.equal(ips.length, 1)
    await share([])
    assert.deepEqual((await toldOf(cluster, 'b/web')).ips, ips)
  }))

test('a Service without a pool is told where to name one', () =>
  inCluster(async (cluster) => {
    await service(cluster, 'a/web', { annotations: {} })
    assert.match(
      (await toldOf(cluster)).message!,
      /^\/metadata\/annotations\/megrez.io~1subnet: names no pool: name or namespace\/name of a Subnet/,
    )
  }))

test('one that becomes a ClusterIP gives all back, and is told nothing any more', () =>
  inCluster(async (cluster) => {
    await served(cluster, 'one')
    await service(cluster)
    const { loadBalancerClass: _, ...rest } = (await cluster.get('Service', 'a/web'))!.spec
    const item = (await cluster.get('Service', 'a/web'))!
    await cluster.store.update({ ...item, spec: { ...rest, type: 'ClusterIP' } })
    await cluster.settle()
    assert.deepEqual([await cluster.all('ServiceAddress'), await cluster.all('EndpointSlice')], [[], []])
    const left = (await cluster.get('Service', 'a/web'))!
    assert.deepEqual([left.metadata.finalizers, left.status], [undefined, { loadBalancer: {} }])
    assert.ok((await lockedAddresses(cluster)).every((address) => !address.startsWith('192.0.2.')))
  }))

test('another pool is another address: the old one is freed first', () =>
  inCluster(async (cluster) => {
    await cluster.make('Subnet', 'a/other', { vpc: 'blue', ipv4: { cidr: '198.51.100.0/24' } })
    await service(cluster)
    await change(cluster, {}, { [poolAnnotation]: 'other' })
    assert.match((await toldOf(cluster)).ips[0]!, /^198\.51\.100\./)
    assert.ok((await lockedAddresses(cluster)).every((address) => !address.startsWith('192.0.2.')))
  }))

async function announcing(cluster: TestCluster, nodes: readonly string[]): Promise<void> {
  for (const [i, name] of nodes.entries()) {
    const node = await cluster.store.create({ kind: 'Node', metadata: { name }, spec: {} })
    await cluster.store.replaceForeignStatus(refOf(node), node.metadata.uid, {
      addresses: [{ type: 'InternalIP', address: `198.51.100.${i + 1}` }],
    })
  }
  const vpc = (await cluster.get('Vpc', 'a/blue'))!
  await cluster.store.update({ ...vpc, spec: { ...vpc.spec, bgpSessionGroups: ['edge'] } })
  await cluster.make('BGPSessionGroup', 'edge', { as: 64512, advertise: { subnets: [{ namespace: 'a', name: 'pool' }] } })
}

test('each node that sends on to endpoints of others has an address of the pool for that, as long as a Service needs it', () =>
  inCluster(async (cluster) => {
    await announcing(cluster, ['n1', 'n2'])
    await served(cluster, 'one')
    await served(cluster, 'two', { node: 'n2' })
    await service(cluster)
    await service(cluster, 'a/same')
    const sources = async () => (await cluster.all('ServiceAddress')).filter(({ spec: { node } }) => node !== undefined)
    const both = await sources()
    assert.deepEqual(both.map(({ spec }) => spec.node).sort(), ['n1', 'n2'])
    const taken = (await cluster.all('ServiceAddress')).flatMap(({ spec }) => spec.addresses)
    assert.equal(new Set(taken).size, 4, 'two of Services, and one of each node')
    assert.deepEqual((await lockedAddresses(cluster)).filter((each) => each.startsWith('192.0.2.')).sort(), [...taken].sort())
    const said = (await cluster.all('BGPSpeaker')).flatMap(({ spec }) => spec.groups[0]!.advertise.map(({ cidr }) => cidr))
    for (const { spec } of both) assert.ok(said.includes(`${spec.addresses[0]}/32`), 'its route may go out, also of an l2 pool')

    await change(cluster, { externalTrafficPolicy: 'Local' })
    assert.equal((await sources()).length, 2, 'the other one still needs them')
    await podIs(cluster, 'two', false)
    await cluster.advance(withdrawnMs + 1_000)
    assert.deepEqual(await sources(), [], 'endpoints of one node are no others')
    assert.equal((await lockedAddresses(cluster)).filter((each) => each.startsWith('192.0.2.')).length, 2)
    await podIs(cluster, 'two', true)
    assert.equal((await sources()).length, 2)
    for (const name of ['web', 'same']) await cluster.store.delete({ kind: 'Service', namespace: 'a', name })
    await cluster.settle()
    await cluster.advance(withdrawnMs + 1_000)
    assert.deepEqual([await cluster.all('ServiceAddress'), await cluster.all('Service')], [[], []])
  }))

test('one that is given back is made anew where it is needed again before its address is free', () =>
  inCluster(async (cluster) => {
    await announcing(cluster, ['n1', 'n2'])
    await served(cluster, 'one')
    await served(cluster, 'two', { node: 'n2' })
    await service(cluster)
    const source = async () => (await cluster.all('ServiceAddress')).find(({ spec: { node } }) => node === 'n1')
    await podIs(cluster, 'two', false)
    assert.notEqual((await source())?.metadata.deletionTimestamp, undefined)
    await podIs(cluster, 'two', true)
    assert.notEqual((await source())?.metadata.deletionTimestamp, undefined, 'others may still be led here')
    await cluster.advance(withdrawnMs + 1_000)
    assert.deepEqual([(await source())?.metadata.deletionTimestamp, (await source())?.spec.addresses.length], [undefined, 1])
  }))

test('an address that nodes may announce is free a minute after its Service went', () =>
  inCluster(async (cluster) => {
    await announcing(cluster, ['n1'])
    await cluster.make('Port', 'a/p', { subnet: 'pool', node: 'n1' })
    await served(cluster, 'one')
    await service(cluster)
    await cluster.advance(1_000)
    assert.deepEqual((await cluster.get('ServiceAddress', 'a/web'))?.status?.announcing, ['n1'])
    await cluster.store.delete({ kind: 'Service', namespace: 'a', name: 'web' })
    await cluster.settle()
    assert.equal((await cluster.get('ServiceAddress', 'a/web'))?.status?.message, 'BGPSpeaker n1 may still announce it')
    assert.equal((await lockedAddresses(cluster)).filter((each) => each.startsWith('192.0.2.')).length, 2)
    assert.ok((await cluster.get('Service', 'a/web')) !== undefined)
    await cluster.advance(withdrawnMs + 1_000)
    assert.equal(await cluster.get('Service', 'a/web'), undefined)
    const kept = (await cluster.get('Port', 'a/p'))!.status!.addresses!
    assert.deepEqual(
      (await lockedAddresses(cluster)).filter((each) => each.startsWith('192.0.2.')),
      kept,
    )
  }))

test('a Subnet stays as long as a Service has an address of it', () =>
  inCluster(async (cluster) => {
    await service(cluster)
    await cluster.store.delete({ kind: 'Subnet', namespace: 'a', name: 'pool' })
    await cluster.settle()
    assert.equal((await cluster.get('Subnet', 'a/pool'))?.status?.message, 'ServiceAddress a/web is still in it')
    assert.equal((await toldOf(cluster)).ips.length, 1)
    await cluster.store.delete({ kind: 'Service', namespace: 'a', name: 'web' })
    await cluster.settle()
    assert.deepEqual([await cluster.get('Subnet', 'a/pool'), await cluster.get('Service', 'a/web')], [undefined, undefined])
  }))
