// Kinds of pieces that are made up, by a file and a row each, on every renderer.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memory, memoryNode, memoryRenderer } from '../../agent/dataplanes/memory.ts'
import { Pieces } from '../../agent/pieces/pieces.ts'
import type { Dataplane, Renderer } from '../../core/contracts/dataplane.ts'
import type { PieceKind } from '../../core/pieces/kind.ts'
import { segmentPiece } from '../../core/pieces/segment.ts'
import { switchRenderer } from '../../core/pipeline/compile.ts'
import { changeOf } from '../../core/plan/node/change.ts'
import { itemsOf } from '../../core/plan/node/items.ts'
import { inOrder, orderBy } from '../../core/plan/node/order.ts'
import { drawFenced, drawNextFenced, reportedOf } from '../laws/made-up/draw.ts'
import { crowdPiece } from '../laws/made-up/crowd.ts'
import { fencePiece } from '../laws/made-up/fence.ts'
import { madeUpKinds } from '../laws/made-up/index.ts'
import { pieceSet } from '../../core/pieces/piece-set.ts'
import { usualDrawing } from '../laws/node-wanted.ts'
import { opensOnItsWay, pieceLaws } from '../laws/pieces.ts'
import { seeded } from '../workers/test-cluster.ts'

const asSwitch: Renderer = switchRenderer(() => ({
  node: 'n',
  bridge: 'mgz',
  datapath: 'netdev',
  tunnelAddress: '192.0.2.1',
  tunnelL4Port: 4789,
  uplinks: { physnet1: 'up0' },
}))

for (const [name, plane, renderer] of [
  ['memory', 'memory', memoryRenderer],
  ['items of Open vSwitch in memory', 'ovs', asSwitch],
] as const) {
  pieceLaws(name, {
    transitions: 500,
    cuts: 500,
    open() {
      const node = memoryNode()
      const instance = (): Promise<Dataplane> => Promise.resolve({ ...memory(node), name: plane, renderer })
      return Promise.resolve({ instance, theirs: () => Promise.resolve([]), close: () => Promise.resolve() })
    },
  })
}

test('applied in no order, some change would open on its way what is shut before and after; in the order of its row none does', () => {
  const tried = Array.from({ length: 50 }, (_, seed) => {
    const random = seeded(seed + 1)
    const [pieces, before] = [new Pieces({ changed: () => undefined, kinds: madeUpKinds }), new Map<string, string>()]
    const one = drawFenced(random, usualDrawing)
    for (const [kind, all] of reportedOf(one)) pieces.setAll(kind, [...all])
    for (const { key, text } of changeOf(memoryRenderer, pieces.take(1_000)).put) before.set(key, text)
    for (const [kind, all] of reportedOf({ ...one, fences: drawNextFenced(one, random, usualDrawing).fences }))
      pieces.setAll(kind, [...all])
    const change = changeOf(memoryRenderer, pieces.take(1_000))
    return {
      unordered: opensOnItsWay(change, before, undefined),
      ordered: opensOnItsWay(change, before, orderBy(madeUpKinds, { name: 'memory', renderer: memoryRenderer })),
    }
  })
  assert.ok(tried.some(({ unordered }) => unordered))
  assert.ok(tried.every(({ ordered }) => !ordered))
})

test('into an empty switch its bridge is put before what closes, and all else after it', () => {
  const plane = { name: 'ovs', renderer: asSwitch }
  const node = drawFenced(seeded(3), usualDrawing)
  const put = [...itemsOf(asSwitch, pieceSet(reportedOf(node), madeUpKinds), madeUpKinds)]
  const order = orderBy(madeUpKinds, plane)!
  const [first, then] = inOrder({ drop: [], put }, order)
  assert.ok(first!.put.some(({ key }) => key === 'bridge/mgz') && first!.put.some((item) => order.closes(item)))
  assert.deepEqual(
    first!.put.filter((item) => !order.closes(item) && !order.carries(item.key)),
    [],
  )
  assert.deepEqual(
    then!.put.filter((item) => order.closes(item)),
    [],
  )
})

test('a data plane that does not have a kind says so of its pieces, and carries nothing of them', () => {
  const renderer: Renderer = { ...memoryRenderer }
  const nowhere: PieceKind<{ readonly id: string }> = {
    name: 'Nowhere',
    key: ({ id }) => id,
    sources: [],
    planes: { ovs: 'no', bess: 'no', linux: 'no', memory: 'it has no room for it' },
  }
  assert.deepEqual(
    [renderer.render(nowhere, { id: 'a' }), renderer.unsupported(nowhere, { id: 'a' })],
    [[], [{ name: 'Nowhere', why: 'it has no room for it' }]],
  )
})

test('every row that fails closed says of each data plane that has it what closes', () => {
  for (const { name, failsClosed, planes } of madeUpKinds) {
    for (const [plane, column] of Object.entries(planes))
      if (failsClosed === true && typeof column !== 'string') assert.equal(typeof column.closes, 'function', `${name} on ${plane}`)
  }
})

test("a table is refused in which a kind is made of one that comes later, needs one of very many pieces, or has another one's name", () => {
  const refused = (kinds: typeof madeUpKinds, why: RegExp): void =>
    assert.throws(() => new Pieces({ changed: () => undefined, kinds }), why)
  refused([crowdPiece, ...madeUpKinds.filter((kind) => kind !== crowdPiece)], /Crowd is made of Endpoint, which has to stand before it/)
  refused(
    madeUpKinds.filter((kind) => kind !== segmentPiece),
    /Port needs Segment/,
  )
  refused([...madeUpKinds, fencePiece], /one name/)
})
