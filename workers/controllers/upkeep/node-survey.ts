// What nodes have, asked of their agents: an Inquiry each, in Megrez's own namespace, where no tenant writes. What a worker that is killed
// leaves of them expires.
import { inventoryTopic } from '../../../core/kinds/node/inquiry.ts'
import { keyOf, refOf, type Resource, type SpecOf } from '../../../core/kinds/index.ts'
import { derivedName } from '../../../core/net/names.ts'
import type { NodeAnswer } from '../../../core/plan/audit/difference.ts'
import { timeLimit } from '../../../platform/clock.ts'
import type { Env } from '../../controller-env.ts'

type Inquiry = Resource<'Inquiry'>

/** Of all nodes: an agent that is there answers within a second. */
const answersMs = 10_000
const ttlSeconds = 60
/** Answers that are waited for at once: each may be as large as an object can be. */
const atOnce = 64

export class NodeSurvey {
  readonly #env: Env
  #waiting: (() => void)[] = []

  constructor(env: Env) {
    this.#env = env
    env.caches.Inquiry.on(({ after }) => {
      if (after?.spec.about !== inventoryTopic) return
      for (const wake of this.#waiting.splice(0)) wake()
    })
  }

  /** A node that does not answer in time has `undefined`: it is never taken for one that has nothing. */
  async ask(nodes: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, NodeAnswer | undefined>> {
    const late = AbortSignal.any([signal, timeLimit(answersMs, this.#env.clock)])
    const found = new Map<string, NodeAnswer | undefined>(nodes.map((node) => [node, undefined]))
    const left = [...nodes]
    const askOne = async (): Promise<void> => {
      for (let node = left.shift(); node !== undefined && !late.aborted; node = left.shift())
        found.set(node, await this.#answerOf(node, late))
    }
    await Promise.all(Array.from({ length: Math.min(atOnce, nodes.length) }, askOne))
    signal.throwIfAborted()
    return found
  }

  /** Its agent looks for what is its own to put right; what came of it the next look tells. */
  async mend(node: string): Promise<void> {
    await this.#create(node, { repair: true })
  }

  #create(node: string, more: Partial<SpecOf<'Inquiry'>>): Promise<Inquiry> {
    const { store, config, random } = this.#env
    // Each is another question: what was answered before the store was read is no answer.
    const name = derivedName(`audit-${node}`, [node, String(random()), String(random())])
    return store.create({
      kind: 'Inquiry',
      metadata: { namespace: config.namespace, name },
      spec: { about: inventoryTopic, node, ttlSeconds, ...more },
    })
  }

  async #answerOf(node: string, late: AbortSignal): Promise<NodeAnswer | undefined> {
    const { store, log } = this.#env
    const inquiry = await this.#create(node, {})
    const { uid } = inquiry.metadata
    const status = await this.#settled(inquiry, late)
    await store
      .delete(refOf(inquiry), { uid })
      .catch((err: unknown) => log.warn({ err, node }, 'what an Audit has asked of a node stays until it expires'))
    const { inventory, truncated } = status?.answer ?? {}
    return inventory && { inventory, isWhole: truncated !== true }
  }

  async #settled({ metadata }: Inquiry, late: AbortSignal): Promise<Inquiry['status'] | undefined> {
    for (;;) {
      const now = this.#env.caches.Inquiry.get(keyOf(metadata))
      // Its worker has told of it by then, and is not in the way of its end.
      if (now?.status?.phase === 'ready' || now?.status?.phase === 'error') return now.status
      if (late.aborted) return undefined
      await this.#change(late)
    }
  }

  #change(late: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        late.removeEventListener('abort', done)
        resolve()
      }
      late.addEventListener('abort', done)
      this.#waiting.push(done)
    })
  }
}
