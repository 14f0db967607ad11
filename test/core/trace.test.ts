// Which request an object is for: what is kept of a W3C Trace Context, and where it comes from when nobody gives one.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { causeInHeaders, causeOf, causeOfReview, requestedNotes, requestNotes, traceOf } from '../../core/kinds/trace.ts'

const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
const traceparent = `00-${trace}-00f067aa0ba902b7-01`
const now = Date.parse('2026-01-01T00:00:10.250Z')
const at = '2026-01-01T00:00:10.250Z'

describe('the headers of a request', () => {
  test('say its trace, or nothing that is kept', () => {
    assert.deepEqual(causeInHeaders({ traceparent }), { traceparent })
    for (const wrong of [
      undefined,
      '',
      'rubbish',
      `01-${trace}-00f067aa0ba902b7-01`,
      `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
      traceparent.toUpperCase(),
      [traceparent],
    ]) {
      assert.equal(causeInHeaders({ traceparent: wrong, tracestate: 'a=b' }), undefined, String(wrong))
    }
  })

  const states: Readonly<Record<string, string | undefined>> = {
    'a=b': 'a=b',
    'rojo=00f067aa0ba902b7,congo=t61rcWkgMzE': 'rojo=00f067aa0ba902b7,congo=t61rcWkgMzE',
    ' a=b ,\tc=d,, ': 'a=b,c=d',
    '1tenant@system=x': '1tenant@system=x',
    'a=b c': 'a=b c',
    'A=b': undefined,
    'a=': undefined,
    a: undefined,
    'a=b=c': undefined,
    'a=b\nx': undefined,
    '': undefined,
  }
  for (const [given, kept] of Object.entries(states))
    test(`tracestate ${JSON.stringify(given)} is ${kept === undefined ? 'left out' : 'passed on'}`, () =>
      assert.equal(causeInHeaders({ traceparent, tracestate: given })?.tracestate, kept))

  test('tracestate keeps its latest members where it is too long, and no more than 32 are any', () => {
    const members = Array.from({ length: 30 }, (_, i) => `v${i}=${'x'.repeat(27)}`)
    const kept = causeInHeaders({ traceparent, tracestate: members.join(',') })?.tracestate ?? ''
    assert.ok(kept.length <= 512 && kept.length > 470, String(kept.length))
    assert.ok(members.join(',').startsWith(`${kept},`))
    assert.equal(
      causeInHeaders({ traceparent, tracestate: Array.from({ length: 33 }, (_, i) => `v${i}=x`).join(',') })?.tracestate,
      undefined,
    )
  })
})

describe('a review', () => {
  test('names its trace by its UID where its API server names none', () => {
    assert.deepEqual(causeOfReview('705ab4f5-6393-11e8-b7cc-42010a800002'), {
      traceparent: '00-705ab4f5639311e8b7cc42010a800002-705ab4f5639311e8-01',
    })
    for (const wrong of ['', 'abc', '00000000-0000-0000-0000-000000000000', '00000000-0000-0000-b7cc-42010a800002'])
      assert.equal(causeOfReview(wrong), undefined, wrong)
  })
})

describe('what a request writes on an object', () => {
  const cause = { traceparent, tracestate: 'a=b' }
  test('is its trace and its time', () => {
    assert.deepEqual(requestedNotes({}, cause, { now }), {
      'megrez.io/traceparent': traceparent,
      'megrez.io/tracestate': 'a=b',
      'megrez.io/requested-at': at,
    })
    assert.deepEqual(requestedNotes({}, undefined, { now }), { 'megrez.io/requested-at': at })
  })

  test('leaves a trace that its sender has written, and no rubbish', () => {
    const own = `00-${'a'.repeat(32)}-00f067aa0ba902b7-00`
    assert.deepEqual(requestedNotes({ 'megrez.io/traceparent': own }, cause, { now }), { 'megrez.io/requested-at': at })
    assert.equal(requestedNotes({ 'megrez.io/traceparent': 'rubbish' }, cause, { now })['megrez.io/traceparent'], traceparent)
  })

  test('is nothing more when the same request is reviewed again, and never a time that somebody made up', () => {
    const first = requestedNotes({}, cause, { now })
    assert.deepEqual(requestedNotes(first, cause, { now: now + 2_000 }), {})
    for (const invented of ['2001-01-01T00:00:00Z', '2101-01-01T00:00:00Z', 'now'])
      assert.equal(requestedNotes({ 'megrez.io/requested-at': invented }, cause, { now })['megrez.io/requested-at'], at, invented)
  })

  test('goes to what is made for its sake', () => {
    const pod = { metadata: { annotations: { ...requestedNotes({}, cause, { now }), other: 'x' } } }
    assert.deepEqual(requestNotes(pod), requestedNotes({}, cause, { now }))
    assert.deepEqual([causeOf(pod), traceOf(pod), requestNotes({ metadata: {} }), traceOf({})], [cause, trace, {}, undefined])
  })
})
