// Idempotency-Key (draft-ietf-httpapi-idempotency-key-header-07, 2025-10): a POST that is sent again makes nothing twice. What was
// answered is kept here for a day, within bounds; what must outlive this process is written on the object itself.
import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { KeyInUse, KeyReused } from '../../../core/errors.ts'
import { idempotencyAnnotation } from '../../../core/kinds/annotations.ts'
import type { Resource } from '../../../core/kinds/index.ts'
import type { Clock } from '../../../platform/clock.ts'
import { BadParameter } from '../invalid-object.ts'

const keptMs = 24 * 3600_000
const keptMax = 10_000
const form = /^[\x21-\x7e]{1,255}$/
const remembered = ['location', 'etag', 'warning', 'preference-applied'] as const

/** What is written on an object that was made under a key, and the names that it may get. */
export interface IdempotencyMark {
  /** `<who and key>.<request>`, each as a hash. */
  readonly text: string
  /** A number in [0, 1) for the place of each letter of a name: the same each time. */
  random(attempt: number): () => number
}

interface Answer {
  readonly code: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}
interface KeptAnswer {
  readonly request: string
  readonly until: number
  /** Absent: it is under way. */
  readonly answer?: Answer
}

const short = (text: string): string => hash('sha256', text, 'base64url').slice(0, 22)

/** @throws BadParameter for a key that is none; undefined where none is given */
export function markOf(request: FastifyRequest): IdempotencyMark | undefined {
  const given = request.headers['idempotency-key']
  if (given === undefined) return undefined
  if (typeof given !== 'string' || !form.test(given)) throw new BadParameter('Idempotency-Key', 'must be 1 to 255 visible characters')
  const { issuer, subject } = request.caller
  const key = short(JSON.stringify([issuer, subject, request.method, request.url.split('?')[0], given]))
  const text = `${key}.${short(JSON.stringify([request.url, request.headers['content-type'], request.body]))}`
  return {
    text,
    random(attempt) {
      const digest = hash('sha256', `${key} ${attempt}`, 'buffer')
      let at = 0
      return () => digest.readUInt16BE((2 * at++) % 32) / 65_536
    },
  }
}

/** Whether an object that is there is what this very request made before. @throws KeyReused where another request of the key did */
export function madeBefore(there: Resource | undefined, mark: IdempotencyMark | undefined): boolean {
  const written = there?.metadata.annotations?.[idempotencyAnnotation]
  if (mark === undefined || written === undefined) return false
  if (written === mark.text) return true
  if (written.split('.')[0] === mark.text.split('.')[0]) throw new KeyReused({})
  return false
}

export class IdempotentAnswers {
  #clock: Clock
  #kept = new Map<string, KeptAnswer>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /**
   * What `make` answers, or has answered before to the same request. Refusals are not kept: whoever puts right what was missing
   * may send the same again.
   *
   * @throws KeyInUse, KeyReused
   */
  async once(reply: FastifyReply, mark: IdempotencyMark | undefined, make: () => Promise<FastifyReply>): Promise<FastifyReply> {
    if (mark === undefined) return make()
    const [key = '', request = ''] = mark.text.split('.')
    const known = this.#known(key)
    if (known !== undefined) return replay(reply, known, request)
    this.#kept.set(key, { request, until: Number.POSITIVE_INFINITY })
    this.#forget()
    let sent: unknown
    const send = reply.send.bind(reply)
    reply.send = (body) => send((sent = body))
    try {
      await make()
      if (reply.statusCode < 300)
        this.#kept.set(key, {
          request,
          until: this.#clock.elapsed() + keptMs,
          answer: { code: reply.statusCode, headers: headersOf(reply), body: sent },
        })
      return reply
    } finally {
      if (this.#kept.get(key)?.answer === undefined) this.#kept.delete(key)
    }
  }

  #known(key: string): KeptAnswer | undefined {
    const kept = this.#kept.get(key)
    if (kept === undefined || kept.until > this.#clock.elapsed()) return kept
    this.#kept.delete(key)
    return undefined
  }

  #forget(): void {
    for (const [key, { answer }] of this.#kept) {
      if (this.#kept.size <= keptMax) return
      if (answer !== undefined) this.#kept.delete(key)
    }
  }
}

function replay(reply: FastifyReply, { request: before, answer }: KeptAnswer, request: string): FastifyReply {
  if (before !== request) throw new KeyReused({})
  if (answer === undefined) throw new KeyInUse({})
  return reply.code(answer.code).headers(answer.headers).header('idempotency-replayed', 'true').send(answer.body)
}

const headersOf = (reply: FastifyReply): Record<string, string> =>
  Object.fromEntries(remembered.flatMap((name) => (reply.hasHeader(name) ? [[name, String(reply.getHeader(name))]] : [])))
