// Vpcs that send outside, from objects to what nodes are told.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refOf } from '../../core/kinds/index.ts'
import { makePod } from './network.ts'
import { openTestCluster, type TestCluster } from './test-cluster.ts'

const inCluster = async (run: (cluster: TestCluster) => Promise<void>): Promise<void> => {
  const cluster = await openTestCluster({ config: { agents: false } })
  try {
    for (const name of ['n1', 'n2']) await node(cluster, name, `44.0.0.${name.slice(1)}`)
    await cluster.make('Vpc', 'a/v', { egressClass: 'internet' })
    await cluster.make('Subnet', 'a/s', { vpc: 'v', ipv4: { cidr: '10.1.0.0/24' } })
    await port(cluster, 'one', 'n1')
    await run(cluster)
  } finally {
    await cluster.close()
  }
}
async function node(cluster: TestCluster, name: string, address: string): Promise<void> {
  const made = (await cluster.get('Node', name)) ?? (await cluster.store.create({ kind: 'Node', metadata: { name }, spec: {} }))
  await cluster.store.replaceForeignStatus(refOf(made), made.metadata.uid, { addresses: [{ type: 'InternalIP', address }] })
  await cluster.settle()
}
async function port(cluster: TestCluster, name: string, on: string): Promise<void> {
  await cluster.make('Port', `a/${name}`, { subnet: 's', node: on })
  await cluster.settle()
}
const classOf = (cluster: TestCluster, vpcs: readonly string[] = ['a/v']) =>
  cluster.make('EgressClass', 'internet', { vpcs: [...vpcs], to: ['44.0.0.0/8'] }).then(() => cluster.settle())
async function drop(cluster: TestCluster, kind: 'EgressClass' | 'Port', name: string): Promise<void> {
  await cluster.store.delete({ kind, name, ...(kind === 'Port' && { namespace: 'a' }) })
  await cluster.settle()
}
/** `n1 44.0.0.1; but 44.0.0.1/32`, else why not. */
async function toldOf(cluster: TestCluster): Promise<string> {
  const { egress, conditions = [] } = (await cluster.get('Vpc', 'a/v'))?.status ?? {}
  if (egress === undefined) return conditions.find(({ type }) => type === 'Egress')?.reason ?? 'nothing'
  return `${egress.nodes.map((each) => `${each.node} ${each.addresses.join(' ')}`).join(', ')}; but ${egress.except.join(' ')}`
}
const refusedIn = async (cluster: TestCluster): Promise<readonly string[]> =>
  ((await cluster.get('EgressClass', 'internet'))?.status?.refused ?? []).map(({ what, message }) => `${what}: ${message}`)

test('both agree, in either order, and either ends it', () =>
  inCluster(async (cluster) => {
    assert.equal(await toldOf(cluster), 'ClassNotFound')
    await classOf(cluster, ['b/v'])
    assert.equal(await toldOf(cluster), 'NotAgreed')
    assert.deepEqual(await refusedIn(cluster), ['Vpc b/v: not found'])
    const held = (await cluster.get('EgressClass', 'internet'))!
    await cluster.store.update({ ...held, spec: { ...held.spec, vpcs: ['a/v'] } })
    await cluster.settle()
    assert.equal(await toldOf(cluster), 'n1 44.0.0.1; but 44.0.0.1/32 44.0.0.2/32')
    assert.deepEqual((await cluster.get('EgressClass', 'internet'))?.status?.vpcs, [{ vpc: 'a/v', nodes: 1 }])
    await drop(cluster, 'EgressClass', 'internet')
    assert.equal(await cluster.get('EgressClass', 'internet'), undefined, 'it goes once no Vpc sends by it')
    assert.equal(await toldOf(cluster), 'ClassNotFound')
    await classOf(cluster)
    assert.equal(await toldOf(cluster), 'n1 44.0.0.1; but 44.0.0.1/32 44.0.0.2/32')
    const vpc = (await cluster.get('Vpc', 'a/v'))!
    await cluster.store.update({ ...vpc, spec: {} })
    await cluster.settle()
    assert.equal(await toldOf(cluster), 'nothing')
    assert.deepEqual(await refusedIn(cluster), ['Vpc a/v: does not agree: its owner names internet in spec.egressClass'])
  }))

test('a node is told with the first pod there, whose Port its own pass has made', () =>
  inCluster(async (cluster) => {
    await classOf(cluster)
    await makePod(cluster, 'a/web', { vpc: 'v', node: 'n2', nics: [{ name: 'eth0', subnet: 's' }] })
    await cluster.settle()
    assert.equal(await toldOf(cluster), 'n1 44.0.0.1, n2 44.0.0.2; but 44.0.0.1/32 44.0.0.2/32')
  }))

test('nodes come with their first Port and go with the last; an address of any node is left out as soon as it is known', () =>
  inCluster(async (cluster) => {
    await classOf(cluster)
    await port(cluster, 'two', 'n2')
    await port(cluster, 'three', 'n2')
    assert.equal(await toldOf(cluster), 'n1 44.0.0.1, n2 44.0.0.2; but 44.0.0.1/32 44.0.0.2/32')
    await drop(cluster, 'Port', 'two')
    await node(cluster, 'n3', '44.0.0.3')
    assert.equal(await toldOf(cluster), 'n1 44.0.0.1, n2 44.0.0.2; but 44.0.0.1/32 44.0.0.2/32 44.0.0.3/32')
    await cluster.make('BGPSessionGroup', 'edge', { as: 64512, peers: [{ name: 'gateway', address: '44.0.0.200', as: 65000 }] })
    await drop(cluster, 'Port', 'three')
    await node(cluster, 'n1', '44.0.0.9')
    assert.equal(await toldOf(cluster), 'n1 44.0.0.9; but 44.0.0.9/32 44.0.0.2/32 44.0.0.3/32 44.0.0.200/32')
  }))
