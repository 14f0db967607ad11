// What is promised of deliveries, at the size it is promised for: dispatchers cut off anywhere, a receiver that is down for an
// hour, very many Subscriptions of which some are dead. Receivers are in memory, and time is turned by hand.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Delivery, Notifier, Receipt } from '../../core/contracts/notifier.ts'
import type { Store } from '../../core/contracts/store.ts'
import { refOf, type Resource } from '../../core/kinds/index.ts'
import { noticeOf } from '../../core/plan/notify/notices.ts'
import { checkedOf } from '../../core/plan/notify/subscription.ts'
import { openCaches } from '../../platform/cache/caches.ts'
import { realClock, TurnedClock, type Clock } from '../../platform/clock.ts'
import { readConfig } from '../../platform/config.ts'
import { silentLog } from '../../platform/log.ts'
import { memoryQueues } from '../../platform/queue/memory.ts'
import { SqliteStore } from '../../platform/store/sqlite.ts'
import { startDispatcher } from '../../workers/notify/start-dispatcher.ts'
import { trials } from '../setup/trials.ts'
import { until } from '../setup/until.ts'
import { seeded } from './test-cluster.ts'
import { makeVpc, changePhase } from './notify-post.ts'

const url = 'https://hooks.example.org/'
const accepted: Receipt = { kind: 'accepted', status: 204 }
const never = (): Promise<never> => new Promise(() => undefined)

/** A receiver of all that comes; what it answers may change. */
class Log implements Notifier {
  readonly heard: Delivery[] = []
  answer: (delivery: Delivery) => Receipt | Promise<Receipt> = () => accepted

  async send(delivery: Delivery): Promise<Receipt> {
    this.heard.push(delivery)
    return this.answer(delivery)
  }

  close(): Promise<void> {
    return Promise.resolve()
  }
}

interface Running {
  stop(): Promise<void>
  /** Leaves everything as it is: nothing more is read or written by it. */
  abandon(): void
}

async function run(store: Store, notifier: Notifier, clock: Clock = realClock): Promise<Running> {
  const following = new AbortController()
  const caches = openCaches(store)
  await caches.start(following.signal)
  const queues = memoryQueues({ log: silentLog(), clock })
  const dispatcher = await startDispatcher({
    store,
    caches,
    queues,
    clock,
    notifier,
    config: readConfig({}),
    log: silentLog(),
    random: seeded(5),
    retry: { firstMs: 500, maxMs: 300_000 },
  })
  return {
    abandon: () => following.abort(),
    async stop() {
      await dispatcher.stop()
      following.abort()
      await queues.close()
    },
  }
}

/** As if the process ended at the so many-th thing it did: before it was done, or just after, with nobody left to hear of it. */
function mortal(
  store: Store,
  log: Log,
  at: number,
  after: boolean,
): { readonly store: Store; readonly notifier: Notifier; readonly died: Promise<void> } {
  const { promise: died, resolve } = Promise.withResolvers<void>()
  let steps = 0
  let dead = false
  const cut = async <T>(doing: () => Promise<T>): Promise<T> => {
    if (dead) return never()
    if (++steps !== at) {
      const done = await doing()
      return dead ? never() : done
    }
    dead = true
    if (after) await doing()
    resolve()
    return never()
  }
  const mortalStore = new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      const call = value as (...args: unknown[]) => Promise<unknown>
      return name === 'get' || name === 'commit' ? (...args: unknown[]) => cut(() => call.apply(target, args)) : call.bind(target)
    },
  })
  return { store: mortalStore, notifier: { send: (delivery) => cut(() => log.send(delivery)), close: () => Promise.resolve() }, died }
}

const phases = ['pending', 'ready', 'error', 'ready'] as const

function holdsFor(heard: readonly Delivery[], count: number): void {
  const sequences = heard.map(({ sequence }) => sequence)
  assert.deepEqual(
    sequences,
    sequences.toSorted((a, b) => a - b),
    'none comes after a newer one',
  )
  assert.deepEqual(
    [...new Set(sequences)],
    Array.from({ length: count }, (_, i) => i + 1),
    'none is lost',
  )
  assert.equal(new Set(heard.map(({ id }) => id)).size, count, 'what comes again has the id it had')
}
const uidOf = ({ body }: Delivery): string => (JSON.parse(body) as Resource).metadata.uid

describe('deliveries', () => {
  test(`a dispatcher that is cut off at any of its steps, ${trials(1_000)} times, loses nothing, keeps the order and repeats under the same id`, async () => {
    const random = seeded(21)
    let cuts = 0
    let repeats = 0
    for (let trial = 0; cuts < trials(1_000); trial++) {
      const store = SqliteStore.open(':memory:')
      const log = new Log()
      const vpcs = await Promise.all(['a', 'b'].map((name) => makeVpc(store, name, url)))
      for (const phase of phases) await Promise.all(vpcs.map((vpc) => changePhase(store, vpc, phase)))
      const gone = async (): Promise<boolean> => (await store.list('Notice', { limit: 1 })).items.length === 0
      while (!(await gone())) {
        const { store: theirs, notifier, died } = mortal(store, log, 1 + Math.floor(random() * 16), random() < 0.5)
        const running = await run(theirs, notifier)
        const dead = await Promise.race([died.then(() => true), until(gone, 'all are told').then(() => false)])
        running.abandon()
        if (dead) cuts += 1
      }
      for (const vpc of vpcs)
        holdsFor(
          log.heard.filter((each) => uidOf(each) === vpc.metadata.uid),
          phases.length,
        )
      repeats += log.heard.length - vpcs.length * phases.length
      await store.close()
    }
    assert.ok(repeats > 0, 'some were sent again, so that the trial is one')
  })

  test(`a receiver that is down for an hour of ${trials(10_000)} changes gets every one of them, each object's in order`, async () => {
    const changes = trials(10_000)
    const clock = new TurnedClock(Date.now())
    const store = SqliteStore.open(':memory:')
    const log = new Log()
    log.answer = () => ({ kind: 'unreachable', reason: 'down' })
    const running = await run(store, log, clock)
    const objects = 50
    const vpcs = await Promise.all(Array.from({ length: objects }, (_, i) => makeVpc(store, `v${i}`, url)))
    const rounds = Math.ceil(changes / objects)
    for (let round = 0; round < rounds; round++) {
      await Promise.all(vpcs.map((vpc) => changePhase(store, vpc, round % 2 === 0 ? 'ready' : 'error', clock.now())))
      clock.advance(Math.ceil(3_600_000 / rounds))
      await new Promise((resolve) => setImmediate(resolve))
    }
    const tries = log.heard.length
    log.heard.length = 0
    log.answer = () => accepted
    await until(
      async () => {
        clock.advance(60_000)
        return (await store.list('Notice', { limit: 1 })).items.length === 0
      },
      'all is told',
      90_000,
    )
    for (const vpc of vpcs)
      holdsFor(
        log.heard.filter((each) => uidOf(each) === vpc.metadata.uid),
        rounds,
      )
    assert.ok(tries > 0 && tries < 1_000, `${tries} tries in an hour: it is left alone`)
    await running.stop()
    await store.close()
  })

  test(`of ${trials(10_000)} Subscriptions with 5 % dead, none that lives waits for more than twice the median`, async () => {
    const count = trials(10_000)
    const store = SqliteStore.open(':memory:')
    const log = new Log()
    const isDead = (i: number): boolean => i % 20 === 0
    await store.create({ kind: 'Secret', metadata: { namespace: 'megrez-system', name: 'copy' }, spec: { data: {} } })
    for (let i = 0; i < count; i++) await fileOne(store, i, `https://${isDead(i) ? 'dead' : 'live'}-${i}.example.org/`)
    const waits: number[] = []
    let sends = 0
    log.answer = async (delivery) => {
      sends += 1
      if (delivery.url.startsWith('https://dead')) {
        await new Promise((resolve) => setTimeout(resolve, 20))
        return { kind: 'slow', reason: 'dead' }
      }
      await new Promise((resolve) => setImmediate(resolve))
      waits.push(sends)
      return accepted
    }
    const running = await run(store, log)
    const living = Array.from({ length: count }, (_, i) => i).filter((i) => !isDead(i)).length
    await until(() => waits.length >= living, 'all that live are told', 100_000)
    const median = waits.toSorted((a, b) => a - b)[Math.floor(waits.length / 2)]!
    // Waiting is counted in sendings: the last of n that are all filed at once has waited for n, twice the median.
    assert.ok(Math.max(...waits) <= 2 * median * 1.1, `the longest wait was for ${Math.max(...waits)} sendings, the median ${median}`)
    await until(async () => (await store.list('Notice')).items.length <= count - living, 'what was taken is acknowledged')
    assert.equal((await store.list('Notice')).items.length, count - living, 'what is for the dead waits')
    await running.stop()
    await store.close()
  })
})

/** A Subscription of a namespace of its own, verified, and a change that it is to be told of. */
async function fileOne(store: SqliteStore, i: number, sink: string): Promise<void> {
  const namespace = `n${i}`
  const made = await store.create({ kind: 'Subscription', metadata: { namespace, name: 's' }, spec: { sink } })
  const subscription = await store.patchStatus(
    { ref: { kind: 'Subscription', namespace, name: 's' }, uid: made.metadata.uid },
    { report: { phase: 'ready' }, endpoint: { verified: checkedOf(made), credentials: 'copy' } },
  )
  const vpc = await store.create({ kind: 'Vpc', metadata: { namespace, name: 'v' }, spec: { provider: 'builtin' } })
  const status = { phase: 'ready' as const, sequence: 1 }
  const notice = noticeOf({ ...vpc, status }, { namespace: 'megrez-system', subscriptions: () => [subscription] }, Date.now())!
  await store.commit([notice, { do: 'patchStatus', ref: refOf(vpc), uid: vpc.metadata.uid, sections: { report: status } }])
}
