import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Resource } from '../../core/kinds/index.ts'
import type { Phase } from '../../core/kinds/meta.ts'
import { planDeliveries } from '../../core/plan/notify/deliveries.ts'
import { callbackOf, deletedStateOf, noticeOf, reportedStateOf } from '../../core/plan/notify/notices.ts'
import { nextReport } from '../../core/plan/report.ts'

const t0 = Date.parse('2026-01-01T00:00:00Z')
const settings = { namespace: 'megrez-system' }
const url = 'https://hooks.example.org/a'

function vpc(sequence: number, phase: Phase, callbackURL: string | undefined = url): Resource<'Vpc'> {
  const metadata = {
    name: 'blue',
    namespace: 'a',
    uid: 'u-1',
    resourceVersion: '7',
    generation: 1,
    creationTimestamp: '2026-01-01T00:00:00Z',
  }
  return {
    apiVersion: 'megrez.io/v1alpha1',
    kind: 'Vpc',
    metadata,
    spec: { provider: 'builtin', ...(callbackURL === undefined ? {} : { callbackURL }) },
    status: { phase, sequence },
  }
}
function pod(annotations: Record<string, string>): Resource<'Pod'> {
  const metadata = {
    name: 'web',
    namespace: 'a',
    uid: 'u-2',
    resourceVersion: '7',
    generation: 1,
    creationTimestamp: '2026-01-01T00:00:00Z',
    annotations,
  }
  return { apiVersion: 'v1', kind: 'Pod', metadata, spec: {}, status: { phase: 'Running' } }
}
const annotations = { 'megrez.io/callback-url': url, 'megrez.io/nic-status': '{"phase":"ready","sequence":2,"nics":[]}' }

function created(after: Resource): Resource<'Notice'> {
  const write = noticeOf(after, settings, t0)
  assert(write?.do === 'create' && write.draft.kind === 'Notice')
  const metadata = {
    uid: `n-${write.draft.metadata.name}`,
    resourceVersion: '1',
    generation: 1,
    creationTimestamp: '2026-01-01T00:00:00Z',
    ...write.draft.metadata,
  }
  return { apiVersion: 'megrez.io/v1alpha1', ...write.draft, metadata } as Resource<'Notice'>
}

test('a change of phase makes a Notice named by UID and sequence, in our own namespace, with the whole object', () => {
  const notice = created(vpc(3, 'ready'))
  assert.deepEqual([notice.metadata.namespace, notice.metadata.name], ['megrez-system', 'u-1-0000000003'])
  assert.deepEqual(
    { ...notice.spec, object: undefined },
    {
      of: { kind: 'Vpc', namespace: 'a', name: 'blue', uid: 'u-1' },
      sequence: 3,
      phase: 'ready',
      time: '2026-01-01T00:00:00.000Z',
      callbackURL: url,
      object: undefined,
    },
  )
  const { resourceVersion: _, ...metadata } = vpc(3, 'ready').metadata
  assert.deepEqual(notice.spec.object, { ...vpc(3, 'ready'), metadata })
})

test('an object that nobody asks about, and one without a report, make none', () => {
  assert.equal(noticeOf({ ...vpc(3, 'ready'), spec: { provider: 'builtin' } }, settings, t0), undefined)
  const { status: _, ...unreported } = vpc(1, 'ready')
  assert.equal(noticeOf(unreported as Resource, settings, t0), undefined)
})

test('a pod says where and what in annotations', () => {
  const notice = created(pod(annotations))
  assert.deepEqual([notice.spec.sequence, notice.spec.phase, notice.spec.callbackURL], [2, 'ready', url])
  assert.equal((notice.spec.object as Resource<'Pod'>).status?.phase, 'Running')
})

test('a report in an annotation that is no report is as none', () => {
  for (const text of [
    '',
    '[',
    '[]',
    '7',
    'null',
    '"ready"',
    '{"phase":"Running","sequence":1}',
    '{"phase":"ready"}',
    '{"phase":"ready","sequence":0}',
    '{"phase":"ready","sequence":1.5}',
  ])
    assert.equal(reportedStateOf(pod({ ...annotations, 'megrez.io/nic-status': text })), undefined, text)
  assert.equal(callbackOf(pod({})), undefined)
})

test('the end of an object is told with its last known state, one step on and deleted', () => {
  const last = created(deletedStateOf(vpc(4, 'terminating')))
  assert.deepEqual([last.spec.sequence, last.spec.phase], [5, 'deleted'])
  assert.deepEqual((last.spec.object as Resource<'Vpc'>).status, { phase: 'deleted', sequence: 5 })
  assert.deepEqual((last.spec.object as Resource<'Vpc'>).spec, vpc(4, 'terminating').spec)
})

test("the end of a pod is told likewise, and its status says deleted though a pod's own phase cannot", () => {
  const last = created(deletedStateOf(pod(annotations)))
  const object = last.spec.object as Resource<'Pod'>
  assert.deepEqual([last.spec.sequence, last.spec.phase, object.status?.phase], [3, 'deleted', 'deleted'])
  assert.deepEqual(JSON.parse(object.metadata.annotations?.['megrez.io/nic-status'] ?? ''), { phase: 'deleted', sequence: 3, nics: [] })
})

test('an object that never reported is told of as deleted all the same', () => {
  const { status: _, ...unreported } = vpc(1, 'ready')
  assert.deepEqual(
    [
      created(deletedStateOf(unreported as Resource)).spec.sequence,
      created(deletedStateOf(pod({ 'megrez.io/callback-url': url }))).spec.phase,
    ],
    [1, 'deleted'],
  )
})

const horizonMs = 1000
const fine = { horizonMs, failing: () => false }
const sequences = (notices: readonly Resource<'Notice'>[]) => notices.map((notice) => notice.spec.sequence)
const show = (live: Resource | undefined, notices: readonly Resource<'Notice'>[], delivery = fine, now = t0) => {
  const plan = planDeliveries(notices, live, delivery, now)
  return {
    send: plan.send?.sequence,
    drop: plan.drop.map(({ notice, because }) => `${notice.spec.sequence} ${because}`),
    waiting: sequences(plan.waiting),
  }
}
const three = [created(vpc(3, 'terminating')), created(vpc(1, 'pending')), created(vpc(2, 'ready'))]

test('the oldest is sent first, and none before the object is there', () => {
  assert.deepEqual(show(vpc(2, 'ready'), three), { send: 1, drop: [], waiting: [3] })
  assert.deepEqual(show(vpc(1, 'pending'), three.slice(2)), { send: undefined, drop: [], waiting: [2] })
})

test('an object without a report has reached nothing', () => {
  const { status: _, ...unreported } = vpc(1, 'ready')
  assert.deepEqual(show(unreported as Resource, three), { send: undefined, drop: [], waiting: [1, 2, 3] })
})

test('of an object that is gone all are sent, to the place that the last one names', () => {
  const moved = created({ ...vpc(4, 'deleted'), spec: { provider: 'builtin', callbackURL: 'https://new.example.org/' } })
  assert.deepEqual(show(undefined, [...three, moved]), { send: 1, drop: [], waiting: [] })
  assert.equal(planDeliveries([...three, moved], undefined, fine, t0).send?.url, 'https://new.example.org/')
})

test('a receiver that has moved gets what is left at its new place', () => {
  const moved = { ...vpc(3, 'terminating'), spec: { provider: 'builtin' as const, callbackURL: 'https://new.example.org/' } }
  assert.equal(planDeliveries(three, moved, fine, t0).send?.url, 'https://new.example.org/')
})

test('once nobody asks any more, what is left is dropped', () => {
  const silent = { ...vpc(2, 'ready'), spec: { provider: 'builtin' as const } }
  assert.deepEqual(show(silent, three), { send: undefined, drop: ['1 nobody-asks', '2 nobody-asks'], waiting: [3] })
})

test("nothing is dropped by a cache's word but for its age: neither because nobody asks, nor because a newer one says it all", () => {
  const by = 'cache' as const
  for (const queue of [
    { by, url: undefined },
    { by, url, merge: true },
  ]) {
    const plan = planDeliveries(three, vpc(3, 'terminating'), { ...fine, queue }, t0)
    assert.deepEqual([plan.unsure, plan.drop, plan.send], [true, [], undefined])
    const sure = planDeliveries(three, vpc(3, 'terminating'), { ...fine, queue: { ...queue, by: 'store' } }, t0)
    assert.deepEqual([sure.unsure, sure.drop.length > 0], [false, true])
  }
  const late = planDeliveries(three, vpc(3, 'terminating'), { horizonMs, failing: () => true, queue: { by, url } }, t0 + horizonMs + 1)
  assert.deepEqual([late.unsure, late.drop.length], [false, 3])
})

test('what is past the horizon is dropped only if its receiver has failed', () => {
  assert.deepEqual(show(vpc(3, 'terminating'), three, fine, t0 + horizonMs + 1), { send: 1, drop: [], waiting: [] })
  assert.deepEqual(show(vpc(3, 'terminating'), three, { horizonMs, failing: () => true }, t0 + horizonMs), {
    send: 1,
    drop: [],
    waiting: [],
  })
  assert.deepEqual(show(vpc(3, 'terminating'), three, { horizonMs, failing: () => true }, t0 + horizonMs + 1), {
    send: undefined,
    drop: ['1 horizon', '2 horizon', '3 horizon'],
    waiting: [],
  })
})

test('where a late rival has replaced a Notice by a state that never was, the object itself is told', () => {
  const plan = planDeliveries([created(vpc(2, 'error'))], vpc(2, 'ready'), fine, t0)
  assert.deepEqual([plan.send?.phase, (plan.send?.object as Resource<'Vpc'>).status], ['ready', { phase: 'ready', sequence: 2 }])
})

test('where a late rival has made a Notice anew when all had taken it, the object itself is told', () => {
  const turned = (sequence: number, ms: number) => ({
    sequence,
    time: new Date(t0 + ms).toISOString(),
    phase: 'ready' as const,
    reason: 'InPlace',
  })
  const live = { ...vpc(3, 'ready'), status: { phase: 'ready' as const, sequence: 3, timeline: [turned(2, 0), turned(3, 5)] } }
  const sent = (at: number): number | undefined =>
    planDeliveries(
      [{ ...created(vpc(2, 'error')), spec: { ...created(vpc(2, 'error')).spec, time: new Date(at).toISOString() } }],
      live,
      fine,
      t0,
    ).send?.sequence
  assert.deepEqual([sent(t0), sent(t0 + 1)], [2, 3])
})

test('whatever the phases are, each change of an object that is asked about makes exactly one Notice, and they are sent in order', () => {
  const verdict = fc.constantFrom<Phase>('pending', 'ready', 'error', 'terminating')
  fc.assert(
    fc.property(fc.array(verdict, { maxLength: 30 }), (verdicts) => {
      let item: Resource = vpc(0, 'pending')
      item = { ...item, status: {} }
      const notices: Resource<'Notice'>[] = []
      const wanted: Phase[] = []
      for (const phase of verdicts) {
        const { report, phaseChanged } = nextReport(item.status as object, { phase, reason: 'R', message: '' }, 1, t0)
        item = { ...item, status: report }
        if (phaseChanged) notices.push(created(item))
        if (wanted.at(-1) !== phase) wanted.push(phase)
      }
      const sent: Phase[] = []
      for (let left = notices; left.length > 0;) {
        const next = planDeliveries(left, item, fine, t0).send
        assert(next !== undefined)
        sent.push(next.phase)
        left = left.filter((notice) => notice !== next.notice)
      }
      assert.deepEqual(sent, wanted)
    }),
  )
})
