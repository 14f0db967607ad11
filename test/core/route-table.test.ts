import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tableOf } from '../../core/net/route-table.ts'

test('the route table of a group is a function of its name, above all that people number by hand', () => {
  const tables = ['edge', 'core', 'a'].map(tableOf)
  assert.deepEqual(tables, ['edge', 'core', 'a'].map(tableOf))
  assert.equal(new Set(tables).size, 3)
  for (const table of tables) assert.equal(table >>> 24, 0x4d)
})
