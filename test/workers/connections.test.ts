// Pods that are clients and endpoints of network services: which endpoint a client has, and what becomes of it.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { nicsAnnotation, poolAnnotation, vpcAnnotation } from '../../core/kinds/annotations.ts'
import { keyOfItem, refFromKey, refOf, type Resource } from '../../core/kinds/index.ts'
import { endpointGroupName, portNameOf } from '../../core/net/names.ts'
import { SqliteStore } from '../../platform/store/sqlite.ts'
import { interrupted } from './cut-store.ts'
import { heldBack } from './late-watch.ts'
import { toldOf } from './network.ts'
import { openTestCluster, type TestCluster } from './test-cluster.ts'

const config = { agents: false }
let cluster: TestCluster
beforeEach(async () => {
  cluster = await openTestCluster({ config })
  await world(cluster)
})
afterEach(() => cluster.close())

async function world(on: TestCluster): Promise<void> {
  for (const [name, zone] of [
    ['n1', 'z1'],
    ['n2', 'z1'],
    ['n3', 'z2'],
  ] as const)
    await on.store.create({ kind: 'Node', metadata: { name, labels: { 'topology.kubernetes.io/zone': zone } }, spec: {} })
  await on.make('Vpc', 'a/blue', { vni: 5000, sharedWith: ['b'] })
  await on.make('Subnet', 'a/one', { vpc: 'blue', ipv4: { cidr: '10.1.0.0/24' } })
  await on.make('NetworkService', 'a/dns', { name: 'dns' }, { annotations: { [poolAnnotation]: 'one' } })
  await on.settle()
}

interface PodPlace {
  readonly node?: string
  readonly labels?: Readonly<Record<string, string>>
}
const pod = async (on: TestCluster, key: string, nic: object, { node = 'n1' }: PodPlace = {}): Promise<Resource<'Pod'>> => {
  const annotations = { [vpcAnnotation]: 'a/blue', [nicsAnnotation]: JSON.stringify([{ name: 'nsm-1', ...nic }]) }
  const made = await on.make('Pod', key, { nodeName: node, containers: [{ name: 'one' }] }, { annotations })
  await on.settle()
  return made
}
const server = (on: TestCluster, name: string, { labels, ...placed }: PodPlace = {}): Promise<Resource<'Pod'>> =>
  pod(on, `a/${name}`, { serves: 'dns', ...(labels && { labels }) }, placed)
const client = (on: TestCluster, key: string, { labels, ...placed }: PodPlace = {}): Promise<Resource<'Pod'>> =>
  pod(on, key, { networkService: 'a/dns', ...(labels && { labels }) }, placed)
const portKeyOf = ({ metadata }: Resource<'Pod'>): string => `${metadata.namespace ?? ''}/${portNameOf(metadata, 'nsm-1')}`
const connectionOf = (on: TestCluster, of: Resource<'Pod'>): Promise<Resource<'Connection'> | undefined> =>
  on.get('Connection', portKeyOf(of))
/** Phase, and the Port of the endpoint that it has. */
async function endpointOf(on: TestCluster, of: Resource<'Pod'>): Promise<readonly (string | undefined)[]> {
  const { status } = (await connectionOf(on, of)) ?? {}
  return [status?.phase, status?.endpointPort]
}
async function say(on: TestCluster, of: Resource<'Pod'>, ready: 'True' | 'False'): Promise<void> {
  await on.store.replaceForeignStatus(refOf(of), of.metadata.uid, { phase: 'Running', conditions: [{ type: 'Ready', status: ready }] })
  await on.settle()
}
async function drop(on: TestCluster, of: Resource<'Pod'>): Promise<void> {
  await on.store.delete(refOf(of))
  await on.settle()
}

test('a client has an endpoint once there is one, and its pod is told of it', async () => {
  const web = await client(cluster, 'a/web')
  assert.equal((await connectionOf(cluster, web))?.status?.message, 'NetworkService a/dns has no endpoint that fits its labels')
  const dns = await server(cluster, 'dns-1')
  const endpoint = portKeyOf(dns)
  assert.deepEqual(await endpointOf(cluster, web), ['ready', endpoint])
  const registered = await cluster.get('NetworkServiceEndpoint', endpoint)
  assert.deepEqual(registered?.spec, {
    name: endpoint.slice(2),
    network_service_names: ['dns'],
    network_service_labels: { dns: { labels: {} } },
    url: `port://${endpoint}`,
  })
  const { addresses } = (await cluster.get('Port', endpoint))!.status!
  const [nic] = (await toldOf(cluster, 'a/web')).nics as readonly { connection?: object }[]
  assert.deepEqual(nic?.connection, { networkService: 'a/dns', endpoint, addresses })
  assert.deepEqual(
    (await connectionOf(cluster, web))?.status?.timeline?.map(({ phase, reason }) => [phase, reason]),
    [
      ['pending', 'NoEndpoint'],
      ['ready', 'Connected'],
    ],
  )
})

test('the nearest is chosen, and of those that are as near the one with the fewest clients', async () => {
  const [far, near, here] = [
    await server(cluster, 'far', { node: 'n3' }),
    await server(cluster, 'near', { node: 'n2' }),
    await server(cluster, 'here', { node: 'n1' }),
  ]
  assert.equal((await endpointOf(cluster, await client(cluster, 'a/w1')))[1], portKeyOf(here))
  await drop(cluster, here)
  assert.equal((await endpointOf(cluster, await client(cluster, 'a/w2')))[1], portKeyOf(near))
  await drop(cluster, near)
  const other = await server(cluster, 'other', { node: 'n3' })
  const chosen = new Set<string | undefined>()
  for (const name of ['w3', 'w4']) chosen.add((await endpointOf(cluster, await client(cluster, `a/${name}`, { node: 'n3' })))[1])
  assert.ok([...chosen].every((each) => each === portKeyOf(far) || each === portKeyOf(other)))
})

test('an endpoint that goes is replaced, others keep theirs, and the address of the client is what it was', async () => {
  const [one, two] = [await server(cluster, 'one', { node: 'n1' }), await server(cluster, 'two', { node: 'n2' })]
  const web = await client(cluster, 'a/web', { node: 'n1' })
  const other = await client(cluster, 'a/other', { node: 'n2' })
  const before = (await cluster.get('Port', portKeyOf(web)))!.status!
  const others = await connectionOf(cluster, other)
  await drop(cluster, one)
  assert.deepEqual(await endpointOf(cluster, web), ['ready', portKeyOf(two)])
  const after = (await cluster.get('Port', portKeyOf(web)))!.status!
  assert.deepEqual([after.addresses, after.mac], [before.addresses, before.mac])
  assert.deepEqual(await connectionOf(cluster, other), others)
  assert.equal(await cluster.get('NetworkServiceEndpoint', portKeyOf(one)), undefined)
  const [first, second] = (await connectionOf(cluster, web))!.status!.moves!
  assert.deepEqual([first?.reason, first?.to], ['FirstEndpoint', portKeyOf(one)])
  assert.deepEqual([second?.from, second?.to], [portKeyOf(one), portKeyOf(two)])
  assert.match(second?.reason ?? '', /^Endpoint(Going|Gone)$/)
})

test('what is not ready, or on a node that takes no pods, is left while there is another; alone it is kept', async () => {
  const [one, two] = [await server(cluster, 'one', { node: 'n1' }), await server(cluster, 'two', { node: 'n2' })]
  const web = await client(cluster, 'a/web', { node: 'n1' })
  const at = async (): Promise<string | undefined> => (await endpointOf(cluster, web))[1]
  await say(cluster, one, 'False')
  assert.equal(await at(), portKeyOf(two))
  await say(cluster, two, 'False')
  assert.equal(await at(), portKeyOf(two))
  await say(cluster, two, 'True')
  await say(cluster, one, 'True')
  assert.equal(await at(), portKeyOf(two))
  const node = (await cluster.get('Node', 'n2'))!
  await cluster.store.update({ ...node, spec: { ...node.spec, unschedulable: true } })
  await cluster.settle()
  assert.equal(await at(), portKeyOf(one))
  assert.deepEqual(
    (await connectionOf(cluster, web))!.status!.moves!.map(({ reason }) => reason),
    ['FirstEndpoint', 'EndpointNotReady', 'NodeDrained'],
  )
})

test('an endpoint that answers its node no more is left, though its pod is ready; who comes then has another', async () => {
  const [one, two] = [await server(cluster, 'one', { node: 'n1' }), await server(cluster, 'two', { node: 'n2' })]
  const web = await client(cluster, 'a/web', { node: 'n1' })
  assert.deepEqual(await endpointOf(cluster, web), ['ready', portKeyOf(one)])
  const port = (await cluster.get('Port', portKeyOf(one)))!
  const node = { wired: true, dataplane: 'ovs' }
  await cluster.store.patchStatus({ ref: refOf(port), uid: port.metadata.uid }, { node: { node: { ...node, unreachable: true } } })
  await cluster.settle()
  assert.deepEqual(await endpointOf(cluster, web), ['ready', portKeyOf(two)])
  assert.equal((await connectionOf(cluster, web))!.status!.moves!.at(-1)?.reason, 'EndpointUnreachable')
  const late = await client(cluster, 'a/late', { node: 'n1' })
  assert.deepEqual(await endpointOf(cluster, late), ['ready', portKeyOf(two)])
  await cluster.store.patchStatus({ ref: refOf(port), uid: port.metadata.uid }, { node: { node } })
  await drop(cluster, two)
  assert.deepEqual(await endpointOf(cluster, web), ['ready', portKeyOf(one)])
})

test('readiness that comes and goes moves a client ever more seldom', async () => {
  const [one, two] = [await server(cluster, 'one', { node: 'n1' }), await server(cluster, 'two', { node: 'n2' })]
  const web = await client(cluster, 'a/web', { node: 'n1' })
  for (let i = 0; i < 20; i++) {
    await say(cluster, one, i % 2 === 0 ? 'False' : 'True')
    await say(cluster, two, i % 2 === 0 ? 'True' : 'False')
    await cluster.advance(500)
  }
  const moves = (await connectionOf(cluster, web))!.status!.moves!.filter(({ reason }) => reason === 'EndpointNotReady')
  assert.ok(moves.length >= 2 && moves.length <= 5, `${moves.length} moves in 10 s`)
})

test('a Connection goes with its Port, and one that somebody has deleted is there again', async () => {
  const dns = await server(cluster, 'dns-1')
  const web = await client(cluster, 'a/web')
  const made = (await connectionOf(cluster, web))!
  await cluster.store.delete(refOf(made))
  await cluster.settle()
  assert.deepEqual(await endpointOf(cluster, web), ['ready', portKeyOf(dns)])
  await drop(cluster, web)
  assert.deepEqual(await cluster.all('Connection'), [])
})

test("who subscribes in the client's namespace is told when an endpoint is chosen, when another takes its place, and of the end", async () => {
  const subscribed = (namespace: string): Promise<Resource<'Subscription'>> =>
    cluster.make('Subscription', `${namespace}/all`, { sink: 'http://192.0.2.1:9/', filter: { kinds: ['Connection'] } })
  const [own] = [await subscribed('a'), await subscribed('b')]
  const web = await client(cluster, 'a/web', { node: 'n1' })
  const [one, two] = [await server(cluster, 'one', { node: 'n1' }), await server(cluster, 'two', { node: 'n2' })]
  await drop(cluster, one)
  const { metadata, status } = (await connectionOf(cluster, web))!
  const { endpointPort, moves = [], timeline = [] } = status!
  assert.equal(endpointPort, portKeyOf(two))
  assert.deepEqual(
    timeline.map(({ sequence, phase, reason }) => [sequence, phase, reason]),
    [
      [1, 'pending', 'NoEndpoint'],
      [2, 'ready', 'Connected'],
      [3, 'ready', moves[1]?.reason],
    ],
  )
  assert.match(moves[1]!.reason, /^Endpoint(Going|Gone)$/)
  await drop(cluster, web)
  assert.deepEqual(await cluster.all('Connection'), [])
  const told = (await cluster.all('Notice')).filter(({ spec }) => spec.of.uid === metadata.uid).map(({ spec }) => spec)
  const phases = told.toSorted((a, b) => a.sequence - b.sequence).map(({ phase }) => phase)
  assert.deepEqual([...phases.slice(0, 3), phases.at(-1)], ['pending', 'ready', 'ready', 'deleted'])
  for (const { subscriptions } of told) assert.deepEqual(subscriptions, [own.metadata.uid])
})

test('a client of another namespace is served where the Vpc is shared with it', async () => {
  const dns = await server(cluster, 'dns-1')
  const web = await client(cluster, 'b/web')
  assert.deepEqual(await endpointOf(cluster, web), ['ready', portKeyOf(dns)])
})

test('what is to go and is used in another namespace stays, and does not say whose that is', async () => {
  const dns = await server(cluster, 'dns-1')
  const web = await client(cluster, 'b/web')
  const group = { kind: 'SecurityGroup', namespace: 'a', name: endpointGroupName(portKeyOf(dns).slice(2), 'clients') } as const
  await cluster.store.delete(group)
  await cluster.settle()
  const held = (await cluster.get('SecurityGroup', `a/${group.name}`))!
  assert.ok(held.metadata.deletionTimestamp !== undefined)
  assert.match(held.status?.message ?? '', / and 1 more still names it$/)
  assert.ok(!JSON.stringify(held.status).includes(portKeyOf(web).slice(2)))
})

test('an endpoint that names the Port of another service, or is of another namespace, is chosen by nobody', async () => {
  await cluster.make('NetworkService', 'a/other', { name: 'other' }, { annotations: { [poolAnnotation]: 'one' } })
  const dns = await server(cluster, 'dns-1')
  const name = portKeyOf(dns).slice(2)
  await cluster.make('NetworkServiceEndpoint', 'a/forged', { network_service_names: ['other'], url: `port://a/${name}` })
  const web = await pod(cluster, 'a/web', { networkService: 'other' })
  assert.deepEqual(await endpointOf(cluster, web), ['pending', undefined])
})

test('a worker that hears late of an endpoint drops no client of it, and one that hears late of its end does not choose it', async () => {
  const store = SqliteStore.open(':memory:')
  const prompt = await openTestCluster({ store, config })
  await world(prompt)
  const one = await server(prompt, 'one', { node: 'n1' })
  const held = heldBack(store, ({ kind, metadata }) => kind === 'NetworkServiceEndpoint' && metadata.name !== portKeyOf(one).slice(2))
  const late = await openTestCluster({ store: held.store, config, seed: 2 })
  const two = await server(prompt, 'two', { node: 'n2' })
  const web = await client(prompt, 'a/web', { node: 'n2' })
  await late.settle()
  await prompt.settle()
  assert.deepEqual(await endpointOf(prompt, web), ['ready', portKeyOf(two)])
  await drop(prompt, two)
  await late.settle()
  await prompt.settle()
  assert.deepEqual(await endpointOf(prompt, web), ['ready', portKeyOf(one)])
  held.release()
  await late.close()
  await prompt.close()
  await store.close()
})

test('in the place of an endpoint that is none any more none is chosen that only a cache still has', async () => {
  const store = SqliteStore.open(':memory:')
  const before = await openTestCluster({ store, config })
  await world(before)
  const one = await server(before, 'one', { labels: { zone: 'z1' } })
  const web = await client(before, 'a/web')
  await server(before, 'near', { labels: { zone: 'z1' } })
  const far = await server(before, 'far', { labels: { zone: 'z2' }, node: 'n3' })
  assert.deepEqual(await endpointOf(before, web), ['ready', portKeyOf(one)])
  await before.close()
  const held = heldBack(store, ({ kind }) => kind === 'NetworkService' || kind === 'Port')
  const late = await openTestCluster({ store: held.store, config, seed: 2 })
  await late.settle()
  const service = (await late.get('NetworkService', 'a/dns'))!
  const matches = [{ routes: [{ destination_selector: { zone: 'z2' } }] }]
  await store.update({ ...service, spec: { ...service.spec, matches } })
  await store.delete(refFromKey('Port', portKeyOf(far)))
  assert.notEqual((await late.get('Port', portKeyOf(far)))?.metadata.deletionTimestamp, undefined)
  // The near one is chosen by what has been heard, and is none by what is read then; the far one is read after that.
  await say(late, one, 'False')
  const { phase, moves = [] } = (await connectionOf(late, web))?.status ?? {}
  const [first, ...others] = moves.map(({ to }) => to)
  assert.deepEqual([phase, first, others], ['pending', portKeyOf(one), [undefined]])
  held.release()
  await late.close()
  await store.close()
})

test('cut off anywhere while a client comes and its endpoint goes, and started over: it has the one that is there', async () => {
  // Each other write: what is between two writes of one commit is the store's own matter, and each k is four clusters.
  for (let k = 0, cut = true; cut; k += 2) {
    const store = SqliteStore.open(':memory:')
    const whole = await openTestCluster({ store, config })
    await world(whole)
    const one = await server(whole, 'one', { node: 'n1' })
    const two = await server(whole, 'two', { node: 'n2' })
    await whole.close()
    let web: Resource<'Pod'> | undefined
    const ask = async (on: TestCluster): Promise<void> => {
      web = await client(on, 'a/web', { node: 'n1' })
      await drop(on, one)
    }
    cut = await interrupted(store, k, ask, config)
    const at = await openTestCluster({ store, config })
    assert.deepEqual(await endpointOf(at, web!), ['ready', portKeyOf(two)], `after ${k} writes`)
    assert.deepEqual((await at.all('NetworkServiceEndpoint')).map(keyOfItem), [portKeyOf(two)], `after ${k} writes`)
    assert.equal((await at.all('Connection')).length, 1)
    await at.close()
    await store.close()
  }
})

test('where nodes unwire what goes, a client has left its endpoint before that is done', async () => {
  const on = await openTestCluster({ config: { agents: true } })
  await world(on)
  const wire = async (of: Resource<'Pod'>): Promise<void> => {
    const port = (await on.get('Port', portKeyOf(of)))!
    await on.store.patchStatus({ ref: refOf(port), uid: port.metadata.uid }, { node: { node: { wired: true, dataplane: 'ovs' } } })
    await on.settle()
  }
  const [one, two] = [await server(on, 'one', { node: 'n1' }), await server(on, 'two', { node: 'n2' })]
  const web = await client(on, 'a/web', { node: 'n1' })
  assert.deepEqual(await endpointOf(on, web), ['pending', undefined], 'no endpoint is wired')
  for (const each of [one, two, web]) await wire(each)
  assert.deepEqual(await endpointOf(on, web), ['ready', portKeyOf(one)])
  await drop(on, one)
  assert.notEqual(await on.get('Port', portKeyOf(one)), undefined)
  assert.deepEqual(await endpointOf(on, web), ['ready', portKeyOf(two)])
  const { identity } = (await on.get('Port', portKeyOf(web)))!.status!.policy!
  const { spec } = (await on.all('PolicyIdentity')).find(({ spec: { number } }) => number === identity)!
  assert.match(spec.facts.securityGroups!.join(), /^a\/two-.*-clients-/)
  await on.close()
})
