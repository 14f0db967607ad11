// What a watch has not told of is no reason to leave anybody untold: who asks is asked of the store.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Delivery, Notifier, Receipt } from '../../core/contracts/notifier.ts'
import type { WatchEvent } from '../../core/contracts/store.ts'
import { noticeFinalizer } from '../../core/kinds/annotations.ts'
import { keyOfItem, refOf, type Kind, type Resource, type SpecOf } from '../../core/kinds/index.ts'
import { noticeOf } from '../../core/plan/notify/notices.ts'
import { checkedOf } from '../../core/plan/notify/subscription.ts'
import { openCaches, type Caches } from '../../platform/cache/caches.ts'
import { realClock } from '../../platform/clock.ts'
import { readConfig } from '../../platform/config.ts'
import { silentLog } from '../../platform/log.ts'
import { memoryQueues } from '../../platform/queue/memory.ts'
import type { SqliteStore } from '../../platform/store/sqlite.ts'
import { startDispatcher } from '../../workers/notify/start-dispatcher.ts'
import { until } from '../setup/until.ts'
import { withHeldWatch } from './late-watch.ts'
import { using } from './subscriptions-test-cluster.ts'

const sink = 'https://hooks.example.org/'
const namespace = 'megrez-system'

/** Takes whatever comes. */
class Taking implements Notifier {
  readonly heard: Delivery[] = []
  send(delivery: Delivery): Promise<Receipt> {
    this.heard.push(delivery)
    return Promise.resolve({ kind: 'accepted', status: 204 })
  }
  close(): Promise<void> {
    return Promise.resolve()
  }
}

interface Late {
  readonly store: SqliteStore
  readonly heard: readonly Delivery[]
  readonly caches: Caches
  /** Lets the watches go on. */
  readonly letGo: () => void
  /** How often all Subscriptions were read. */
  readonly lists: () => number
  start(): Promise<void>
}

/** A dispatcher whose watches of these kinds tell of nothing that happens once it has started. */
async function late(kinds: readonly Kind[], run: (late: Late) => Promise<void>): Promise<void> {
  const { store, letGo } = withHeldWatch(...kinds)
  const following = new AbortController()
  const clock = realClock
  const queues = memoryQueues({ log: silentLog(), clock })
  const notifier = new Taking()
  const caches = openCaches(store)
  let lists = 0
  const list = store.list.bind(store)
  store.list = (kind, within) => {
    if (kind === 'Subscription') lists += 1
    return list(kind, within)
  }
  let stop = (): Promise<void> => Promise.resolve()
  try {
    await run({
      store,
      heard: notifier.heard,
      caches,
      letGo,
      lists: () => lists,
      async start() {
        await caches.start(following.signal)
        const dispatcher = await startDispatcher({
          store,
          caches,
          queues,
          clock,
          notifier,
          config: readConfig({}),
          log: silentLog(),
          random: () => 0.5,
          retry: { firstMs: 5, maxMs: 20 },
        })
        stop = () => dispatcher.stop()
      },
    })
  } finally {
    await stop()
    following.abort()
    await queues.close()
    await store.close()
  }
}

async function subscribed(store: SqliteStore, spec: Partial<SpecOf<'Subscription'>> = {}): Promise<Resource<'Subscription'>> {
  const made = await store.create({
    kind: 'Subscription',
    metadata: { namespace: 'a', name: 's' },
    spec: { sink, profile: 'eno', ...spec },
  })
  await store.create({ kind: 'Secret', metadata: { namespace, name: 'copy' }, spec: { data: {} } })
  return store.patchStatus({ ref: refOf(made), uid: made.metadata.uid }, { endpoint: { verified: checkedOf(made), credentials: 'copy' } })
}

/** What a watch begins with is one object as it was before. */
function beginsWith(store: SqliteStore, was: Resource): void {
  const watch = store.watch.bind(store)
  store.watch = async function* <K extends Kind>(...[kind, within, signal]: Parameters<typeof watch>): AsyncGenerator<WatchEvent<K>> {
    for await (const change of watch(kind as K, within, signal))
      yield kind === was.kind && change.type === 'all' ? { ...change, items: [was as Resource<K>] } : change
  }
}

/** An object at some sequence, each with its Notice. */
async function deliveriesOf(
  store: SqliteStore,
  name: string,
  sequences: readonly number[],
  { subscription, spec = { provider: 'builtin' } }: { readonly subscription?: Resource<'Subscription'>; readonly spec?: SpecOf<'Vpc'> },
): Promise<Resource<'Vpc'>> {
  let item = await store.create({ kind: 'Vpc', metadata: { namespace: 'a', name }, spec })
  for (const sequence of sequences) {
    const status = { phase: 'ready' as const, sequence }
    const notice = noticeOf(
      { ...item, status },
      { namespace, subscriptions: () => (subscription === undefined ? [] : [subscription]) },
      Date.now(),
    )
    await store.commit([notice!, { do: 'patchStatus', ref: refOf(item), uid: item.metadata.uid, sections: { report: status } }])
    item = (await store.get(refOf(item)))!
  }
  return item
}

const empty = (store: SqliteStore): Promise<void> =>
  until(async () => (await store.list('Notice')).items.length === 0, 'nothing is left', 5_000)
const sequences = (heard: readonly Delivery[]): readonly number[] => heard.map(({ sequence }) => sequence)

describe('a dispatcher whose watch is late', () => {
  test('tells a Subscription that it has not heard of yet', () =>
    late(['Subscription'], async ({ store, heard, start }) => {
      await start()
      await deliveriesOf(store, 'blue', [1, 2], { subscription: await subscribed(store) })
      await empty(store)
      assert.deepEqual(sequences(heard), [1, 2])
    }))

  test('tells nothing of an object before what it has not heard of yet, though a later Notice was read live', () =>
    late(['Notice'], async ({ store, heard, caches, letGo, start }) => {
      await start()
      await deliveriesOf(store, 'blue', [1, 2], { spec: { provider: 'builtin', callbackURL: sink } })
      const { items } = await store.list('Notice')
      for (const notice of items.filter(({ spec }) => spec.sequence === 2)) caches.Notice.learn(keyOfItem(notice), notice)
      await new Promise((resolve) => setTimeout(resolve, 100))
      assert.deepEqual(sequences(heard), [])
      letGo()
      await empty(store)
      assert.deepEqual(sequences(heard), [1, 2])
    }))

  test('tells one again that was changed since its sink had gone', () =>
    late(['Subscription'], async ({ store, heard, start }) => {
      const made = await subscribed(store)
      const { generation, uid } = made.metadata
      await store.patchStatus({ ref: refOf(made), uid }, { delivery: { goneAt: generation } })
      await start()
      const changed = await store.update({ ...(await store.get(refOf(made)))!, spec: { ...made.spec, keepSeconds: 1 } })
      await deliveriesOf(store, 'blue', [1], { subscription: changed })
      await until(() => heard.length === 1, 'it is told', 5_000)
    }))

  test('merges nothing for one that does not want that any more', () =>
    late(['Subscription'], async ({ store, heard, start }) => {
      const made = await subscribed(store, { merge: true })
      const changed = await store.update({ ...made, spec: { ...made.spec, merge: false } })
      beginsWith(store, made)
      await deliveriesOf(store, 'blue', [1, 2, 3], { subscription: changed })
      await start()
      await empty(store)
      assert.deepEqual(sequences(heard), [1, 2, 3])
    }))

  test("tells an object's own callbackURL that it has not heard of yet", () =>
    late(['Vpc'], async ({ store, heard, start }) => {
      const asking = await deliveriesOf(store, 'blue', [1], { spec: { provider: 'builtin', callbackURL: sink } })
      const { callbackURL: _, ...spec } = asking.spec
      const silent = await store.update({ ...asking, spec })
      beginsWith(store, silent)
      await store.update({ ...silent, spec: asking.spec })
      await start()
      await empty(store)
      assert.deepEqual(sequences(heard), [1])
    }))

  test('asks the store for all that wait at once, and not for each', () =>
    late([], async ({ store, heard, lists, start }) => {
      const made = await subscribed(store)
      for (let i = 0; i < 200; i++) await deliveriesOf(store, `blue-${i}`, [1], { subscription: made })
      await store.delete(refOf(made))
      const before = lists()
      await start()
      await empty(store)
      assert.equal(heard.length, 0)
      assert.ok(lists() - before <= 20, `${lists() - before} lists`)
    }))
})

describe('workers whose watch of Subscriptions is late', () => {
  test('tell of an object that is new, and of its end, although they have heard of nobody who asks', async () => {
    const { store } = withHeldWatch('Subscription')
    try {
      await using(
        async (whole, receiver) => {
          await subscribed(store, { sink: receiver.url })
          const blue = await whole.make('Vpc', 'a/blue', { provider: 'builtin' })
          await whole.phase(blue, 'ready')
          await store.delete(refOf(blue))
          await until(async () => (await whole.get(blue)) === undefined, 'it is gone')
          await empty(store)
          assert.deepEqual([receiver.taken[0]?.phase, receiver.taken.at(-1)?.phase], ['ready', 'deleted'])
        },
        { store },
      )
    } finally {
      await store.close()
    }
  })

  test('tell of the end of an object, and of its changes, where its finalizer says that somebody asks', async () => {
    const { store } = withHeldWatch('Subscription')
    try {
      await using(
        async (whole, receiver) => {
          await subscribed(store, { sink: receiver.url })
          const blue = await store.create({
            kind: 'Vpc',
            metadata: { namespace: 'a', name: 'blue', finalizers: [noticeFinalizer] },
            spec: { provider: 'builtin' },
          })
          await whole.phase(blue, 'ready')
          await store.delete(refOf(blue))
          await until(async () => (await whole.get(blue)) === undefined, 'it is gone')
          await empty(store)
          assert.deepEqual([receiver.taken[0]?.phase, receiver.taken.at(-1)?.phase], ['ready', 'deleted'])
        },
        { store },
      )
    } finally {
      await store.close()
    }
  })
})
