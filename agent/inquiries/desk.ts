// Inquiries that ask this node: a few are answered at a time, of each namespace one, and whoever is deleted is answered no more.
import { messageOf } from '../../core/errors.ts'
import { refOf, type Resource } from '../../core/kinds/index.ts'
import { captureMsOf, type InquiryAnswer } from '../../core/kinds/node/inquiry.ts'
import { Cache, type ChangeEvent } from '../../platform/cache/cache.ts'
import { limited } from '../../platform/clock.ts'
import type { AgentEnv } from '../agent-env.ts'
import { writeAsSeen } from '../../platform/store/write-as-seen.ts'
import { answerTo } from './answer.ts'
import { failed, type UntimedAnswer } from './untimed-answer.ts'

type Inquiry = Resource<'Inquiry'>

const atOnce = 4
/** Workers ask a node no more than half as many. */
const waitingMax = 64
/** Beside the time that a capture takes. */
const answerMs = 20_000

export class InquiryDesk {
  readonly #env: AgentEnv
  readonly #inquiries: Cache<'Inquiry'>
  #waiting: Inquiry[] = []
  readonly #running = new Map<string, { readonly namespace: string; readonly end: AbortController }>()
  /** UIDs whose answer is on its way to the store, or there. */
  readonly #answered = new Set<string>()

  constructor(env: AgentEnv) {
    this.#env = env
    const onError = (err: unknown, key: string): void => env.log.error({ err, key }, 'an Inquiry could not be heard')
    this.#inquiries = new Cache(env.store, 'Inquiry', { within: { fields: { '.status.node': env.node } }, onError })
    this.#inquiries.on((event) => this.#hear(event))
  }

  /** Follows the store until the signal falls. */
  start(signal: AbortSignal): void {
    signal.addEventListener('abort', () => this.#stop())
    this.#inquiries
      .start(signal)
      .catch((err: unknown) => void (signal.aborted || this.#env.log.error({ err }, 'Inquiries cannot be followed')))
  }

  #stop(): void {
    this.#waiting = []
    for (const { end } of this.#running.values()) end.abort()
  }

  #hear({ before, after }: ChangeEvent<'Inquiry'>): void {
    const { uid } = (after ?? before!).metadata
    if (after === undefined || after.metadata.deletionTimestamp !== undefined || after.status?.answer !== undefined)
      return this.#forget(uid)
    if (this.#answered.has(uid) || this.#running.has(uid) || this.#waiting.some(({ metadata }) => metadata.uid === uid)) return
    if (this.#waiting.length >= waitingMax) return this.#say(after, failed(`node ${this.#env.node} is asked too much at once`))
    this.#waiting.push(after)
    this.#next()
  }

  #forget(uid: string): void {
    this.#waiting = this.#waiting.filter(({ metadata }) => metadata.uid !== uid)
    this.#running.get(uid)?.end.abort()
    if (this.#answered.delete(uid)) this.#env.outbox.put(`answer ${uid}`, () => Promise.resolve())
  }

  #next(): void {
    const busy = new Set([...this.#running.values()].map(({ namespace }) => namespace))
    const next = this.#running.size >= atOnce ? undefined : this.#waiting.find(({ metadata }) => !busy.has(metadata.namespace ?? ''))
    if (next === undefined) return
    this.#waiting = this.#waiting.filter((each) => each !== next)
    void this.#run(next)
    this.#next()
  }

  async #run(inquiry: Inquiry): Promise<void> {
    const { uid, namespace = '' } = inquiry.metadata
    const end = new AbortController()
    this.#running.set(uid, { namespace, end })
    const ms = answerMs + captureMsOf(inquiry.spec)
    const untimed = await limited(ms, this.#env.clock, (late) => answerTo(inquiry, this.#env, AbortSignal.any([late, end.signal]))).catch(
      (err: unknown) => failed(messageOf(err)),
    )
    this.#running.delete(uid)
    if (!end.signal.aborted) this.#say(inquiry, untimed)
    this.#next()
  }

  #say(inquiry: Inquiry, untimed: UntimedAnswer): void {
    const { clock, plane, outbox, store } = this.#env
    const { uid } = inquiry.metadata
    const answer: InquiryAnswer = { time: new Date(clock.now()).toISOString(), dataplane: plane.name, ...untimed }
    this.#answered.add(uid)
    outbox.put(`answer ${uid}`, () => answered(inquiry, answer, store))
  }
}

/** Once: a first list may be of a past in which it was not answered yet, and the agent before may have had it answered. */
const answered = (inquiry: Inquiry, answer: InquiryAnswer, store: AgentEnv['store']): Promise<void> =>
  writeAsSeen<'Inquiry'>(inquiry, {
    store,
    isDue: ({ status }) => status?.answer === undefined,
    write: ({ metadata: { uid, resourceVersion } }) =>
      store.patchStatus({ ref: refOf(inquiry), uid, resourceVersion }, { answer: { answer } }),
  })
