// Blocks behind Ports, from objects to what nodes are told: who has one, who may have one, and when it is over.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nicsAnnotation, vpcAnnotation } from '../../core/kinds/annotations.ts'
import type { SpecOf } from '../../core/kinds/index.ts'
import { openTestCluster, type TestCluster } from './test-cluster.ts'

const inVpc = async (run: (cluster: TestCluster) => Promise<void>): Promise<void> => {
  const cluster = await openTestCluster({ config: { agents: false } })
  try {
    await cluster.make('Vpc', 'a/v', { vni: 5000, sharedWith: ['b'] })
    await cluster.make('Subnet', 'a/s', {
      vpc: 'v',
      ipv4: { cidr: '10.0.0.0/24' },
      allowedRoutedBlocks: [{ cidr: '10.9.0.0/16', namespaces: ['a', 'b'] }],
    })
    await run(cluster)
  } finally {
    await cluster.close()
  }
}

async function port(cluster: TestCluster, key: string, routedBlocks: readonly string[]): Promise<void> {
  await cluster.make('Port', key, { subnet: key.startsWith('a/') ? 's' : 'a/s', routedBlocks: [...routedBlocks] })
  await cluster.settle()
}
/** What is led to whom, by the lock of the VNI. */
const led = async ({ store }: TestCluster): Promise<readonly string[]> =>
  ((await store.get({ kind: 'SegmentLock', name: 'vni-5000' }))?.spec.routedBlocks ?? []).map(
    ({ cidr, port: of, via }) => `${cidr} to ${of.namespace}/${of.name} at ${via}`,
  )
async function reportOf(cluster: TestCluster, key: string): Promise<string> {
  const { routedBlocks = [], conditions = [] } = (await cluster.get('Port', key))?.status ?? {}
  return [routedBlocks.join(), ...conditions.filter(({ type }) => type === 'BlocksRouted').map(({ message }) => message)].join(': ')
}
async function change<K extends 'Subnet' | 'Port'>(cluster: TestCluster, kind: K, key: string, spec: Partial<SpecOf<K>>): Promise<void> {
  const is = await cluster.get(kind, key)
  assert.ok(is)
  await cluster.store.update({ ...is, spec: { ...is.spec, ...spec } })
  await cluster.settle()
}

test('of two Ports the first has a block, and says where it is; the other is told by name, and has it when the first goes', () =>
  inVpc(async (cluster) => {
    await port(cluster, 'a/fw', ['10.9.1.0/24', '10.9.2.0/24'])
    await port(cluster, 'a/late', ['10.9.0.0/16'])
    const at = (await cluster.get('Port', 'a/fw'))!.status!.addresses![0]!
    assert.deepEqual(await led(cluster), [`10.9.1.0/24 to a/fw at ${at}`, `10.9.2.0/24 to a/fw at ${at}`])
    assert.equal(await reportOf(cluster, 'a/fw'), '10.9.1.0/24,10.9.2.0/24: 10.9.1.0/24, 10.9.2.0/24 lead to it')
    assert.match(await reportOf(cluster, 'a/late'), /^: 10\.9\.0\.0\/16: overlaps 10\.9\.1\.0\/24 behind Port a\/fw, which has it/)
    assert.equal((await cluster.get('Port', 'a/late'))?.status?.phase, 'ready', 'it is there all the same')
    await change(cluster, 'Port', 'a/fw', { routedBlocks: ['10.9.1.0/24'] })
    assert.equal(await reportOf(cluster, 'a/fw'), '10.9.1.0/24: 10.9.1.0/24 lead to it')
    await cluster.store.delete({ kind: 'Port', namespace: 'a', name: 'fw' })
    await cluster.settle()
    assert.equal(await reportOf(cluster, 'a/late'), '10.9.0.0/16: 10.9.0.0/16 lead to it')
  }))

test('what its owner does not allow any more leads nowhere, and a Subnet made later gets none of it', () =>
  inVpc(async (cluster) => {
    await port(cluster, 'b/fw', ['10.9.1.0/24'])
    assert.match((await led(cluster)).join(), /^10\.9\.1\.0\/24 to b\/fw/)
    await cluster.make('Subnet', 'a/late', { vpc: 'v', ipv4: { cidr: '10.9.1.0/25' } })
    await cluster.settle()
    assert.match((await cluster.get('Subnet', 'a/late'))?.status?.message ?? '', /overlaps 10\.9\.1\.0\/24 behind Port b\/fw on VNI 5000/)
    await change(cluster, 'Subnet', 'a/s', { allowedRoutedBlocks: [{ cidr: '10.9.0.0/16' }] })
    assert.match(await reportOf(cluster, 'b/fw'), /^: 10\.9\.1\.0\/24: Subnet s does not allow 10\.9\.1\.0\/24 to Ports of b/)
    assert.deepEqual(await led(cluster), [])
    assert.equal((await cluster.get('Subnet', 'a/late'))?.status?.validated, true)
  }))

test('a peer that comes later with the same addresses is not led to, and says why; a Port that comes later is told, and served once that ends', () =>
  inVpc(async (cluster) => {
    await port(cluster, 'a/fw', ['10.9.1.0/24'])
    await cluster.make('Vpc', 'c/w', {})
    await cluster.make('Subnet', 'c/one', { vpc: 'w', ipv4: { cidr: '10.9.1.0/24' } })
    await cluster.make('Subnet', 'c/two', { vpc: 'w', ipv4: { cidr: '10.9.2.0/24' } })
    await cluster.make('VpcPeering', 'a/c', { vpc: 'v', peer: 'c/w' })
    await cluster.make('VpcPeering', 'c/a', { vpc: 'w', peer: 'a/v' })
    await cluster.settle()
    const { peer, refused = [] } = (await cluster.get('VpcPeering', 'a/c'))?.status ?? {}
    assert.deepEqual(peer?.blocks, ['10.9.2.0/24'])
    assert.deepEqual(
      refused.map(({ message }) => message),
      ['10.9.1.0/24 overlaps 10.9.1.0/24 behind Port a/fw'],
    )
    const theirs = (await cluster.get('VpcPeering', 'c/a'))?.status?.refused?.[0]?.message
    assert.equal(theirs, '10.9.1.0/24 overlaps what is behind a Port of Vpc a/v', 'and no name is told')
    await port(cluster, 'a/late', ['10.9.2.0/25'])
    assert.match(await reportOf(cluster, 'a/late'), /overlaps 10\.9\.2\.0\/24 of Vpc c\/w, which its own is peered with/)
    await cluster.store.delete({ kind: 'VpcPeering', namespace: 'c', name: 'a' })
    await cluster.settle()
    assert.match((await led(cluster)).join(), /10\.9\.2\.0\/25 to a\/late/)
  }))

test('a pod asks for them by its NIC', () =>
  inVpc(async (cluster) => {
    const annotations = { [vpcAnnotation]: 'v', [nicsAnnotation]: JSON.stringify([{ subnet: 's', routedBlocks: ['10.9.3.0/24'] }]) }
    await cluster.make('Pod', 'a/fw', { containers: [{ name: 'main' }] }, { annotations })
    await cluster.settle()
    assert.match((await led(cluster)).join(), /^10\.9\.3\.0\/24 to a\//)
  }))
