// Connection tracking, groups, meters, conjunctions and queues as values, as text and as bytes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { printAction, set, type Action } from '../../core/pipeline/openflow/actions.ts'
import { ours } from '../../core/pipeline/cookie.ts'
import { explain } from '../../core/pipeline/explain.ts'
import { ctLabel, ctMark, fields, ipFrag, ipv4Src, registers, tcpFlags, tcpSrc, ctState } from '../../core/pipeline/openflow/fields.ts'
import { flowKey, is, isMasked, parseFlowKey, type Flow, type Term } from '../../core/pipeline/openflow/flow.ts'
import { groupId, groupText, isOurGroup, type Group } from '../../core/pipeline/openflow/group.ts'
import { flowItem, groupItem, meterItem, namedItem, portItem, qosItem, queueItem } from '../../core/pipeline/items.ts'
import { isOurMeter, meterId, meterText } from '../../core/pipeline/openflow/meter.ts'
import { sortedChange, withoutUncorrected } from '../../core/pipeline/sorted-change.ts'
import { Bytes } from '../../core/wire/bytes.ts'
import { readActions, readInstructions, writeInstructions } from '../../core/wire/openflow/actions.ts'
import { readGroups, writeBundledGroup } from '../../core/wire/openflow/groups.ts'
import { readMatch, writeMatch } from '../../core/wire/openflow/match.ts'
import { readMeters, writeMeterMod } from '../../core/wire/openflow/meters.ts'
import { viewOf } from '../../core/wire/openflow/openflow.ts'
import { trials } from '../setup/trials.ts'
import { seeded } from '../workers/test-cluster.ts'
import { drawActions, drawGroup, drawMatch, drawMeter } from './drawn-actions.ts'

const because = { rule: 'a test', of: { kind: 'Node', name: 'n' } } as const
const keyOf = (match: readonly Term[]): string => flowKey({ table: 1, priority: 2, match })
const hex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')

test('every match and every action comes back from its bytes as it was, and a match from its key', () => {
  for (let seed = 1; seed <= trials(2_000); seed++) {
    const random = seeded(seed)
    const match = drawMatch(random)
    const actions = drawActions(random, match, { meters: [meterId(1)], groups: [groupId(1), groupId(0xffffff)] })
    const out = new Bytes(16)
    writeMatch(out, match)
    const middle = out.at
    writeInstructions(out, actions)
    const view = viewOf(out.written())
    assert.deepEqual(readMatch(view, 0), { match, end: middle })
    assert.deepEqual(readInstructions(view, middle, out.at).map(printAction), actions.map(printAction))
    assert.deepEqual(parseFlowKey(keyOf(match)).match, match)
  }
})

test('bits that have names are matched by them', () => {
  const keys = [
    [isMasked(ctState, 0x21, 0x23)],
    [is(tcpFlags, 0x12)],
    [isMasked(tcpFlags, 2, 0x12)],
    [is(ipFrag, 0)],
    [is(ipFrag, 3)],
    [isMasked(ipFrag, 1, 1)],
    [isMasked(ipFrag, 0, 2)],
    [is(tcpFlags, 0)],
  ].map(keyOf)
  assert.deepEqual(keys, [
    '1/2/ct_state=+new-est+trk',
    '1/2/tcp_flags=syn|ack',
    '1/2/tcp_flags=+syn-ack',
    '1/2/ip_frag=no',
    '1/2/ip_frag=later',
    '1/2/ip_frag=yes',
    '1/2/ip_frag=not_later',
    '1/2/tcp_flags=0',
  ])
  for (const unnamed of [[isMasked(ctState, 0x100, 0x101)], [is(tcpFlags, 0x800)]])
    assert.deepEqual(parseFlowKey(keyOf(unnamed)).match, unnamed)
  assert.throws(() => parseFlowKey('1/2/ct_state=+nwe'), SyntaxError)
})

test('actions are spelt as Open vSwitch spells them', () => {
  const spelt: readonly [Action, string][] = [
    [{ do: 'ct', zone: 0 }, 'ct'],
    [
      { do: 'ct', zone: 7, table: 20, commit: 'new', exec: [set(ctMark, 5), set(ctLabel, 1n << 64n)] },
      'ct(commit,table=20,zone=7,exec(set_field:0x5->ct_mark,set_field:0x10000000000000000->ct_label))',
    ],
    [
      { do: 'ct', zone: { field: registers[1]!, from: 0, count: 16 }, commit: 'force', alg: 'tftp' },
      'ct(commit,force,zone=reg1[0..15],alg=tftp)',
    ],
    [{ do: 'ct', zone: 0, nat: {} }, 'ct(nat)'],
    [
      {
        do: 'ct',
        zone: 1,
        commit: 'new',
        nat: { of: 'dst', addresses: { family: 6, first: 1n, last: 2n }, l4Ports: { first: 80, last: 81 } },
      },
      'ct(commit,zone=1,nat(dst=[::1]-[::2]:80-81))',
    ],
    [
      {
        do: 'ct',
        zone: 1,
        commit: 'new',
        nat: { of: 'src', addresses: { family: 4, first: 0x0a000001n, last: 0x0a000001n }, choice: 'hash', persistent: true },
      },
      'ct(commit,zone=1,nat(src=10.0.0.1,persistent,hash))',
    ],
    [{ do: 'conjunction', id: 9, clause: 1, of: 2 }, 'conjunction(9,1/2)'],
    [{ do: 'controller' }, 'CONTROLLER:65535'],
    [{ do: 'controller', maxBytes: 64 }, 'CONTROLLER:64'],
    [
      { do: 'controller', maxBytes: 64, reason: 'no_match', controller: 3, userdata: Uint8Array.of(0, 255), meter: 4_097 },
      'controller(reason=no_match,max_len=64,id=3,userdata=00.ff,meter_id=4097)',
    ],
    [{ do: 'meter', meter: 4_097 }, 'meter:4097'],
    [{ do: 'setQueue', queue: 2 }, 'set_queue:2'],
  ]
  assert.deepEqual(
    spelt.map(([action]) => printAction(action)),
    spelt.map(([, text]) => text),
  )
})

/** A group as a switch gives it back, from the bytes in which it was put. */
function describedAgain(group: Group): Uint8Array {
  const out = new Bytes()
  writeBundledGroup(out, 1, 1, { command: 'put', group })
  const message = out.written()
  const view = viewOf(message)
  const inner = 16
  const buckets = view.getUint16(inner + 16)
  const body = message.subarray(inner + 24)
  const answer = new Uint8Array(32 + body.length)
  const made = viewOf(answer)
  made.setUint16(16, 16 + body.length)
  made.setUint8(18, view.getUint8(inner + 10))
  made.setUint32(20, view.getUint32(inner + 12))
  made.setUint16(24, buckets)
  answer.set(body, 32)
  return answer
}

test('every group and every meter comes back from its bytes as it was', () => {
  for (let seed = 1; seed <= trials(2_000); seed++) {
    const random = seeded(seed)
    const group = drawGroup(random, seed)
    assert.deepEqual(
      readGroups(describedAgain(group)).map((seen) => [groupText(seen.group), seen.unreadable]),
      [[groupText(group), undefined]],
    )
    const meter = drawMeter(random, seed)
    const out = new Bytes()
    writeMeterMod(out, 1, 'add', meter)
    const answer = new Uint8Array(16 + out.at - 8)
    answer.set(out.written().subarray(8), 16)
    // What was the command is the length here.
    viewOf(answer).setUint16(16, answer.length - 16)
    assert.deepEqual(readMeters(answer), [meter])
  }
})

test("a group is the message of OpenFlow 1.5 with Netronome's property, byte by byte", () => {
  const out = new Bytes()
  writeBundledGroup(out, 9, 3, {
    command: 'put',
    group: {
      id: groupId(2),
      type: 'select',
      hash: [tcpSrc, ipv4Src],
      buckets: [{ id: 1, weight: 5, actions: [{ do: 'output', number: 7 }] }],
    },
  })
  assert.equal(
    hex(out.written()),
    [
      '0622008000000009',
      '0000000300000003',
      '060f007000000009',
      '800001004d000002',
      '00200000ffffffff',
      '0020001000000001',
      '0000001000000007',
      '0000000000000000',
      '0000000800050000',
      'ffff00360000154d',
      '0000000100000000',
      '6861736800000000',
      '0000000000000000',
      '0000000000000000',
      '80001a02ffff8000',
      '1604ffffffff0000',
    ].join(''),
  )
})

test('replies about groups and meters that are none are refused, and nothing is read past their end', () => {
  for (let seed = 1; seed <= trials(2_000); seed++) {
    const random = seeded(seed)
    const bytes = Uint8Array.from({ length: 16 + Math.floor(random() * 120) }, () => Math.floor(random() * 256))
    if (random() < 0.5 && bytes.length > 28) bytes.set([0, bytes.length - 16, 1, 0, 0x4d, 0, 0, 1, 0, Math.floor(random() * 64)], 16)
    for (const read of [readGroups, readMeters, (message: Uint8Array) => readActions(viewOf(message), 16, message.length)]) {
      try {
        read(bytes)
      } catch (err) {
        assert.ok(err instanceof RangeError, String(err))
      }
    }
  }
})

test("a number says whose a group or meter is, and none is made under somebody else's", () => {
  assert.deepEqual(
    [isOurGroup(groupId(0)), isOurGroup(groupId(0xffffff)), isOurGroup(5), isOurGroup(0xfffffffc)],
    [true, true, false, false],
  )
  assert.deepEqual([isOurMeter(meterId(0)), isOurMeter(4_095), isOurMeter(0xfffffffd)], [true, false, false])
  assert.throws(() => groupId(2 ** 24), RangeError)
  assert.throws(() => groupItem('b', { id: 5, type: 'all', buckets: [] }, because), RangeError)
  assert.throws(() => meterItem('b', { id: 5, unit: 'kbps', bands: [] }, because), RangeError)
})

const port = { bridge: 'b', name: 'p1', type: '', options: {}, number: 7, vlan: undefined, uid: 'u' } as const
const flow = (priority: number, actions: readonly Action[]): Flow => ({ table: 1, priority, cookie: ours.value, match: [], actions })
const toPort = groupItem('b', { id: groupId(1), type: 'all', buckets: [{ id: 0, actions: [{ do: 'output', number: 7 }] }] }, because)
const elsewhere = groupItem('b', { id: groupId(2), type: 'all', buckets: [{ id: 0, actions: [{ do: 'output', number: 8 }] }] }, because)
const meter = meterItem('b', { id: meterId(1), unit: 'kbps', bands: [{ rate: 5 }] }, because)
const qos = qosItem({ port: 'p1', type: 'linux-htb', options: { 'max-rate': '1000' } }, because)
const queue = queueItem({ port: 'p1', number: 3, options: { 'min-rate': '10' }, dscp: 46 }, because)

test('what could not be corrected is in no group, and a flow that uses such a group waits with it', () => {
  const uses = (priority: number, group: number) => flowItem('b', flow(priority, [{ do: 'group', group }]), because)
  const wrong = portItem({ ...port, number: 9 }, because)
  const change = sortedChange({
    drop: [wrong],
    put: [portItem(port, because), toPort, elsewhere, meter, uses(1, groupId(1)), uses(2, groupId(2))],
  })
  const { put } = withoutUncorrected(change)
  assert.deepEqual(
    [...put.groups.values()].flat().map(({ id }) => id),
    [groupId(2)],
  )
  assert.deepEqual(
    [...put.flows.values()].flat().map(({ priority }) => priority),
    [2],
  )
  assert.deepEqual([...put.meters.values()].flat().length, 1)
})

test('whatever is there can be dropped by its key', () => {
  for (const item of [
    toPort,
    meter,
    qos,
    queue,
    flowItem(
      'b',
      { ...flow(3, []), match: [isMasked(ctState, 0x21, 0x21), is(ipv4Src, 5)].sort((a, b) => a.field.order - b.field.order) },
      because,
    ),
  ]) {
    assert.equal(namedItem(item.key, because)?.key, item.key)
  }
})

test('groups, meters and queues are told in words, before the flows', () => {
  const lines = explain([
    flowItem(
      'b',
      flow(1, [
        { do: 'meter', meter: meterId(1) },
        { do: 'group', group: groupId(1) },
      ]),
      because,
    ),
    meter,
    toPort,
    queue,
    qos,
    portItem(port, because),
  ])
  assert.deepEqual(
    lines.slice(1).map(({ where, match, does }) => `${where} | ${match} | ${does}`),
    [
      'qos | p1 | type=linux-htb,options=max-rate:1000',
      'queue | 3 of p1 | options=min-rate:10,dscp=46',
      'group | 1291845633 | type=all,bucket=bucket_id:0,actions=output:7',
      'meter | 4097 | kbps stats bands=type=drop rate=5',
      '1 1 | everything else | meter:4097, group:1291845633',
    ],
  )
  assert.equal(
    meterText({ id: meterId(1), unit: 'pktps', bands: [{ rate: 5, burst: 9, remark: 1 }] }),
    'pktps burst stats bands=type=dscp_remark rate=5 burst_size=9 prec_level=1',
  )
})

test("no field's name or number is another's", () => {
  assert.equal(new Set(fields.map(({ name }) => name)).size, fields.length)
  assert.equal(new Set(fields.map(({ header }) => header)).size, fields.length)
})
