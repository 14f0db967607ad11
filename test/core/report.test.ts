import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Condition, Phase, Report } from '../../core/kinds/meta.ts'
import { nextReport, phaseOf, type Verdict } from '../../core/plan/report.ts'

const t0 = Date.parse('2026-01-01T00:00:00Z')
const iso = (ms: number): string => new Date(ms).toISOString()
const verdictOf = (phase: Phase, message = 'so'): Verdict => ({ phase, reason: `Is${phase}`, message })
const ready = nextReport({}, verdictOf('ready'), 1, t0).report
const of = (report: Report, type: string): Condition => report.conditions!.find((condition) => condition.type === type)!

const conditions: Record<string, { readonly Ready: string; readonly Stalled: string }> = {
  pending: { Ready: 'Unknown', Stalled: 'False' },
  ready: { Ready: 'True', Stalled: 'False' },
  error: { Ready: 'False', Stalled: 'True' },
  terminating: { Ready: 'False', Stalled: 'False' },
}
for (const [phase, { Ready, Stalled }] of Object.entries(conditions))
  test(`${phase} is reported as Ready ${Ready} and Stalled ${Stalled}, and read back from them`, () => {
    const { report } = nextReport({}, verdictOf(phase as Phase), 3, t0)
    assert.equal(report.phase, phase)
    assert.deepEqual([of(report, 'Ready').status, of(report, 'Stalled').status], [Ready, Stalled])
    assert.equal(phaseOf(report.conditions!, phase === 'terminating'), phase)
    for (const condition of report.conditions!)
      assert.deepEqual([condition.reason, condition.observedGeneration, condition.lastTransitionTime], [`Is${phase}`, 3, iso(t0)])
  })

test('the first report is a change of phase, and is number one', () => {
  const { report, phaseChanged } = nextReport({}, verdictOf('pending'), 1, t0)
  assert.equal(phaseChanged, true)
  assert.equal(report.sequence, 1)
  assert.deepEqual(report.timeline, [{ sequence: 1, time: iso(t0), phase: 'pending', reason: 'Ispending' }])
})

test('the same verdict later is the same report, so that nothing is written', () => {
  const again = nextReport(ready, verdictOf('ready'), 1, t0 + 60_000)
  assert.equal(again.phaseChanged, false)
  assert.deepEqual(again.report, ready)
})

test('a new message in the same phase counts nothing up and moves no transition time', () => {
  const { report, phaseChanged } = nextReport(ready, verdictOf('ready', 'otherwise'), 2, t0 + 1)
  assert.equal(phaseChanged, false)
  assert.deepEqual(
    [report.message, report.observedGeneration, report.sequence, of(report, 'Ready').lastTransitionTime],
    ['otherwise', 2, 1, iso(t0)],
  )
})

test("a condition's time moves only when its own status does", () => {
  const { report } = nextReport(ready, verdictOf('pending'), 1, t0 + 5)
  assert.equal(of(report, 'Ready').lastTransitionTime, iso(t0 + 5))
  assert.equal(of(report, 'Stalled').lastTransitionTime, iso(t0))
})

test('over any verdicts the sequence counts the changes, and the timeline holds the latest sixteen of them', () => {
  const phases = fc.array(fc.constantFrom<Phase>('pending', 'ready', 'error', 'terminating'), { minLength: 1, maxLength: 60 })
  fc.assert(
    fc.property(phases, (given) => {
      let report: Report = {}
      const changes: Phase[] = []
      for (const [i, phase] of given.entries()) {
        const next = nextReport(report, verdictOf(phase), 1, t0 + i)
        assert.equal(next.phaseChanged, phase !== report.phase)
        if (next.phaseChanged) changes.push(phase)
        report = next.report
      }
      assert.equal(report.sequence, changes.length)
      assert.deepEqual(
        report.timeline!.map((each) => each.phase),
        changes.slice(-16),
      )
      assert.deepEqual(
        report.timeline!.map((each) => each.sequence),
        changes.map((_, i) => i + 1).slice(-16),
      )
    }),
  )
})

test('what happened within a phase counts as a change of it does, and stands in the timeline by its own reason', () => {
  const { report, phaseChanged } = nextReport(ready, { ...verdictOf('ready'), happened: 'EndpointGone' }, 1, t0 + 5)
  assert.equal(phaseChanged, true)
  assert.deepEqual(report.timeline?.at(-1), { sequence: 2, time: new Date(t0 + 5).toISOString(), phase: 'ready', reason: 'EndpointGone' })
  assert.deepEqual(report.conditions, ready.conditions)
})

test('the report before is left as it was', () => {
  const before = structuredClone(ready)
  nextReport(ready, verdictOf('error'), 2, t0 + 1)
  assert.deepEqual(ready, before)
})
