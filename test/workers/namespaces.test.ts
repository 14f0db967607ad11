// A Namespace of our own store takes along all that is in it, of whichever kind.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestCluster } from './test-cluster.ts'

test('a Namespace that is deleted leaves nothing of any kind behind', async () => {
  const cluster = await openTestCluster({ config: { agents: false } })
  try {
    await cluster.make('Namespace', 'a', {})
    await cluster.make('Vpc', 'a/v', {})
    await cluster.make('Subnet', 'a/s', { vpc: 'v', ipv4: { cidr: '10.1.0.0/24' } })
    await cluster.make('Port', 'a/p', { subnet: 's' })
    await cluster.make('UnifiedNetworkPolicy', 'a/u', { podSelector: {} })
    await cluster.make('NetworkPolicy', 'a/n', { podSelector: {}, policyTypes: ['Ingress'] })
    await cluster.make('L2Service', 'a/l', { segmentationID: 100, physicalNW: ['default'] })
    await cluster.make('VpcPeering', 'a/pp', { vpc: 'v', peer: 'b/v' })
    await cluster.make('NetworkService', 'a/ns', { payload: 'IP' })
    await cluster.settle()
    assert.equal((await cluster.get('Port', 'a/p'))?.status?.phase, 'ready')
    await cluster.store.delete({ kind: 'Namespace', name: 'a' })
    for (let i = 0; i < 10; i++) await cluster.advance(30_000)
    const kinds = [
      'Namespace',
      'Vpc',
      'Subnet',
      'Port',
      'IPLock',
      'UnifiedNetworkPolicy',
      'NetworkPolicy',
      'L2Service',
      'VpcPeering',
      'NetworkService',
    ] as const
    const left = await Promise.all(kinds.map(async (kind) => (await cluster.all(kind)).map(({ metadata }) => `${kind} ${metadata.name}`)))
    assert.deepEqual(left.flat(), [])
  } finally {
    await cluster.close()
  }
})
