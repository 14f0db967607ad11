// What the dashboard and the alerts ask for is measured: each name, each label, each by a function that suits its type.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parse } from 'yaml'
import { allMetrics } from '../../core/metrics.ts'
import { dashboard, dashboardPath, dashboardQueries } from './dashboard.ts'
import { read } from './sources.ts'

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string }
}
const { groups } = parse(read('charts/megrez/files/monitoring/rules.yaml')) as {
  readonly groups: readonly { readonly rules: readonly Rule[] }[]
}
const rules = groups.flatMap((group) => group.rules)
const tests = read('test/process/alerts.test.yaml')

/** Of Prometheus itself, or of what finds its targets. */
const ofTargets = ['job', 'instance', 'pod', 'container', 'node', 'namespace', 'le']

interface SeriesName {
  readonly name: string
  readonly suffix: string
  readonly labels: readonly string[]
}

/** Each metric of ours in an expression, with the labels that it is chosen by. */
function metricsIn(expr: string): readonly SeriesName[] {
  return [...expr.matchAll(/\b(megrez_\w+?)(_bucket|_sum|_count)?(?:\{([^}]*)\})?(?=[\s)[]|$)/g)].map(
    ([, name = '', suffix = '', chosen = '']) => ({
      name,
      suffix,
      labels: [...chosen.matchAll(/(\w+)\s*[=!]/g)].map((match) => match[1]!),
    }),
  )
}
const groupedBy = (expr: string): readonly string[] =>
  [...expr.matchAll(/\b(?:by|on) \(([^)]*)\)/g)]
    .flatMap((match) => match[1]!.split(',').map((each) => each.trim()))
    .filter((each) => each !== '')

function problemsIn(expr: string): readonly string[] {
  const found = metricsIn(expr)
  const labels = new Set([...ofTargets, ...found.flatMap(({ name }) => allMetrics[name]?.labels ?? [])])
  const unknown = groupedBy(expr)
    .filter((label) => !labels.has(label))
    .map((label) => `no label ${label}`)
  return [...unknown, ...found.flatMap((each) => problemsOf(each, expr))]
}

function problemsOf({ name, suffix, labels }: SeriesName, expr: string): readonly string[] {
  const row = allMetrics[name]
  if (row === undefined) return [`no metric ${name}`]
  const wrong = labels
    .filter((label) => !row.labels.includes(label) && !ofTargets.includes(label))
    .map((label) => `${name} has no label ${label}`)
  if ((row.type === 'histogram') !== (suffix !== '')) wrong.push(`${name} is a ${row.type}, and is asked for as ${name}${suffix}`)
  const isRated = new RegExp(`(?:rate|increase)\\(${name}${suffix}\\b`).test(expr)
  // A counter of errors that end the process is worth a look as it is.
  if ((row.type === 'gauge') === isRated && name !== 'megrez_unheard_errors_total')
    wrong.push(`${name} is a ${row.type}: ${isRated ? 'it has no rate' : 'only its rate says anything'}`)
  return wrong
}

test('the dashboard is as npm run gen writes it', () => assert.equal(read(dashboardPath), dashboard()))

describe('what is asked for is there', () => {
  test('by the dashboard, which shows every metric of the processes', () => {
    for (const expr of dashboardQueries()) assert.deepEqual(problemsIn(expr), [], expr)
    const shown = new Set(
      dashboardQueries()
        .flatMap(metricsIn)
        .map(({ name }) => name),
    )
    assert.deepEqual(
      Object.entries(allMetrics)
        .filter(([name, { of }]) => of !== 'npm run load' && !shown.has(name))
        .map(([name]) => name),
      [],
    )
  })
  test('by the alerts', () => {
    for (const { alert, expr } of rules) assert.deepEqual(problemsIn(expr), [], alert)
  })
  test('and what is not would be found', () => {
    assert.deepEqual(problemsIn('rate(megrez_nothing_total[5m])'), ['no metric megrez_nothing_total'])
    assert.deepEqual(problemsIn('sum by (colour) (megrez_agent_ports)'), ['no label colour'])
    assert.deepEqual(problemsIn('megrez_callbacks_parked{kind="Port"}'), ['megrez_callbacks_parked has no label kind'])
    assert.deepEqual(problemsIn('rate(megrez_agent_ports[5m])'), ['megrez_agent_ports is a gauge: it has no rate'])
    assert.deepEqual(problemsIn('megrez_reservations_total'), ['megrez_reservations_total is a counter: only its rate says anything'])
    assert.equal(problemsIn('rate(megrez_delivery_seconds[5m])').length, 1)
  })
})

test('each alert has a name of its own, a severity, a sentence, and a case that it is tried by', () => {
  assert.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length)
  for (const { alert, labels, annotations } of rules) {
    assert.match(alert, /^Megrez[A-Z]\w+$/)
    assert.ok(['info', 'warning', 'critical'].includes(labels.severity), alert)
    assert.match(annotations.summary, /^\S.{10,}$/, alert)
    assert.match(
      tests,
      new RegExp(`alertname: ${alert}\\n\\s+exp_alerts: \\[\\{ exp_labels`),
      `${alert} fires in test/process/alerts.test.yaml`,
    )
  }
})
