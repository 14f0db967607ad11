import { test } from 'node:test'
import assert from 'node:assert/strict'
import { Fingerprints } from '../../core/fingerprints.ts'
import type { Item } from '../../core/node/item.ts'
import { NodeComparison } from '../../core/plan/node/comparison.ts'

const of = { kind: 'Node', name: 'n1' } as const
const item = (key: string, text: string): Item<string> => ({ key, text, value: text, because: { rule: 'a test', of } })
const itemOf = item

/** What there is after a change. */
function after(
  seen: ReadonlyMap<string, string>,
  wanted: readonly Item<string>[],
  whole: boolean,
  owed?: ReadonlySet<string>,
): Map<string, string> {
  const comparison = new NodeComparison<string>({ itemOf, of, whole, ...(owed && { owed }) })
  for (const each of wanted) comparison.want(each)
  for (const [key, text] of seen) comparison.see(key, text)
  const there = new Map(seen)
  for (const { drop, put } of comparison.changes(() => wanted, 3)) {
    for (const { key, text } of drop) assert.equal(seen.get(key), text)
    for (const { key } of drop) there.delete(key)
    for (const { key, text } of put) there.set(key, text)
  }
  return there
}

/** Repeatable, in [0, most). */
function drawing(seed: number): (most: number) => number {
  let state = seed
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * most)
  }
}

test('whatever is there, what is wanted is there afterwards, and nothing else', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const draw = drawing(seed)
    const some = (): Map<string, string> => new Map(Array.from({ length: draw(40) }, () => [`key ${draw(50)}`, `text ${draw(3)}`]))
    const [seen, wanted] = [some(), some()]
    assert.deepEqual(
      new Map(
        [
          ...after(
            seen,
            [...wanted].map(([key, text]) => item(key, text)),
            true,
          ),
        ].sort(),
      ),
      new Map([...wanted].sort()),
    )
  }
})

test('before every source has been heard only what is missing is put', () => {
  const there = after(
    new Map([
      ['a', 'bent'],
      ['strange', 'x'],
    ]),
    [item('a', 'right'), item('b', 'right')],
    false,
  )
  assert.deepEqual(
    [...there],
    [
      ['a', 'bent'],
      ['strange', 'x'],
      ['b', 'right'],
    ],
  )
})

test('and what a change was to take away or replace before is', () => {
  const seen = new Map([
    ['a', 'bent'],
    ['b', 'bent'],
    ['strange', 'x'],
    ['revoked', 'x'],
  ])
  assert.deepEqual(
    [...after(seen, [item('a', 'right'), item('b', 'right')], false, new Set(['b', 'revoked', 'not there']))],
    [
      ['a', 'bent'],
      ['strange', 'x'],
      ['b', 'right'],
    ],
  )
})

test('a port of the node itself that is otherwise is put right before every source has been heard, and none is taken away', () => {
  const comparison = new NodeComparison<string>({ itemOf, of, whole: false, isOwn: (key) => key.startsWith('port') })
  const wanted = [item('port a', 'right'), item('port b', 'right'), item('flow', 'right')]
  for (const each of wanted) comparison.want(each)
  for (const [key, text] of [
    ['port a', 'bent'],
    ['port b', 'right'],
    ['port strange', 'x'],
    ['flow', 'bent'],
  ] as const)
    comparison.see(key, text)
  assert.deepEqual([...comparison.changes(() => wanted, 10)], [{ drop: [item('port a', 'bent')], put: [item('port a', 'right')] }])
})

test('where all is right nothing is asked for a second time', () => {
  const comparison = new NodeComparison<string>({ itemOf, of, whole: true })
  for (const key of ['a', 'b']) comparison.want(item(key, 'right'))
  for (const key of ['a', 'b', 'a']) comparison.see(key, 'right')
  const changes = [...comparison.changes(() => assert.fail('it was rendered once more'), 10)]
  assert.deepEqual(changes, [])
})

test('what came to be wanted only after it was said is left alone', () => {
  const comparison = new NodeComparison<string>({ itemOf, of, whole: true })
  comparison.want(item('a', 'right'))
  const changes = [...comparison.changes(() => [item('a', 'right'), item('new', 'right')], 10)]
  assert.deepEqual(
    changes.flatMap(({ put }) => put.map(({ key }) => key)),
    ['a'],
  )
})

test('a hundred thousand keys that differ little are told apart', () => {
  const table = new Fingerprints()
  const keys = Array.from({ length: 100_000 }, (_, i) => `flow/40/100/reg0=5000,reg4=10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`)
  for (const key of keys) table.add(key, key)
  assert.equal(table.size, keys.length)
  assert.ok(keys.every((key) => table.see(key, key)?.state === 'right'))
  assert.equal(table.see('flow/41', 'x'), undefined)
  assert.deepEqual(table.see(keys[5]!, 'x'), { before: 'right', state: 'wrong' })
  table.awaitAll()
  assert.deepEqual(table.see(keys[5]!, keys[5]!), { before: 'awaited', state: 'right' })
})
