// Starts the dispatcher of one process: any number may run beside each other.
import { backoffMs } from '../../core/backoff.ts'
import type { Notifier } from '../../core/contracts/notifier.ts'
import type { Queues, WorkQueue } from '../../core/contracts/queue.ts'
import type { Store } from '../../core/contracts/store.ts'
import type { Kind } from '../../core/kinds/index.ts'
import type { Listener } from '../../platform/cache.ts'
import type { Caches } from '../../platform/caches.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config.ts'
import type { Log } from '../../platform/log.ts'
import { Dispatcher } from './dispatcher.ts'
import { HttpNotifier } from './http.ts'
import { readSecrets } from './sign.ts'
import { defaultRetry, type Retry } from './tries.ts'

export interface DispatcherOptions {
  readonly store: Store
  /** Started by whoever made them; a dispatcher that is told of Notices late sends them late. */
  readonly caches: Caches
  readonly queues: Queues
  readonly config: Pick<Config, 'callbackTimeoutMs' | 'callbackHorizonMs' | 'callbackAllow' | 'callbackHttp' | 'callbackSecret'>
  readonly clock: Clock
  readonly log: Log
  /** In [0, 1). */
  readonly random: () => number
  /** Signed HTTP unless given. */
  readonly notifier?: Notifier
  readonly retry?: Retry
}

const queueName = 'notices'
/** Objects that are told of at once. */
const concurrency = 512
/** Sendings under way get this long to end when we stop; a notice that is cut off is sent again. */
const graceMs = 2_000
const requeueMs = 1_000

/** @throws ConfigInvalid when a secret is none */
export async function startDispatcher(options: DispatcherOptions): Promise<{ stop(): Promise<void> }> {
  const { store, caches, queues, config, clock, log, random, retry = defaultRetry } = options
  const queue = queues.open(queueName)
  const stopping = new AbortController()
  const wake = waker(queue, { clock, log, stopping: stopping.signal })
  const notifier = options.notifier ?? httpNotifier(config, clock, log)
  const dispatcher = new Dispatcher({ store, caches, notifier, clock, log, random, retry, wake, horizonMs: config.callbackHorizonMs })
  const runner = await queue.run((uid, signal) => dispatcher.look(uid, AbortSignal.any([signal, stopping.signal])), {
    concurrency,
    retryAfterMs: (_, attempt) => backoffMs(attempt, random()),
  })
  queues.onLoss(() => {
    for (const notice of caches.Notice.values()) wake(notice.spec.of.uid)
  })
  caches.Notice.on(({ before, after }) => {
    if (after === undefined) dispatcher.forget(before!)
    else wake(after.spec.of.uid)
  })
  followObjects(caches, wake)
  return {
    async stop() {
      const cancel = clock.after(graceMs, () => stopping.abort())
      await runner.close()
      cancel()
      stopping.abort()
      await notifier.close()
    },
  }
}

function httpNotifier(config: DispatcherOptions['config'], clock: Clock, log: Log): Notifier {
  const secrets = readSecrets(config.callbackSecret)
  if (secrets.length === 0) log.warn('no callback secret is set: callbacks are not signed')
  return new HttpNotifier({ settings: config, timeoutMs: config.callbackTimeoutMs, secrets, clock })
}

/** Adds to the queue, and keeps at it while the queue cannot be reached. */
function waker(queue: WorkQueue, { clock, log, stopping }: { readonly clock: Clock; readonly log: Log; readonly stopping: AbortSignal }): (uid: string) => void {
  const wake = (uid: string): void => {
    if (stopping.aborted) return
    queue.add(uid).catch((problem: unknown) => {
      log.debug({ uid, err: problem }, 'notice not queued yet')
      clock.after(requeueMs, () => wake(uid))
    })
  }
  return wake
}

/** An object that has Notices and has moved, or gone, may have reached one. */
function followObjects(caches: Caches, wake: (uid: string) => void): void {
  const heard: Listener<Kind> = (turn) => {
    const uid = (turn.after ?? turn.before)?.metadata.uid ?? ''
    for (const _ of caches.Notice.by('of', uid)) return wake(uid)
  }
  const { Vpc, Subnet, Port, IPLock, SegmentLock, SecurityGroup, Pod } = caches
  for (const cache of [Vpc, Subnet, Port, IPLock, SegmentLock, SecurityGroup, Pod]) (cache as unknown as { on(listener: Listener<Kind>): void }).on(heard)
}
