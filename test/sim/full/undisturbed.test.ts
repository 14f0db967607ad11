// Fresh seeds each time: what goes wrong changes how a state is reached, and not which.
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { trials } from '../../setup/trials.ts'
import { caseOf } from '../case.ts'
import { differenceOf } from '../undisturbed.ts'

const wanted = trials(15)
/** Of 800 cases 295 could be compared when this was written. */
const triesLongest = wanted * 20

test(`of ${wanted} workloads each that was answered alike ends alike without faults`, async (t) => {
  const first = randomInt(2 ** 40)
  let compared = 0
  let seed = first
  for (; compared < wanted && seed < first + triesLongest; seed++) {
    const { comparable, differing } = await differenceOf(caseOf(seed))
    if (comparable) compared++
    assert.equal(differing.length, 0, `seed ${seed}: ${JSON.stringify(differing)}`)
  }
  t.diagnostic(`${seed - first} seeds from ${first}, ${compared} compared`)
  assert.equal(compared, wanted)
})
