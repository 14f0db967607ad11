import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { fastify } from 'fastify'
import { TurnedClock } from '../../platform/clock.ts'
import { guard, TakenByItself } from '../sim/guard.ts'

/** Everything that a process can take by itself, each as somebody would write it. */
const takers: Readonly<Record<string, () => unknown>> = {
  'Date.now': () => Date.now(),
  'new Date()': () => new Date(),
  'performance.now': () => performance.now(),
  'process.hrtime.bigint': () => process.hrtime.bigint(),
  'Math.random': () => Math.random(),
  'crypto.randomUUID': () => randomUUID(),
  'globalThis.crypto.randomUUID': () => crypto.randomUUID(),
  'crypto.randomBytes': () => randomBytes(4),
  'globalThis.crypto.getRandomValues': () => crypto.getRandomValues(new Uint8Array(4)),
  'crypto.subtle.digest': () => crypto.subtle.digest('SHA-256', new Uint8Array(1)),
  'globalThis.setTimeout': () => setTimeout(() => undefined, 1),
  'globalThis.setInterval': () => setInterval(() => undefined, 1),
  'globalThis.setImmediate': () => setImmediate(() => undefined),
  'timers/promises.setTimeout': () => wait(1),
  'AbortSignal.timeout': () => AbortSignal.timeout(1),
  'fs.writeFileSync': () => writeFileSync('/nowhere/at/all', ''),
  'fs.promises.mkdir': () => mkdir('/nowhere/at/all'),
  'net.connect': () => connect(1),
  'net.Server.listen': () => createServer().listen(0),
  'globalThis.fetch': () => fetch('http://192.0.2.1'),
  'worker_threads.Worker': () => new Worker('', { eval: true }),
  'child_process.spawn': () => spawn('true'),
}

const simulated = (): { readonly clock: TurnedClock; readonly undo: () => void } => {
  const clock = new TurnedClock()
  return { clock, undo: guard({ now: () => clock.now(), random: () => 0.5, after: (ms, call) => clock.after(ms, call) }) }
}

test('whoever takes time, chance, timers, files, sockets, threads or programs by himself is named, by what and where', async () => {
  const { undo } = simulated()
  try {
    for (const [what, take] of Object.entries(takers)) {
      await assert.rejects(
        async () => {
          await take()
        },
        (err) =>
          err instanceof TakenByItself &&
          err.message.startsWith(`${what} was taken`) &&
          err.message.includes('test/platform/sim-guard.test.ts:'),
        what,
      )
    }
  } finally {
    undo()
  }
})

test("what is handed in, a date of a known time, and microtasks are nobody's business", async () => {
  const { undo } = simulated()
  try {
    assert.equal(new Date(0).toISOString(), '1970-01-01T00:00:00.000Z')
    assert.ok(new Date(0) instanceof Date)
    assert.equal(Date.parse('1970-01-01T00:00:01Z'), 1_000)
    await new Promise<void>((resolve) => queueMicrotask(resolve))
  } finally {
    undo()
  }
})

test('a server of Fastify answers under it, by the simulated clock', async () => {
  const { clock, undo } = simulated()
  try {
    const app = fastify()
    app.get('/', async (_request, reply) => ({ elapsed: reply.elapsedTime }))
    const answer = app.inject('/')
    const done = await answer
    assert.equal(done.statusCode, 200)
    assert.equal(clock.now(), Date.parse('2026-01-01T00:00:00Z'))
    await app.close()
  } finally {
    undo()
  }
})

test('afterwards all is as it was', () => {
  const before = [Date, globalThis.setTimeout, Math.random, fetch, randomUUID]
  simulated().undo()
  assert.deepEqual([Date, globalThis.setTimeout, Math.random, fetch, randomUUID], before)
  assert.ok(Math.abs(Date.now() - new Date().getTime()) < 1_000)
})
