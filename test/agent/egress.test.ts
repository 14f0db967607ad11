// A node with a Port of a Vpc that sends outside: what its kernel lets out, and how long.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { segmentPiece } from '../../core/pieces/segment.ts'
import { eventually, openTestClusterWithNode, wireWeb, type TestNode } from './node.ts'

const letOut = ({ agent }: TestNode) => agent.env.loop.pieces.of(segmentPiece).get('5000')?.router?.egress

test('a Vpc is let out while operator and owner say so, also after a restart, and no longer', async () => {
  const { cluster, node } = await openTestClusterWithNode()
  try {
    await wireWeb(cluster, node)
    await cluster.make('EgressClass', 'internet', { vpcs: ['a/blue'], to: ['198.51.100.0/24'] })
    await cluster.settle()
    assert.equal(letOut(node), undefined, 'one side is no consent')
    const vpc = (await cluster.get('Vpc', 'a/blue'))!
    await cluster.store.update({ ...vpc, spec: { ...vpc.spec, egressClass: 'internet' } })
    await cluster.settle()
    await eventually(() => letOut(node) !== undefined, 'it is let out')
    assert.deepEqual(letOut(node), { to: ['198.51.100.0/24'], except: [], sources: ['192.0.2.1'] })
    await node.restart()
    assert.ok(letOut(node), 'before anything is dropped')
    await cluster.store.delete({ kind: 'EgressClass', name: 'internet' })
    await cluster.settle()
    await eventually(() => letOut(node) === undefined, 'it is over')
    assert.equal(await cluster.get('EgressClass', 'internet'), undefined)
  } finally {
    await node.close()
    await cluster.close()
  }
})
