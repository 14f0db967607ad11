// Since when a Port's way is measured, what its locks say of it to other nodes, and which writes complete a hop.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Draft, Write } from '../../core/contracts/store.ts'
import { hopIn, hopNote, requestedMsOf, type Since } from '../../core/kinds/hops.ts'
import { apiVersion } from '../../core/kinds/meta.ts'
import type { Resource } from '../../core/kinds/index.ts'
import { hopsIn, sinceOf } from '../../core/plan/hops.ts'

const at = (second: number, ms = 0): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second, ms)).toISOString()
const requested = (second: number, ms: number) => ({ 'megrez.io/requested-at': at(second, ms) })

function portOf(status: object = {}, annotations: Readonly<Record<string, string>> = {}): Resource<'Port'> {
  const metadata = { namespace: 'a', name: 'p', uid: 'u', resourceVersion: '1', generation: 1, creationTimestamp: at(10), annotations }
  return { apiVersion, kind: 'Port', metadata, spec: { subnet: 's' }, status }
}
const statusWrite = (sections: { readonly [section: string]: object }, kind: 'Port' | 'Subnet' | 'Vpc' = 'Port'): Write => ({
  do: 'patchStatus',
  ref: { kind, namespace: 'a', name: 'p' },
  uid: 'u',
  sections,
})
const report = (phase: string, reason: string) => ({ phase, timeline: [{ sequence: 1, time: at(11), phase, reason }], conditions: [] })

describe('when a Port was asked for', () => {
  test('is the time of the request where that is noted, to the millisecond, else when it was created', () => {
    assert.equal(requestedMsOf(portOf({}, requested(9, 875))), Date.parse(at(9, 875)))
    assert.equal(requestedMsOf(portOf()), Date.parse(at(10)))
    assert.equal(requestedMsOf(portOf({}, { 'megrez.io/requested-at': 'yesterday' })), Date.parse(at(10)))
    assert.equal(requestedMsOf({ metadata: {} }), undefined)
  })

  test('is when its pod was, where the Port was there before it', () => {
    const pod = { metadata: { annotations: requested(30, 1), creationTimestamp: at(30) } }
    assert.equal(sinceOf(portOf(), pod).requestedMs, Date.parse(at(30, 1)))
    assert.equal(sinceOf(portOf()).requestedMs, Date.parse(at(10)))
  })

  test('tells whether its address was fought for, and whether it waited for its Subnet', () => {
    const labels = (...reasons: readonly string[]) =>
      sinceOf(portOf({ timeline: reasons.map((reason, i) => ({ sequence: i, time: at(1), phase: 'pending', reason })) })).labels
    assert.deepEqual(labels('InPlace'), { contention: 'none', waited: 'no' })
    assert.deepEqual(labels('SubnetFull', 'InPlace'), { contention: 'address', waited: 'no' })
    assert.deepEqual(labels('SubnetNotValidated', 'AddressTaken', 'InPlace'), { contention: 'address', waited: 'subnet' })
  })
})

describe('what a lock says of its Port to other nodes', () => {
  const cases: readonly Since[] = [
    { requestedMs: 1_700_000_000_123, labels: { contention: 'none', waited: 'no' } },
    { requestedMs: undefined, labels: { contention: 'address', waited: 'no' } },
    { requestedMs: 5, labels: { contention: 'address', waited: 'subnet' } },
  ]
  test('is read back as it was written', () => {
    for (const since of cases) assert.deepEqual(hopIn({ metadata: { annotations: hopNote(since, 7) } }), { ...since, lockedMs: 7 })
  })
  test('is nothing where it is anything else', () => {
    for (const text of ['', '{}', '{"lockedMs":"7"}', '{"requestedMs":-1,"lockedMs":7}', '{"lockedMs":7,"contention":"everything"}', '[]'])
      assert.equal(hopIn({ metadata: { annotations: { 'megrez.io/hop': text } } }), undefined, text)
    assert.equal(hopIn({ metadata: {} }), undefined)
  })
})

describe('a commit', () => {
  const addressed = { address: { addresses: ['10.0.0.9'] } }
  const hopsOf = (writes: readonly Write[], item?: Resource): readonly string[] =>
    hopsIn(writes, item).map(({ to, labels: { contention, waited } }) => `${to} ${contention} ${waited}`)

  test('completes the address and the readiness of a Port the first time, and never again', () => {
    assert.deepEqual(hopsOf([statusWrite({ ...addressed, report: report('ready', 'InPlace') })], portOf()), [
      'address none no',
      'ready none no',
    ])
    const ready = portOf({ addresses: ['10.0.0.9'], ...report('ready', 'InPlace') })
    assert.deepEqual(hopsOf([statusWrite({ address: { addresses: ['10.0.0.10'] }, report: report('ready', 'InPlace') })], ready), [])
  })

  test('knows what held the Port up from what was reported before', () => {
    assert.deepEqual(hopsOf([statusWrite({ ...addressed, report: report('ready', 'InPlace') })], portOf(report('pending', 'SubnetFull'))), [
      'address address no',
      'ready address no',
    ])
  })

  test('that makes a Port and serves it at once completes both hops, since its pod was asked for', () => {
    const draft = {
      kind: 'Port',
      metadata: { namespace: 'a', name: 'p', uid: 'u', annotations: requested(20, 5) },
      spec: { subnet: 's' },
    } as Draft<'Port'>
    const hops = hopsIn([{ do: 'create', draft }, statusWrite({ ...addressed, report: report('ready', 'InPlace') })], undefined)
    assert.deepEqual(
      hops.map(({ to, requestedMs }) => [to, requestedMs]),
      [
        ['address', Date.parse(at(20, 5))],
        ['ready', Date.parse(at(20, 5))],
      ],
    )
  })

  test('validates a Subnet once', () => {
    const subnet = (status: object) => ({ ...portOf(), kind: 'Subnet', status }) as unknown as Resource<'Subnet'>
    const write = statusWrite({ segment: { validated: true } }, 'Subnet')
    assert.deepEqual([hopsOf([write], subnet({})), hopsOf([write], subnet({ validated: true }))], [['validated none no'], []])
  })

  test('of a report alone, of another kind, or of what nobody has seen, completes nothing', () => {
    assert.deepEqual(hopsOf([statusWrite({ report: report('pending', 'SubnetFull') })], portOf()), [])
    assert.deepEqual(hopsOf([statusWrite({ report: report('ready', 'InPlace') }, 'Vpc')], portOf()), [])
    assert.deepEqual(hopsOf([statusWrite(addressed)]), [])
  })
})
