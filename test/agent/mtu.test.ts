import { afterEach, beforeEach, test } from 'node:test'
import assert from 'node:assert/strict'
import { overlayMtu } from '../../agent/machine/node-addresses.ts'
import { mtuMost, mtuOf } from '../../core/plan/node/mtu.ts'
import { silentLog } from '../../platform/log.ts'
import { openTestCluster, type TestCluster } from '../workers/test-cluster.ts'
import { makePod } from '../workers/network.ts'
import { eventually, openNode, type TestNode } from './node.ts'

let cluster: TestCluster
let node: TestNode
beforeEach(async () => {
  cluster = await openTestCluster()
  await cluster.make('Vpc', 'a/blue', { vni: 5000, mtu: 1400 })
  await cluster.make('Subnet', 'a/one', { vpc: 'blue', ipv4: { cidr: '10.0.0.0/24' } })
  await cluster.settle()
  node = await openNode({ store: cluster.store, name: 'n1', address: '192.0.2.1', mtuMost: 1390 })
})
afterEach(async () => {
  await node.close()
  await cluster.close()
})

test('what fits is the underlay without what VXLAN adds, more of it over IPv6; a Nic has its own word, then its Vpc', async () => {
  assert.deepEqual([mtuMost(1500, '192.0.2.1'), mtuMost(9000, '2001:db8::1')], [1450, 8930])
  assert.equal(await overlayMtu('2001:db8::1', { underlayMtu: 1600 }, silentLog()), 1530)
  assert.equal(await overlayMtu('127.0.0.1', { underlayMtu: 0 }, silentLog()), 65536 - 50)
  assert.deepEqual(
    [
      mtuOf(undefined, undefined, 1450),
      mtuOf(undefined, 1400, 1450),
      mtuOf(1300, 1400, 1450),
      mtuOf(1450, 1400, 1450),
      mtuOf(1451, undefined, 1450),
      mtuOf(undefined, 9000, 1450),
    ],
    [1450, 1400, 1300, 1450, undefined, undefined],
  )
})

test('an interface has the MTU of its Nic, or what fits, and one whose Vpc asks for more is refused with both', async () => {
  const added = async (name: string, nics: readonly object[], vpc = 'blue') => {
    const pod = await makePod(cluster, `a/${name}`, {
      node: 'n1',
      vpc,
      nics,
      metadata: { annotations: { 'megrez.io/cluster-nic': 'none' } },
    })
    await cluster.settle()
    return node.cni('ADD', { pod, containerID: name })
  }
  assert.equal((await added('small', [{ name: 'eth0', mtu: 1300 }])).code, 0)
  const { code, said } = await added('usual', [{ name: 'eth0' }])
  assert.notEqual(code, 0)
  assert.match(said.msg ?? '', /1400.*1390/)
  await cluster.make('Vpc', 'a/other', { vni: 5001 })
  await cluster.make('Subnet', 'a/two', { vpc: 'other', ipv4: { cidr: '10.0.1.0/24' } })
  await cluster.settle()
  assert.equal((await added('most', [{ name: 'eth0', subnet: 'two' }], 'other')).code, 0)
  assert.deepEqual([...node.links.there.values()].map(({ port }) => port.mtu).sort(), [1300, 1390])
})

test('each new sandbox of a Port is announced to its neighbours once; an agent that starts anew announces nothing', async () => {
  const pod = await makePod(cluster, 'a/web', {
    node: 'n1',
    nics: [{ name: 'eth0', mtu: 1300 }],
    metadata: { annotations: { 'megrez.io/cluster-nic': 'none' } },
  })
  await cluster.settle()
  const announced = (): number => node.links.announced.length
  assert.equal((await node.cni('ADD', { pod, containerID: 'c1' })).code, 0)
  await eventually(() => announced() === 1, 'the first sandbox is announced')
  assert.equal((await node.cni('ADD', { pod, containerID: 'c1' })).code, 0)
  await node.restart()
  assert.equal((await node.cni('ADD', { pod, containerID: 'c2' })).code, 0)
  await eventually(() => announced() >= 2, 'the second sandbox is announced')
  assert.equal(announced(), 2)
})
