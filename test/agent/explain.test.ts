// What an agent says of a Port of its node over its socket, and what a person reads of it.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { explainLive } from '../../agent/inquiries/explain.ts'
import type { ItemCount } from '../../core/node/explained.ts'
import { memory, memoryNode } from '../../agent/dataplanes/memory.ts'
import { outputOf } from '../cli/command-output.ts'
import type { TestCluster } from '../workers/test-cluster.ts'
import { makePod, withNetwork } from '../workers/network.ts'
import { eventually, openTestClusterWithNode, type TestNode } from './node.ts'

let cluster: TestCluster
let node: TestNode
beforeEach(async () => void ({ cluster, node } = await openTestClusterWithNode()))
afterEach(async () => {
  await node.close()
  await cluster.close()
})
const live = (name: string) => outputOf(['explain', `port/${name}`, '-n', 'a', '--live', '--socket', node.agent.env.config.cniSocket], {})

test('a Port of this node is explained as it is there, item by item; one that is not wired says so, and one that nobody knows is refused', async () => {
  await withNetwork(cluster)
  const pod = await makePod(cluster, 'a/web', { node: 'n1', nics: [{ name: 'eth0' }] })
  await cluster.settle()
  const { name } = (await cluster.all('Port'))[0]!.metadata
  assert.match((await live(name)).out, /It is not wired on this node/)
  assert.equal((await node.cni('ADD', { pod })).code, 0)
  const { exit, out, err } = await live(name)
  assert.equal(exit, 0, err)
  assert.match(out, new RegExp(`^Port a/${name} is ready: `))
  assert.match(out, /\nOn n1, with memory, (\d+) of \1 are there:\n/)
  assert.match(out, new RegExp(`\n {2}guard\n.*\n {4}→ from 10\\.0\\.0\\..*\n {4}because a Port on this node: Port a/${name}\n {4}there\n`))
  await eventually(async () => (await cluster.all('Port'))[0]?.status?.node?.dataplane === 'memory', 'the Port says what its node runs')
  const unknown = await live('nobody')
  assert.deepEqual([unknown.exit, unknown.out], [1, ''])
  assert.match(unknown.err, /on n1 a Port a\/nobody not found/)
})

test('where no agent listens, that is said', async () => {
  const { exit, err } = await outputOf(['explain', 'port/web', '--live', '--socket', `${node.folder}/nobody.sock`], {})
  assert.equal(exit, 3)
  assert.match(err, /no agent answers on .*nobody\.sock/)
})

test('what is missing or different is told, with what is there instead and what was counted', async () => {
  const there = memoryNode()
  const counts: Readonly<Record<string, ItemCount>> = { 'thing/one': { packets: 7, bytes: 700 }, 'thing/three': { packets: 8 } }
  const plane = {
    ...memory(there),
    counts: (keys: ReadonlySet<string>) => Promise.resolve(new Map([...keys].map((key) => [key, counts[key]!]))),
  }
  const items = ['one', 'two', 'three'].map(
    (key) =>
      ({
        key: `thing/${key}`,
        text: 'up',
        value: 'up',
        because: { rule: 'asked for', of: { kind: 'Port', namespace: 'a', name: 'web' } },
      }) as const,
  )
  there.things.set('thing/one', 'up')
  there.things.set('thing/three', 'down')
  const found = await explainLive(plane, items, AbortSignal.timeout(5_000))
  assert.deepEqual(
    found.map(({ match, state, instead, packets, bytes }) => ({ match, state, instead, packets, bytes })),
    [
      { match: 'one', state: 'there', instead: undefined, packets: 7, bytes: 700 },
      { match: 'two', state: 'missing', instead: undefined, packets: undefined, bytes: undefined },
      { match: 'three', state: 'different', instead: 'down', packets: 8, bytes: undefined },
    ],
  )
})
