import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { ownerOf, portAvailability } from '../../core/admit/pod/claims.ts'
import { finalizersFor } from '../../core/admit/object/finalizers.ts'
import { syntaxErrorOf } from '../../core/admit/json-syntax-error.ts'
import { nearest } from '../../core/admit/nearest.ts'
import type { Resource, SpecOf } from '../../core/kinds/index.ts'
import { trials } from '../setup/trials.ts'

describe('the fault of a text that is not JSON', () => {
  const cases: Readonly<Record<string, readonly [offset: number, at: string]>> = {
    '': [0, ''],
    '{"a":[1,2,]}': [10, '/a/2'],
    '{"a":{"b":tru}}': [10, '/a/b'],
    '{"a" 1}': [5, ''],
    "{'a':1}": [1, ''],
    '[1] 2': [4, ''],
    '{"a/b":{"c~d":}}': [14, '/a~1b/c~0d'],
    '["x\ny"]': [1, '/0'],
    '[01]': [2, ''],
    '{"a":NaN}': [5, '/a'],
  }
  for (const [text, [offset, at]] of Object.entries(cases))
    test(JSON.stringify(text), () => assert.deepEqual([syntaxErrorOf(text)?.offset, syntaxErrorOf(text)?.at], [offset, at]))
  test('is there exactly where JSON.parse refuses', () => {
    const pieces = fc
      .array(
        fc.constantFrom('{', '}', '[', ']', ',', ':', '"a"', '"\\u00e9"', '1', '-0.5e+3', '01', 'true', 'null', ' ', '\n', '"', '\\'),
        { maxLength: 12 },
      )
      .map((parts) => parts.join(''))
    const parses = (text: string): boolean => {
      try {
        JSON.parse(text)
        return true
      } catch {
        return false
      }
    }
    fc.assert(
      fc.property(fc.oneof(pieces, fc.json()), (text) => assert.equal(syntaxErrorOf(text) === undefined, parses(text))),
      { numRuns: trials(50_000) },
    )
  })
})

test('a name that was probably meant is found, and none where nothing is near', () => {
  assert.equal(nearest('portId', ['portID', 'subnet']), 'portID')
  assert.equal(nearest('sunbet', ['subnet', 'ip']), 'subnet')
  assert.equal(nearest('colour', ['subnet', 'ip']), undefined)
})

describe('an owner', () => {
  const owner = (kind: string, controller: boolean) => ({ apiVersion: 'v1', kind, name: 'x', uid: 'u', controller })
  test('is the controller, else the name that pods are generated from, else the pod', () => {
    assert.equal(ownerOf({ name: 'a-1', ownerReferences: [owner('Node', false), owner('ReplicaSet', true)] }), 'ReplicaSet/x')
    assert.equal(ownerOf({ name: 'a-1', generateName: 'a-' }), 'Pod/a-')
    assert.equal(ownerOf({ name: 'a-1', ownerReferences: [owner('Node', false)] }), 'Pod/a-1')
  })
})

describe('a pre-made Port stands to a Nic as', () => {
  const who = { namespace: 'a', pod: 'web', podUID: 'u1', owner: 'StatefulSet/web', nic: 'eth0' }
  const [past, future] = ['2025-12-31T23:59:59Z', '2026-01-01T00:00:30Z']
  const claim = { pod: 'web', nic: 'eth0', owner: 'StatefulSet/web', podUID: 'u0' }
  const pod = (more: object, status = {}): Resource<'Pod'> =>
    ({ metadata: { name: 'web', uid: 'u0', ...more }, status }) as unknown as Resource<'Pod'>
  const running = pod({}, { phase: 'Running' })
  const cases: Readonly<Record<string, { spec: Partial<SpecOf<'Port'>>; pod?: Resource<'Pod'>; is: string }>> = {
    'free where nobody claims it': { spec: {}, is: 'free' },
    'taken where another pod has it unclaimed': { spec: { podUID: 'u9' }, is: 'taken' },
    'taken where it is made ahead': { spec: { warm: {} }, is: 'taken' },
    'ours where this pod has it': { spec: { podUID: 'u1' }, is: 'ours' },
    'ours where this pod claimed it': { spec: { claim: { ...claim, podUID: 'u1' } }, is: 'ours' },
    'taken by another Nic of the same pod': { spec: { claim: { ...claim, podUID: 'u1', nic: 'eth1' } }, is: 'taken' },
    'free where the same owner only reserved it': { spec: { claim: { ...claim, until: future } }, pod: running, is: 'free' },
    'taken where another owner reserved it': { spec: { claim: { ...claim, owner: 'Pod/y', until: future } }, is: 'taken' },
    "taken where another owner's reservation is past its time, as clocks differ: workers end it": {
      spec: { claim: { ...claim, owner: 'Pod/y', until: past } },
      is: 'taken',
    },
    "taken where the same owner's pod runs": { spec: { claim }, pod: running, is: 'taken' },
    'leaving where it is being deleted': { spec: { claim }, pod: pod({ deletionTimestamp: past }), is: 'leaving' },
    'leaving where it has succeeded': { spec: { claim }, pod: pod({}, { phase: 'Succeeded' }), is: 'leaving' },
    'leaving where it is gone': { spec: { claim }, is: 'leaving' },
    'leaving where another of its name is there': { spec: { claim }, pod: pod({ uid: 'u5' }), is: 'leaving' },
    "taken where another owner's pod is gone": { spec: { claim: { ...claim, owner: 'Pod/y' } }, is: 'taken' },
  }
  for (const [name, each] of Object.entries(cases)) {
    test(name, () =>
      assert.equal(portAvailability({ spec: { subnet: 's', ...each.spec } } as Resource<'Port'>, who, () => each.pod).is, each.is),
    )
  }
})

test('what holds something, or has somebody to tell, is born with finalizers', () => {
  const metadata = {}
  assert.deepEqual(finalizersFor('Port', { metadata, spec: { callbackURL: 'https://example.org' } }), [
    'megrez.io/port',
    'megrez.io/notice',
  ])
  assert.deepEqual(finalizersFor('SecurityGroup', { metadata, spec: {} }), ['megrez.io/securitygroup'])
  assert.deepEqual(finalizersFor('NetworkAttachmentDefinition', { metadata, spec: {} }), [])
  assert.deepEqual(finalizersFor('Notice', { metadata, spec: { callbackURL: 'https://example.org' } }), [])
  assert.deepEqual(finalizersFor('Pod', { metadata: { annotations: { 'megrez.io/callback-url': 'https://example.org' } }, spec: {} }), [
    'megrez.io/notice',
  ])
})
