// Vpcs that are peered, from objects to what nodes are told.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SpecOf } from '../../core/kinds/index.ts'
import { openTestCluster, type TestCluster } from './test-cluster.ts'

const inCluster = async (run: (cluster: TestCluster) => Promise<void>): Promise<void> => {
  const cluster = await openTestCluster({ config: { agents: false } })
  try {
    await run(cluster)
  } finally {
    await cluster.close()
  }
}

const subnet = (cluster: TestCluster, key: string, cidr: string, more: Partial<SpecOf<'Subnet'>> = {}) =>
  cluster.make('Subnet', key, { vpc: 'v', ipv4: { cidr }, ...more })
async function vpc(cluster: TestCluster, namespace: string, cidr: string): Promise<void> {
  await cluster.make('Vpc', `${namespace}/v`, {})
  await subnet(cluster, `${namespace}/s`, cidr)
}
const peer = (cluster: TestCluster, from: string, to: string, more: Partial<SpecOf<'VpcPeering'>> = {}) =>
  cluster.make('VpcPeering', `${from}/${to}`, { vpc: 'v', peer: `${to}/v`, ...more })
const drop = async (cluster: TestCluster, kind: 'VpcPeering' | 'Subnet', namespace: string, name: string): Promise<void> => {
  await cluster.store.delete({ kind, namespace, name })
  await cluster.settle()
}

/** What nodes are told: `ready a: 10.1.0.0/24 -> b 10.2.0.0/24`. */
async function exchangeIn(cluster: TestCluster, key: string): Promise<string> {
  const { phase, message, blocks = [], peer: of, vni } = (await cluster.get('VpcPeering', key))?.status ?? {}
  if (of === undefined) return `${phase}: ${message}`
  const own = (await cluster.get('Vpc', `${key.split('/')[0]}/v`))?.status?.vni
  const theirs = (await cluster.get('Vpc', `${of.namespace}/v`))?.status?.vni
  assert.deepEqual([vni, of.vni], [own, theirs])
  return `${phase} ${blocks.join(' ')} -> ${of.namespace} ${of.blocks.join(' ')}`
}
const refusedIn = async (cluster: TestCluster, key: string): Promise<readonly string[]> =>
  ((await cluster.get('VpcPeering', key))?.status?.refused ?? []).map(({ what, message }) => `${what}: ${message}`)

test('two Vpcs are peered while each names the other, and no longer; who ends it waits until nobody has routes by it', () =>
  inCluster(async (cluster) => {
    await vpc(cluster, 'a', '10.1.0.0/24')
    await peer(cluster, 'a', 'b')
    await cluster.settle()
    assert.equal(await exchangeIn(cluster, 'a/b'), 'pending: until a VpcPeering of Vpc b/v names a/v as its peer')
    await vpc(cluster, 'b', '10.2.0.0/24')
    await peer(cluster, 'b', 'a')
    await cluster.settle()
    assert.equal(await exchangeIn(cluster, 'a/b'), 'ready 10.1.0.0/24 -> b 10.2.0.0/24')
    assert.equal(await exchangeIn(cluster, 'b/a'), 'ready 10.2.0.0/24 -> a 10.1.0.0/24')
    await subnet(cluster, 'b/more', '10.3.0.0/24')
    await cluster.settle()
    assert.equal(await exchangeIn(cluster, 'a/b'), 'ready 10.1.0.0/24 -> b 10.2.0.0/24 10.3.0.0/24')
    await drop(cluster, 'VpcPeering', 'a', 'b')
    assert.equal(await cluster.get('VpcPeering', 'a/b'), undefined)
    assert.equal(await exchangeIn(cluster, 'b/a'), 'pending: until a VpcPeering of Vpc a/v names b/v as its peer')
    await peer(cluster, 'a', 'b')
    await cluster.settle()
    assert.equal(await exchangeIn(cluster, 'b/a'), 'ready 10.2.0.0/24 10.3.0.0/24 -> a 10.1.0.0/24')
  }))

test('peers of a peer are none', () =>
  inCluster(async (cluster) => {
    for (const [i, namespace] of ['a', 'b', 'c'].entries()) await vpc(cluster, namespace, `10.${i}.0.0/24`)
    for (const [from, to] of [
      ['a', 'b'],
      ['b', 'a'],
      ['b', 'c'],
      ['c', 'b'],
      ['c', 'a'],
    ] as const)
      await peer(cluster, from, to)
    await cluster.settle()
    assert.equal(await exchangeIn(cluster, 'a/b'), 'ready 10.0.0.0/24 -> b 10.1.0.0/24')
    assert.equal(await exchangeIn(cluster, 'c/a'), 'pending: until a VpcPeering of Vpc a/v names c/v as its peer')
  }))

test('overlapping blocks of both are refused by name, whenever they come; the others go on', () =>
  inCluster(async (cluster) => {
    await vpc(cluster, 'a', '10.1.0.0/24')
    await vpc(cluster, 'b', '10.1.0.0/16')
    await peer(cluster, 'a', 'b')
    await peer(cluster, 'b', 'a')
    await cluster.settle()
    assert.equal(await exchangeIn(cluster, 'a/b'), 'error: Subnet a/s: 10.1.0.0/24 overlaps 10.1.0.0/16 of Subnet b/s (and 1 more)')
    await subnet(cluster, 'a/two', '10.8.0.0/24')
    await subnet(cluster, 'b/two', '10.9.0.0/24')
    await cluster.settle()
    assert.equal(await exchangeIn(cluster, 'a/b'), 'ready 10.8.0.0/24 -> b 10.9.0.0/24')
    await subnet(cluster, 'b/late', '10.8.0.128/25')
    await cluster.settle()
    assert.equal(await exchangeIn(cluster, 'a/b'), 'ready  -> b 10.9.0.0/24')
    for (const key of ['a/b', 'b/a'])
      assert.deepEqual((await refusedIn(cluster, key)).toSorted().slice(-2), [
        'Subnet b/late: 10.8.0.128/25 overlaps 10.8.0.0/24 of Subnet a/two',
        'Subnet b/s: 10.1.0.0/16 overlaps 10.1.0.0/24 of Subnet a/s',
      ])
    await drop(cluster, 'Subnet', 'b', 'late')
    assert.equal(await exchangeIn(cluster, 'a/b'), 'ready 10.8.0.0/24 -> b 10.9.0.0/24')
  }))

test('of two peers with the same addresses the first keeps its routes, and what the other one makes later takes none', () =>
  inCluster(async (cluster) => {
    await vpc(cluster, 'a', '10.1.0.0/24')
    for (const namespace of ['b', 'c']) await vpc(cluster, namespace, '10.2.0.0/24')
    for (const each of ['b', 'c']) {
      await peer(cluster, 'a', each)
      await peer(cluster, each, 'a')
      await cluster.settle()
    }
    assert.equal(await exchangeIn(cluster, 'a/b'), 'ready 10.1.0.0/24 -> b 10.2.0.0/24')
    assert.equal(await exchangeIn(cluster, 'a/c'), 'ready 10.1.0.0/24 -> c ')
    assert.deepEqual(await refusedIn(cluster, 'a/c'), ['Subnet c/s: 10.2.0.0/24 overlaps 10.2.0.0/24 of Subnet b/s, which came first'])
    assert.deepEqual(await refusedIn(cluster, 'c/a'), ['Subnet c/s: 10.2.0.0/24 overlaps what Vpc a/v has from another peer'])
    await drop(cluster, 'VpcPeering', 'b', 'a')
    assert.equal(await exchangeIn(cluster, 'a/c'), 'ready 10.1.0.0/24 -> c 10.2.0.0/24')
  }))

test('what cannot be peered is refused by name: a VLAN, itself, the same peer twice, Subnets that are not offered', () =>
  inCluster(async (cluster) => {
    await vpc(cluster, 'a', '10.1.0.0/24')
    await vpc(cluster, 'b', '10.2.0.0/24')
    await subnet(cluster, 'b/hidden', '10.4.0.0/24')
    await cluster.make('Vpc', 'l/v', { vlan: { physicalNetwork: 'physnet', id: 7 } })
    await peer(cluster, 'a', 'b')
    await peer(cluster, 'b', 'a', { subnets: ['s'] })
    await cluster.make('VpcPeering', 'a/twice', { vpc: 'v', peer: 'b/v' })
    await peer(cluster, 'a', 'a')
    await peer(cluster, 'l', 'a')
    await cluster.settle()
    assert.equal(await exchangeIn(cluster, 'b/a'), 'ready 10.2.0.0/24 -> a 10.1.0.0/24')
    assert.deepEqual(await refusedIn(cluster, 'a/b'), [])
    assert.equal(await exchangeIn(cluster, 'a/twice'), 'error: VpcPeering a/b names Vpc b/v already: delete one of both')
    assert.equal(await exchangeIn(cluster, 'a/a'), 'error: Vpc a/v is peered with itself: name another Vpc in spec.peer')
    assert.equal(await exchangeIn(cluster, 'l/a'), 'error: Vpc l/v is a VLAN: only Vpcs with a VNI are peered; let its router join them')
  }))

const change = async <K extends 'Vpc' | 'BGPSessionGroup'>(cluster: TestCluster, kind: K, key: string, spec: Partial<SpecOf<K>>) => {
  const item = (await cluster.get(kind, key))!
  await cluster.store.update({ ...item, spec: { ...item.spec, ...spec } })
  await cluster.settle()
}

test('an l3 Subnet is exchanged while a group advertises it, and both sides say what is missing while none does', () =>
  inCluster(async (cluster) => {
    await vpc(cluster, 'a', '10.1.0.0/24')
    await cluster.make('Vpc', 'b/v', { bgpSessionGroups: ['edge'] })
    await subnet(cluster, 'b/front', '10.2.0.0/24', { mode: 'l3' })
    await peer(cluster, 'a', 'b')
    await peer(cluster, 'b', 'a')
    await cluster.settle()
    const isUnsaid = async (): Promise<void> => {
      assert.equal(await exchangeIn(cluster, 'a/b'), 'ready 10.1.0.0/24 -> b ')
      assert.equal(await exchangeIn(cluster, 'b/a'), 'ready  -> a 10.1.0.0/24')
      for (const key of ['a/b', 'b/a'])
        assert.deepEqual(await refusedIn(cluster, key), [
          'Subnet b/front: is l3, and no BGPSessionGroup advertises 10.2.0.0/24: ' +
            'an operator names the Subnet in spec.advertise.subnets of one that its Vpc agrees to',
        ])
    }
    const isSaid = async (): Promise<void> => {
      assert.equal(await exchangeIn(cluster, 'a/b'), 'ready 10.1.0.0/24 -> b 10.2.0.0/24')
      assert.equal(await exchangeIn(cluster, 'b/a'), 'ready 10.2.0.0/24 -> a 10.1.0.0/24')
      assert.deepEqual(await refusedIn(cluster, 'a/b'), [])
    }
    await isUnsaid()
    const subnets = [{ namespace: 'b', name: 'front' }]
    await cluster.make('BGPSessionGroup', 'edge', { as: 64512, advertise: { subnets } })
    await cluster.settle()
    await isSaid()
    await change(cluster, 'BGPSessionGroup', 'edge', { advertise: { subnets: [] } })
    await isUnsaid()
    await change(cluster, 'BGPSessionGroup', 'edge', { advertise: { subnets } })
    await isSaid()
    await change(cluster, 'Vpc', 'b/v', { bgpSessionGroups: [] })
    await isUnsaid()
    await change(cluster, 'Vpc', 'b/v', { bgpSessionGroups: ['edge'] })
    await isSaid()
  }))
