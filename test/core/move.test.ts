// When a Port goes to the node that its VM moves to, and where a TAP waits for one.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { portFinalizer, wiredFinalizer } from '../../core/kinds/annotations.ts'
import type { Resource } from '../../core/kinds/index.ts'
import { isExpectedOn, moveSteps, whyNotMoved, withoutFormerMove } from '../../core/plan/vpc/move.ts'
import { nodeWrites } from '../../workers/providers/port-driver.ts'

const claim = { pod: 'p', nic: 'eth0', owner: 'Pod/p', podUID: 'u' }
const ofCloud = (node: string) => ({ node, plug: 'bridge', bridge: 'br-int' })
const report = { node: 'n2', generation: 3, tap: 'mgz0', active: true }
const portOf = (spec: object = {}, status: object = {}, metadata: object = {}): Resource<'Port'> =>
  ({
    kind: 'Port',
    metadata: { namespace: 'a', name: 'vm', uid: 'uid', generation: 3, finalizers: [portFinalizer, wiredFinalizer], ...metadata },
    spec: { subnet: 's', type: 'tap', node: 'n1', migratingTo: 'n2', ...spec },
    status: { phase: 'ready', addresses: ['10.0.0.7'], vni: 7, migration: report, ...status },
  }) as unknown as Resource<'Port'>

/** What, the Port, whether it goes to n2, and whether n2 has a TAP for it. */
const cases: Readonly<Record<string, readonly [Resource<'Port'>, moves: boolean, isExpected: boolean]>> = {
  'its VM has spoken there': [portOf(), true, true],
  'its VM has not spoken yet': [portOf({}, { migration: { ...report, active: undefined } }), false, true],
  'nobody has said anything yet': [portOf({}, { migration: undefined }), false, true],
  'what was said is of an earlier state of it': [portOf({}, {}, { generation: 4 }), false, true],
  'another node says it': [portOf({}, { migration: { ...report, node: 'n3' } }), false, true],
  'the move was taken back': [portOf({ migratingTo: undefined }), false, false],
  'a pod has it': [portOf({ claim }), false, false],
  'its cloud has bound it to one node alone': [portOf({}, { vif: ofCloud('n1') }), true, false],
  'its cloud has bound it to both nodes': [portOf({}, { phase: 'pending', vif: ofCloud('n1'), nextVif: ofCloud('n2') }), true, true],
  'its cloud has bound it to another second node': [portOf({}, { vif: ofCloud('n1'), nextVif: ofCloud('n3') }), true, false],
  'its cloud makes its interface': [portOf({}, { vif: { node: 'n1', plug: 'interface' } }), false, false],
  'it is in a VLAN': [portOf({}, { vlan: { physicalNetwork: 'p', id: 7 } }), false, false],
  'it is being deleted': [portOf({}, {}, { deletionTimestamp: '2026-01-01T00:00:00Z' }), true, false],
  'it is wired nowhere yet': [portOf({}, {}, { finalizers: [portFinalizer] }), true, false],
  'it is there already': [portOf({ node: 'n2', migratingTo: undefined }), false, false],
}

describe('a VM that moves', () => {
  for (const [what, [port, moves, isExpected]] of Object.entries(cases))
    test(what, () => assert.deepEqual([moveSteps(port).length === 1, isExpectedOn(port, 'n2')], [moves, isExpected]))

  test('it is on the other node from then on, and moves no more', () => {
    const [write] = moveSteps(portOf()).flatMap(({ action }) => nodeWrites(action))
    assert.deepEqual(write?.do === 'update' && write.item.spec, { subnet: 's', type: 'tap', node: 'n2' })
  })

  test('what was said of a move that is over is dropped, and of one under way it is kept', () => {
    const moved = portOf({ node: 'n2', migratingTo: undefined })
    const elsewhere = portOf({ migratingTo: 'n3' })
    assert.deepEqual([moved, elsewhere, portOf()].map(withoutFormerMove), [{ migration: {} }, { migration: {} }, {}])
  })

  test('why it does not move is said where it asks for it', () => {
    assert.match(whyNotMoved(portOf({ claim })) ?? '', /no pod has/)
    assert.equal(whyNotMoved(portOf({ claim, migratingTo: undefined })), undefined)
  })
})
