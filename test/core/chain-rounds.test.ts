// Rounds of service chains under whatever happens: edits, instances that come and go, nodes that say late or never what they know.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { instancesIn, roundsOf, roundText, type CompiledChain, type PolicyChains } from '../../core/kinds/policy/chain.ts'
import { chainRounds, roundsDueMs } from '../../core/plan/policy/chain-rounds.ts'
import { sameJson } from '../../core/same-json.ts'
import { seeded } from '../workers/test-cluster.ts'

const name = 'vni-1-2'
const [nextMs, formerMs] = [5_000, 5_000]
const instance = (n: number) => ({ port: `p${n}`, mac: `02:00:00:00:00:0${n}`, addresses: [`10.0.0.${n}`] })
const chainOf = (functions: readonly (readonly number[])[], l4Port: number): CompiledChain => ({
  index: 0,
  name: 'c',
  direction: 'egress',
  transport: [{ protocol: 6, first: l4Port }],
  functions: functions.map((each, i) => ({ name: `f${i}`, onFailure: 'drop', instances: each.map(instance) })),
})
const portsIn = (chains: readonly CompiledChain[]): readonly string[] => instancesIn(chains).map(({ port }) => port)

class Story {
  readonly #random: () => number
  readonly #said = new Map<string, string>()
  #functions: readonly (readonly number[])[] = [[1]]
  #l4Port = 80
  #generation = 1
  #hasEnd = true
  now = Date.parse('2030-01-01T00:00:00Z')
  stored: PolicyChains | undefined
  /** When each round was next for the first time. */
  readonly #nextSince = new Map<number, number>()

  constructor(seed: number) {
    this.#random = seeded(seed)
  }

  get wanted(): PolicyChains {
    const ends = this.#hasEnd ? [{ mac: '02:00:00:00:00:99', addresses: ['10.0.0.99'] }] : []
    return { ends, chains: [chainOf(this.#functions, this.#l4Port)] }
  }

  happen(): void {
    const drawn = Math.floor(this.#random() * 6)
    const at = Math.floor(this.#random() * 9) + 1
    if (drawn === 0) this.#edit(() => (this.#functions = this.#functions.length > 1 ? [[at]] : [[at], [(at % 9) + 1]]))
    else if (drawn === 1) this.#edit(() => (this.#l4Port = 80 + at))
    else if (drawn === 2) this.#functions = [[...new Set([...(this.#functions[0] ?? []), at])]]
    else if (drawn === 3) this.#functions = this.#functions.map((each) => each.slice(1))
    else if (drawn === 4) this.now += at * 700
    else this.#hasEnd = at > 2
    for (const { port } of instancesIn(this.stored === undefined ? [] : roundsOf(this.stored).flatMap(({ chains }) => chains)))
      if (this.#random() < 0.4) this.#said.set(port, roundText(name, this.#newestOf(port)))
  }

  #edit(change: () => void): void {
    this.#generation++
    change()
  }

  #newestOf = (port: string): number =>
    Math.max(...roundsOf(this.stored!).flatMap(({ round, chains }) => (portsIn(chains).includes(port) ? [round] : [])))

  plan(): PolicyChains {
    return chainRounds({
      stored: this.stored,
      wanted: this.wanted,
      generation: this.#generation,
      name,
      hasSaid: (port, round) => this.#said.get(port) === round,
      now: this.now,
    })
  }

  take(): void {
    const before = this.stored
    this.stored = this.plan()
    assert.deepEqual(this.plan(), this.stored, 'nothing is left to write')
    const { beside = [], round = 0 } = this.stored
    for (const each of beside) if (each.is === 'next' && !this.#nextSince.has(each.round!)) this.#nextSince.set(each.round!, this.now)
    if (before !== undefined && before.round !== round) this.#judge(before, this.stored)
    const slots = roundsOf(this.stored).map((each) => each.round % 32)
    assert.equal(new Set(slots).size, slots.length, 'flows of two rounds are never the same')
  }

  /** Whoever is handed packets from now on can send them on, or had them before; and whoever had them can still. */
  #judge(before: PolicyChains, { round = 0, chains, ends, beside = [] }: PolicyChains): void {
    if ([before.ends, ends].some(({ length }) => length === 0) || sameJson(before.chains, chains)) return
    const isOver = this.now - this.#since(round) >= nextMs
    const had = before.generation === this.#generation ? portsIn(before.chains) : []
    for (const port of portsIn(chains))
      assert.ok(isOver || had.includes(port) || this.#said.get(port) === roundText(name, round), `${port} is sent to too early`)
    this.#judgeFormer(before, beside)
  }

  #since = (round: number): number => this.#nextSince.get(round) ?? this.now

  #judgeFormer(before: PolicyChains, beside: NonNullable<PolicyChains['beside']>): void {
    const former = beside.find((each) => each.round === before.round)
    assert.deepEqual([former?.is, former?.chains], ['former', before.chains])
    assert.equal(Date.parse(former!.until) - this.now, formerMs)
  }
}

test('nobody is handed packets before its node knows, or was waited for, and whoever was is known for a while yet', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const story = new Story(seed)
    for (let i = 0; i < 60; i++) {
      story.happen()
      story.take()
    }
    for (let due: number | undefined, steps = 0; (due = roundsDueMs([story.stored], story.now)) !== undefined; steps++) {
      assert.ok(steps < 5, 'it comes to an end')
      story.now += due
      story.take()
    }
    assert.deepEqual([story.stored?.chains, story.stored?.beside], [story.wanted.chains, undefined], `seed ${seed}`)
  }
})
