import { test } from 'node:test'
import assert from 'node:assert/strict'
import { setImmediate as turnOfEvents } from 'node:timers/promises'
import { memory, memoryNode, type MemoryNode } from '../../agent/dataplanes/memory.ts'
import { NodeLoop } from '../../agent/loop.ts'
import { noAgentMeter } from '../../agent/metrics.ts'
import type { Dataplane } from '../../core/contracts/dataplane.ts'
import type { LocalPort } from '../../core/node/wanted.ts'
import { portPiece } from '../../core/pieces/port.ts'
import { TurnedClock } from '../../platform/clock.ts'
import { silentLog } from '../../platform/log.ts'

const port: LocalPort = {
  uid: 'u1',
  of: { kind: 'Port', namespace: 'a', name: 'p' },
  number: 1,
  ifcName: 'mgz1',
  attachment: { kind: 'vni', vni: 5000 },
  mac: '02:00:00:00:00:01',
  addresses: ['10.0.0.2'],
  allowedAddressPairs: [],
  portSecurity: true,
  type: 'kernel',
  mtu: 1450,
}

const auditMs = 60_000
const loopOn = (plane: Dataplane, clock: TurnedClock, synced = (): boolean => true): NodeLoop =>
  new NodeLoop({ plane, node: 'n1', clock, random: () => 0, log: silentLog(), meter: noAgentMeter, synced, auditMs })

test('a comparison that is due later does not hold back a port that is wanted now', async () => {
  const clock = new TurnedClock()
  const node = memoryNode()
  const loop = loopOn(memory(node), clock)
  loop.start()
  const first = loop.applied(new AbortController().signal)
  clock.advance(0)
  await first
  // The pass has ended when this has.
  await turnOfEvents()
  // Somebody meddled: what is there is to be looked at in a while.
  for (const wake of node.drift) wake()
  loop.pieces.set(portPiece, port.uid, port)
  clock.advance(1)
  await turnOfEvents()
  assert.ok(node.things.has('port/u1'))
  await loop.stop()
})

test('before every source has told all it knows, what is missing is put and nothing is taken away or replaced; afterwards it is', async () => {
  const clock = new TurnedClock()
  const node = memoryNode()
  let synced = false
  const loop = loopOn(memory(node), clock, () => synced)
  node.things.set('port/u0', 'of a Port that nobody has told of yet')
  node.things.set('port/u1', 'as an agent before this one made it')
  loop.pieces.set(portPiece, 'u1', port)
  loop.pieces.set(portPiece, 'u2', { ...port, uid: 'u2', number: 2, ifcName: 'mgz2', addresses: ['10.0.0.3'] })
  loop.start()
  const compared = async (): Promise<void> => {
    const applied = loop.applied(new AbortController().signal)
    clock.advance(0)
    await applied
    await turnOfEvents()
  }
  await compared()
  assert.equal(node.things.get('port/u0'), 'of a Port that nobody has told of yet')
  assert.equal(node.things.get('port/u1'), 'as an agent before this one made it')
  assert.ok(node.things.has('port/u2'))
  synced = true
  loop.audit()
  await compared()
  assert.equal(node.things.has('port/u0'), false)
  assert.notEqual(node.things.get('port/u1'), 'as an agent before this one made it')
  await loop.stop()
})

for (const [how, lose] of [
  ['a change that failed', (plane: Dataplane) => refusingOnce(plane)],
  ['a look at a data plane in which somebody meddled', (_: Dataplane, node: MemoryNode) => node.drift.forEach((wake) => wake())],
] as const) {
  test(`what a Port or an address is to lose is taken away after ${how} too, while not every source has told all it knows`, async () => {
    const clock = new TurnedClock()
    const node = memoryNode()
    const plane = memory(node)
    let synced = true
    const loop = loopOn(plane, clock, () => synced)
    const applied = async (): Promise<void> => {
      const all = loop.applied(new AbortController().signal)
      for (let passes = 0; passes < 3; passes++) {
        clock.advance(1_000)
        await turnOfEvents()
      }
      await all
    }
    const second = { ...port, uid: 'u2', number: 2, ifcName: 'mgz2', addresses: ['10.0.0.3'] }
    loop.pieces.set(portPiece, 'u1', port)
    loop.pieces.set(portPiece, 'u2', second)
    loop.start()
    await applied()
    // A VNI is new here: its locks are not known yet.
    synced = false
    node.things.set('port/u0', 'of a Port that nobody has told of yet')
    loop.pieces.set(portPiece, 'u1', undefined)
    loop.pieces.set(portPiece, 'u2', { ...second, mac: '02:00:00:00:00:03' })
    const before = node.things.get('port/u2')
    lose(plane, node)
    await applied()
    assert.equal(node.things.has('port/u1'), false)
    assert.ok(node.things.has('port/u2'))
    assert.notEqual(node.things.get('port/u2'), before)
    assert.ok(node.things.has('port/u0'))
    await loop.stop()
  })
}

/** A data plane that takes nothing the next time. */
function refusingOnce(plane: Dataplane): void {
  const { apply } = plane
  plane.apply = () => {
    plane.apply = apply
    return Promise.reject(new Error('it does not answer'))
  }
}

test('an audit by time renders nothing while all stays as it was, sees all the same what nobody tells of, and renders again at the eighth', async () => {
  const clock = new TurnedClock()
  const node = memoryNode()
  const plane = memory(node)
  let rendered = 0
  const { renderer } = plane
  const counting = Object.assign(plane, { renderer: { ...renderer, base: () => (rendered++, renderer.base()) } })
  const loop = loopOn(counting, clock)
  const audit = async (ms = auditMs): Promise<number> => {
    const before = rendered
    clock.advance(ms)
    await turnOfEvents()
    return rendered - before
  }
  loop.start()
  loop.pieces.set(portPiece, port.uid, port)
  for (let i = 0; i < 3; i++) await audit(0)
  await audit()
  const quiet = []
  for (let i = 0; i < 9; i++) quiet.push(await audit())
  assert.deepEqual(quiet.filter((times) => times > 0).length, 1, quiet.join())
  assert.equal(await audit(), 0)

  node.things.set('port/u1', 'as somebody has made it')
  node.things.set('port/u9', 'as somebody has made it')
  await audit()
  assert.notEqual(node.things.get('port/u1'), 'as somebody has made it')
  assert.ok(!node.things.has('port/u9'))

  loop.pieces.set(portPiece, port.uid, { ...port, mac: '02:00:00:00:00:03' })
  await audit(0)
  assert.match(node.things.get('port/u1') ?? '', /00:00:03/)
  node.things.delete('port/u1')
  await audit()
  assert.match(node.things.get('port/u1') ?? '', /00:00:03/)
  await loop.stop()
})
