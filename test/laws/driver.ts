// The six laws of a driver (core/contracts/driver.ts), as a suite that every driver is held to.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import type { Driver } from '../../core/contracts/driver.ts'
import { retryOf } from '../../core/errors.ts'
import type { Plan } from '../../core/plan/plan.ts'
import { trials } from '../setup/trials.ts'
import { Cut, Interleaving } from './interleaving.ts'

/** One thing that may be wanted of the world: whose, and the plan for it. */
export interface Want<Scope, State, Action> {
  readonly scope: Scope
  readonly plan: (observed: State) => Plan<Action>
}

/** What an instance goes through on its way to the world: `way` is passed at each step out and back, and may never return or throw. */
export interface Through {
  readonly way: () => Promise<void>
}

/** A world of one's own, and drivers on it. */
export interface DriverWorld<Scope, State, Action> {
  /** A new instance: it knows nothing but what it can see. */
  instance(
    through?: Through,
  ): Promise<{ readonly driver: Driver<Scope, State, Action>; readonly wants: Readonly<Record<string, Want<Scope, State, Action>>> }>
  /** What is there of ours, as text, in an order of its own: one line each. */
  ours(): Promise<readonly string[]>
  /** What others have made. */
  theirs(): Promise<readonly string[]>
  close(): Promise<void>
}

export interface DriverLaws<Scope, State, Action> {
  readonly open: () => Promise<DriverWorld<Scope, State, Action>>
  /** Ways through the wants by name: each is reached in turn. */
  readonly journeys: readonly (readonly string[])[]
  /** Steps are committed as the loop commits them: one that is stale is refused instead of repeated, so law 2 does not speak of them. */
  readonly asWrites?: boolean
  /** Interleavings of rivals that are tried: 25 where they cost little. */
  readonly seeds?: number
  /** It is cut off at each step of the way; where worlds are dear at each so many-th, from another one in each run. */
  readonly cutEach?: number
}

type World<S, O, A> = DriverWorld<S, O, A>
const signal = new AbortController().signal
const passesMax = 25

/** One pass; says whether there was anything to do. `twice`: each step is taken two times. */
async function pass<S, O, A>({ driver, want }: { driver: Driver<S, O, A>; want: Want<S, O, A> }, { twice = false } = {}): Promise<boolean> {
  const plan = want.plan(await driver.observe(want.scope, signal))
  for (const { action } of plan.steps) for (let time = 0; time < (twice ? 2 : 1); time++) await driver.apply(action, signal)
  return plan.steps.length > 0
}

/** Passes until there is nothing to do; a rival that was faster is no failure. */
async function converge<S, O, A>(world: World<S, O, A>, name: string, through?: Through): Promise<void> {
  for (let passes = 0; passes < passesMax; passes++) {
    const { driver, wants } = await world.instance(through)
    try {
      if (!(await pass({ driver, want: wants[name]! }))) return
    } catch (err) {
      if (retryOf(err) !== 'now') throw err
    }
  }
  assert.fail(`${name} is not reached in ${passesMax} passes`)
}

/** A world that stays open after a failure keeps its servers, and the test its process. */
async function inWorld<W extends { close(): Promise<void> }, T>(open: () => Promise<W>, run: (world: W) => Promise<T>): Promise<T> {
  const world = await open()
  try {
    return await run(world)
  } finally {
    await world.close()
  }
}

async function reach<S, O, A>(world: World<S, O, A>, journey: readonly string[]): Promise<void> {
  for (const name of journey) await converge(world, name)
}

export function driverLaws<S, O, A>(name: string, { open, journeys, asWrites = false, seeds, cutEach = 1 }: DriverLaws<S, O, A>): void {
  for (const journey of journeys) {
    const before = journey.slice(0, -1)
    const target = journey.at(-1)!
    const law = (sentence: string, run: (world: World<S, O, A>) => Promise<void>): void => {
      test(`${name}, ${journey.join(' → ')}: ${sentence}`, async () => {
        await inWorld(open, async (world) => {
          await reach(world, before)
          await run(world)
        })
      })
    }
    const undisturbed = (): Promise<readonly string[]> =>
      inWorld(open, async (world) => {
        await reach(world, journey)
        return world.ours()
      })

    law('1 converges: after the plan there is nothing to plan', async (world) => {
      await converge(world, target)
      const { driver, wants } = await world.instance()
      const want = wants[target]!
      assert.deepEqual(want.plan(await driver.observe(want.scope, signal)).steps, [])
    })

    if (!asWrites)
      law('2 repeatable: a step taken twice is taken once', async (world) => {
        for (let passes = 0; passes < passesMax; passes++) {
          const { driver, wants } = await world.instance()
          if (!(await pass({ driver, want: wants[target]! }, { twice: true }))) break
        }
        assert.deepEqual(await world.ours(), await undisturbed())
      })

    law('4 only its own: what others have made is as it was', async (world) => {
      const theirs = await world.theirs()
      assert.ok(theirs.length > 0, 'a world without others proves nothing')
      await converge(world, target)
      assert.deepEqual(await world.theirs(), theirs)
    })

    law('5 tells the truth: another instance sees the same', async (world) => {
      await converge(world, target)
      const seen = await Promise.all(
        ['one', 'other'].map(async () => {
          const { driver, wants } = await world.instance()
          return driver.observe(wants[target]!.scope, signal)
        }),
      )
      assert.deepEqual(seen[0], seen[1])
    })

    crashLaw({ name, journey, open, undisturbed, cutEach })
    rivalsLaw({ name, journey, open, undisturbed, seeds })
  }
}

interface Case<S, O, A> {
  readonly name: string
  readonly journey: readonly string[]
  readonly open: () => Promise<World<S, O, A>>
  readonly undisturbed: () => Promise<readonly string[]>
}

/** At every third step where fewer trials are asked for. */
const cutLeast = trials(10) < 10 ? 3 : 1

function crashLaw<S, O, A>({ name, journey, open, undisturbed, cutEach }: Case<S, O, A> & { readonly cutEach: number }): void {
  test(`${name}, ${journey.join(' → ')}: 3 crash-anywhere: cut off on the way and started over, it gets there`, async (t) => {
    const wanted = await undisturbed()
    const each = Math.max(cutLeast, cutEach)
    const first = Math.floor(Math.random() * each)
    if (each > 1) t.diagnostic(`cut off at step ${first} of the way, and each ${each} further`)
    for (let k = first, cut = true; cut; k += each) {
      cut = await inWorld(open, async (world) => {
        await reach(world, journey.slice(0, -1))
        const cutting = new Cut(k)
        const isCut = await converge(world, journey.at(-1)!, cutting).then(
          () => false,
          (err: unknown) => cutting.is(err),
        )
        await converge(world, journey.at(-1)!)
        assert.deepEqual(await world.ours(), wanted, `cut off at step ${k} of the way`)
        return isCut
      })
    }
  })
}

/** How many interleavings are tried: each is another seed. */
const usualSeeds = Math.max(5, trials(25))

function rivalsLaw<S, O, A>({
  name,
  journey,
  open,
  undisturbed,
  seeds = usualSeeds,
}: Case<S, O, A> & { readonly seeds: number | undefined }): void {
  test(`${name}, ${journey.join(' → ')}: 6 rivals: two at once, interleaved at every step of the way, end with one of each thing`, async () => {
    const wanted = await undisturbed()
    for (let seed = 1; seed <= seeds; seed++) {
      await inWorld(open, async (world) => {
        await reach(world, journey.slice(0, -1))
        const interleaving = new Interleaving(seed)
        await interleaving.run([1, 2].map(() => (through: Through) => converge(world, journey.at(-1)!, through)))
        await converge(world, journey.at(-1)!)
        assert.deepEqual(await world.ours(), wanted, `seed ${seed}`)
      })
    }
  })
}
