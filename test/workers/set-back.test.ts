// A clock that is set back an hour freezes nothing: what was to last a moment lasts a moment. Addresses that rest are in addresses.test.ts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Limits } from '../../platform/http/limits.ts'
import { remoteKeys } from '../../webhooks/plugins/keys.ts'
import { CircuitBreakers } from '../../workers/notify/pace/circuit-breakers.ts'
import { TurnedClock } from '../../platform/clock.ts'
import { setBackClock } from '../doubles/set-back-clock.ts'
import { openTestCluster } from './test-cluster.ts'

const hourMs = 3_600_000
test('a receiver that asked for half a minute is tried again after half a minute', () => {
  const clock = setBackClock()
  const gates = new CircuitBreakers({ firstMs: 500, maxMs: 1_000 }, () => undefined, clock)
  const to = { url: 'https://hooks.example/' }
  const asking = { key: 'queue', filed: 0 }
  assert.ok(gates.enterNow(to, asking))
  gates.leave(to, { kind: 'refused', status: 429, reason: 'busy', retryAfterMs: 30_000 } as never, clock.elapsed(), 0)
  clock.setBack(hourMs)
  clock.advance(29_000)
  assert.equal(gates.enterNow(to, asking), false)
  clock.advance(2_000)
  assert.ok(gates.enterNow(to, asking))
  gates.stop()
})

test('a caller that has used up its requests may send one again a moment later', () => {
  const clock = setBackClock()
  const limits = new Limits(1, clock)
  assert.deepEqual([limits.take('caller'), limits.take('caller'), limits.take('caller')], [true, true, false])
  clock.setBack(hourMs)
  clock.advance(1_000)
  assert.equal(limits.take('caller'), true)
})

test("an issuer's keys are asked for anew once they are old", async () => {
  const clock = setBackClock()
  let asked = 0
  const keys = remoteKeys({ issuer: 'https://issuer.example', keysUrl: 'https://issuer.example/keys' }, clock, () => {
    asked += 1
    return Promise.resolve({ keys: [] })
  })
  const use = (): Promise<unknown> => Promise.resolve(keys({ alg: 'RS256', kid: 'one' }, {} as never)).catch(() => undefined)
  await use()
  assert.equal(asked, 1)
  clock.setBack(hourMs)
  clock.advance(31_000)
  await use()
  assert.equal(asked, 2)
})

test('a lock whose holder is gone is swept once it has been missed for a minute', async () => {
  let backMs = 0
  class Clock extends TurnedClock {
    override now(): number {
      return super.now() - backMs
    }
  }
  const cluster = await openTestCluster({ clock: new Clock() })
  try {
    await cluster.make('SegmentLock', 'vni-7000', { vni: 7000, holder: { kind: 'Vpc', namespace: 'a', name: 'ghost', uid: 'gone' } })
    await cluster.advance(61_000)
    backMs = hourMs
    await cluster.advance(61_000)
    await cluster.advance(61_000)
    assert.equal(await cluster.get('SegmentLock', 'vni-7000'), undefined)
  } finally {
    await cluster.close()
  }
})
