import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { Queues, WorkQueue } from '../../core/contracts/queue.ts'
import { realClock } from '../../platform/clock.ts'
import { silentLog } from '../../platform/log.ts'
import { openQueues } from '../../platform/queue/index.ts'
import { startRedisServer } from '../../platform/redis-server.ts'
import type { RedisServer } from '../../platform/redis-server.ts'
import { redisSkip } from '../setup/redis.ts'
import { trials } from '../setup/trials.ts'
import { until } from '../setup/until.ts'

const pick = <T>(from: readonly T[]): T => from[Math.floor(Math.random() * from.length)]!

/** Runs until it is stopped: things that go wrong with a Redis. */
class Weather {
  readonly happened: string[] = []
  server: RedisServer
  readonly #folder: string
  #calm = false

  constructor(server: RedisServer, folder: string) {
    this.server = server
    this.#folder = folder
  }

  async storm(): Promise<void> {
    while (!this.#calm) {
      await wait(100 + Math.random() * 400)
      const fault = pick(['flush', 'cut', 'forget', 'kill'] as const)
      this.happened.push(fault)
      await this[fault]()
    }
  }

  calm(): void {
    this.#calm = true
  }

  flush(): void {
    this.#say('FLUSHALL')
  }

  /** Every connection is cut. */
  cut(): void {
    this.#say('CLIENT', 'KILL', 'TYPE', 'normal')
  }

  forget(): void {
    this.#say('SCRIPT', 'FLUSH')
  }

  async kill(): Promise<void> {
    process.kill(this.server.pid, 'SIGKILL')
    await this.server.stop()
    const server = await startRedisServer({ folder: this.#folder, install: false })
    assert.ok('socket' in server, JSON.stringify(server))
    this.server = server
  }

  /** By a program of its own, which has no connection that could be cut while it is needed. */
  #say(...words: string[]): void {
    spawnSync('redis-cli', ['-s', this.server.socket, ...words], { stdio: 'ignore' })
  }
}

test('whatever befalls Redis, the last state of every key is seen', { skip: redisSkip }, async () => {
  for (let trial = 0; trial < trials(10); trial++) await survive()
})

async function survive(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'megrez-chaos-'))
  const started = await startRedisServer({ folder, install: false })
  assert.ok('socket' in started, JSON.stringify(started))
  const weather = new Weather(started, folder)
  const keys = Array.from({ length: 40 }, (_, i) => `key ${i}`)
  const state = new Map(keys.map((key) => [key, 0]))
  const seen = new Map<string, number>()
  const processes: Queues[] = []
  const queues: WorkQueue[] = []
  try {
    for (let i = 0; i < 2; i++) {
      const each = openQueues({ redis: started.socket, prefix: 'chaos', log: silentLog(), clock: realClock })
      processes.push(each)
      const queue = each.open('keys')
      queues.push(queue)
      each.onLoss(() => void Promise.all(keys.map((key) => insist(queue, key))))
      await until(() => each.problem() === undefined, 'the queues are ready')
      await queue.run(
        async (key) => {
          const now = state.get(key)!
          await wait(Math.random() * 5)
          if (Math.random() < 0.1) throw new Error('bad luck')
          // An older look that was held up must not hide a newer one.
          seen.set(key, Math.max(now, seen.get(key) ?? 0))
          return Math.random() < 0.1 ? 50 : undefined
        },
        { concurrency: 5, retryAfterMs: () => 20 },
      )
    }
    const storm = weather.storm()
    const until5s = Date.now() + 5_000
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        while (Date.now() < until5s) {
          const key = pick(keys)
          state.set(key, state.get(key)! + 1)
          await insist(pick(queues), key, Math.random() < 0.2 ? 30 : 0)
        }
      }),
    )
    weather.calm()
    await storm
    await until(
      () => keys.every((key) => (seen.get(key) ?? 0) === state.get(key)),
      `the last state of every key is seen after ${weather.happened.join(', ')}`,
      30_000,
    )
  } finally {
    weather.calm()
    await Promise.all(processes.map((each) => each.close()))
    await weather.server.stop()
    await rm(folder, { recursive: true })
  }
}

/** Adds, again until it is taken. */
async function insist(queue: WorkQueue, key: string, afterMs = 0): Promise<void> {
  while (true) {
    try {
      return await queue.add(key, afterMs)
    } catch {
      await wait(20)
    }
  }
}
