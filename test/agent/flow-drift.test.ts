// The number of a bridge's flows against what we have made of it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turnOfEvents } from 'node:timers/promises'
import { FlowDrift } from '../../agent/ovs/openflow/flow-drift.ts'
import { ours } from '../../core/pipeline/cookie.ts'
import type { Flow } from '../../core/pipeline/openflow/flow.ts'
import { TurnedClock } from '../../platform/clock.ts'

const flow = (table: number): Flow => ({ table, priority: 100, cookie: ours.value, match: [], actions: [] })

test('a change of ours that loses more than it was to drop, or puts less than it was to, is noticed as if others had done it', async () => {
  const clock = new TurnedClock()
  const there = new Map([
    [10, 5],
    [20, 3],
  ])
  let woken = 0
  const drift = new FlowDrift(clock, () => woken++)
  const channel = { counts: () => Promise.resolve(new Map(there)) }
  const change = async (fresh: readonly Flow[], gone: readonly Flow[], after: Readonly<Record<number, number>>): Promise<number> => {
    const before = woken
    await drift.ourOwn(channel, { fresh, gone }, () => {
      for (const [table, count] of Object.entries(after)) there.set(Number(table), count)
      return Promise.resolve()
    })
    await turnOfEvents()
    return woken - before
  }
  assert.equal(await change([], [], {}), 0, 'what is there at first is not known')
  assert.equal(await change([flow(10), flow(20)], [], { 10: 6, 20: 4 }), 0)
  assert.equal(await change([flow(30)], [flow(10)], { 10: 5, 30: 1 }), 0)
  assert.equal(await change([], [flow(10)], { 10: 3 }), 1, 'one more was lost')
  assert.equal(await change([flow(10)], [], {}), 1, 'it was not put')
  assert.equal(await change([], [], {}), 0, 'it is told once')
  await assert.rejects(
    drift.ourOwn(channel, { fresh: [], gone: [] }, () => Promise.reject(new Error('half of it'))),
    /half of it/,
  )
  assert.equal(woken, 2, 'whoever failed is looked after by who asked')
  drift.close()
})
