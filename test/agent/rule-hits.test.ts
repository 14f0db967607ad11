// What rules of policies do, as agents count it: of a data plane that says what it likes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RuleDecision } from '../../core/node/rule-decision.ts'
import { RuleHits } from '../../agent/rule-hits.ts'
import { unifiedSet } from '../laws/unified-set.ts'
import { silentLog } from '../../platform/log.ts'
import { TurnedClock } from '../../platform/clock.ts'

const vni = 7
const set = unifiedSet({
  vni,
  number: 3,
  isolates: ['ingress'],
  rules: [
    { index: 0, source: '/spec/egress/0', direction: 'egress', level: 0, action: 'deny' },
    { index: 1, source: '/spec/ingress/0', direction: 'ingress', level: 0, action: 'deny', audit: true },
    { index: 2, source: '/spec/ingress/1', direction: 'ingress', level: 0, action: 'allow' },
  ],
})
const decision = (rule: number | undefined, packets: number): RuleDecision => ({
  key: `flow-${rule}`,
  vni,
  by: { set: 3, ...(rule !== undefined && { rule }) },
  direction: 'ingress',
  packets,
})
const signal = AbortSignal.timeout(20_000)

function opened(of: { isEmpty?: boolean } = {}) {
  const clock = new TurnedClock(Date.parse('2026-01-01T00:00:00Z'))
  const plane = { says: [] as readonly RuleDecision[], decisions: () => Promise.resolve(plane.says) }
  const counted: string[] = []
  const hits = new RuleHits({
    plane,
    ruleSets: { isEmpty: of.isEmpty ?? false, get: (name) => (name === `vni-${vni}-3` ? set : undefined) },
    clock,
    log: silentLog(),
    meter: { decided: (outcome, { tier, direction }, packets) => void counted.push(`${outcome} ${tier} ${direction} ${packets}`) },
  })
  const read = (...says: readonly RuleDecision[]): Promise<void> => {
    plane.says = says
    return hits.read(signal)
  }
  return { clock, counted, hits, read }
}

test('what grew since the last look is counted, by what its rule does with it, and not what was there before the first', async () => {
  const { counted, read } = opened()
  await read(decision(0, 100), decision(undefined, 5))
  assert.deepEqual(counted, [])
  await read(decision(0, 103), decision(undefined, 5), decision(1, 2), decision(2, 9))
  assert.deepEqual(counted, ['denied unified egress 3', 'audited unified ingress 2'], 'what is allowed is none of it')
  await read(decision(undefined, 7))
  assert.equal(counted.at(-1), 'denied unified ingress 2')
})

test('a flow that was put anew counts from nothing', async () => {
  const { counted, read } = opened()
  await read(decision(0, 100))
  await read(decision(0, 4))
  assert.deepEqual(counted, ['denied unified egress 4'])
})

test('of each item it is known when it was last seen to grow', async () => {
  const { clock, hits, read } = opened()
  await read(decision(2, 1))
  assert.equal(hits.lastUsed('flow-2'), undefined)
  clock.advance(10_000)
  await read(decision(2, 2))
  clock.advance(10_000)
  await read(decision(2, 2))
  assert.equal(hits.lastUsed('flow-2'), '2026-01-01T00:00:10.000Z')
  assert.equal(hits.lastUsed('flow-9'), undefined)
})

test('it looks now and then, and no more once it is stopped', async () => {
  const { clock, hits } = opened()
  const stop = new AbortController()
  let reads = 0
  hits.read = () => {
    reads++
    return Promise.resolve()
  }
  hits.start(stop.signal)
  for (let i = 0; i < 3; i++) {
    clock.advance(10_000)
    // The next is planned once the last has ended.
    await new Promise(setImmediate)
  }
  assert.equal(reads, 3)
  stop.abort()
  clock.advance(60_000)
  assert.equal(reads, 3)
})

test('of an item that several counters are of, the last of them counts', async () => {
  const { clock, hits, read } = opened()
  const of = (key: string, packets: number): RuleDecision => ({ ...decision(0, packets), key, shown: 'item' })
  await read(of('a', 1), of('b', 1))
  assert.equal(hits.lastUsed('item'), undefined)
  clock.advance(10_000)
  await read(of('a', 1), of('b', 2))
  const at = hits.lastUsed('item')
  clock.advance(10_000)
  await read(of('a', 1), of('b', 2))
  assert.equal(hits.lastUsed('item'), at)
  await read(of('a', 2), of('b', 2))
  assert.ok(hits.lastUsed('item')! > at!)
  assert.equal(hits.lastUsed('a'), undefined, 'it is no item')
})
