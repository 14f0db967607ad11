// How much a port of bessd may send and get: what stands in the graph, and what is refused.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { itemOfElement } from '../../core/graph/elements.ts'
import { burstOf, leastBitsPerSecond, sendingLimit, waysOut } from '../../core/graph/policies/limits.ts'
import type { PolicyTraffic } from '../../core/kinds/policy/policy-rule-set.ts'
import { notDone } from '../../core/pieces/policy/not-done.ts'
import { unifiedSet } from '../laws/unified-set.ts'

const because = { rule: 'a test', of: { kind: 'Port', name: 'p' } } as const
const items = (traffic: PolicyTraffic, isClosed = false): readonly string[] => {
  const port = { number: 7, policy: { identity: 1, ruleSets: [], isClosed, traffic } }
  return [...sendingLimit(port), ...waysOut(port, { port: 'p.7', device: 'd' })].map((each) => {
    const { key, text } = itemOfElement(each, because)
    return `${key}: ${text}`
  })
}

test('what a port sends is limited where it comes in, and what it gets waits in a queue before it goes out', () => {
  const [out, tx, queue] = ['module/out.7: PortOut(p.7 d)', 'module/tx.7: PortOut(p.7 d)', 'module/out.7: Queue(128) > tx.7']
  assert.deepEqual(items({}), [out])
  assert.deepEqual(items({ maxEgress: 5e6 }), ['limit/in.7: 5000000 bits a second', out])
  assert.deepEqual(items({ maxIngress: 5e6 }), [queue, tx, 'limit/out.7: 5000000 bits a second'])
  assert.deepEqual(items({ maxIngress: 5e6, maxEgress: 5e6 }, true), [out], 'nothing of a closed one')
})

test('a rate is what a class can count with; one that would stop a port for long is Unsupported, and no limit is put for it', () => {
  assert.deepEqual(items({ maxEgress: Number.MAX_SAFE_INTEGER })[0], 'limit/in.7: 1000000000000 bits a second')
  assert.deepEqual([burstOf(leastBitsPerSecond), burstOf(1e12)], [100_000, 2 ** 32 - 1])
  assert.deepEqual(items({ maxEgress: leastBitsPerSecond - 1 }), ['module/out.7: PortOut(p.7 d)'])
  const why = (traffic: PolicyTraffic): number => notDone.bess(unifiedSet({ vni: 1, traffic, rules: [] })).length
  assert.deepEqual([why({ maxEgress: leastBitsPerSecond, maxIngress: 1e15 }), why({ maxIngress: leastBitsPerSecond - 1 })], [0, 1])
})
