import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { FreeRuns } from '../../core/net/free-runs.ts'

/** The naive model: every number one by one. */
class Naive {
  readonly set = new Set<number>()
  take = (at: number): boolean => this.set.delete(at)
  give = (at: number): boolean => this.set.size !== this.set.add(at).size
  runs(): number[][] {
    const runs: number[][] = []
    for (const each of [...this.set].sort((a, b) => a - b)) {
      const last = runs.at(-1)
      if (last?.at(-1) === each - 1) last.push(each)
      else runs.push([each])
    }
    return runs
  }
}

function same(free: FreeRuns, naive: Naive): void {
  const runs = naive.runs()
  assert.equal(free.free, naive.set.size)
  assert.equal(free.runs, runs.length)
  for (const [i, run] of runs.entries()) {
    assert.equal(free.pick((i + 0.5) / runs.length, 0), run[0])
    assert.equal(free.pick((i + 0.5) / runs.length, 1 - Number.EPSILON), run.at(-1))
  }
}

const step = (size: number) => fc.record({ take: fc.boolean(), at: fc.nat(size) })

describe('free runs', () => {
  test('take, give, has and pick agree with a set of numbers', () => {
    const initial = fc.uniqueArray(fc.nat(12), { maxLength: 8 })
    fc.assert(
      fc.property(initial, fc.array(step(80), { maxLength: 120 }), (blocks, steps) => {
        const free = new FreeRuns(blocks.map((b) => [b * 7, b * 7 + 4] as const))
        const naive = new Naive()
        for (const b of blocks) for (let at = b * 7; at <= b * 7 + 4; at++) naive.give(at)
        same(free, naive)
        for (const { take, at } of steps) {
          assert.equal(free.has(at), naive.set.has(at))
          assert.equal(take ? free.take(at) : free.give(at), take ? naive.take(at) : naive.give(at))
          assert.equal(free.has(at), naive.set.has(at))
        }
        same(free, naive)
      }),
    )
  })

  test('agree with a set of numbers where thousands of runs come and go', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const random = generator(seed)
        const free = new FreeRuns([[0, 4095]])
        const naive = new Naive()
        for (let at = 0; at < 4096; at++) naive.give(at)
        for (let at = 0; at < 4096; at += 2) assert.equal(free.take(at), naive.take(at))
        same(free, naive)
        for (let i = 0; i < 4000; i++) {
          const at = Math.floor(random() * 4096)
          const take = random() < 0.5
          assert.equal(take ? free.take(at) : free.give(at), take ? naive.take(at) : naive.give(at))
        }
        same(free, naive)
      }),
      { numRuns: 10 },
    )
  })

  test('hand out a /16 to its last address, each once, and then say there is none', () => {
    const free = new FreeRuns([[2, 65534]])
    const random = generator(7)
    const seen = new Set<number>()
    for (let at = free.pick(random(), random()); at !== undefined; at = free.pick(random(), random())) {
      assert.ok(free.take(at))
      seen.add(at)
    }
    assert.equal(seen.size, 65533)
    assert.equal(free.free, 0)
    assert.equal(free.runs, 0)
    assert.deepEqual([Math.min(...seen), Math.max(...seen)], [2, 65534])
  })

  test('of the far end of a block hold together what was given back out of order', () => {
    const top = 2 ** 52
    const free = new FreeRuns([[0, top]])
    for (const at of [top, top - 2, top - 1, 0]) assert.ok(free.take(at))
    assert.equal(free.runs, 1)
    for (const at of [top - 1, 0, top, top - 2]) assert.ok(free.give(at))
    assert.equal(free.runs, 1)
    assert.equal(free.free, top + 1)
    assert.equal(free.give(top), false)
  })

  test('are picked evenly, however long each is', () => {
    const free = new FreeRuns([
      [0, 0],
      [10, 999],
    ])
    const random = generator(3)
    let short = 0
    for (let i = 0; i < 2000; i++) if (free.pick(random(), random()) === 0) short++
    assert.ok(short > 800 && short < 1200, String(short))
  })
})

/** mulberry32: numbers in [0, 1) that are the same for the same seed. */
function generator(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}
