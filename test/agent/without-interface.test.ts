// What becomes of the data plane where interfaces go and come under the same name: as the kernel's own and BESS have it, which put things
// on interfaces that are there and refuse a whole change for one that is not.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { memory, type MemoryNode } from '../../agent/dataplanes/memory.ts'
import { LinkRefused } from '../../core/errors.ts'
import type { Dataplane } from '../../core/contracts/dataplane.ts'
import type { Resource } from '../../core/kinds/index.ts'
import { until } from '../../platform/programs/until.ts'
import type { TestCluster } from '../workers/test-cluster.ts'
import { makePod, withNetwork } from '../workers/network.ts'
import { openTestClusterWithNode, type TestNode } from './node.ts'

let cluster: TestCluster
let node: TestNode
/** Keys of `port/…` in the order in which they were dropped and put. */
let done: string[]

function onInterfaces(of: MemoryNode): Dataplane {
  const plane = memory(of)
  const there = (ifcName: string): boolean => node === undefined || node.links.there.has(ifcName)
  return {
    ...plane,
    async apply(change, signal) {
      const missing = change.put.find(({ key, text }) => key.startsWith('port/') && !there(text.split(' ')[0]!))
      if (missing !== undefined) throw new LinkRefused({ what: missing.text, reason: 'there is no such interface yet' })
      await plane.apply(change as never, signal)
      const ports = (items: typeof change.put, what: string): string[] =>
        items.flatMap(({ key }) => (key.startsWith('port/') ? [`${what} ${key}`] : []))
      done.push(...ports(change.drop, 'dropped'), ...ports(change.put, 'put'))
    },
  }
}

beforeEach(async () => {
  done = []
  ;({ cluster, node } = await openTestClusterWithNode({ plane: onInterfaces }))
  await withNetwork(cluster)
})
afterEach(async () => {
  await node.close()
  await cluster.close()
})

async function podOn(name: string): Promise<Resource<'Pod'>> {
  const pod = await makePod(cluster, name, { node: 'n1' })
  await cluster.settle()
  return pod
}

test('a Port that gets another sandbox is taken out of the data plane before it is put on the new interface', async () => {
  const pod = await podOn('a/web')
  assert.equal((await node.cni('ADD', { pod, containerID: 'c1' })).code, 0)
  const [put] = done
  assert.equal((await node.cni('ADD', { pod, containerID: 'c2' })).code, 0)
  assert.deepEqual(done, [put, put!.replace('put', 'dropped'), put])
  for (const containerID of ['c1', 'c2']) assert.equal((await node.cni('DEL', { pod, containerID })).code, 0)
  assert.equal((await node.cni('ADD', { pod, containerID: 'c3' })).code, 0)
  assert.deepEqual(done.slice(3), [put!.replace('put', 'dropped'), put])
})

test('an interface that went while no agent ran holds up no other Port, and its sandbox can be taken down', async () => {
  const [gone, other] = [await podOn('a/gone'), await podOn('a/other')]
  assert.equal((await node.cni('ADD', { pod: gone, containerID: 'c1' })).code, 0)
  await node.kill()
  const [{ port } = assert.fail('no interface was made')] = node.links.there.values()
  await node.links.remove(port.ifcName)
  node.memory.things.clear()
  await node.restart()
  assert.equal((await node.cni('ADD', { pod: other, containerID: 'c2' })).code, 0)
  assert.equal(node.memory.things.has(`port/${port.uid}`), false)
  assert.equal((await node.cni('DEL', { pod: gone, containerID: 'c1' })).code, 0)
  assert.equal((await node.cni('ADD', { pod: gone, containerID: 'c3' })).code, 0)
  await until(() => node.memory.things.has(`port/${port.uid}`), 'the Port is on its new interface')
})
