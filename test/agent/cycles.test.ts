import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { trials } from '../setup/trials.ts'
import { until } from '../setup/until.ts'
import { openTestCluster, type TestCluster } from '../workers/test-cluster.ts'
import { makePod, withNetwork } from '../workers/network.ts'
import { openNode, thingsOf, type TestNode } from './node.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

let cluster: TestCluster
let node: TestNode
before(async () => {
  cluster = await openTestCluster()
  await withNetwork(cluster)
  node = await openNode({ store: cluster.store, name: 'n1', address: '192.0.2.1' })
})
after(async () => {
  await node.close()
  await cluster.close()
})

test('ten thousand ADDs and DELs leave no open file, nothing in the data plane, and no memory', async () => {
  const pods = await Promise.all(
    ['a', 'b', 'c', 'd'].map((name) =>
      makePod(cluster, `a/${name}`, { node: 'n1', metadata: { annotations: { 'megrez.io/cluster-nic': 'none' } } }),
    ),
  )
  await cluster.settle()
  const cycles = (count: number): Promise<unknown> =>
    Promise.all(
      pods.map(async (pod, place) => {
        for (let i = 0; i < count / pods.length; i++) {
          const call = { pod, containerID: `c${place}-${i}` }
          assert.equal((await node.cni('ADD', call)).code, 0)
          assert.equal((await node.cni('DEL', call)).code, 0)
        }
      }),
    )
  const used = (): { files: number; heap: number } => {
    collect()
    return { files: readdirSync('/proc/self/fd').length, heap: process.memoryUsage().heapUsed }
  }
  const applied = (): Promise<void> => node.agent.env.loop.applied(AbortSignal.timeout(10_000))
  await cycles(200)
  await applied()
  const [before, things] = [used(), thingsOf(node)]
  const count = trials(10_000)
  await cycles(count)
  await applied()
  assert.deepEqual(thingsOf(node), things)
  assert.equal(node.links.there.size, 0)
  // What was still on its way to the ledger and the store is not kept for good. Half a KiB a cycle would be seen.
  let now = used()
  await until(
    () => (now = used()).files <= before.files + 4 && now.heap - before.heap < 4_000_000 + count * 512,
    'files and memory are as before',
    20_000,
  ).catch(() => undefined)
  assert.ok(now.files <= before.files + 4, `${before.files} files before, ${now.files} now`)
  assert.ok(now.heap - before.heap < 4_000_000 + count * 512, `${before.heap} bytes before, ${now.heap} now`)
})
