// The model of a switch does what the real one does with connections, conjunctions, groups and fragments, and says what it does not do.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conjunction, output, set, type Action } from '../../core/pipeline/openflow/actions.ts'
import { ours } from '../../core/pipeline/cookie.ts'
import {
  conjId,
  ctMark,
  ctState,
  ethType,
  inPort,
  ipFrag,
  ipProto,
  ipv4Dst,
  ipv4Src,
  udpDst,
  udpSrc,
  type Field,
} from '../../core/pipeline/openflow/fields.ts'
import { is, isMasked, type Flow, type Term } from '../../core/pipeline/openflow/flow.ts'
import { groupId, type Group } from '../../core/pipeline/openflow/group.ts'
import { Connections } from '../../core/pipeline/model/conntrack.ts'
import type { Frame } from '../../core/pipeline/model/frame.ts'
import { through, type Tables } from '../../core/pipeline/model/tables.ts'

const flow = (table: number, priority: number, match: readonly Term[], actions: readonly Action[]): Flow => ({
  table,
  priority,
  cookie: ours.value,
  match,
  actions,
})
const frame = (terms: readonly (readonly [Field, number])[]): Frame => new Map<Field, number>([[ethType, 0x0800], [ipProto, 17], ...terms])
const there = frame([
  [ipv4Src, 1],
  [ipv4Dst, 2],
  [udpSrc, 1_000],
  [udpDst, 9],
])
const back = frame([
  [ipv4Src, 2],
  [ipv4Dst, 1],
  [udpSrc, 9],
  [udpDst, 1_000],
])
const other = frame([
  [ipv4Src, 2],
  [ipv4Dst, 1],
  [udpSrc, 9],
  [udpDst, 1_001],
])

function switchOf(
  flows: readonly Flow[],
  groups: readonly Group[] = [],
  down: readonly number[] = [],
): (frame: Frame, number: number) => number[] {
  const byTable = new Map<number, readonly Flow[]>()
  for (const { table } of flows)
    byTable.set(
      table,
      flows.filter((each) => each.table === table).sort((a, b) => b.priority - a.priority),
    )
  const tables: Tables = {
    flowsOf: (table) => byTable.get(table) ?? [],
    group: (id) => groups.find((group) => group.id === id),
    isUp: (number) => !down.includes(number),
    connections: new Connections(),
  }
  return (given, number) => through(tables, given, number).map((out) => out.number)
}

test('a connection that one side has begun passes both ways, what the other side begins does not, and zones know nothing of one another', () => {
  const state = (value: number, mask: number): Term => isMasked(ctState, value, mask)
  const flows = (zone: number): readonly Flow[] => [
    flow(0, 100, [is(ethType, 0x0800)], [{ do: 'ct', zone, table: 1 }]),
    flow(1, 100, [is(inPort, 1), state(0x21, 0x21)], [{ do: 'ct', zone: 5, commit: 'new', exec: [set(ctMark, 7)] }, output(2)]),
    flow(1, 100, [is(inPort, 1), state(0x22, 0x22)], [output(2)]),
    flow(1, 100, [is(inPort, 2), state(0x2a, 0x2a), is(ctMark, 7)], [output(1)]),
  ]
  const same = switchOf(flows(5))
  assert.deepEqual([same(back, 2), same(there, 1), same(there, 1), same(back, 2), same(other, 2)], [[], [2], [2], [1], []])
  const apart = switchOf(flows(6))
  assert.deepEqual([apart(there, 1), apart(back, 2)], [[2], []])
})

test('a conjunction needs one of each of its dimensions, and a stronger flow goes before it', () => {
  const send = switchOf([
    flow(0, 100, [is(ipv4Src, 1)], [conjunction(7, 1, 2)]),
    flow(0, 100, [is(ipv4Src, 2)], [conjunction(7, 1, 2)]),
    flow(0, 100, [is(udpDst, 9)], [conjunction(7, 2, 2)]),
    flow(0, 100, [is(conjId, 7)], [output(3)]),
    flow(0, 200, [is(udpSrc, 53)], [output(4)]),
    flow(0, 10, [], [output(5)]),
  ])
  const to = (ipv4: number, l4To: number, l4From = 1) =>
    send(
      frame([
        [ipv4Src, ipv4],
        [udpDst, l4To],
        [udpSrc, l4From],
      ]),
      1,
    )
  assert.deepEqual([to(1, 9), to(2, 9), to(3, 9), to(1, 10), to(1, 9, 53)], [[3], [3], [5], [5], [4]])
})

test('a group sends to all its buckets, to one by the hash of its fields, or to the first that is alive', () => {
  const buckets = [2, 3].map((number) => ({ id: number, watch: number, actions: [output(number)] }))
  const use = (group: Group, down: readonly number[] = []) => switchOf([flow(0, 1, [], [{ do: 'group', group: group.id }])], [group], down)
  assert.deepEqual(use({ id: groupId(1), type: 'all', buckets })(there, 1), [2, 3])
  assert.deepEqual(
    [use({ id: groupId(1), type: 'ff', buckets })(there, 1), use({ id: groupId(1), type: 'ff', buckets }, [2])(there, 1)],
    [[2], [3]],
  )
  const select = use({ id: groupId(1), type: 'select', hash: [udpSrc], buckets })
  const chosen = Array.from({ length: 40 }, (_, i) => select(frame([[udpSrc, i]]), 1).join())
  assert.deepEqual([...new Set(chosen)].sort(), ['2', '3'])
  assert.deepEqual(
    [1, 2, 3].map((n) =>
      select(
        frame([
          [udpSrc, 9],
          [udpDst, n],
        ]),
        1,
      ).join(),
    ),
    Array(3).fill(select(frame([[udpSrc, 9]]), 1).join()),
  )
})

test('fragments are told apart', () => {
  const send = switchOf([
    flow(0, 9, [is(ipFrag, 3)], [output(3)]),
    flow(0, 8, [isMasked(ipFrag, 1, 1)], [output(2)]),
    flow(0, 7, [is(ipFrag, 0)], [output(4)]),
  ])
  assert.deepEqual(
    [0, 1, 3].map((kind) => send(frame([[ipFrag, kind]]), 1)),
    [[4], [2], [3]],
  )
})

test('what the model does not do is refused by its name', () => {
  for (const action of [
    { do: 'setQueue', queue: 1 },
    { do: 'ct', zone: 1, nat: {} },
    { do: 'group', group: groupId(9) },
  ] as const) {
    assert.throws(() => switchOf([flow(0, 1, [], [action])])(there, 1), TypeError, action.do)
  }
})
