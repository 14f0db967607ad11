// What names outside were answered with: asked for while policies go on, each name once for all of them, a few at a time, of one namespace
// fewer. Whoever needs one is woken when it is answered.
import type { NameLookup } from '../../core/contracts/name-lookup.ts'
import { messageOf } from '../../core/errors.ts'
import { askAgainMs, type NameAnswer } from '../../core/policy/read/names.ts'
import type { Clock } from '../../platform/clock.ts'

const atOnceMost = 16
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
  readonly #questions = new Map<string, Question>()
  readonly #running = new Set<Question>()

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
    const question = this.#questions.get(name) ?? { name, namespace, keys: new Set() }
    question.keys.add(key)
    this.#questions.set(name, question)
    this.#next()
  }

  #next(): void {
    for (const question of this.#questions.values()) {
      if (this.#running.size >= atOnceMost) return
      if (this.#running.has(question)) continue
      const ofNamespace = [...this.#running].filter(({ namespace }) => namespace === question.namespace)
      if (ofNamespace.length >= ofNamespaceMost) continue
      this.#running.add(question)
      void this.#run(question)
    }
  }

  async #run(question: Question): Promise<void> {
    const { lookup, clock, onAnswer } = this.#deps
    const found = await lookup.resolve(question.name).then(
      (addresses) => ({ addresses }),
      (err: unknown) => ({ addresses: [], problem: messageOf(err) }),
    )
    this.#running.delete(question)
    this.#questions.delete(question.name)
    this.#forgetOld()
    const answer = { at: new Date(clock.now()).toISOString(), ...found }
    this.#answers.set(question.name, { answer, askAt: clock.elapsed() + askAgainMs(answer) })
    for (const key of question.keys) onAnswer(key)
    this.#next()
  }

  /** Of names that nobody has asked for since. */
  #forgetOld(): void {
    const now = this.#deps.clock.elapsed()
    for (const [name, { askAt }] of this.#answers) if (askAt + forgottenMs < now) this.#answers.delete(name)
  }
}

const forgottenMs = 600_000
