import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import type { Reconcile, Queues, RunOptions, Runner, WorkQueue } from '../../core/contracts/queue.ts'
import { until } from '../setup/until.ts'

interface Harness {
  /** Queues that nobody else uses. */
  open(): Promise<Queues>
  readonly skip?: string | false
  /** How far the queue's clock may lag behind the real one when a key is added: the pump of a simulated one comes late when much runs. */
  readonly clockLagMs?: number
}

const never = 60_000

/** A door at which reconciles wait. */
export function door(): { readonly opened: Promise<void>; readonly open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: resolve }
}

/** What every queue keeps, whoever carries it. */
export function queueLaws(name: string, harness: Harness): void {
  describe(name, { skip: harness.skip ?? false }, () => {
    const { clockLagMs = 0 } = harness
    let queues: Queues
    let queue: WorkQueue
    let opened = 0
    let runners: Runner[] = []

    before(async () => {
      queues = await harness.open()
      await until(() => queues.problem() === undefined, 'the queues are ready')
    })
    after(() => queues.close())

    /** A new queue for each test, whose runners end with it. */
    function law(sentence: string, body: () => Promise<void>): void {
      test(sentence, async () => {
        opened += 1
        queue = queues.open(`law-${opened}`)
        try {
          await body()
        } finally {
          await Promise.all(runners.map((runner) => runner.close()))
          runners = []
        }
      })
    }

    async function run(reconcile: Reconcile, options: Partial<RunOptions> = {}): Promise<Runner> {
      const runner = await queue.run(reconcile, { concurrency: 10, retryAfterMs: () => never, ...options })
      runners.push(runner)
      return runner
    }

    /** Runs, and writes down which keys were looked at. */
    async function record(reconcile: Reconcile = () => Promise.resolve(undefined), options: Partial<RunOptions> = {}): Promise<string[]> {
      const seen: string[] = []
      await run((key, signal) => {
        seen.push(key)
        return reconcile(key, signal)
      }, options)
      return seen
    }

    const count = (seen: readonly string[], key: string) => seen.filter((each) => each === key).length

    /** Until the queue has looked at a key that was added `ms` from now. */
    async function later(seen: readonly string[], ms: number): Promise<void> {
      await queue.add('marker', ms)
      await until(() => seen.includes('marker'), 'the marker is looked at')
    }

    law('a key that is added again while it waits is looked at once', async () => {
      for (let i = 0; i < 10; i++) await Promise.all([queue.add('a'), queue.add('b'), queue.add('a')])
      const seen = await record()
      await later(seen, 50)
      assert.deepEqual(seen.toSorted(), ['a', 'b', 'marker'])
    })

    law('a key that is added while it is looked at is looked at once more afterwards', async () => {
      const gate = door()
      const seen = await record((key) =>
        key === 'a' && count(seen, 'a') === 1 ? gate.opened.then(() => undefined) : Promise.resolve(undefined),
      )
      await queue.add('a')
      await until(() => seen.length === 1, 'the reconcile is under way')
      for (let i = 0; i < 5; i++) await queue.add('a')
      gate.open()
      await until(() => count(seen, 'a') === 2, 'it is looked at again')
      await later(seen, 50)
      assert.equal(count(seen, 'a'), 2)
    })

    law('no more reconciles than were asked for are under way at once, and as many as that', async () => {
      const gate = door()
      let under = 0
      let most = 0
      const seen = await record(
        async () => {
          most = Math.max(most, ++under)
          await gate.opened
          under -= 1
          return undefined
        },
        { concurrency: 3 },
      )
      for (const key of ['a', 'b', 'c', 'd', 'e']) await queue.add(key)
      await until(() => under === 3, 'three reconciles are under way')
      gate.open()
      await until(() => seen.length === 5, 'all are looked at')
      assert.equal(most, 3)
    })

    law('a key that is added for later is looked at then, and not before', async () => {
      const start = performance.now()
      await queue.add('late', 300)
      await queue.add('now')
      const seen = await record()
      await until(() => seen.length === 2, 'both are looked at')
      assert.deepEqual(seen, ['now', 'late'])
      assert.ok(performance.now() - start >= 299, `${performance.now() - start} ms`)
    })

    law('of two adds for later the earlier wins, whichever came first', async () => {
      await queue.add('a', never)
      await queue.add('a', 50)
      await queue.add('b', 50)
      await queue.add('b', never)
      const seen = await record()
      await until(() => seen.includes('a') && seen.includes('b'), 'both are looked at')
    })

    law('an add for now takes the place of one for later', async () => {
      await queue.add('a', 300)
      await queue.add('a')
      const seen = await record()
      await until(() => seen.length === 1, 'it is looked at')
      await later(seen, 400)
      assert.equal(count(seen, 'a'), 1)
    })

    law('an add for later while a key waits changes nothing', async () => {
      await queue.add('a')
      await queue.add('a', 100)
      const seen = await record()
      await until(() => seen.length === 1, 'it is looked at')
      await later(seen, 300)
      assert.equal(count(seen, 'a'), 1)
    })

    for (const [sentence, first, second] of [
      ['now, then for later', undefined, never],
      ['for later, then for now', never, undefined],
      ['for later, then sooner', never, 50],
    ] as const) {
      law(`of adds during a reconcile the earlier wins: ${sentence}`, async () => {
        const seen = await record(async (key) => {
          if (count(seen, key) > 1) return undefined
          await queue.add(key, first)
          await queue.add(key, second)
          return undefined
        })
        await queue.add('a')
        await until(() => count(seen, 'a') === 2, 'it is looked at again')
      })
    }

    law('a reconcile that returns a number is followed by another after so long', async () => {
      const at: number[] = []
      await queue.add('a')
      await run(() => {
        at.push(performance.now())
        return Promise.resolve(at.length < 3 ? 60 : undefined)
      })
      await until(() => at.length === 3, 'it has been looked at three times')
      for (const i of [1, 2]) assert.ok(at[i]! - at[i - 1]! >= 59, `${at[i]! - at[i - 1]!} ms`)
    })

    law('an add during a reconcile is not put off by the number that it returns', async () => {
      const seen = await record(async (key) => {
        if (count(seen, key) > 1) return undefined
        await queue.add(key)
        return never
      })
      await queue.add('a')
      await until(() => count(seen, 'a') === 2, 'it is looked at again')
    })

    law('an add after a reconcile is not put off by the number that it returned', async () => {
      const seen = await record(() => Promise.resolve(never))
      await queue.add('a')
      await until(() => seen.length === 1, 'it is looked at')
      await until(async () => (await queue.depth()) === 0, 'it waits for later')
      await queue.add('a')
      await until(() => seen.length === 2, 'it is looked at again')
    })

    law('a failed reconcile is tried again, the waits asked for by attempt, and counted from one again after a success', async () => {
      const problems: [string, string, number][] = []
      const asked: number[] = []
      let reconciles = 0
      await run(
        () => {
          reconciles += 1
          // The third reconcile succeeds, and asks for more.
          return reconciles === 3
            ? Promise.resolve(1)
            : reconciles > 4
              ? Promise.resolve(undefined)
              : Promise.reject(new Error(`reconcile ${reconciles}`))
        },
        {
          retryAfterMs: (_, attempt) => asked.push(attempt) && 5,
          onProblem: (key, err, attempt) => problems.push([key, (err as Error).message, attempt]),
        },
      )
      await queue.add('a')
      await until(() => reconciles === 5, 'it is tried until it succeeds')
      assert.deepEqual(asked, [1, 2, 1])
      assert.deepEqual(problems, [
        ['a', 'reconcile 1', 1],
        ['a', 'reconcile 2', 2],
        ['a', 'reconcile 4', 1],
      ])
    })

    law('an add while a key waits for its next try brings the try forward', async () => {
      const seen = await record((key) => (count(seen, key) === 1 ? Promise.reject(new Error('first')) : Promise.resolve(undefined)))
      await queue.add('a')
      await until(() => seen.length === 1, 'it has been tried')
      await until(async () => (await queue.depth()) === 0, 'it waits for its next try')
      await queue.add('a')
      await until(() => seen.length === 2, 'it is tried again')
    })

    law('an add during a reconcile that fails is not put off by the wait for its next try', async () => {
      const seen = await record(async (key) => {
        if (count(seen, key) > 1) return undefined
        await queue.add(key)
        throw new Error('first')
      })
      await queue.add('a')
      await until(() => seen.length === 2, 'it is looked at again')
    })

    law('closing a runner waits for what is being reconciled and starts no more; the next runner goes on', async () => {
      const gate = door()
      let ended = false
      const started: string[] = []
      const runner = await run(
        async (key) => {
          started.push(key)
          await gate.opened
          ended = true
          return undefined
        },
        { concurrency: 1 },
      )
      await queue.add('a')
      await until(() => started.length === 1, 'a reconcile is under way')
      await queue.add('b')
      const closed = runner.close().then(() => assert.ok(ended, 'the reconcile had ended'))
      await turn()
      gate.open()
      await closed
      assert.deepEqual(started, ['a'])
      const seen = await record()
      await until(() => seen.includes('b'), 'the next runner reconciles the rest')
      assert.ok(!seen.includes('a'))
    })

    law('every key comes back as it was given, and none is taken for another', async () => {
      const keys = ['7', 'Port:blue/web-0', 'Port/blue/web-0', '{Port}', 'a:b', 'a%3Ab', 'a%b', 'ü', ' ', 'k7', 'x'.repeat(600)]
      for (const key of keys) await queue.add(key)
      const seen = await record()
      await until(() => seen.length === keys.length, 'all are looked at')
      assert.deepEqual(seen.toSorted(), keys.toSorted())
    })

    law('queues of different names share nothing', async () => {
      const other = queues.open(`${opened}-other`)
      await queue.add('a')
      await other.add('b')
      const seen = await record()
      await later(seen, 20)
      assert.deepEqual(seen, ['a', 'marker'])
      assert.equal(await other.depth(), 1)
    })

    law('the depth is what waits and what is looked at', async () => {
      const gate = door()
      const seen = await record(() => gate.opened.then(() => undefined), { concurrency: 1 })
      for (const key of ['a', 'b', 'c', 'a']) await queue.add(key)
      await queue.add('later', never)
      await until(() => seen.length === 1, 'one is looked at')
      assert.equal(await queue.depth(), 3)
      gate.open()
      await until(async () => (await queue.depth()) === 0, 'nothing is left')
    })

    law('a key that is taken is told with how long it has waited since it was due', async () => {
      const waits = new Map<string, number>()
      const began = performance.now()
      await queue.add('at-once')
      await queue.add('later', 50)
      await wait(100)
      const seen = await record(() => Promise.resolve(undefined), { onTaken: (key, waitedMs) => void waits.set(key, waitedMs) })
      await until(() => seen.length === 2, 'both are looked at')
      const most = performance.now() - began
      const [atOnce, due] = [waits.get('at-once') ?? NaN, waits.get('later') ?? NaN]
      // Nobody waits longer than the test has run, or, save for rounding, less than from being due until somebody came.
      assert.ok(atOnce >= 98 && atOnce <= most + 2 + clockLagMs, `${atOnce} ms`)
      assert.ok(due >= 0 && due <= most - 48 + clockLagMs, `${due} ms`)
    })

    law('of 5,000 adds over 20 keys no two reconciles of a key overlap, and the last of each sees its last state', async () => {
      const keys = Array.from({ length: 20 }, (_, i) => `key ${i}`)
      const state = new Map(keys.map((key) => [key, 0]))
      const seen = new Map<string, number>()
      const under = new Set<string>()
      let overlaps = 0
      let reconciles = 0
      const reconcile: Reconcile = async (key) => {
        if (under.has(key)) overlaps += 1
        under.add(key)
        const now = state.get(key)!
        await wait(reconciles++ % 3)
        seen.set(key, now)
        under.delete(key)
        return undefined
      }
      // Two runners, as in two processes that share the work.
      await run(reconcile, { concurrency: 25 })
      await run(reconcile, { concurrency: 25 })
      const adders = Array.from({ length: 50 }, async (_, adder) => {
        for (let i = 0; i < 100; i++) {
          const key = keys[(adder * 7 + i) % keys.length]!
          state.set(key, state.get(key)! + 1)
          await queue.add(key)
          if (i % 10 === 0) await wait(1)
        }
      })
      await Promise.all(adders)
      await until(async () => (await queue.depth()) === 0, 'nothing is left')
      assert.equal(overlaps, 0)
      assert.deepEqual([...seen].toSorted(), [...state].toSorted())
      assert.ok(reconciles < 5_000, `${reconciles} reconciles for 5,000 adds`)
    })
  })
}
