// A redis-server of our own that ends by itself.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { TurnedClock } from '../../platform/clock.ts'
import { silentLog } from '../../platform/log.ts'
import { revive } from '../../platform/redis-server/revive.ts'
import type { RedisServer } from '../../platform/redis-server.ts'

interface Fake extends RedisServer {
  end(): void
  stopped: boolean
}

function fake(pid: number): Fake {
  const { promise: ended, resolve } = Promise.withResolvers<number>()
  const server: Fake = {
    socket: '/nowhere',
    pid,
    ended,
    stopped: false,
    end: () => resolve(137),
    stop: async () => {
      server.stopped = true
      resolve(0)
    },
  }
  return server
}

/** @param starts whether the next start succeeds */
function cluster(starts: () => boolean) {
  const clock = new TurnedClock()
  const made: Fake[] = [fake(0)]
  const reasons: string[] = []
  const start = (): Promise<RedisServer | { readonly missing: string }> => {
    if (!starts()) return Promise.resolve({ missing: 'unusable' })
    made.push(fake(made.length))
    return Promise.resolve(made.at(-1)!)
  }
  const revived = revive(made[0]!, { start, giveUp: (reason) => reasons.push(reason), clock, random: () => 0.5, log: silentLog() })
  const pass = async (ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= 100) {
      for (let i = 0; i < 5; i++) await turn()
      clock.advance(100)
    }
    for (let i = 0; i < 5; i++) await turn()
  }
  return { made, reasons, revived, pass }
}

test('is started anew each time, however often, where it runs for a while in between', async () => {
  const { made, reasons, revived, pass } = cluster(() => true)
  for (let i = 0; i < 12; i++) {
    await pass(31_000)
    made.at(-1)!.end()
    await pass(1_000)
    assert.equal(made.length, i + 2)
  }
  assert.deepEqual(reasons, [])
  await revived.stop()
  assert.equal(made.at(-1)!.stopped, true)
})

test('is given up, once and with the reason, where it cannot be started', async () => {
  const { made, reasons, revived, pass } = cluster(() => false)
  made[0]!.end()
  await pass(60_000)
  assert.deepEqual([reasons, made.length], [['unusable'], 1])
  await revived.stop()
})

test('is given up where it ends again and again at once, and none is left running', async () => {
  const { made, reasons, revived, pass } = cluster(() => true)
  for (let i = 0; i < 20; i++) {
    made.at(-1)!.end()
    await pass(6_000)
  }
  assert.deepEqual([reasons, made.length], [['it ended with 137'], 6])
  await revived.stop()
})

test('is not started anew once it is to stop', async () => {
  const { made, reasons, revived, pass } = cluster(() => true)
  made[0]!.end()
  await turn()
  await revived.stop()
  await pass(60_000)
  assert.deepEqual([reasons, made.length], [[], 1])
})
