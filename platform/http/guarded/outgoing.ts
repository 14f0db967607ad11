// One HTTP request to where a user says: through the guard, over kept connections. No redirect is followed, no proxy asked, no
// cookie kept, and no more of an answer read than its size allows.
import { createHash } from 'node:crypto'
import { Pool } from 'undici'
import { callbackTarget, type CallbackSettings } from '../../../core/admit/object/callback-target.ts'
import type { Access, Receipt } from '../../../core/contracts/notifier.ts'
import type { Clock } from '../../clock.ts'
import { RequestEnds } from './request-ends.ts'
import { Exchange, type Answer } from './exchange.ts'
import { guardedConnector, type Resolve } from './guarded-lookup.ts'
import { failureOf } from './failures.ts'

export interface OutgoingOptions {
  readonly settings: CallbackSettings
  /** From connecting to the end of the answer. */
  readonly timeoutMs: number
  readonly clock: Clock
  readonly resolve?: Resolve
  /** Further certificate authorities, PEM. */
  readonly ca?: string
}

export interface Request {
  readonly method: 'GET' | 'POST' | 'OPTIONS'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly access?: Access
  /** The answer's body is wanted; else it is read only so that the connection can be used again. */
  readonly reads?: true
}

const bodyMaxBytes = 64 * 1024
const headersMaxBytes = 16 * 1024
/** To one origin; more sendings wait for one of these. */
const connections = 64
/** Connections are kept warm (a new TLS connection costs 35 times a kept one), and let go with their origin after so long. */
const idleMs = 60_000
const targetsMax = 4_096

export class Outgoing {
  readonly #options: OutgoingOptions
  readonly #pools = new Map<string, { readonly pool: Pool; underWay: number; cancel: () => void }>()
  readonly #ends: RequestEnds
  readonly #targets = new Map<string, ReturnType<typeof callbackTarget>>()

  constructor(options: OutgoingOptions) {
    this.#options = options
    this.#ends = new RequestEnds(options.timeoutMs, options.clock)
  }

  /** What came back, or why nothing did. Never throws. */
  async ask(request: Request, signal: AbortSignal): Promise<Answer | Exclude<Receipt, { readonly status: number }>> {
    const target = this.#target(request.url, request.access?.namespace)
    if ('problem' in target) return { kind: 'forbidden', reason: target.problem }
    const exchange = new Exchange({ reads: request.reads === true, bodyMaxBytes })
    this.#ends.begin(exchange, signal)
    try {
      return await this.#within(target.url.origin, request.access, (pool) => exchanged(pool, target.url, request, exchange))
    } catch (err) {
      return failureOf(err)
    } finally {
      this.#ends.done(exchange, signal)
    }
  }

  /** Ends what is under way. */
  abort(): void {
    this.#ends.endAll()
  }

  async close(): Promise<void> {
    const open = [...this.#pools.values()]
    this.#pools.clear()
    for (const { cancel } of open) cancel()
    await Promise.all(open.map(({ pool }) => pool.destroy()))
  }

  /** A URL is taken apart once: settings do not change while we run. */
  #target(url: string, namespace: string | undefined): ReturnType<typeof callbackTarget> {
    const key = `${namespace ?? ''} ${url}`
    const known = this.#targets.get(key)
    if (known !== undefined) return known
    const target = callbackTarget(url, this.#options.settings, namespace)
    if (this.#targets.size >= targetsMax) this.#targets.clear()
    this.#targets.set(key, target)
    return target
  }

  async #within<T>(origin: string, access: Access | undefined, use: (pool: Pool) => Promise<T>): Promise<T> {
    const key = `${origin}${this.#identityOf(access)}`
    let entry = this.#pools.get(key)
    if (entry === undefined) this.#pools.set(key, (entry = { pool: this.#open(origin, access), underWay: 0, cancel: () => undefined }))
    entry.cancel()
    entry.underWay += 1
    try {
      return await use(entry.pool)
    } finally {
      entry.underWay -= 1
      if (entry.underWay === 0) entry.cancel = this.#options.clock.after(idleMs, () => this.#letGo(key))
    }
  }

  /** Connections are shared only by those who would open the same ones. */
  #identityOf(access: Access | undefined): string {
    if (access === undefined) return ''
    const { namespace = '', ca, certificate } = access
    const own = this.#options.settings.callbackAllowIn?.[namespace] === undefined ? '' : ` ${namespace}`
    return ca === undefined && certificate === undefined
      ? own
      : `${own} ${createHash('sha256')
          .update(JSON.stringify([ca, certificate]))
          .digest('base64')}`
  }

  #letGo(key: string): void {
    const entry = this.#pools.get(key)
    if (entry === undefined || entry.underWay > 0) return
    this.#pools.delete(key)
    void entry.pool.destroy()
  }

  #open(origin: string, { namespace, ca: own, certificate }: Access = {}): Pool {
    const { settings, timeoutMs, clock, resolve, ca } = this.#options
    const cas = [ca, own].filter((each) => each !== undefined)
    // Shorter than the whole, so that a host which drops packets is told from one that thinks.
    const connect = guardedConnector(settings, {
      timeoutMs: Math.ceil((timeoutMs * 2) / 3),
      clock,
      ...(resolve === undefined ? {} : { resolve }),
      ...(cas.length === 0 ? {} : { ca: cas }),
      ...(namespace === undefined ? {} : { namespace }),
      ...(certificate === undefined ? {} : { certificate }),
    })
    return new Pool(origin, {
      connect,
      connections,
      pipelining: 1,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      maxHeaderSize: headersMaxBytes,
    })
  }
}

function exchanged(pool: Pool, url: URL, { method, headers, body }: Request, exchange: Exchange): Promise<Answer> {
  pool.dispatch({ method, path: `${url.pathname}${url.search}`, headers, ...(body === undefined ? {} : { body }) }, exchange)
  return exchange.answer
}
