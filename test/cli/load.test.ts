import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { Figures } from '../../cli/load/figures.ts'
import { readLoadOptions, type LoadOptions } from '../../cli/load/options.ts'
import { follows, type Attachment } from '../../cli/load/progress.ts'
import { seeded } from '../../cli/load/random.ts'
import { scheduleOf, type Schedule } from '../../cli/load/schedule.ts'
import { prefixFor, sizesOf } from '../../cli/load/sizes.ts'
import { trials } from '../setup/trials.ts'

const plan: Schedule = {
  sizes: [3, 2],
  attachments: 20,
  rate: 10,
  distribution: 'steady',
  waitAfterCreateMs: 0,
  testFraction: 0,
  nodes: [],
  roundRobin: false,
}

describe('the networks of a run', () => {
  test('their sizes fall by a power law, and a bias flattens its beginning', () => {
    assert.deepEqual(sizesOf({ networks: 5, top: 100, exponent: 1, bias: 0 }), [100, 50, 34, 25, 20])
    assert.deepEqual(sizesOf({ networks: 3, top: 100, exponent: 0, bias: 0 }), [100, 100, 100])
    assert.deepEqual(sizesOf({ networks: 4, top: 100, exponent: 2, bias: 1 }), [50, 23, 13, 8])
  })

  test('a block is the smallest that has the addresses beside those it keeps', () => {
    assert.deepEqual([1, 5, 6, 13, 253, 254].map(prefixFor), [30, 29, 28, 28, 24, 23])
  })
})

describe('the schedule of a run', () => {
  const plans = fc.record({
    sizes: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }),
    attachments: fc.integer({ min: 1, max: 60 }),
    rate: fc.integer({ min: 1, max: 1000 }),
    distribution: fc.constantFrom('steady' as const, 'poisson' as const),
    waitAfterCreateMs: fc.constantFrom(0, 5000),
    testFraction: fc.double({ min: 0, max: 1, noNaN: true }),
    nodes: fc.constantFrom([], ['a'], ['a', 'b']),
    roundRobin: fc.boolean(),
  })

  test('each attachment is created once and deleted once, later, where it was created; no network is fuller than its size; time does not go back', () => {
    fc.assert(
      fc.property(plans, fc.integer(), (given, seed) => {
        const [alive, ended, full] = [new Map<number, number>(), new Set<number>(), given.sizes.map(() => 0)]
        let before = 0
        for (const { atMs, do: what, attachment, network } of scheduleOf(given, seeded(seed))) {
          assert.ok(atMs >= before)
          before = atMs
          if (what === 'create') {
            assert.ok(!alive.has(attachment) && !ended.has(attachment))
            alive.set(attachment, network)
            assert.ok(++full[network]! <= given.sizes[network]!)
          } else {
            assert.equal(alive.get(attachment), network)
            alive.delete(attachment)
            ended.add(attachment)
            full[network]!--
          }
        }
        const room = given.sizes.reduce((sum, size) => sum + size, 0)
        assert.equal(ended.size, given.waitAfterCreateMs > 0 ? Math.min(room, given.attachments) : given.attachments)
        assert.equal(alive.size, 0)
      }),
      { numRuns: trials(1000) },
    )
  })

  test('the same seed makes the same schedule, another one another', () => {
    const poisson = { ...plan, distribution: 'poisson' as const }
    assert.deepEqual(scheduleOf(poisson, seeded(7)), scheduleOf(poisson, seeded(7)))
    assert.notDeepEqual(scheduleOf(poisson, seeded(7)), scheduleOf(poisson, seeded(8)))
  })

  test('a steady one has equal gaps; a Poisson one has the same mean', () => {
    const steady = scheduleOf(plan, seeded(1))
    assert.deepEqual(
      steady.slice(0, 3).map(({ atMs }) => atMs),
      [0, 100, 200],
    )
    const poisson = scheduleOf({ ...plan, attachments: 5000, distribution: 'poisson' }, seeded(1))
    const mean = poisson.at(-1)!.atMs / (poisson.length - 1)
    assert.ok(mean > 95 && mean < 105, String(mean))
  })

  test('a shock creates all, waits, and deletes all', () => {
    const shock = scheduleOf({ ...plan, waitAfterCreateMs: 60_000 }, seeded(1))
    assert.deepEqual(
      shock.map((each) => each.do),
      [...Array<string>(5).fill('create'), ...Array<string>(5).fill('delete')],
    )
    assert.equal(shock[5]!.atMs - shock[4]!.atMs, 60_100)
  })

  test('nodes are taken in turn where that is asked for', () => {
    const created = scheduleOf({ ...plan, nodes: ['a', 'b'], roundRobin: true }, seeded(1)).filter((each) => each.do === 'create')
    assert.deepEqual(
      created.slice(0, 4).map(({ node }) => node),
      ['a', 'b', 'a', 'b'],
    )
  })
})

describe('the options of a run', () => {
  const read = (...args: readonly string[]): LoadOptions => readLoadOptions(args, 1_000) as LoadOptions

  test("without any they are KOS' own", () => {
    const { schedule, threads, pingCount, pendingWaitMs } = read()
    assert.deepEqual(
      [schedule.sizes.length, schedule.sizes[0], schedule.attachments, schedule.rate, threads, pingCount, pendingWaitMs],
      [10, 100, 450, 10, 1, 10, 60_000],
    )
  })

  test('one network has the room of all; one node is the only one; without nodes nothing is tested', () => {
    assert.deepEqual(read('--single-network').schedule.sizes, [296])
    assert.deepEqual(read('--only-node', 'n1', '--nodes', 'a,b').schedule.nodes, ['n1'])
    assert.equal(read('--test-fraction', '1').schedule.testFraction, 0)
    assert.equal(read('--test-fraction', '1', '--nodes', 'a').schedule.testFraction, 1)
  })

  test('what is no number, no distribution or no option is refused by its name', () => {
    assert.throws(() => read('--rate', 'fast'), /--rate must be a number/)
    assert.throws(() => read('--num-attachments', '1.5'), /--num-attachments must be a whole number/)
    assert.throws(() => read('--ops-distribution', 'bursts'), /steady or poisson/)
    assert.throws(() => read('--nodes-of'), /Unknown option/)
    assert.equal(readLoadOptions(['--help'], 1_000), 'help')
  })
})

describe('what becomes of a Port', () => {
  const item = (status: object) => ({
    kind: 'Port',
    metadata: { name: 'a-0', uid: 'u', resourceVersion: '1', creationTimestamp: '' },
    status,
  })
  const attachment = (more: Partial<Attachment> = {}): Attachment => ({
    bound: false,
    tested: false,
    peer: undefined,
    createdMs: 100,
    gone: false,
    ...more,
  })

  test('each stage counts once, from the create; one that fought for its address is not easy', () => {
    const figures = new Figures()
    const one = attachment()
    follows(one, item({ phase: 'pending', timeline: [{ reason: 'AddressTaken' }] }), { nowMs: 110, figures })
    for (const nowMs of [120, 130])
      follows(one, item({ phase: 'pending', addresses: ['10.0.0.1'], timeline: [{ reason: 'AddressTaken' }] }), { nowMs, figures })
    follows(one, item({ phase: 'ready', addresses: ['10.0.0.1'] }), { nowMs: 150, figures })
    const { create_to_addressed: addressed, create_to_addressed_easy: easy, create_to_ready: ready } = figures.quantiles()
    assert.deepEqual([addressed?.count, addressed?.p50Ms, easy, ready?.p50Ms], [1, 20, undefined, 50])
  })

  test('on a node it is ready once it is wired, and tested once its program has told', () => {
    const figures = new Figures()
    const one = attachment({ bound: true, tested: true, peer: '10.0.0.9' })
    follows(one, item({ phase: 'ready', addresses: ['10.0.0.1'] }), { nowMs: 120, figures })
    assert.equal(one.readyMs, undefined)
    follows(one, item({ phase: 'ready', addresses: ['10.0.0.1'], node: { wired: true } }), { nowMs: 140, figures })
    follows(
      one,
      item({
        phase: 'ready',
        addresses: ['10.0.0.1'],
        node: { wired: true, postCreateExecReport: { exitStatus: 0, stdOut: '', stdErr: '' } },
      }),
      { nowMs: 200, figures },
    )
    const { ready_to_tested: tested, create_to_half_tested: half } = figures.quantiles()
    assert.deepEqual([tested?.p50Ms, half, figures.count('tests')], [60, undefined, 1])
  })

  test('a failed test is told with what the program said', () => {
    const figures = new Figures()
    const one = attachment({ bound: true, tested: true })
    follows(one, item({ node: { postCreateExecReport: { exitStatus: 1, stdOut: '', stdErr: '3 of 10 pings lost' } } }), {
      nowMs: 200,
      figures,
    })
    assert.deepEqual([one.pingFailed, figures.count('failed_tests')], ['3 of 10 pings lost', 1])
  })

  test("the figures have KOS' names under our prefix", async () => {
    const text = await new Figures().registry.metrics()
    for (const name of ['create', 'create_to_addressed_easy', 'create_to_half_tested', 'ready_to_tested', 'delete'])
      assert.match(text, new RegExp(`^# TYPE megrez_driver_attachment_${name}_latency_seconds histogram$`, 'm'))
  })
})
