import { test } from 'node:test'
import assert from 'node:assert/strict'
import { portFinalizer, wiredFinalizer } from '../../core/kinds/annotations.ts'
import { printIp } from '../../core/net/ip.ts'
import { kosMac } from '../../core/net/mac.ts'
import { chooseMac, kosAddressOf } from '../../core/plan/builtin/mac.ts'
import { planNamespace } from '../../core/plan/namespace.ts'
import { planNode } from '../../core/plan/node/node.ts'
import { offered } from '../../core/plan/builtin/pools.ts'
import { planReservation } from '../../core/plan/builtin/reservation.ts'
import { sameJson } from '../../core/same-json.ts'
import { planSweep } from '../../core/plan/builtin/sweep.ts'
import { ended, reported } from '../../core/plan/status.ts'
import { noticeFinalizer } from '../../core/kinds/annotations.ts'
import { at, going, line, t0, thing } from './plan-things.ts'

const pools: Readonly<Record<string, readonly [Parameters<typeof offered>[0], string, readonly (readonly [number, number])[]]>> = {
  'a /24 offers its third address to its last but one': [{ cidr: '10.0.0.0/24' }, '10.0.0.2', [[0, 252]]],
  'a /30 offers all four': [{ cidr: '10.0.0.0/30' }, '10.0.0.0', [[0, 3]]],
  'its gateway is never offered': [
    { cidr: '10.0.0.0/30', gateway: '10.0.0.1' },
    '10.0.0.0',
    [
      [0, 0],
      [2, 3],
    ],
  ],
  'pools that touch or overlap are one': [
    {
      cidr: '10.0.0.0/24',
      pools: [
        { first: '10.0.0.20', last: '10.0.0.29' },
        { first: '10.0.0.10', last: '10.0.0.19' },
        { first: '10.0.0.15', last: '10.0.0.25' },
      ],
    },
    '10.0.0.10',
    [[0, 19]],
  ],
  'excludes are addresses or blocks': [
    { cidr: '10.0.0.0/28', excludes: ['10.0.0.8/30', '10.0.0.3'] },
    '10.0.0.2',
    [
      [0, 0],
      [2, 5],
      [10, 12],
    ],
  ],
  'what is excluded whole offers nothing': [{ cidr: '10.0.0.0/30', excludes: ['10.0.0.0/30'] }, '10.0.0.0', []],
  'a /64 offers its first 2^52': [{ cidr: '2001:db8::/64' }, '2001:db8::2', [[0, 2 ** 52 - 1]]],
  'counting from its first pool': [
    { cidr: '2001:db8::/64', pools: [{ first: '2001:db8::f000:0:0:1', last: '2001:db8::f000:0:0:9' }] },
    '2001:db8::f000:0:0:1',
    [[0, 8]],
  ],
}
for (const [name, [block, base, runs]] of Object.entries(pools)) {
  test(`pools: ${name}`, () => {
    const found = offered(block)
    assert.deepEqual(found?.runs, runs)
    assert.equal(runs.length === 0 ? base : printIp({ family: found.family, value: found.base }), base)
  })
}

const nobody = (): undefined => undefined
test("a MAC is KOS's function of the first IPv4 address, which gives the address back", () => {
  assert.deepEqual(chooseMac(5000, ['10.0.0.7', '2001:db8::7'], undefined, nobody), { mac: kosMac(5000, '10.0.0.7'), lock: false })
  for (const address of ['10.0.0.7', '172.16.3.4', '172.31.255.1', '192.168.9.9'])
    assert.equal(kosAddressOf(74565, kosMac(74565, address)!), address)
  assert.equal(kosAddressOf(5000, '02:aa:00:00:00:01'), undefined)
  assert.equal(kosAddressOf(5001, kosMac(5000, '10.0.0.7')!), undefined, "of another VNI it is no address's")
})
test('a hashed MAC that another has is hashed again', () => {
  const first = chooseMac(5000, ['2001:db8::7'], undefined, nobody)
  assert.ok('mac' in first && first.lock)
  const second = chooseMac(5000, ['2001:db8::7'], undefined, (mac) => (mac === first.mac ? 'Port a/other' : undefined))
  assert.ok('mac' in second && second.mac !== first.mac)
  assert.ok('conflict' in chooseMac(5000, ['2001:db8::7'], undefined, () => 'Port a/other'))
})

const n1 = thing('Node', 'n1', { taints: [{ key: 'node.kubernetes.io/out-of-service', effect: 'NoExecute' }] })
const wired = { finalizers: [portFinalizer, wiredFinalizer] }
const claim = { pod: 'web', nic: 'net1', owner: 'Pod/web', podUID: 'uid-web' }
const left = thing('Port', 'left', { subnet: 'one', node: 'n1', podUID: 'uid-web' }, wired)
const used = thing('Port', 'used', { subnet: 'one', node: 'n1', podUID: 'uid-web', claim }, wired)
const deleted = thing('Port', 'deleted', used.spec, { ...wired, ...going })
test('a node out of service unwires what is deleted or left, and nothing that is used', () => {
  const ref = { kind: 'Node' as const, name: 'n1' }
  const freed = (node: typeof n1 | undefined): string[] =>
    planNode({ ref, node, ports: [left, used, deleted] }).steps.map(({ action }) => action.port.metadata.name)
  assert.deepEqual(freed(n1), ['left', 'deleted'])
  assert.deepEqual(freed(undefined), ['left', 'deleted'])
  assert.deepEqual(freed({ ...n1, spec: { taints: [{ key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' }] } }), [])
})

const space = thing('Namespace', 'a', {}, going)
test('a namespace goes when all in it has gone; locks last', () => {
  const [pod, lock] = [thing('Pod', 'p', {}), thing('IPLock', 'l', { vni: 1 })]
  assert.equal(
    line(
      planNamespace({
        namespace: space,
        items: [pod as never, thing('Port', 'q', { subnet: 'one' }, going) as never],
        rest: [lock as never],
      }),
    ),
    'terminating NotEmpty, deleteItem',
  )
  assert.equal(line(planNamespace({ namespace: space, items: [], rest: [lock as never] })), 'terminating NotEmpty, deleteItem')
  assert.equal(line(planNamespace({ namespace: space, items: [], rest: [] })), 'deleted Empty, letGo')
})

const reservation = { namespace: 'a', owner: 'Pod/web', nic: 'net1', podUID: 'uid-web', until: at(1_000) }
test('a reservation waits until its time, then for its pod, else lapses', () => {
  const lock = thing('IPLock', 'l', { vni: 1, reservation })
  const port = thing('Port', 'p', { subnet: 'one', claim: { ...claim, until: at(1_000) } })
  for (const item of [lock, port]) {
    assert.equal(planReservation({ item, leftMs: 1_000, podIsThere: false }).requeueAfterMs, 1_000)
    assert.equal(line(planReservation({ item, leftMs: 0, podIsThere: true })), 'pending PodIsThere')
    assert.equal(line(planReservation({ item, leftMs: 0, podIsThere: false })), 'ready Lapsed, lapse')
  }
  assert.equal(
    line(
      planReservation({
        item: { ...lock, spec: { ...lock.spec, holder: { kind: 'Port', name: 'p', uid: 'u' } } },
        leftMs: undefined,
        podIsThere: false,
      }),
    ),
    'ready NotReserved',
  )
})

test('the sweeper frees locks, and takes a block out of a lock that stays', () => {
  const lock = thing('SegmentLock', 'vni-9', { vni: 9, holder: { kind: 'Vpc', name: 'blue', uid: 'u' } })
  assert.equal(
    line(planSweep({ orphans: [{ lock }, { lock, kept: { blocks: [] } }], old: [thing('Event', 'e', {} as never)], pods: [] }, 60_000)),
    'ready Swept, free, keepBlocks, free',
  )
})

test('values are the same whatever the order of their keys, and undefined is not there', () => {
  assert.ok(sameJson({ a: 1, b: [{ c: 2, d: undefined }] }, { b: [{ c: 2 }], a: 1 }))
  for (const [a, b] of [
    [{ a: 1 }, { a: 1, b: 2 }],
    [
      { a: 1, b: undefined },
      { a: undefined, b: 1 },
    ],
    [
      [1, 2],
      [2, 1],
    ],
    [{ 0: 1 }, [1]],
    [null, {}],
    ['1', 1],
  ] as const)
    assert.ok(!sameJson(a, b), `${JSON.stringify(a)} and ${JSON.stringify(b)}`)
})

const reporting = { now: t0, namespace: 'megrez-system' }
test('a status is written where it differs, section by section, and a field left out goes', () => {
  const port = thing('Port', 'p', { subnet: 'one' })
  const said = {
    phase: 'ready' as const,
    reason: 'InPlace',
    message: 'fine',
    sections: { address: { addresses: ['10.0.0.7'], hostIP: '192.0.2.1' } },
  }
  const first = reported(port, said, reporting)
  assert.deepEqual(
    first.writes.map((write) => write.do === 'patchStatus' && Object.keys(write.sections)),
    [['report', 'address']],
  )
  assert.deepEqual(reported(first.after, said, reporting).writes, [])
  const moved = reported(first.after, { ...said, sections: { address: { addresses: ['10.0.0.7'] } } }, reporting)
  assert.deepEqual(
    moved.writes.map((write) => write.do === 'patchStatus' && Object.keys(write.sections)),
    [['address']],
  )
  assert.deepEqual([moved.after.status?.hostIP, moved.after.status?.phase], [undefined, 'ready'])
})

test('a change of phase is told before it is written, and the end before the finalizers fall', () => {
  const vpc = thing('Vpc', 'v', { callbackURL: 'https://example.org/hook' }, { finalizers: ['megrez.io/vpc', noticeFinalizer] })
  const { writes, after } = reported(vpc, { phase: 'ready', reason: 'InPlace', message: 'fine' }, reporting)
  assert.deepEqual(
    writes.map((write) => (write.do === 'create' ? write.draft.kind : write.do)),
    ['Notice', 'patchStatus'],
  )
  const end = ended(after, ['megrez.io/vpc'], reporting)
  assert.deepEqual(
    end.map((write) => (write.do === 'create' ? write.draft.kind : write.do === 'removeFinalizer' ? write.finalizer : write.do)),
    ['Notice', noticeFinalizer, 'megrez.io/vpc'],
  )
})
