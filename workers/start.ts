// Starts the workers: a change of an object → keys of those who watch it → queue → the one loop.
import { backoffMs } from '../core/backoff.ts'
import type { NameLookup } from '../core/contracts/name-lookup.ts'
import type { Queues, Runner, WorkQueue } from '../core/contracts/queue.ts'
import type { Scales } from '../core/contracts/scales.ts'
import type { IdentityGiver, Store } from '../core/contracts/store.ts'
import { retryOf } from '../core/errors.ts'
import type { Caches } from '../platform/cache/caches.ts'
import type { Clock } from '../platform/clock.ts'
import type { Config } from '../platform/config.ts'
import { systemLookup } from '../platform/dns/lookup.ts'
import type { Log } from '../platform/log.ts'
import type { MetricSet } from '../platform/metrics/set.ts'
import { networkViewOf } from '../platform/cache/network-view.ts'
import { Addresses } from './addresses/free-addresses.ts'
import { fabricRegistry, type FabricRegistry } from './drivers/fabric/index.ts'
import { cloudRegistry, type CloudRegistry } from './drivers/cloud/index.ts'
import { openHolder, type OpenHolder } from './drivers/holder/index.ts'
import { listenForEvents } from './cloud-events/listen.ts'
import { CloudSessions } from './clouds/cloud-sessions.ts'
import { PickedEntries } from './clouds/picked-entries.ts'
import { Quotas } from './clouds/quota.ts'
import { queueOf, timedCloud } from './clouds/timed-cloud-driver.ts'
import type { Env } from './controller-env.ts'
import { LiveSubscriptions } from './notify/live-subscriptions.ts'
import { Leases } from './addresses/reservation-leases.ts'
import { InHand } from './loop/objects-being-made.ts'
import type { Loop } from './loop/pass.ts'
import type { Row } from './loop/controller-row.ts'
import { WorkersMeter } from './metrics.ts'
import { Endpoints } from './notify/send/check-endpoint.ts'
import type { QueueName } from './queues.ts'
import { reconcilerOf } from './loop/reconcile.ts'
import { rows } from './controllers/index.ts'
import { TopologyCache } from './fabric/topology-cache.ts'
import { tellOfLastEndpoints } from './nsm/last-endpoint-events.ts'
import { tellOfLogs } from './policy/log-events.ts'
import { Names } from './policy/names.ts'
import { Policies } from './policy/policies.ts'
import { SwitchSessions } from './fabric/switch-sessions.ts'
import { Waiting } from './loop/waiting-keys.ts'
import { listen } from './watch/listen-to-caches.ts'

export interface WorkersDeps {
  readonly store: Store & Partial<IdentityGiver>
  /** Started by their owner, before or after. */
  readonly caches: Caches
  readonly queues: Queues
  readonly config: Config
  readonly clock: Clock
  readonly log: Log
  /** In [0, 1). */
  readonly random: () => number
  /** Told of each reservation that ends without a pod. */
  readonly lapsed?: (kind: 'IPLock' | 'Port') => void
  readonly metrics?: MetricSet
  readonly openHolder?: OpenHolder
  readonly cloudRegistry?: CloudRegistry
  readonly fabricRegistry?: FabricRegistry
  /** Of Deployments; absent: there are none. */
  readonly scales?: Scales
  /** Who is asked for names outside; absent: resolvers. */
  readonly lookup?: NameLookup
}
export interface Workers {
  /** Where Clouds tell of their ports; undefined: nowhere. */
  readonly cloudEventsL4Port: number | undefined
  /** Waits for the passes under way. */
  stop(): Promise<void>
}

/** Changes on a switch that come together are looked at together. */
const driftMs = 200

/** A rival was faster: a few tries at once, the first without any wait, then as with any other problem. */
const nowTries = 5
/** What the same input will not cure is reconciled again anyway, in case more than the input was wrong. */
const neverAgainMs = 60_000

/** How long a key that has failed waits, by what its problem says a retry is worth. */
export function retryAfterMs(err: unknown, attempt: number, random: number): number {
  const retry = retryOf(err)
  if (retry === 'never') return neverAgainMs
  return retry === 'now' && attempt <= nowTries ? Math.round(random * 5 * (attempt - 1)) : backoffMs(attempt, random)
}

/** Resolves once all caches have seen everything there is and every key has been asked for. */
export async function startWorkers(deps: WorkersDeps): Promise<Workers> {
  const { caches, queues, clock, log, random, config, store } = deps
  const opened = new Map<QueueName, WorkQueue>()
  const meter = new WorkersMeter(clock, deps.metrics)
  let stopped = false
  const add = (name: QueueName, key: string, afterMs?: number): void => {
    if (stopped) return
    const queue = opened.get(name) ?? queues.open(name)
    opened.set(name, queue)
    queue.add(key, afterMs).catch((err: unknown) => {
      // Each key would say it: that the queue is not well is said once, by itself.
      log.debug({ queue: name, key, err }, 'queue did not take a key')
      clock.after(backoffMs(1, random()), () => add(name, key, afterMs))
    })
  }
  const locks = {
    byHolder: (uid: string) => caches.IPLock.by('holder', uid),
    get: (namespace: string, name: string) => caches.IPLock.get(`${namespace}/${name}`),
  }
  const open = deps.openHolder ?? openHolder
  const clouds = new CloudSessions({
    clouds: caches.Cloud,
    registry: deps.cloudRegistry ?? cloudRegistry,
    timed: (name, driver) => timedCloud(name, driver, { meter, clock }),
    credentials: config.cloudCredentials,
    clock,
    log,
    random,
    onChange: (kind, key) => add(queueOf[kind], key),
  })
  const switches = new SwitchSessions({
    fabrics: caches.Fabric,
    registry: deps.fabricRegistry ?? fabricRegistry,
    timed: (driver) => meter.switch(driver),
    clock,
    log,
    random,
    owner: config.fabricOwner,
    credentials: config.fabricCredentials,
    rate: config.fabricRate,
    freshMs: config.fabricFreshMs,
    onDrift: (fabric) => add('Fabric', fabric, driftMs),
  })
  const env: Env = {
    switches,
    topology: new TopologyCache(caches),
    store,
    caches,
    config,
    clock,
    log,
    random,
    add,
    lapsed: deps.lapsed,
    view: networkViewOf(caches),
    endpoints: new Endpoints(config, clock, random),
    live: new LiveSubscriptions(deps),
    addresses: new Addresses({ caches, clock, random, restMs: config.addressRestMs }),
    policies: new Policies(caches),
    names: new Names({
      lookup: deps.lookup ?? systemLookup(config.nameServers),
      clock,
      onAnswer: (key) => add('UnifiedNetworkPolicy', key),
    }),
    holder: meter.provider(open({ store, locks, now: () => clock.now() })),
    scales: deps.scales,
    clouds,
    quotas: new Quotas({ clouds, caches, clock }),
    picked: new PickedEntries(clock),
    waiting: new Waiting(add, clock),
    inHand: new InHand(add),
    leases: new Leases(config.reservationMs, clock),
    meter,
  }
  // Nothing may be let go for its absence before every cache has seen everything.
  await caches.whenSynced()
  const timed = (): void => {
    for (const { queue, everyMs } of rows) if (everyMs !== undefined) add(queue, everyMs.key, everyMs.ms)
  }
  const relist = listen(rows, env)
  const cloudEvents = await listenForEvents(config, env)
  const ends = [tellOfLogs({ ports: caches.Port, store, clock, log }), tellOfLastEndpoints({ caches, store, clock, log })]
  timed()
  queues.onLoss(() => {
    relist()
    timed()
  })
  const loop: Loop = { env, controllers: new Map(rows.map(({ queue, open }) => [queue, open(env)])) }
  const runners = await Promise.all(rows.map((row) => run(row, loop, deps)))
  return {
    cloudEventsL4Port: cloudEvents?.l4Port,
    async stop() {
      stopped = true
      for (const end of ends) end()
      await cloudEvents?.close()
      await Promise.all(runners.map((runner) => runner.close()))
      await switches.close()
      await env.endpoints.close()
      await clouds.close()
    },
  }
}

function run({ queue, wider = 1 }: Row, loop: Loop, { queues, config, random, log }: WorkersDeps): Promise<Runner> {
  const { meter } = loop.env
  const opened = queues.open(queue)
  return opened.run(meter.reconcile(queue, reconcilerOf(queue, loop)), {
    ...meter.queue(queue, opened),
    concurrency: config.concurrency * wider,
    retryAfterMs: (err, attempt) => retryAfterMs(err, attempt, random()),
    onProblem: (key, err, attempt) => log.debug({ queue, key, attempt, err }, 'pass not finished'),
  })
}
