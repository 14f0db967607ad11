// What goes wrong changes how a state is reached, and not which.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { caseOf } from './case.ts'
import { differenceOf } from './undisturbed.ts'

/** The same each time: who sees one fail has changed something. */
const seeds = [300, 301, 307]
const comparableLeast = 2

test('the same workload without faults ends in the same state', async () => {
  let compared = 0
  for (const seed of seeds) {
    const { comparable, differing } = await differenceOf(caseOf(seed))
    if (comparable) compared++
    assert.deepEqual([seed, differing], [seed, []])
  }
  assert.ok(compared >= comparableLeast, `only ${compared} of ${seeds.length} could be compared`)
})
