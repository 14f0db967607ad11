// A dispatcher on a store of its own, and objects whose phases a test changes as workers do: Notice and status in one commit.
import { finalizersFor } from '../../core/admit/object/finalizers.ts'
import { refOf, type Resource } from '../../core/kinds/index.ts'
import type { Phase } from '../../core/kinds/meta.ts'
import { deletedStateOf, noticeOf } from '../../core/plan/notify/notices.ts'
import { nextReport } from '../../core/plan/report.ts'
import type { Queues } from '../../core/contracts/queue.ts'
import type { Store } from '../../core/contracts/store.ts'
import { openCaches, type Cached } from '../../platform/cache/caches.ts'
import { realClock, type Clock } from '../../platform/clock.ts'
import { readConfig, type Config } from '../../platform/config.ts'
import { silentLog } from '../../platform/log.ts'
import { NamespaceSecrets, printSecret, readSecrets } from '../../platform/signing.ts'
import { memoryQueues } from '../../platform/queue/memory.ts'
import { SqliteStore } from '../../platform/store/sqlite.ts'
import { startDispatcher, type DispatcherOptions } from '../../workers/notify/start-dispatcher.ts'
import { until } from '../setup/until.ts'

/** What each namespace's is derived from. */
export const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
/** What callbacks of a namespace are signed with, one for each that is configured. */
export const secretsIn = (namespace: string, configured = secret): readonly string[] =>
  new NamespaceSecrets(readSecrets(configured), false).own(namespace).map(printSecret)
const settings = { namespace: 'megrez-system' }

export interface PostOptions extends Partial<Pick<DispatcherOptions, 'notifier' | 'retry' | 'random'>> {
  readonly store?: Store
  readonly queues?: Queues
  readonly config?: Partial<Config>
  readonly clock?: Clock
  /** As openCaches has it. */
  readonly only?: readonly Cached[]
}

export interface Post {
  readonly store: Store
  /** Notices that are still kept. */
  left(): Promise<readonly Resource<'Notice'>[]>
  /** Until every Notice has been sent or given up. */
  empty(withinMs?: number): Promise<void>
  /** Ends the dispatcher, not the store. */
  stop(): Promise<void>
}

export async function openPost(options: PostOptions = {}): Promise<Post> {
  const { store = SqliteStore.open(':memory:'), clock = realClock, config, queues: given, only, ...more } = options
  const queues = given ?? memoryQueues({ clock, log: silentLog() })
  const stopped = new AbortController()
  const caches = openCaches(store, { ...(only && { only }) })
  await caches.start(stopped.signal)
  const dispatcher = await startDispatcher({
    store,
    caches,
    queues,
    clock,
    config: readConfig(
      {},
      { callbackAllow: ['127.0.0.0/8', '::1/128'], callbackHttp: true, callbackSecret: secret, callbackTimeoutMs: 5_000, ...config },
    ),
    log: silentLog(),
    random: Math.random,
    retry: { firstMs: 20, maxMs: 200 },
    ...more,
  })
  const left = async () => (await store.list('Notice')).items
  return {
    store,
    left,
    empty: (withinMs) => until(async () => (await left()).length === 0, 'no Notice is left', withinMs),
    async stop() {
      await dispatcher.stop()
      stopped.abort()
      if (given === undefined) await queues.close()
    },
  }
}

export async function makeVpc(store: Store, name: string, callbackURL?: string, namespace = 'a'): Promise<Resource<'Vpc'>> {
  const spec = { provider: 'builtin' as const, ...(callbackURL === undefined ? {} : { callbackURL }) }
  const finalizers = finalizersFor('Vpc', { metadata: {}, spec }).filter((each) => each === 'megrez.io/notice')
  return await store.create({ kind: 'Vpc', metadata: { namespace, name, finalizers }, spec })
}

/** As a worker's pass: nothing when the phase is that already. */
export async function changePhase(store: Store, given: Resource<'Vpc'>, phase: Phase, now = Date.now()): Promise<void> {
  const item = (await store.get(refOf(given)))!
  const { report, phaseChanged } = nextReport(item.status ?? {}, { phase, reason: 'Test', message: phase }, item.metadata.generation, now)
  if (!phaseChanged) return
  const notice = noticeOf({ ...item, status: { ...item.status, ...report } }, settings, now)
  await store.commit([
    ...(notice === undefined ? [] : [notice]),
    { do: 'patchStatus', ref: refOf(item), uid: item.metadata.uid, sections: { report } },
  ])
}

/** As a worker lets an object go. */
export async function end(store: Store, given: Resource<'Vpc'>, now = Date.now()): Promise<void> {
  await store.delete(refOf(given))
  const item = (await store.get(refOf(given)))!
  const notice = noticeOf(deletedStateOf(item), settings, now)!
  await store.commit([notice, { do: 'removeFinalizer', ref: refOf(item), uid: item.metadata.uid, finalizer: 'megrez.io/notice' }])
}
