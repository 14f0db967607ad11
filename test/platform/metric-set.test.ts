// Metrics as Prometheus reads them, made from their rows.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { metrics } from '../../core/metrics.ts'
import { makeMetrics } from '../../platform/metrics.ts'
import { MetricSet } from '../../platform/metrics/set.ts'

const own = (): MetricSet => new MetricSet({ ofProcess: false })
const linesOf = async (set: MetricSet): Promise<readonly string[]> =>
  (await set.registry.metrics()).split('\n').filter((line) => line !== '')

describe('a metric', () => {
  test('has the name, type and help of its row', async () => {
    const set = own()
    set.counter('megrez_reservations_lapsed_total')({ kind: 'Port' }, 3)
    assert.deepEqual(await linesOf(set), [
      `# HELP megrez_reservations_lapsed_total ${metrics.megrez_reservations_lapsed_total.help}`,
      '# TYPE megrez_reservations_lapsed_total counter',
      'megrez_reservations_lapsed_total{kind="Port"} 3',
    ])
  })

  test('is the same one for all who ask for it', async () => {
    const set = own()
    set.counter('megrez_agent_apply_failures_total')({})
    set.counter('megrez_agent_apply_failures_total')({})
    set.histogram('megrez_agent_status_seconds')({}, 1)
    set.histogram('megrez_agent_status_seconds')({}, 1)
    const lines = await linesOf(set)
    assert.ok(lines.includes('megrez_agent_apply_failures_total 2'))
    assert.ok(lines.includes('megrez_agent_status_seconds_count 2'))
  })

  test('that is read when somebody asks is as it is then, and forgets what is no more', async () => {
    const set = own()
    let now: readonly (readonly [{ readonly queue: string }, number])[] = [
      [{ queue: 'port' }, 4],
      [{ queue: 'pod' }, 1],
    ]
    set.gauge('megrez_queue_depth', () => Promise.resolve(now))
    assert.ok((await linesOf(set)).includes('megrez_queue_depth{queue="port"} 4'))
    now = [[{ queue: 'pod' }, 0]]
    assert.deepEqual((await linesOf(set)).slice(2), ['megrez_queue_depth{queue="pod"} 0'])
  })
})

describe('a histogram', () => {
  test('counts each value in its bucket and in all above, a bound in its own', async () => {
    const set = own()
    const take = set.histogramOf('megrez_cni_delegate_seconds', { verb: 'ADD' })
    for (const value of [0, 0.01, 0.02, 10, 11]) take(value)
    const buckets = (await linesOf(set)).filter((line) => line.startsWith('megrez_cni_delegate_seconds_bucket'))
    assert.deepEqual(
      buckets.map((line) => line.replace(/^.*\{(.*)\} /, '$1 ')),
      [
        'verb="ADD",le="0.01" 2',
        'verb="ADD",le="0.03" 3',
        'verb="ADD",le="0.1" 3',
        'verb="ADD",le="0.3" 3',
        'verb="ADD",le="1" 3',
        'verb="ADD",le="3" 3',
        'verb="ADD",le="10" 4',
        'verb="ADD",le="+Inf" 5',
      ],
    )
    assert.deepEqual((await linesOf(set)).slice(-2), [
      'megrez_cni_delegate_seconds_sum{verb="ADD"} 21.03',
      'megrez_cni_delegate_seconds_count{verb="ADD"} 5',
    ])
  })

  test('without labels stands there before its first value, so that a rate has something to begin with', async () => {
    const set = own()
    set.histogram('megrez_delivery_age_seconds')
    assert.ok((await linesOf(set)).includes('megrez_delivery_age_seconds_count 0'))
  })

  test('keeps label sets apart, numbers and texts alike', async () => {
    const set = own()
    const take = set.histogram('megrez_cni_seconds')
    take({ verb: 'ADD', code: 0 }, 1)
    take({ verb: 'ADD', code: 11 }, 1)
    take({ code: 0, verb: 'ADD' }, 1)
    const counts = (await linesOf(set)).filter((line) => line.startsWith('megrez_cni_seconds_count'))
    assert.deepEqual(counts, ['megrez_cni_seconds_count{verb="ADD",code="0"} 2', 'megrez_cni_seconds_count{verb="ADD",code="11"} 1'])
  })

  test("is as JSON what prom-client's own is", async () => {
    const set = own()
    set.histogram('megrez_agent_status_seconds')({}, 0.01)
    const [found] = await set.registry.getMetricsAsJSON()
    assert.deepEqual([found?.name, found?.type], ['megrez_agent_status_seconds', 'histogram'])
  })
})

test('a process tells its version, and what Node.js tells of itself', async () => {
  const text = await makeMetrics().registry.metrics()
  assert.match(text, /^megrez_build_info\{version="\d+\.\d+\.\d+"\} 1$/m)
  assert.match(text, /^nodejs_version_info\{/m)
})
