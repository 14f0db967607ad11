// What is remembered of how long neighbours' BFD takes to miss the node's daemon.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MissedAfter } from '../../agent/bgp/missed-after.ts'

test('it is as settled last; with whom there is no BFD any more misses the daemon as late as before, and then never', () => {
  const missedAfter = new MissedAfter()
  missedAfter.take(new Map([['192.0.2.1', 6_000]]), 0)
  missedAfter.take(new Map([['192.0.2.1', 3_000]]), 1_000)
  assert.deepEqual([missedAfter.msOf('192.0.2.1'), missedAfter.msOf('192.0.2.2')], [3_000, 0])
  missedAfter.take(new Map(), 4_100)
  assert.equal(missedAfter.msOf('192.0.2.1'), 3_000, 'it may miss it still')
  missedAfter.take(new Map(), 4_200)
  assert.equal(missedAfter.msOf('192.0.2.1'), 0)
})
