// What workers measure of themselves: on a whole set of them, and piece by piece where an outcome has to be forced.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Driver } from '../../core/contracts/driver.ts'
import { Stale, StoreUnavailable } from '../../core/errors.ts'
import { TurnedClock } from '../../platform/clock.ts'
import { MetricSet } from '../../platform/metrics/set.ts'
import { silentLog } from '../../platform/log.ts'
import { memoryQueues } from '../../platform/queue/memory.ts'
import { WorkersMeter } from '../../workers/metrics.ts'

const signal = new AbortController().signal
const own = () => {
  const [clock, set] = [new TurnedClock(), new MetricSet({ ofProcess: false })]
  return { clock, set, meter: new WorkersMeter(clock, set), text: () => set.registry.metrics() }
}

describe('a reconcile', () => {
  test('is timed under its controller, and told apart by how it ended', async () => {
    const { clock, meter, text } = own()
    const ends = [
      () => Promise.resolve(undefined),
      () => Promise.reject(new Stale({ kind: 'Port', key: 'a/p' })),
      () => Promise.reject(new StoreUnavailable({ reason: 'away' })),
    ]
    const reconcile = meter.reconcile('port', async () => {
      clock.advance(200)
      return ends.shift()!()
    })
    await reconcile('a/p', signal)
    await assert.rejects(reconcile('a/p', signal), Stale)
    await assert.rejects(reconcile('a/p', signal), StoreUnavailable)
    for (const outcome of ['done', 'overtaken', 'failed']) {
      assert.match(await text(), new RegExp(`^megrez_reconcile_seconds_sum\\{controller="port",outcome="${outcome}"\\} 0.2$`, 'm'))
    }
  })
})

describe('a driver that is measured', () => {
  class Counting implements Driver<string, number, { readonly do: 'add' }> {
    readonly name = 'counting'
    #count = 0
    readonly clock: TurnedClock
    constructor(clock: TurnedClock) {
      this.clock = clock
    }
    async observe(): Promise<number> {
      this.clock.advance(10)
      return this.#count
    }
    async apply(): Promise<void> {
      this.clock.advance(30)
      this.#count++
    }
    more(): number {
      return this.#count
    }
  }

  test('is the driver itself, its private state and all that its contract does not name', async () => {
    const { clock, meter, text } = own()
    const driver = meter.provider<string, number, { readonly do: 'add' }, Counting>(new Counting(clock))
    await driver.apply()
    assert.deepEqual([driver.name, await driver.observe(), driver.more(), 'asWrites' in driver], ['counting', 1, 1, false])
    assert.match(await text(), /^megrez_provider_seconds_sum\{provider="counting",call="observe",outcome="done"\} 0.01$/m)
    assert.match(await text(), /^megrez_provider_seconds_sum\{provider="counting",call="apply",outcome="done"\} 0.03$/m)
  })

  test('of a switch stands among switches', async () => {
    const { clock, meter, text } = own()
    await meter.switch<string, number, { readonly do: 'add' }, Counting>(new Counting(clock)).observe()
    assert.match(await text(), /^megrez_fabric_seconds_count\{driver="counting",call="observe",outcome="done"\} 1$/m)
  })
})

describe('a queue', () => {
  test('tells how deep it is, and one that cannot be asked keeps nothing else from being told', async () => {
    const { clock, meter, text } = own()
    const queues = memoryQueues({ log: silentLog(), clock })
    const queue = queues.open('port')
    meter.queue('port', queue)
    meter.queue('pod', { ...queue, depth: () => Promise.reject(new Error('Redis is away')) })
    await queue.add('a/p')
    const lines = (await text()).split('\n').filter((line) => line.startsWith('megrez_queue_depth'))
    assert.deepEqual(lines, ['megrez_queue_depth{queue="port"} 1'])
    await queues.close()
  })
})

describe('a hop', () => {
  const [item, ready] = [
    { kind: 'Port', metadata: { uid: 'u', creationTimestamp: '2026-01-01T00:00:00Z' }, spec: {} } as never,
    { do: 'patchStatus', ref: { kind: 'Port', namespace: 'a', name: 'p' }, uid: 'u', sections: { report: { phase: 'ready' } } } as never,
  ]
  test('counts once its commit is in the store, and not where that failed', async () => {
    const { clock, meter, text } = own()
    clock.advance(1_500)
    await assert.rejects(
      meter.commit([ready], item, () => Promise.reject(new Stale({ kind: 'Port', key: 'a/p' }))),
      Stale,
    )
    assert.doesNotMatch(await text(), /^megrez_port_create_to_ready_seconds_count/m)
    await meter.commit([ready], item, () => Promise.resolve())
    assert.match(await text(), /^megrez_port_create_to_ready_seconds_sum\{contention="none",waited="no"\} 1.5$/m)
    assert.match(await text(), /^megrez_commit_seconds_count\{locks="no",outcome="overtaken"\} 1$/m)
  })

  test('that took longer than a day, or was asked for in the future, is no hop but a clock', async () => {
    const { clock, meter, text } = own()
    clock.advance(25 * 3_600_000)
    await meter.commit([ready], item, () => Promise.resolve())
    const later = {
      kind: 'Port',
      metadata: { uid: 'u', creationTimestamp: new Date(clock.now() + 5_000).toISOString() },
      spec: {},
    } as never
    await meter.commit([ready], later, () => Promise.resolve())
    assert.doesNotMatch(await text(), /^megrez_port_create_to_ready_seconds_count/m)
  })
})

describe('a Cloud', () => {
  test('is timed by its name, and told with what is made ahead there', async () => {
    const { clock, meter, text } = own()
    await meter.cloud('far', () => Promise.resolve(clock.advance(20)))
    await assert.rejects(
      meter.cloud('far', () => Promise.reject(new StoreUnavailable({ reason: 'away' }))),
      StoreUnavailable,
    )
    meter.warmPorts(() => [['far', { ready: 3, making: 1 }]])
    assert.match(await text(), /^megrez_cloud_seconds_sum\{cloud="far",outcome="done"\} 0.02$/m)
    assert.match(await text(), /^megrez_cloud_seconds_count\{cloud="far",outcome="failed"\} 1$/m)
    assert.match(await text(), /^megrez_warm_ports\{cloud="far",state="ready"\} 3$/m)
    assert.match(await text(), /^megrez_warm_ports\{cloud="far",state="making"\} 1$/m)
  })
})
