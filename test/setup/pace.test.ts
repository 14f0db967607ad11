import assert from 'node:assert/strict'
import { test } from 'node:test'
import { trialsAt } from './pace.ts'

test('a machine runs all random trials, or fewer than it is slower, and some however slow it is', () => {
  assert.deepEqual([0.8, 1, 1.1, 1.2, 1.5, 2, 3, 50].map(trialsAt), [1, 1, 1, 0.5, 0.2, 0.1, 0.1, 0.1])
})
