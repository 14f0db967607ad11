// Workers and dispatcher on one store, as one process has them, with Subscriptions made as people make them.
import { callbackCredentialsLabel } from '../../core/kinds/annotations.ts'
import { finalizersFor } from '../../core/admit/object/finalizers.ts'
import { withDefaults } from '../../core/admit/object/schema.ts'
import type { Queues } from '../../core/contracts/queue.ts'
import { refOf, type Kind, type Resource, type SpecOf } from '../../core/kinds/index.ts'
import { openCaches, type Caches } from '../../platform/cache/caches.ts'
import { realClock, type Clock } from '../../platform/clock.ts'
import { readConfig, type Config } from '../../platform/config.ts'
import { silentLog } from '../../platform/log.ts'
import { makeMetrics, type Metrics } from '../../platform/metrics.ts'
import { openQueues } from '../../platform/queue/index.ts'
import { SqliteStore } from '../../platform/store/sqlite.ts'
import { startDispatcher } from '../../workers/notify/start-dispatcher.ts'
import { startWorkers } from '../../workers/start.ts'
import { until } from '../setup/until.ts'
import { secret } from './notify-post.ts'
import { openReceiver, type Answer, type Receiver } from './notify-receiver.ts'

export interface SubscriptionClusterOptions {
  readonly config?: Partial<Config>
  readonly clock?: Clock
  readonly store?: SqliteStore
  readonly queues?: Queues
}

export interface SubscriptionCluster {
  readonly store: SqliteStore
  readonly caches: Caches
  readonly metrics: Metrics
  make<K extends Kind>(kind: K, key: string, spec: SpecOf<K>, labels?: Readonly<Record<string, string>>): Promise<Resource<K>>
  subscribe(key: string, spec: SpecOf<'Subscription'>): Promise<Resource<'Subscription'>>
  secret(key: string, values: Readonly<Record<string, string>>): Promise<Resource<'Secret'>>
  /** Its spec, changed. */
  change<K extends Kind>(item: Resource<K>, spec: Partial<SpecOf<K>>): Promise<Resource<K>>
  get<K extends Kind>(item: Resource<K>): Promise<Resource<K> | undefined>
  phase(item: Resource, phase: string): Promise<void>
  left(): Promise<readonly Resource<'Notice'>[]>
  close(): Promise<void>
}

/** `namespace/name`; `/name` is in none. */
function refOfKey(key: string): { readonly namespace?: string; readonly name: string } {
  const [namespace = '', name = ''] = key.split('/')
  return { name, ...(namespace !== '' && { namespace }) }
}

export async function openSubscriptionCluster({
  config: given,
  clock = realClock,
  store: of,
  queues: theirs,
}: SubscriptionClusterOptions = {}): Promise<SubscriptionCluster> {
  const store = of ?? SqliteStore.open(':memory:')
  const config = readConfig(
    {},
    { callbackAllow: ['127.0.0.0/8'], callbackHttp: true, callbackSecret: secret, callbackTimeoutMs: 5_000, ...given },
  )
  const log = silentLog()
  const stop = new AbortController()
  const caches = openCaches(store)
  await caches.start(stop.signal)
  const queues = theirs ?? openQueues({ clock, log })
  const deps = { store, caches, queues, config, clock, log, random: Math.random }
  const metrics = makeMetrics()
  const dispatcher = await startDispatcher({ ...deps, metrics, retry: { firstMs: 20, maxMs: 200 } })
  const workers = await startWorkers({ ...deps, metrics: metrics.set })
  const make: SubscriptionCluster['make'] = (kind, key, spec, labels) => {
    const finalizers = finalizersFor(kind, { metadata: {}, spec })
    return store.create({
      kind,
      metadata: { ...refOfKey(key), ...(finalizers.length > 0 && { finalizers }), ...(labels && { labels }) },
      spec,
    })
  }
  const phase: SubscriptionCluster['phase'] = (item, wanted) =>
    until(
      async () => ((await store.get(refOf(item)))?.status as { phase?: string } | undefined)?.phase === wanted,
      `${item.metadata.name} is ${wanted}`,
    )
  return {
    store,
    caches,
    metrics,
    make,
    phase,
    async subscribe(key, spec) {
      const whole = withDefaults('Subscription', {
        apiVersion: 'megrez.io/v1alpha1',
        kind: 'Subscription',
        metadata: refOfKey(key),
        spec,
      }) as unknown as Resource<'Subscription'>
      const made = await make('Subscription', key, whole.spec)
      await phase(made, 'ready')
      return (await store.get(refOf(made)))!
    },
    secret: (key, values) =>
      make(
        'Secret',
        key,
        { data: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Buffer.from(value).toString('base64')])) },
        { [callbackCredentialsLabel]: 'true' },
      ),
    async change(item, spec) {
      const there = (await store.get(refOf(item)))!
      return store.update({ ...there, spec: { ...there.spec, ...spec } })
    },
    get: (item) => store.get(refOf(item)),
    left: async () => (await store.list('Notice')).items,
    async close() {
      await workers.stop()
      await dispatcher.stop()
      stop.abort()
      if (theirs === undefined) await queues.close()
      if (of === undefined) await store.close()
    },
  }
}

/** With a whole and a receiver, both closed afterwards. */
export async function using(
  run: (whole: SubscriptionCluster, receiver: Receiver) => Promise<void>,
  { answer, ...options }: SubscriptionClusterOptions & { readonly answer?: Answer } = {},
): Promise<void> {
  const receiver = await openReceiver(answer === undefined ? {} : { answer })
  const whole = await openSubscriptionCluster(options)
  try {
    await run(whole, receiver)
  } finally {
    await whole.close()
    await receiver.close()
  }
}
