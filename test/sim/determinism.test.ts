// A seed says everything: what happens, in which order, and when.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { caseOf } from './case.ts'
import { runCase } from './run.ts'

test('the same seed gives the same trace, byte for byte', async () => {
  for (const seed of [7, 8, 9]) {
    const [first, second] = [await runCase(caseOf(seed)), await runCase(caseOf(seed))]
    assert.ok(first.trace.length > 100)
    assert.equal(second.trace.join('\n'), first.trace.join('\n'))
  }
})

test('a case that is written down and read again is the same case', async () => {
  const given = caseOf(11)
  const [first, second] = [await runCase(given), await runCase(JSON.parse(JSON.stringify(given)) as typeof given)]
  assert.equal(second.trace.join('\n'), first.trace.join('\n'))
})

test('nobody takes time, chance, files or sockets by himself', async () => {
  const { failure } = await runCase(caseOf(15), { guarded: true })
  assert.equal(failure, undefined)
})

test('another seed is another case', () => {
  assert.notDeepEqual(caseOf(1).happenings, caseOf(2).happenings)
})
