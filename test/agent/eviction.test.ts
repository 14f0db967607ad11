// A guest of a Vpc whose namespace goes: its node unwires it when it is told to leave, and only then what it held is free.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wiredFinalizer } from '../../core/kinds/annotations.ts'
import { eventually, openTestClusterWithNode, thingsOf } from './node.ts'

test("a guest is unwired by its node ten minutes after its Vpc's namespace began to go, and then the VNI is free", async (t) => {
  const { cluster, node } = await openTestClusterWithNode()
  t.after(async () => {
    await node.close()
    await cluster.close()
  })
  await cluster.make('Namespace', 'net', {})
  await cluster.make('Vpc', 'net/shared', { vni: 6000, sharedWith: ['a'] })
  await cluster.make('Subnet', 'net/s', { vpc: 'shared', ipv4: { cidr: '10.1.0.0/24' } })
  await cluster.settle()
  await cluster.make('Port', 'a/guest', { subnet: 'net/s', node: 'n1' })
  await cluster.settle()
  const guest = () => cluster.get('Port', 'a/guest')
  await eventually(async () => (await guest())?.status?.node?.wired === true, 'it is wired')
  const port = (await guest())!
  const [address = ''] = port.status!.addresses!
  await cluster.store.delete({ kind: 'Namespace', name: 'net' })
  await cluster.advance(cluster.config.blockerWaitMs - 60_000)
  assert.ok(
    [...node.agent.env.ledger.wired()].length === 1 && thingsOf(node).some((line) => line.includes(address)),
    'it keeps what it has for its time',
  )
  // Between each two looks: a lock that is gone while its interface is there is somebody else's address on this node.
  await eventually(async () => {
    await cluster.advance(61_000)
    if ((await cluster.all('SegmentLock')).length === 0) assert.deepEqual([...node.agent.env.ledger.wired()], [])
    return (await cluster.get('Namespace', 'net')) === undefined
  }, 'the namespace goes')
  assert.deepEqual((await guest())?.status?.node, { wired: false }, 'nor is it said to be wired any more')
  assert.deepEqual([(await cluster.all('IPLock')).length, thingsOf(node).filter((line) => line.includes(address))], [0, []])
  assert.deepEqual([(await guest())?.metadata.finalizers?.includes(wiredFinalizer), (await guest())?.status?.addresses], [false, undefined])
})
