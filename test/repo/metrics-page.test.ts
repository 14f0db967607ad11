import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allMetrics, metrics } from '../../core/metrics.ts'
import { metricsPage, metricsPath } from './metrics-page.ts'
import { read, sourceFiles } from './sources.ts'

const table = 'core/metrics.ts'
const written = sourceFiles().filter((path) => !path.startsWith('test/') && path !== table)

test('the page of metrics is as npm run gen writes it', () => assert.equal(read(metricsPath), metricsPage()))

test('each metric has one row of five cells', () => {
  const rows = metricsPage()
    .split('\n')
    .filter((line) => line.startsWith('| `megrez_') && line.split(/(?<!\\)\|/).length === 7)
  assert.deepEqual(rows.map((row) => row.split('`')[1]).sort(), Object.keys(allMetrics).sort())
})

test('names and units are as Prometheus has them: counters end in _total, times are seconds and say so', () => {
  for (const [name, { type, unit, labels, help }] of Object.entries(allMetrics)) {
    assert.match(name, /^megrez_[a-z0-9_]+$/)
    assert.equal(type === 'counter', name.endsWith('_total'), name)
    assert.equal(unit === 'seconds', name.endsWith('_seconds'), name)
    assert.match(help, /^\w[^|\n]*[^.\s]$/, name)
    for (const label of labels) assert.match(label, /^[a-z_]+$/, name)
  }
})

test('each metric is measured by somebody', () => {
  const texts = written.map(read)
  assert.deepEqual(
    Object.keys(metrics).filter((name) => !texts.some((text) => text.includes(`'${name}'`))),
    [],
  )
})

test('no metric is made beside the table', () => {
  const makes = written.filter((path) => /new (Counter|Gauge|Histogram|Summary)\b/.test(read(path)))
  assert.deepEqual(makes, ['cli/load/figures.ts', 'platform/metrics/set.ts'], 'these read their rows from the table')
})
