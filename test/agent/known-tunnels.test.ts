// From whom a node takes tunnel packets, kept by its agent: the nodes that have an address in a VNI of its own, no earlier and no longer.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withNodeTable, type NodeTable } from '../../agent/tables/with-node-table.ts'
import { memory, memoryNode } from '../../agent/dataplanes/memory.ts'
import { LinkRefused } from '../../core/errors.ts'
import { tableRuleset, tableText } from '../../core/linux/rule-table.ts'
import { tunnelGuard } from '../../core/linux/tunnel-guard.ts'
import { deletePod, makePod, withNetwork } from '../workers/network.ts'
import { eventually, openTestClusterWithNode, openNode, thingsOf } from './node.ts'

test('a node takes tunnel packets from the nodes of its VNIs alone, from the first address of each to the last', async () => {
  const { cluster, node } = await openTestClusterWithNode()
  const two = await openNode({ store: cluster.store, name: 'n2', address: '192.0.2.2' })
  try {
    await withNetwork(cluster)
    for (const n of [2, 3]) {
      await cluster.store.create({ kind: 'Node', metadata: { name: `n${n}` }, spec: {} })
      await cluster.store.replaceForeignStatus({ kind: 'Node', name: `n${n}` }, (await cluster.get('Node', `n${n}`))!.metadata.uid, {
        addresses: [{ type: 'InternalIP', address: `192.0.2.${n}` }],
      })
    }
    const knows = (): string[] => thingsOf(node).flatMap((line) => /^known\/\d+\/(\S+) /.exec(line)?.[1] ?? [])
    await makePod(cluster, 'a/far', { node: 'n2', nics: [{ name: 'eth0' }] })
    await cluster.settle()
    assert.deepEqual(knows(), [], 'nothing of VNIs that are not here')
    const near = await makePod(cluster, 'a/near', { node: 'n1', nics: [{ name: 'eth0' }] })
    await cluster.settle()
    assert.equal((await node.cni('ADD', { pod: near })).code, 0)
    await eventually(() => knows().join(' ') === '192.0.2.2', 'the node of the other pod is known')
    await makePod(cluster, 'a/also', { node: 'n2', nics: [{ name: 'eth0' }] })
    await makePod(cluster, 'a/third', { node: 'n3', nics: [{ name: 'eth0' }] })
    await cluster.settle()
    await eventually(() => knows().join(' ') === '192.0.2.2 192.0.2.3', 'a node that comes is known')
    await node.restart()
    assert.deepEqual(knows(), ['192.0.2.2', '192.0.2.3'])
    await deletePod(cluster, 'a/far')
    await cluster.settle()
    assert.deepEqual(knows(), ['192.0.2.2', '192.0.2.3'], 'it has an address left')
    await deletePod(cluster, 'a/also')
    await cluster.settle()
    await eventually(() => knows().join(' ') === '192.0.2.3', 'a node without an address is known no longer')
    assert.equal((await node.cni('DEL', { pod: near })).code, 0)
    await deletePod(cluster, 'a/near')
    await cluster.settle()
    await eventually(() => knows().length === 0, 'nobody is known where nobody of the VNI is here')
  } finally {
    await two.close()
    await node.close()
    await cluster.close()
  }
})

test('the guard of tunnels is put before all else, found gone and put again, and dropped with the last of ours', async () => {
  const did: string[] = []
  let there: string | undefined
  const table = tunnelGuard([4789])
  const guard: NodeTable = {
    key: 'tunnels/this node alone',
    rule: "tunnel packets are this node's own to send",
    text: tableText(table, table.rules),
    seen: () => Promise.resolve(there),
    put: () => Promise.resolve(void (did.push('put'), (there = guard.text))),
    drop: () => Promise.resolve(void (did.push('drop'), (there = undefined))),
  }
  const [inner, signal] = [memoryNode(), new AbortController().signal]
  const plane = withNodeTable(memory(inner), guard)
  const change = async (): Promise<void> => {
    const seen = await plane.observe(undefined, signal)
    const put = plane.renderer.base().filter(({ key, text }) => seen.get(key) !== text)
    if (put.length > 0)
      await plane.apply({ drop: put.filter(({ key }) => seen.has(key)).map(({ key }) => plane.itemOf(key, seen.get(key)!)), put }, signal)
  }
  await change()
  await change()
  there = 'with a rule of somebody else'
  await change()
  assert.deepEqual(did, ['put', 'put'], 'one that is otherwise is replaced, and never away')
  const seen = await plane.observe(undefined, signal)
  assert.equal(plane.renderer.explain(plane.renderer.base()).length, seen.size)
  await plane.apply({ drop: [...seen].map(([key, text]) => plane.itemOf(key, text)), put: [] }, signal)
  assert.deepEqual([did.at(-1), inner.things.size], ['drop', 0])
})

test('a table that alone does not do it is told of, once all else has been done', async () => {
  const [inner, signal] = [memoryNode(), new AbortController().signal]
  const refused = new LinkRefused({ what: 'frames between Ports', reason: 'a filter drops them' })
  let does = false
  const plane = withNodeTable(memory(inner), {
    key: 'apart',
    rule: 'it is so',
    text: 'right',
    seen: () => Promise.resolve(does ? 'right' : 'dropped'),
    put: () => Promise.resolve(),
    drop: () => Promise.resolve(),
    check: () => (does ? Promise.resolve() : Promise.reject(refused)),
  })
  const put = plane.renderer.base()
  await assert.rejects(plane.apply({ drop: [], put }, signal), refused)
  assert.equal(inner.things.size, put.length - 1, 'all else is in place')
  assert.equal((await plane.observe(undefined, signal)).get('apart'), 'dropped')
  does = true
  await plane.apply({ drop: [], put: put.filter(({ key }) => key === 'apart') }, signal)
  assert.equal((await plane.observe(undefined, signal)).get('apart'), 'right')
})

test("each rule of a table says what it does, and the UDP ports are the settings'", () => {
  const [table, usual] = [tunnelGuard([4789, 14_789]), tunnelGuard([4789])]
  assert.equal(new Set(table.rules.map(({ chain, comment: says }) => `${chain} ${says}`)).size, table.rules.length)
  assert.match(tableRuleset(table), /udp dport \{ 4789, 14789 \} fib saddr \. iif oif missing drop[\s\S]*udp dport \{ 4789, 14789 \} drop/)
  assert.notEqual(tableText(table, table.rules), tableText(usual, usual.rules))
})

test('what a data plane may have or not, one with a table has too', () => {
  const bare = memory(memoryNode())
  const table: NodeTable = {
    key: 'apart',
    rule: 'it is so',
    text: 'right',
    seen: () => Promise.resolve(undefined),
    put: () => Promise.resolve(),
    drop: () => Promise.resolve(),
  }
  assert.deepEqual([withNodeTable(bare, table).isOwn, withNodeTable(bare, table).trace], [undefined, undefined])
  const able = { ...bare, isOwn: (key: string) => key === 'port', trace: () => Promise.resolve({ rules: [], outputs: [7] }) }
  assert.deepEqual(
    ['port', 'flow'].map((key) => withNodeTable(able, table).isOwn?.(key)),
    [true, false],
  )
  assert.equal(withNodeTable(able, table).trace !== undefined, true)
})
