import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { maglevTable, slotCount } from '../../core/routing/maglev.ts'

const names = (count: number): readonly string[] => Array.from({ length: count }, (_, i) => `web-${i}.eth0`)
const shares = (table: readonly string[]): readonly number[] => [...Map.groupBy(table, (name) => name).values()].map(({ length }) => length)

describe('a table of slots', () => {
  test('is full, as even as it can be but for one slot each, and the order of its members is no matter', () => {
    for (const count of [1, 2, 3, 7, 10, 50, 250]) {
      const table = maglevTable(names(count))
      assert.equal(table.length, slotCount)
      const of = shares(table)
      assert.equal(of.length, count)
      assert.ok(Math.max(...of) - Math.min(...of) <= 1, of.join(' '))
      assert.deepEqual(maglevTable(names(count).toReversed()), table)
    }
    assert.deepEqual(maglevTable([]), [])
    assert.equal(new Set(maglevTable(names(300))).size, slotCount, 'of more than there are slots some have none')
  })

  test('keeps nearly every slot of those that stay when one goes or comes', () => {
    for (const count of [2, 5, 10, 20]) {
      const table = maglevTable(names(count))
      for (const gone of names(count)) {
        const after = maglevTable(names(count).filter((each) => each !== gone))
        const moved = table.filter((name, slot) => name !== gone && after[slot] !== name).length
        // Eisenbud et al., section 5.3: with a small table few more than the share of the one that goes.
        assert.ok(moved <= slotCount / count + slotCount * 0.1, `${moved} of ${slotCount} others moved, of ${count}`)
      }
    }
  })

  test('of one member has it in every slot', () => assert.deepEqual(new Set(maglevTable(['only'])), new Set(['only'])))
})
