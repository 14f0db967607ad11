// A notice as one signed POST. No redirect is followed, no proxy asked, no cookie kept; of an answer only its status counts.
import { Pool, type Dispatcher } from 'undici'
import { callbackTarget, type CallbackSettings } from '../../core/admit/callback-target.ts'
import type { Delivery, Notifier, Receipt } from '../../core/contracts/notifier.ts'
import { TargetForbidden } from '../../core/errors.ts'
import type { Clock } from '../../platform/clock.ts'
import { guardedConnector, type Resolve } from './guard.ts'
import { retryAfterMs } from './retry-after.ts'
import { signatures } from './sign.ts'

export interface HttpNotifierOptions {
  readonly settings: CallbackSettings
  /** From connecting to the end of the answer. */
  readonly timeoutMs: number
  readonly secrets: readonly Buffer[]
  readonly clock: Clock
  readonly resolve?: Resolve
  /** Further certificate authorities, PEM. */
  readonly ca?: string
}

const bodyMaxBytes = 64 * 1024
const headersMaxBytes = 16 * 1024
/** To one origin; more sendings wait for one of these. */
const connections = 64
/** Connections are kept warm (a new TLS connection costs 35 times a kept one), and let go with their origin after so long. */
const idleMs = 60_000

export class HttpNotifier implements Notifier {
  readonly #options: HttpNotifierOptions
  readonly #pools = new Map<string, { readonly pool: Pool; underWay: number; cancel: () => void }>()

  constructor(options: HttpNotifierOptions) {
    this.#options = options
  }

  async send(delivery: Delivery, signal: AbortSignal): Promise<Receipt> {
    const target = callbackTarget(delivery.url, this.#options.settings)
    if ('problem' in target) return { say: 'forbidden', reason: target.problem }
    const { ends, done } = endsWith(signal, this.#options.timeoutMs)
    try {
      return await this.#within(target.url.origin, (pool) => this.#post(pool, target.url, delivery, ends))
    } catch (problem) {
      return receiptOf(problem)
    } finally {
      done()
    }
  }

  async close(): Promise<void> {
    const open = [...this.#pools.values()]
    this.#pools.clear()
    for (const { cancel } of open) cancel()
    await Promise.all(open.map(({ pool }) => pool.destroy()))
  }

  async #post(pool: Pool, url: URL, delivery: Delivery, signal: AbortSignal): Promise<Receipt> {
    const headers = this.#headers(delivery)
    const answer = await pool.request({ method: 'POST', path: `${url.pathname}${url.search}`, headers, body: delivery.body, signal })
    // The status decides; what follows is read only so that the connection can be used again.
    await answer.body.dump({ limit: bodyMaxBytes, signal }).catch(() => undefined)
    return receiptOfAnswer(answer, this.#options.clock.now())
  }

  #headers(delivery: Delivery): Record<string, string> {
    const timestamp = Math.floor(this.#options.clock.now() / 1000)
    const signature = signatures(this.#options.secrets, delivery.id, timestamp, delivery.body)
    return {
      'content-type': 'application/json',
      'user-agent': 'megrez',
      'webhook-id': delivery.id,
      'webhook-timestamp': String(timestamp),
      ...(signature === '' ? {} : { 'webhook-signature': signature }),
      'megrez-sequence': String(delivery.sequence),
      'megrez-phase': delivery.phase,
    }
  }

  async #within<T>(origin: string, use: (pool: Pool) => Promise<T>): Promise<T> {
    const entry = this.#pools.get(origin) ?? { pool: this.#open(origin), underWay: 0, cancel: () => undefined }
    this.#pools.set(origin, entry)
    entry.cancel()
    entry.underWay += 1
    try {
      return await use(entry.pool)
    } finally {
      entry.underWay -= 1
      if (entry.underWay === 0) entry.cancel = this.#options.clock.after(idleMs, () => this.#letGo(origin))
    }
  }

  #letGo(origin: string): void {
    const entry = this.#pools.get(origin)
    if (entry === undefined || entry.underWay > 0) return
    this.#pools.delete(origin)
    void entry.pool.destroy()
  }

  #open(origin: string): Pool {
    const { settings, timeoutMs, resolve, ca } = this.#options
    // Shorter than the whole, so that a host which drops packets is told from one that thinks.
    const connect = guardedConnector(settings, { timeoutMs: Math.ceil((timeoutMs * 2) / 3), ...(resolve === undefined ? {} : { resolve }), ...(ca === undefined ? {} : { ca }) })
    return new Pool(origin, { connect, connections, pipelining: 1, headersTimeout: timeoutMs, bodyTimeout: timeoutMs, maxHeaderSize: headersMaxBytes })
  }
}

/** A signal that falls with another, or after a time. AbortSignal.timeout would keep its timer, and all that hangs on it, to the end. */
function endsWith(signal: AbortSignal, ms: number): { readonly ends: AbortSignal; readonly done: () => void } {
  const controller = new AbortController()
  const end = (): void => controller.abort(signal.reason)
  const timer = setTimeout(() => controller.abort(new DOMException(`no whole answer within ${ms} ms`, 'TimeoutError')), ms)
  if (signal.aborted) end()
  signal.addEventListener('abort', end)
  return {
    ends: controller.signal,
    done() {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
    },
  }
}

function receiptOfAnswer({ statusCode: status, headers }: Dispatcher.ResponseData, now: number): Receipt {
  if (status >= 200 && status < 300) return { say: 'accepted', status }
  const after = status === 429 || status === 503 ? retryAfterMs(headers['retry-after'], now) : undefined
  return { say: 'refused', status, ...(after === undefined ? {} : { retryAfterMs: after }) }
}

/** Whoever was connected and gave no whole answer is slow or broken; that is the receiver's, not its host's. */
const afterConnecting = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_SOCKET', 'UND_ERR_HEADERS_OVERFLOW', 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH', 'UND_ERR_RES_EXCEEDED_MAX_SIZE'])

function receiptOf(problem: unknown): Receipt {
  if (problem instanceof TargetForbidden) return { say: 'forbidden', reason: problem.message }
  const { code, name, message } = problem as NodeJS.ErrnoException
  const slow = name === 'TimeoutError' || name === 'AbortError' || (code !== undefined && (afterConnecting.has(code) || code.startsWith('HPE_')))
  return { say: slow ? 'slow' : 'unreachable', reason: message }
}
