// The laws of a node's data plane (core/contracts/dataplane.ts): the six of every driver on random nodes, and those of rendering.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import type { Dataplane, NodeChange, NodeSeen } from '../../core/contracts/dataplane.ts'
import { pieceKinds } from '../../core/pieces/index.ts'
import { neededBy } from '../../core/pieces/needed.ts'
import { itemsOf, planItems } from '../../core/plan/node/items.ts'
import { trials } from '../setup/trials.ts'
import { seeded } from '../workers/test-cluster.ts'
import { driverLaws, type Through, type Want } from './driver.ts'
import { drawNext, drawNode, emptyNode, piecesOf, usualDrawing, type Drawing, type NodeWanted } from './node-wanted.ts'

/** A node of one's own, and agents on it. */
export interface DataplaneWorld {
  /**
   * A new instance, opened: it knows nothing but what it can see. What it talks to is reached by `through.way`, where that can be shared.
   */
  instance(through?: Through): Promise<Dataplane>
  /** Makes what a data plane does not make itself: the interfaces on the host that these ports name. Those of ports gone may go. */
  plug?(wanted: NodeWanted): Promise<void>
  /** What others have made: one line each. */
  theirs(): Promise<readonly string[]>
  /** An operator takes away or bends something of ours, and says what; undefined where there is nothing. */
  spoil?(random: () => number): Promise<string | undefined>
  close(): Promise<void>
}

export interface DataplaneLaws {
  readonly open: () => Promise<DataplaneWorld>
  readonly drawing?: Partial<Drawing>
  /** Drawn nodes that are gone through; each is one more set of the six laws. */
  readonly seeds?: readonly number[]
  /** Interleavings of rivals at full trials: fewer where a world is dear to make. */
  readonly rivals?: number
  /** As the laws of drivers have it. */
  readonly cutEach?: number
  /** Small changes in a row, at full trials. */
  readonly transitions?: number
}

type Wants = Readonly<Record<string, Want<void, NodeSeen, NodeChange>>>
const signal = new AbortController().signal
const of = { kind: 'Node', name: 'here' } as const

export function dataplaneLaws(
  name: string,
  { open, drawing: drawn = {}, seeds = [1, 2], rivals, cutEach = 1, transitions = 1000 }: DataplaneLaws,
): void {
  const drawing = { ...usualDrawing, ...drawn }
  for (const seed of seeds) sixLaws(name, { open, drawing, seed, rivals, cutEach })
  renderingLaws(name, { open, drawing })
  test(`${name}: after each of many small changes, applied one by one, what is there is what was rendered`, () =>
    inWorld(open, (world) => walk(world, drawing, trials(transitions))))
  test(`${name}: what an operator spoils is found and put right`, async (t) => {
    await inWorld(open, async (world) => {
      if (world.spoil === undefined) return t.skip('nobody can spoil anything here')
      await mended(world, drawing)
    })
  })
}

async function inWorld(open: () => Promise<DataplaneWorld>, run: (world: DataplaneWorld) => Promise<void>): Promise<void> {
  const world = await open()
  try {
    await run(world)
  } finally {
    await world.close()
  }
}

const planFor = (plane: Dataplane, wanted: NodeWanted, seen: NodeSeen) =>
  planItems(itemsOf(plane.renderer, piecesOf(wanted)), seen, { itemOf: (key, text) => plane.itemOf(key, text), of, whole: true })
const linesOf = (seen: NodeSeen): string[] => [...seen].map(([key, text]) => `${key} ${text}`).sort()

interface Six {
  readonly open: DataplaneLaws['open']
  readonly drawing: Drawing
  readonly seed: number
  readonly rivals: number | undefined
  readonly cutEach: number
}

function sixLaws(name: string, { open, drawing, seed, rivals, cutEach }: Six): void {
  const random = seeded(seed)
  const one = drawNode(random, drawing)
  const nodes = { empty: emptyNode, one, next: drawNext(one, random, drawing), other: drawNode(random, drawing) }
  const all: NodeWanted = { ...emptyNode, ports: new Map(Object.values(nodes).flatMap((node) => [...node.ports])) }
  driverLaws<void, NodeSeen, NodeChange>(`${name}, seed ${seed}`, {
    cutEach,
    ...(rivals === undefined ? {} : { seeds: Math.max(5, trials(rivals)) }),
    journeys: [['empty'], ['one'], ['one', 'next'], ['one', 'other'], ['one', 'empty']],
    async open() {
      const world = await open()
      await world.plug?.(all)
      const planes: Dataplane[] = []
      const instance = async (through?: Through): Promise<{ driver: Dataplane; wants: Wants }> => {
        const plane = await world.instance(through)
        planes.push(plane)
        return {
          driver: plane,
          wants: Object.fromEntries(
            Object.entries(nodes).map(([key, node]) => [key, { scope: undefined, plan: (seen: NodeSeen) => planFor(plane, node, seen) }]),
          ),
        }
      }
      return {
        instance,
        ours: async () => linesOf(await (await instance()).driver.observe(undefined, signal)),
        theirs: () => world.theirs(),
        async close() {
          for (const plane of planes) await plane.close()
          await world.close()
        },
      }
    },
  })
}

function renderingLaws(name: string, { open, drawing }: { open: DataplaneLaws['open']; drawing: Drawing }): void {
  test(`${name}: rendering is a function of the piece, and no two pieces render one key, save those with a name in common, which then agree`, async () => {
    await inWorld(open, async (world) => {
      const plane = await world.instance()
      for (let seed = 1; seed <= trials(300); seed++) assertApart(plane, drawNode(seeded(seed), drawing))
      await plane.close()
    })
  })
}

function assertApart({ renderer }: Dataplane, wanted: NodeWanted): void {
  const by = new Map<string, { readonly piece: string; readonly names: readonly string[]; readonly text: string }>()
  const all = piecesOf(wanted)
  const pieces = [
    { piece: 'base', names: [], render: () => renderer.base() },
    ...pieceKinds.flatMap((kind) =>
      [...all.values(kind)].map((piece) => ({
        piece: `${kind.name} ${kind.key(piece)}`,
        names: kind.names?.(piece) ?? [],
        render: () => renderer.render(kind, piece, neededBy(kind, piece, all)),
      })),
    ),
  ]
  for (const { piece, names, render } of pieces) {
    const items = render()
    assert.deepEqual(items, render(), `${piece} renders differently when asked again`)
    for (const { key, text } of items) {
      const other = by.get(key)
      if (other !== undefined) {
        assert.equal(text, other.text, `${key} is rendered otherwise by ${piece} than by ${other.piece}`)
        assert.ok(
          piece === other.piece || names.some((name) => other.names.includes(name)),
          `${key} is rendered by ${piece} and by ${other.piece}`,
        )
      }
      by.set(key, { piece, names, text })
    }
  }
}

/** As the agent does it: what one change makes of the items is worked out from the pieces, not from what is there. */
async function walk(world: DataplaneWorld, drawing: Drawing, steps: number): Promise<void> {
  const random = seeded(7)
  const plane = await world.instance()
  let wanted = emptyNode
  await change(plane, new Map(), wanted)
  for (let step = 0; step < steps; step++) {
    const next = drawNext(wanted, random, drawing)
    await world.plug?.(next)
    await change(plane, textsOf(plane, wanted), next)
    wanted = next
    assert.deepEqual(linesOf(await plane.observe(undefined, signal)), linesOf(textsOf(plane, wanted)), `step ${step}`)
  }
  await plane.close()
}

const textsOf = ({ renderer }: Dataplane, wanted: NodeWanted): NodeSeen =>
  new Map([...itemsOf(renderer, piecesOf(wanted))].map(({ key, text }) => [key, text]))

async function change(plane: Dataplane, before: NodeSeen, wanted: NodeWanted): Promise<void> {
  for (const { action } of planFor(plane, wanted, before).steps) await plane.apply(action, signal)
}

async function mended(world: DataplaneWorld, drawing: Drawing): Promise<void> {
  const random = seeded(11)
  const wanted = drawNode(random, { ...drawing, portsMax: drawing.portsMax })
  await world.plug?.(wanted)
  const plane = await world.instance()
  await change(plane, await plane.observe(undefined, signal), wanted)
  for (let trial = 0; trial < trials(50); trial++) {
    const what = await world.spoil?.(random)
    assert.ok(what !== undefined, 'there is something to spoil')
    const plan = planFor(plane, wanted, await plane.observe(undefined, signal))
    assert.notDeepEqual(plan.steps, [], `${what} goes unnoticed`)
    for (const { action } of plan.steps) await plane.apply(action, signal)
    assert.deepEqual(linesOf(await plane.observe(undefined, signal)), linesOf(textsOf(plane, wanted)), what)
  }
  await plane.close()
}
