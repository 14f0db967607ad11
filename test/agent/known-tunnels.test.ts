// From whom a node takes tunnel packets, kept by its agent: the nodes that have an address in a VNI of its own, no earlier and no longer.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { guarded } from '../../agent/tunnel-guard/guarded.ts'
import { memory, memoryNode } from '../../agent/dataplanes/memory.ts'
import type { TunnelGuard } from '../../agent/tunnel-guard/guarded.ts'
import { guardRules, guardRuleset, guardText } from '../../core/linux/tunnel-guard.ts'
import { deletePod, makePod, withNetwork } from '../workers/network.ts'
import { eventually, openHouseWithNode, openNode, thingsOf } from './node.ts'

test('a node takes tunnel packets from the nodes of its VNIs alone, from the first address of each to the last', async () => {
  const { house, node } = await openHouseWithNode()
  const two = await openNode({ store: house.store, name: 'n2', address: '192.0.2.2' })
  try {
    await withNetwork(house)
    for (const n of [2, 3]) {
      await house.store.create({ kind: 'Node', metadata: { name: `n${n}` }, spec: {} })
      await house.store.replaceForeignStatus({ kind: 'Node', name: `n${n}` }, (await house.get('Node', `n${n}`))!.metadata.uid, { addresses: [{ type: 'InternalIP', address: `192.0.2.${n}` }] })
    }
    const knows = (): string[] => thingsOf(node).flatMap((line) => /^known\/\d+\/(\S+) /.exec(line)?.[1] ?? [])
    await makePod(house, 'a/far', { node: 'n2', nics: [{ name: 'eth0' }] })
    await house.settle()
    assert.deepEqual(knows(), [], 'nothing of VNIs that are not here')
    const near = await makePod(house, 'a/near', { node: 'n1', nics: [{ name: 'eth0' }] })
    await house.settle()
    assert.equal((await node.cni('ADD', { pod: near })).code, 0)
    await eventually(() => knows().join(' ') === '192.0.2.2', 'the node of the other pod is known')
    await makePod(house, 'a/also', { node: 'n2', nics: [{ name: 'eth0' }] })
    await makePod(house, 'a/third', { node: 'n3', nics: [{ name: 'eth0' }] })
    await house.settle()
    await eventually(() => knows().join(' ') === '192.0.2.2 192.0.2.3', 'a node that comes is known')
    await node.restart()
    assert.deepEqual(knows(), ['192.0.2.2', '192.0.2.3'])
    await deletePod(house, 'a/far')
    await house.settle()
    assert.deepEqual(knows(), ['192.0.2.2', '192.0.2.3'], 'it has an address left')
    await deletePod(house, 'a/also')
    await house.settle()
    await eventually(() => knows().join(' ') === '192.0.2.3', 'a node without an address is known no longer')
    assert.equal((await node.cni('DEL', { pod: near })).code, 0)
    await deletePod(house, 'a/near')
    await house.settle()
    await eventually(() => knows().length === 0, 'nobody is known where nobody of the VNI is here')
  } finally {
    await two.close()
    await node.close()
    await house.close()
  }
})

test('the guard of tunnels is put before all else, found gone and put again, and dropped with the last of ours', async () => {
  const did: string[] = []
  let there: string | undefined
  const guard: TunnelGuard = {
    text: guardText(guardRules(4789)),
    seen: () => Promise.resolve(there),
    put: () => Promise.resolve(void (did.push('put'), (there = guard.text))),
    drop: () => Promise.resolve(void (did.push('drop'), (there = undefined))),
  }
  const [inner, signal] = [memoryNode(), new AbortController().signal]
  const plane = guarded(memory(inner), guard)
  const change = async (): Promise<void> => {
    const seen = await plane.observe(undefined, signal)
    const put = plane.renderer.base().filter(({ key, text }) => seen.get(key) !== text)
    if (put.length > 0) await plane.apply({ drop: put.filter(({ key }) => seen.has(key)).map(({ key }) => plane.itemOf(key, seen.get(key)!)), put }, signal)
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

test('each rule of the guard says what it does, and the UDP port is the setting\'s', () => {
  const rules = guardRules(14_789)
  assert.equal(new Set(rules.map(({ chain, says }) => `${chain} ${says}`)).size, rules.length)
  assert.match(guardRuleset(rules), /udp dport 14789 fib saddr \. iif oif missing drop[\s\S]*udp dport 14789 drop/)
  assert.notEqual(guardText(rules), guardText(guardRules(4789)))
})
