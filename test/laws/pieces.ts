// The laws of kinds of pieces, on a table with two that are made up: a kind is one file and one row, and every promise holds for it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Pieces } from '../../agent/pieces/pieces.ts'
import type { Dataplane, NodeChange, NodeSeen } from '../../core/contracts/dataplane.ts'
import type { Item } from '../../core/node/item.ts'
import { neededBy } from '../../core/pieces/needed.ts'
import { pieceSet, type NodePieces } from '../../core/pieces/piece-set.ts'
import { changeOf } from '../../core/plan/node/change.ts'
import { itemsOf, planItems } from '../../core/plan/node/items.ts'
import { inOrder, orderBy, type ItemOrder } from '../../core/plan/node/order.ts'
import { trials } from '../setup/trials.ts'
import { seeded } from '../workers/test-cluster.ts'
import type { DataplaneWorld } from './dataplane.ts'
import { drawFenced, drawNextFenced, members, reportedOf, type FencedNode } from './made-up/draw.ts'
import { passing } from './made-up/fence.ts'
import { madeUpKinds } from './made-up/index.ts'
import { usualDrawing, type Drawing } from './node-wanted.ts'

export interface PieceLaws {
  readonly open: () => Promise<DataplaneWorld>
  /** Small changes in a row, at full trials. */
  readonly transitions: number
  /** Changes that are cut off after every item, at full trials. */
  readonly cuts: number
  readonly drawing?: Partial<Drawing>
}

const signal = new AbortController().signal
const of = { kind: 'Node', name: 'here' } as const
const sorted = (seen: ReadonlyMap<string, string>): string[] => [...seen].map(([key, text]) => `${key} ${text}`).sort()

export function pieceLaws(name: string, { open, transitions, cuts, drawing: drawn = {} }: PieceLaws): void {
  const drawing = { ...usualDrawing, ...drawn }
  test(`${name}: pieces that want one item have a name in common, and those of one kind agree about it`, () =>
    onPlane(open, ({ plane }) => {
      for (let seed = 1; seed <= trials(200); seed++) assertNamed(plane, drawFenced(seeded(seed), drawing))
      return Promise.resolve()
    }))
  test(`${name}: told one by one, pieces come to what they come to from nothing, and what stays is not spoken of`, () =>
    onPlane(open, (under) => walk(under, drawing, trials(transitions))))
  test(`${name}: cut off after every item, nothing passes that passes neither before nor after, nor while the next agent goes on`, () =>
    onPlane(open, async (under) => {
      let open = 0
      for (let seed = 1; seed <= trials(cuts); seed++) open += await cutOff(under, drawing, seed)
      assert.ok(open > 0, 'nobody was ever sent to: nothing was tried')
    }))
}

interface Under {
  readonly plane: Dataplane
  readonly world: DataplaneWorld
}

async function onPlane(open: () => Promise<DataplaneWorld>, run: (under: Under) => Promise<void>): Promise<void> {
  const world = await open()
  const plane = await world.instance()
  try {
    await run({ plane, world })
  } finally {
    await plane.close()
    await world.close()
  }
}

const setOf = (node: FencedNode): NodePieces => pieceSet(reportedOf(node), madeUpKinds)

/** Of one key the first counts. */
function textsOf({ renderer }: Dataplane, node: FencedNode): Map<string, string> {
  const all = new Map<string, string>()
  for (const { key, text } of itemsOf(renderer, setOf(node), madeUpKinds)) if (!all.has(key)) all.set(key, text)
  return all
}

function assertNamed({ renderer }: Dataplane, node: FencedNode): void {
  const all = setOf(node)
  const wanted = madeUpKinds.flatMap((kind) =>
    [...all.values(kind)].flatMap((piece) =>
      renderer
        .render(kind, piece, neededBy(kind, piece, all))
        .map(({ key, text }) => ({ key, text, kind: kind.name, names: kind.names?.(piece) ?? [] })),
    ),
  )
  const by = new Map<string, (typeof wanted)[number]>()
  for (const one of wanted) {
    const other = by.get(one.key) ?? one
    assert.ok(
      other === one || one.names.some((each) => other.names.includes(each)),
      `${one.key} is wanted by a ${one.kind} and a ${other.kind} that have no name in common`,
    )
    if (other.kind === one.kind) assert.equal(one.text, other.text, one.key)
    by.set(one.key, one)
  }
}

function change(pieces: Pieces, node: FencedNode): void {
  for (const [kind, all] of reportedOf(node)) pieces.setAll(kind, [...all])
}

async function walk({ plane, world }: Under, drawing: Drawing, steps: number): Promise<void> {
  const random = seeded(7)
  const pieces = new Pieces({ changed: () => undefined, kinds: madeUpKinds })
  await plane.apply({ drop: [], put: plane.renderer.base() }, signal)
  let node = drawFenced(random, drawing)
  let before = new Map(plane.renderer.base().map(({ key, text }) => [key, text]))
  for (let step = 0; step < steps; step++) {
    await world.plug?.(node.node)
    change(pieces, node)
    const after = textsOf(plane, node)
    const spokenOf = new Set<string>()
    for (const change of changesOf(pieces, plane)) {
      for (const { key } of [...change.drop, ...change.put]) spokenOf.add(key)
      await plane.apply(change, signal)
    }
    const same = [...after].filter(([key, text]) => before.get(key) === text).map(([key]) => key)
    assert.deepEqual(sorted(await plane.observe(undefined, signal)), sorted(after), `step ${step}`)
    // Of what is taken in parts an item may be one's and then another's.
    assert.deepEqual(
      same.filter((key) => spokenOf.has(key) && !isOfEndpoints(key)),
      [],
      `step ${step}`,
    )
    before = after
    node = drawNextFenced(node, random, drawing)
  }
}

/** As an agent takes them, a few endpoints at a time. */
function* changesOf(pieces: Pieces, plane: Dataplane): Generator<NodeChange, void, undefined> {
  while (pieces.isChanged) yield* inOrder(changeOf(plane.renderer, pieces.take(3)), orderBy(madeUpKinds, plane))
}

const isOfEndpoints = (key: string): boolean => /^(crowd|remote)\//.test(key) || /\/(14|25|40|50)\//.test(key)

/** @returns how many may be sent to in the end */
async function cutOff({ plane, world }: Under, drawing: Drawing, seed: number): Promise<number> {
  const random = seeded(seed)
  const one = drawFenced(random, { ...drawing, vnis: drawing.vnis.slice(0, 1), portsMax: 2, endpointsMax: 2 })
  const two: FencedNode = { ...one, fences: drawNextFenced(one, random, { ...drawing, vnis: drawing.vnis.slice(0, 1) }).fences }
  await world.plug?.(one.node)
  const order = orderBy(madeUpKinds, plane)
  const goTo = (node: FencedNode, seen: NodeSeen) =>
    planItems(itemsOf(plane.renderer, setOf(node), madeUpKinds), seen, {
      itemOf: (key, text) => plane.itemOf(key, text),
      of,
      whole: true,
      ...(order && { order }),
    }).steps.map(({ action }) => action)
  for (const change of goTo(one, await plane.observe(undefined, signal))) await plane.apply(change, signal)
  // As an agent changes it that knows both, and is killed somewhere.
  const pieces = new Pieces({ changed: () => undefined, kinds: madeUpKinds })
  change(pieces, one)
  while (pieces.isChanged) pieces.take(1_000)
  change(pieces, two)
  const changes = inOrder(changeOf(plane.renderer, pieces.take(1_000)), order)
  const cutAfter = Math.floor(random() * changes.reduce((sum, { drop, put }) => sum + drop.length + put.length, 1))
  await itemByItem(plane, changes, { random, cutAfter, after: textsOf(plane, two) })
  // As the next one goes on, that has only what is there.
  await itemByItem(plane, goTo(two, await plane.observe(undefined, signal)), { random, cutAfter: Infinity, after: textsOf(plane, two) })
  assert.deepEqual(sorted(await plane.observe(undefined, signal)), sorted(textsOf(plane, two)), `seed ${seed}`)
  return passing(textsOf(plane, two), drawing.vnis, members).size
}

interface Cut {
  readonly random: () => number
  readonly cutAfter: number
  readonly after: ReadonlyMap<string, string>
}

/** The items of a change in any order, each for itself; those of the next one when all of it is done. */
async function itemByItem(plane: Dataplane, changes: readonly NodeChange[], { random, cutAfter, after }: Cut): Promise<void> {
  const open = (seen: NodeSeen): ReadonlySet<string> => passing(seen, usualDrawing.vnis, members)
  const may = new Set([...open(await plane.observe(undefined, signal)), ...open(after)])
  let done = 0
  for (const change of changes) {
    for (const each of shuffled(oneByOne(change), random)) {
      if (done++ >= cutAfter) return
      await plane.apply(each, signal)
      const now = open(await plane.observe(undefined, signal))
      assert.deepEqual(
        [...now].filter((each) => !may.has(each)),
        [],
        `after ${[...each.put, ...each.drop].map(({ key }) => key).join(' ')}`,
      )
    }
  }
}

function oneByOne({ drop, put }: NodeChange): NodeChange[] {
  const keys = new Set(put.map(({ key }) => key))
  return [
    ...put.map((each) => ({ put: [each], drop: drop.filter(({ key }) => key === each.key) })),
    ...drop.filter(({ key }) => !keys.has(key)).map((each) => ({ put: [], drop: [each] })),
  ]
}

function shuffled<T>(list: T[], random: () => number): T[] {
  return list
    .map((each) => ({ each, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ each }) => each)
}

/** Whether a change would open something on its way, were its items applied in the order in which they stand. */
export function opensOnItsWay(change: NodeChange, before: ReadonlyMap<string, string>, order: ItemOrder | undefined): boolean {
  const there = new Map(before)
  const after = new Map(before)
  const take = (map: Map<string, string>, items: readonly Item[], put: boolean): void =>
    items.forEach(({ key, text }) => (put ? map.set(key, text) : map.delete(key)))
  take(after, change.drop, false)
  take(after, change.put, true)
  const open = (seen: ReadonlyMap<string, string>): ReadonlySet<string> => passing(seen, usualDrawing.vnis, members)
  const may = new Set([...open(before), ...open(after)])
  for (const stage of inOrder(change, order)) {
    for (const each of oneByOne(stage)) {
      take(there, each.drop, false)
      take(there, each.put, true)
      if ([...open(there)].some((each) => !may.has(each))) return true
    }
  }
  return false
}
