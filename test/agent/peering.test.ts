// A node with a Port of a Vpc that is peered: what it hears of the peer, and how long.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { segmentPiece } from '../../core/pieces/segment.ts'
import { endpointPiece } from '../../core/pieces/endpoint.ts'
import { eventually, openTestClusterWithNode, wireWeb, type TestNode } from './node.ts'

const peerVni = 5001
const segmentOf = ({ agent }: TestNode, vni: number) => agent.env.loop.pieces.of(segmentPiece).get(String(vni))
const peersOf = (node: TestNode, vni: number) => segmentOf(node, vni)?.router?.peers
const heardOf = ({ agent }: TestNode): readonly string[] =>
  [...agent.env.loop.pieces.of(endpointPiece).ofVni(peerVni).values()].map(({ address, hostIP }) => `${address} at ${hostIP}`)

test('who is in a Vpc that one here is peered with is heard of while both agree, also after a restart, and no longer', async () => {
  const { cluster, node } = await openTestClusterWithNode()
  try {
    await cluster.make('Vpc', 'b/red', { vni: peerVni })
    await cluster.make('Subnet', 'b/two', { vpc: 'red', ipv4: { cidr: '10.2.0.0/24' } })
    await wireWeb(cluster, node)
    await cluster.store.create({
      kind: 'IPLock',
      metadata: { namespace: 'b', name: 'one' },
      spec: { vni: peerVni, address: '10.2.0.9', mac: '02:00:00:00:00:09', subnet: 'two', hostIP: '192.0.2.7' },
    })
    await cluster.make('VpcPeering', 'a/to-b', { vpc: 'blue', peer: 'b/red' })
    await cluster.settle()
    assert.deepEqual(heardOf(node), [], 'one side is no consent')
    await cluster.make('VpcPeering', 'b/to-a', { vpc: 'red', peer: 'a/blue' })
    await cluster.settle()
    const isJoined = (): boolean => heardOf(node).length > 0 && (peersOf(node, 5000) ?? []).length > 0
    await eventually(isJoined, 'the peer is known')
    assert.deepEqual(heardOf(node), ['10.2.0.9 at 192.0.2.7'])
    const [peer] = peersOf(node, 5000)!
    assert.deepEqual([peer!.vni, peer!.own, peer!.blocks], [peerVni, ['10.0.0.0/24'], ['10.2.0.0/24']])
    assert.deepEqual(segmentOf(node, 5000)?.peerHosts, ['192.0.2.7'], 'nodes of the peer tunnel into it')
    assert.deepEqual([segmentOf(node, peerVni)?.hosts, peersOf(node, peerVni)], [[], undefined], 'and nobody into the peer here')
    await node.restart()
    assert.ok(isJoined(), 'before anything is dropped')
    await cluster.store.delete({ kind: 'VpcPeering', namespace: 'b', name: 'to-a' })
    await cluster.settle()
    await eventually(() => !isJoined() && segmentOf(node, peerVni) === undefined, 'it is over')
    assert.deepEqual(heardOf(node), [])
    await eventually(() => node.agent.env.locks.vnis.join() === '5000', 'its locks are not watched any more')
  } finally {
    await node.close()
    await cluster.close()
  }
})
