// Vpcs that send outside from addresses of a pool, from objects to what nodes are told and say by BGP.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refOf, type Kind, type SpecOf } from '../../core/kinds/index.ts'
import { withdrawnMs } from '../../core/plan/pool/pool-address.ts'
import { SqliteStore } from '../../platform/store/sqlite.ts'
import { interrupted } from './cut-store.ts'
import { heldBack } from './late-watch.ts'
import { openTestCluster, type TestCluster } from './test-cluster.ts'

const config = { agents: false }
const pool = '44.9.0.0/24'
interface Around {
  readonly cidr?: string
  readonly pools?: readonly { readonly first: string; readonly last: string }[]
  readonly mode?: 'l2' | 'l3'
  readonly sharedWith?: readonly string[]
}

/** Two tenants with one address, two nodes that speak in `edge`, and a pool of the operator's. */
async function world(cluster: TestCluster, { cidr = pool, pools, mode = 'l2', sharedWith = ['a', 'b'] }: Around = {}): Promise<void> {
  for (const n of [1, 2]) {
    const made = await cluster.store.create({ kind: 'Node', metadata: { name: `n${n}`, labels: { rack: `r${n}` } }, spec: {} })
    await cluster.store.replaceForeignStatus(refOf(made), made.metadata.uid, {
      addresses: [{ type: 'InternalIP', address: `44.0.0.${n}` }],
    })
  }
  await cluster.make('Vpc', 'op/public', { vni: 4000, bgpSessionGroups: ['edge'], sharedWith: [...sharedWith] })
  await cluster.make('Subnet', 'op/egress', { vpc: 'public', mode, ipv4: { cidr, ...(pools && { pools: [...pools] }) } })
  await cluster.make('BGPSessionGroup', 'edge', { as: 64512, advertise: { subnets: [{ namespace: 'op', name: 'egress' }] } })
  await cluster.make('EgressClass', 'internet', { vpcs: ['a/v', 'b/v'], to: ['0.0.0.0/0'], pool: 'op/egress' })
  for (const [namespace, vni] of [
    ['a', 5001],
    ['b', 5002],
  ] as const) {
    await cluster.make('Vpc', `${namespace}/v`, { vni, egressClass: 'internet' })
    await cluster.make('Subnet', `${namespace}/s`, { vpc: 'v', ipv4: { cidr: '10.1.0.0/24' } })
  }
  await cluster.settle()
}
const inWorld = async (run: (cluster: TestCluster) => Promise<void>, around: Around = {}): Promise<void> => {
  const cluster = await openTestCluster({ config })
  try {
    await world(cluster, around)
    await run(cluster)
  } finally {
    await cluster.close()
  }
}
async function port(cluster: TestCluster, key: string, node: string): Promise<void> {
  await cluster.make('Port', key, { subnet: 's', node })
  await cluster.settle()
}
async function drop(cluster: TestCluster, kind: Kind, key: string): Promise<void> {
  const [first = '', second] = key.split('/')
  await cluster.store.delete(second === undefined ? { kind, name: first } : { kind, namespace: first, name: second })
  await cluster.settle()
}
async function change<K extends 'Vpc' | 'EgressClass' | 'BGPSessionGroup'>(
  cluster: TestCluster,
  kind: K,
  key: string,
  spec: Partial<SpecOf<K>>,
): Promise<void> {
  const item = (await cluster.get(kind, key))!
  await cluster.store.update({ ...item, spec: { ...item.spec, ...spec } })
  await cluster.settle()
}
/** Node → address that a Vpc sends from there. */
async function sourcesOf(cluster: TestCluster, key: string): Promise<Readonly<Record<string, string>>> {
  const { egress } = (await cluster.get('Vpc', key))?.status ?? {}
  return Object.fromEntries((egress?.nodes ?? []).map(({ node, addresses }) => [node, addresses.join(' ')]))
}
async function conditionOf(cluster: TestCluster, key: string): Promise<string> {
  const { status, reason, message } = (await cluster.get('Vpc', key))?.status?.conditions?.find(({ type }) => type === 'Egress') ?? {}
  return `${status} ${reason}: ${message}`
}
const locked = async (cluster: TestCluster): Promise<readonly string[]> =>
  (await cluster.all('IPLock'))
    .filter(({ spec }) => spec.vni === 4000)
    .map(({ spec }) => `${spec.address} ${spec.holder?.kind}`)
    .sort()
/** Host routes that a node may send. */
async function saidBy(cluster: TestCluster, node: string): Promise<readonly string[]> {
  const { spec } = (await cluster.get('BGPSpeaker', node)) ?? {}
  return (spec?.groups ?? []).flatMap(({ advertise }) =>
    advertise.filter(({ hostRoutes }) => hostRoutes).map(({ cidr, vni }) => `${cidr} of ${vni}`),
  )
}
/** Of pools: what goes is not counted. */
const there = async (cluster: TestCluster) =>
  (await cluster.all('EgressAddress')).filter(({ metadata }) => metadata.deletionTimestamp === undefined)

test('each Vpc has an address of its own on each node that has Ports of it, which that node alone announces', () =>
  inWorld(async (cluster) => {
    assert.equal(
      await conditionOf(cluster, 'a/v'),
      'True InForce: what no router of it knows leaves by EgressClass internet, from Subnet op/egress',
    )
    assert.deepEqual(await locked(cluster), [], 'nobody sends')
    for (const [key, node] of [
      ['a/one', 'n1'],
      ['a/two', 'n2'],
      ['a/three', 'n2'],
      ['b/one', 'n1'],
    ] as const)
      await port(cluster, key, node)
    const [a, b] = [await sourcesOf(cluster, 'a/v'), await sourcesOf(cluster, 'b/v')]
    assert.deepEqual([Object.keys(a), Object.keys(b)], [['n1', 'n2'], ['n1']])
    const all = [...Object.values(a), ...Object.values(b)]
    assert.equal(new Set(all).size, 3)
    assert.deepEqual(await locked(cluster), all.map((each) => `${each} EgressAddress`).sort())
    assert.deepEqual((await saidBy(cluster, 'n1')).toSorted(), [`${a['n1']}/32 of 5001`, `${b['n1']}/32 of 5002`].sort())
    assert.deepEqual(await saidBy(cluster, 'n2'), [`${a['n2']}/32 of 5001`])
    assert.deepEqual((await cluster.get('EgressClass', 'internet'))?.status?.vpcs, [
      { vpc: 'a/v', nodes: 2 },
      { vpc: 'b/v', nodes: 1 },
    ])
  }))

for (const mode of ['l2', 'l3'] as const)
  test(`an address that is given back, of an ${mode} pool, rests before somebody else has it, and is not said meanwhile`, () =>
    inWorld(
      async (cluster) => {
        await port(cluster, 'a/one', 'n1')
        assert.deepEqual(await sourcesOf(cluster, 'a/v'), { n1: '44.9.0.9' })
        await port(cluster, 'b/one', 'n2')
        assert.deepEqual(await sourcesOf(cluster, 'b/v'), {})
        assert.match(
          await conditionOf(cluster, 'b/v'),
          /^False NotOnAllNodes: nothing leaves by n2: Subnet op\/egress has no free IPv4 address/,
        )
        assert.deepEqual((await cluster.get('EgressClass', 'internet'))?.status?.vpcs, [
          { vpc: 'a/v', nodes: 1 },
          { vpc: 'b/v', nodes: 0 },
        ])
        await drop(cluster, 'Port', 'a/one')
        assert.deepEqual([await sourcesOf(cluster, 'a/v'), await saidBy(cluster, 'n1')], [{}, []])
        await cluster.advance(withdrawnMs - 2_000)
        assert.deepEqual([await sourcesOf(cluster, 'b/v'), await locked(cluster)], [{}, ['44.9.0.9 EgressAddress']])
        await cluster.advance(4_000)
        await cluster.advance(cluster.config.addressRestMs + 6_000)
        assert.deepEqual(await sourcesOf(cluster, 'b/v'), { n2: '44.9.0.9' })
        assert.deepEqual(await saidBy(cluster, 'n2'), ['44.9.0.9/32 of 5002'])
        assert.match(await conditionOf(cluster, 'b/v'), /^True/)
      },
      { mode, pools: [{ first: '44.9.0.9', last: '44.9.0.9' }] },
    ))

test('a node that comes back while its address rests has another one, and a node that goes gives back what it had', () =>
  inWorld(async (cluster) => {
    await port(cluster, 'a/one', 'n1')
    await port(cluster, 'a/two', 'n2')
    const before = await sourcesOf(cluster, 'a/v')
    await drop(cluster, 'Port', 'a/one')
    await port(cluster, 'a/three', 'n1')
    const after = await sourcesOf(cluster, 'a/v')
    assert.equal(after['n2'], before['n2'], 'the other node keeps its own')
    assert.notEqual(after['n1'], before['n1'])
    await drop(cluster, 'Node', 'n2')
    assert.deepEqual(await sourcesOf(cluster, 'a/v'), { n1: after['n1'] })
    await cluster.advance(withdrawnMs + 1_000)
    assert.deepEqual(await locked(cluster), [`${after['n1']} EgressAddress`])
    assert.equal((await cluster.all('EgressAddress')).length, 1)
  }))

test('without the word of the pool’s owner, or of a group that says the pool, nothing leaves, not from the node either', () =>
  inWorld(
    async (cluster) => {
      await port(cluster, 'a/one', 'n1')
      const notShared = 'False PoolNotFound: Subnet op/egress not found for namespace a: the owner of its Vpc names that in spec.sharedWith'
      assert.equal(await conditionOf(cluster, 'a/v'), notShared)
      assert.equal((await cluster.get('Vpc', 'a/v'))?.status?.egress, undefined)
      assert.deepEqual(
        (await cluster.get('EgressClass', 'internet'))?.status?.refused?.map(({ what }) => what),
        ['Vpc a/v', 'Vpc b/v'],
      )
      await change(cluster, 'Vpc', 'op/public', { sharedWith: ['a'] })
      assert.deepEqual(Object.keys(await sourcesOf(cluster, 'a/v')), ['n1'])
      await change(cluster, 'Vpc', 'op/public', { bgpSessionGroups: [] })
      assert.equal(
        await conditionOf(cluster, 'a/v'),
        `False PoolNotAdvertised: no BGPSessionGroup advertises ${pool} of Subnet op/egress: nothing would come back`,
      )
      assert.deepEqual([await sourcesOf(cluster, 'a/v'), await there(cluster)], [{}, []])
      await change(cluster, 'Vpc', 'op/public', { bgpSessionGroups: ['edge'] })
      await cluster.advance(withdrawnMs * 3)
      assert.deepEqual(Object.keys(await sourcesOf(cluster, 'a/v')), ['n1'])
      await change(cluster, 'BGPSessionGroup', 'edge', { nodes: { matchLabels: { rack: 'r2' } } })
      assert.equal(
        await conditionOf(cluster, 'a/v'),
        'False NotOnAllNodes: nothing leaves by n1: in no BGPSessionGroup that advertises Subnet op/egress',
      )
      await port(cluster, 'a/two', 'n2')
      assert.deepEqual(Object.keys(await sourcesOf(cluster, 'a/v')), ['n2'])
      await change(cluster, 'Vpc', 'op/public', { sharedWith: [] })
      assert.equal(await conditionOf(cluster, 'a/v'), notShared)
      assert.deepEqual([await sourcesOf(cluster, 'a/v'), await there(cluster)], [{}, []])
    },
    { sharedWith: [] },
  ))

test('a class that changes between pool and nodes, an owner who takes back its word, and a Vpc that goes give all back', () =>
  inWorld(async (cluster) => {
    await port(cluster, 'a/one', 'n1')
    await port(cluster, 'b/one', 'n1')
    const { pool: _, ...bare } = (await cluster.get('EgressClass', 'internet'))!.spec
    const had = (await cluster.get('EgressClass', 'internet'))!
    await cluster.store.update({ ...had, spec: bare })
    await cluster.settle()
    assert.deepEqual([await sourcesOf(cluster, 'a/v'), await there(cluster), await saidBy(cluster, 'n1')], [{ n1: '44.0.0.1' }, [], []])
    await change(cluster, 'EgressClass', 'internet', { pool: 'op/egress' })
    assert.equal((await there(cluster)).length, 2)
    const vpc = (await cluster.get('Vpc', 'a/v'))!
    const { egressClass: __, ...silent } = vpc.spec
    await cluster.store.update({ ...vpc, spec: silent })
    await cluster.settle()
    assert.deepEqual(
      (await there(cluster)).map(({ spec }) => spec.vpc),
      ['b/v'],
    )
    await drop(cluster, 'Port', 'b/one')
    await drop(cluster, 'Subnet', 'b/s')
    await drop(cluster, 'Vpc', 'b/v')
    for (let i = 0; i < 3; i++) await cluster.advance(withdrawnMs)
    assert.deepEqual([await cluster.all('EgressAddress'), await locked(cluster)], [[], []])
  }))

test('a pool that is being deleted is let go by who sends from it, and goes once nothing of it is locked', () =>
  inWorld(async (cluster) => {
    await port(cluster, 'a/one', 'n1')
    await drop(cluster, 'Subnet', 'op/egress')
    assert.match(await conditionOf(cluster, 'a/v'), /^False PoolNotReady/)
    assert.match((await cluster.get('Subnet', 'op/egress'))?.status?.message ?? '', /EgressAddress/)
    for (let i = 0; i < 3; i++) await cluster.advance(withdrawnMs)
    assert.deepEqual([await cluster.get('Subnet', 'op/egress'), await locked(cluster)], [undefined, []])
  }))

test('a worker that hears late of a Port gives nothing back that another has told a node of', async () => {
  const store = SqliteStore.open(':memory:')
  const prompt = await openTestCluster({ store, config })
  await world(prompt)
  await port(prompt, 'a/one', 'n1')
  const held = heldBack(store, ({ kind, metadata }) => kind === 'Port' && metadata.name === 'two')
  const late = await openTestCluster({ store: held.store, config, seed: 2 })
  await port(prompt, 'a/two', 'n2')
  const before = await sourcesOf(prompt, 'a/v')
  assert.deepEqual(Object.keys(before), ['n1', 'n2'])
  for (const name of ['n1', 'n2']) {
    const node = (await prompt.get('Node', name))!
    await store.replaceForeignStatus(refOf(node), node.metadata.uid, {
      addresses: [...node.status!.addresses!, { type: 'InternalIP', address: `2001:db8::${name.slice(1)}` }],
    })
    await late.settle()
    await prompt.settle()
  }
  assert.deepEqual(
    [await sourcesOf(prompt, 'a/v'), (await prompt.all('EgressAddress')).length, (await there(prompt)).length],
    [before, 2, 2],
  )
  held.release()
  await late.close()
  await prompt.close()
  await store.close()
})

test('cut off anywhere while an address is taken, and started over: each node has one, and it is locked once', async () => {
  for (let k = 0, cut = true; cut; k++) {
    const store = SqliteStore.open(':memory:')
    const ask = async (cluster: TestCluster): Promise<void> => {
      await world(cluster)
      await port(cluster, 'a/one', 'n1')
    }
    cut = await interrupted(store, k, ask, config)
    const cluster = await openTestCluster({ store, config })
    const { n1 } = await sourcesOf(cluster, 'a/v')
    assert.deepEqual([(await there(cluster)).length, await locked(cluster)], [1, [`${n1} EgressAddress`]], `after ${k} writes`)
    assert.deepEqual(await saidBy(cluster, 'n1'), [`${n1}/32 of 5001`], `after ${k} writes`)
    await cluster.close()
    await store.close()
  }
})

test('cut off anywhere while it is given back, and started over: nothing is left of it', async () => {
  for (let k = 0, cut = true; cut; k++) {
    const store = SqliteStore.open(':memory:')
    await interrupted(
      store,
      Number.POSITIVE_INFINITY,
      async (cluster) => {
        await world(cluster)
        await port(cluster, 'a/one', 'n1')
      },
      config,
    )
    cut = await interrupted(store, k, (cluster) => drop(cluster, 'EgressClass', 'internet'), config)
    const cluster = await openTestCluster({ store, config })
    assert.deepEqual([await cluster.all('EgressAddress'), await locked(cluster)], [[], []], `after ${k} writes`)
    assert.equal((await cluster.get('Vpc', 'a/v'))?.status?.egress, undefined)
    await cluster.close()
    await store.close()
  }
})
