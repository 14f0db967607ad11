// What names outside were answered with: asked for while policies go on, each name once for all of them, a few at a time, of one namespace
// fewer. Whoever needs one is woken when it is answered.
import type { NameLookup } from '../../core/contracts/name-lookup.ts'
import { messageOf } from '../../core/errors.ts'
import { askAgainMs, type NameAnswer } from '../../core/policy/read/names.ts'
import { Counts } from '../../core/counts.ts'
import type { Clock } from '../../platform/clock.ts'

const atOnceMost = 16
/** How long an answer is kept that nobody asks for any more. */
const forgottenMs = 600_000
/** A tenant whose names nobody answers keeps no other waiting. */
const ofNamespaceMost = 4

export interface NamesDeps {
  readonly lookup: NameLookup
  readonly clock: Clock
  /** A name has been answered that this UnifiedNetworkPolicy is about. */
  readonly onAnswer: (key: string) => void
}

export interface KnownAnswers {
  readonly answers: ReadonlyMap<string, NameAnswer>
  /** When the first of them is asked for again; absent: none waits for that. */
  readonly askedInMs: number | undefined
}

interface Question {
  readonly name: string
  readonly namespace: string
  readonly keys: Set<string>
}

export class Names {
  readonly #deps: NamesDeps
  readonly #answers = new Map<string, { readonly answer: NameAnswer; readonly askAt: number }>()
  /** Those that are answered by and by, by name. */
  readonly #questions = new Map<string, Question>()
  /** Of them those that nobody has been asked yet, by namespace, in the order in which they came. */
  readonly #waiting = new Map<string, Set<Question>>()
  /** How many are asked now, by namespace. */
  readonly #running = new Counts()
  #runningAll = 0
  #forgotAt = 0

  constructor(deps: NamesDeps) {
    this.#deps = deps
  }

  /** What is known of names at the moment; those of which nothing is, or no more, are asked for. */
  answersFor(names: readonly string[], { namespace, key }: Pick<Question, 'namespace'> & { readonly key: string }): KnownAnswers {
    const answers = new Map<string, NameAnswer>()
    const now = this.#deps.clock.elapsed()
    const left: number[] = []
    for (const name of names) {
      const known = this.#answers.get(name)
      if (known !== undefined) answers.set(name, known.answer)
      if (known === undefined || known.askAt <= now) this.#ask(name, namespace, key)
      else left.push(known.askAt - now)
    }
    return { answers, askedInMs: left.length === 0 ? undefined : Math.min(...left) }
  }

  #ask(name: string, namespace: string, key: string): void {
    const there = this.#questions.get(name)
    if (there !== undefined) return void there.keys.add(key)
    const question: Question = { name, namespace, keys: new Set([key]) }
    this.#questions.set(name, question)
    this.#waiting.set(namespace, (this.#waiting.get(namespace) ?? new Set()).add(question))
    this.#next()
  }

  #next(): void {
    for (let due = this.#due(); due !== undefined; due = this.#due()) void this.#run(due)
  }

  /** Whose turn it is: a namespace that had one is behind all others that wait. However many one tenant has, others have theirs between. */
  #due(): Question | undefined {
    if (this.#runningAll >= atOnceMost) return undefined
    for (const [namespace, waiting] of this.#waiting) {
      const [question] = waiting
      if (question === undefined || this.#running.of(namespace) >= ofNamespaceMost) continue
      waiting.delete(question)
      this.#waiting.delete(namespace)
      if (waiting.size > 0) this.#waiting.set(namespace, waiting)
      return question
    }
    return undefined
  }

  async #run({ name, namespace, keys }: Question): Promise<void> {
    const { lookup, clock, onAnswer } = this.#deps
    this.#count(namespace, 1)
    const found = await lookup.resolve(name).then(
      (addresses) => ({ addresses }),
      (err: unknown) => ({ addresses: [], problem: messageOf(err) }),
    )
    this.#count(namespace, -1)
    this.#questions.delete(name)
    this.#forgetOld()
    const answer = { at: new Date(clock.now()).toISOString(), ...found }
    this.#answers.set(name, { answer, askAt: clock.elapsed() + askAgainMs(answer) })
    for (const key of keys) onAnswer(key)
    this.#next()
  }

  #count(namespace: string, by: 1 | -1): void {
    this.#running.count(namespace, by)
    this.#runningAll += by
  }

  /** Of names that nobody has asked for since. */
  #forgetOld(): void {
    const now = this.#deps.clock.elapsed()
    if (now - this.#forgotAt < forgottenMs) return
    this.#forgotAt = now
    for (const [name, { askAt }] of this.#answers) if (askAt + forgottenMs < now) this.#answers.delete(name)
  }
}
