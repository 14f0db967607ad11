// One database of an OVSDB server: the rows that were asked for are kept here as they are there, through restarts of the server and
// cuts of the way to it.
import { backoffMs, backoffs } from '../../core/backoff.ts'
import { OvsdbRefused, OvsdbStale, OvsdbUnavailable, type MegrezError } from '../../core/errors.ts'
import { schemaOf } from '../../core/wire/ovsdb/schema.ts'
import { Replica, type RowChange, type Rows } from '../../core/wire/ovsdb/replica.ts'
import { resultsOf, type OvsdbFailure, type Operation, type Result } from '../../core/wire/ovsdb/ovsdb.ts'
import { realClock, type Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import { dial, endOf, parseOvsdbAddress, type OvsdbAddress, type OvsdbTls } from './address.ts'
import { Connection, RpcError } from './connection.ts'

export interface OvsdbOptions {
  /** `unix:/path`, `tcp:host:6640`, `ssl:host:6640`. */
  readonly address: string
  /** `Open_vSwitch`, `hardware_vtep`, … */
  readonly database: string
  /** Columns by table; only these are kept. */
  readonly tables: Readonly<Record<string, readonly string[]>>
  readonly tls?: OvsdbTls
  readonly log: Log
  readonly clock?: Clock
  /** In [0, 1). */
  readonly random?: () => number
  /** Silence after which the server is asked whether it lives; 5,000 by default. */
  readonly probeMs?: number
}

/** `all`: what was seen before means nothing any more, the rows are read anew. */
export type OvsdbChange = 'all' | readonly RowChange[]

const noRows: Rows = new Map()

export class Ovsdb {
  readonly address: string
  readonly #where: OvsdbAddress
  readonly #options: OvsdbOptions
  readonly #clock: Clock
  readonly #listeners = new Set<(change: OvsdbChange) => void>()
  #connection: Connection | undefined
  #replica: Replica | undefined
  /** Updates that came in one piece with the first state, before it was taken. */
  #early: (readonly [method: string, params: readonly unknown[]])[] = []
  #attempt = 0
  #stopRetry: () => void = () => undefined
  #closed = false
  /** Why it is not in step with the server; undefined while it is. */
  #problem = 'not connected yet'

  /** @throws TypeError where the address is none */
  constructor(options: OvsdbOptions) {
    const where = parseOvsdbAddress(options.address)
    if (where === undefined) throw new TypeError(`${options.address}: unix:/path, tcp:host:6640 or ssl:host:6640 is needed`)
    this.address = options.address
    this.#where = where
    this.#options = options
    this.#clock = options.clock ?? realClock
    this.#connect()
  }

  /** The rows of a table by UUID; none while out of step. They are shared: nobody changes them. */
  rows(table: string): Rows {
    return this.#replica?.rows(table) ?? noRows
  }

  /** Why the rows cannot be relied on at the moment; undefined while they can. */
  problem(): string | undefined {
    return this.#replica === undefined ? this.#problem : undefined
  }

  /** Calls back after each change and each reconnection; the answer ends it. */
  on(listener: (change: OvsdbChange) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * What `find` finds in the rows, as soon as it finds something.
   *
   * @throws OvsdbUnavailable when the signal ends the waiting, with what was missing
   */
  until<T>(find: () => T | undefined, what: string, signal: AbortSignal): Promise<T> {
    const first = this.#replica === undefined ? undefined : find()
    if (first !== undefined) return Promise.resolve(first)
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const end = (): void => {
      this.#listeners.delete(check)
      signal.removeEventListener('abort', give)
    }
    const check = (): void => {
      try {
        const found = this.#replica === undefined ? undefined : find()
        if (found === undefined) return
        end()
        resolve(found)
      } catch (err) {
        end()
        reject(err)
      }
    }
    const give = (): void => {
      end()
      reject(new OvsdbUnavailable({ address: this.address, reason: this.problem() ?? what }))
    }
    this.#listeners.add(check)
    signal.addEventListener('abort', give)
    if (signal.aborted) give()
    return promise
  }

  /** Once the rows are in step with the server. */
  async ready(signal: AbortSignal): Promise<void> {
    await this.until(() => true, 'it does not come into step', signal)
  }

  /**
   * One transaction: all of it, or nothing and an error.
   *
   * @throws OvsdbStale        a `wait` did not hold, or somebody else has put in a row of the same name
   * @throws OvsdbRefused      the server's words
   * @throws OvsdbUnavailable  nobody answers, or the answer was lost: then it may have been done
   */
  async transact(operations: readonly Operation[]): Promise<readonly Result[]> {
    const { address } = this
    if (this.#connection === undefined || this.#replica === undefined) throw new OvsdbUnavailable({ address, reason: this.#problem })
    let answer: unknown
    try {
      answer = await this.#connection.call('transact', [this.#options.database, ...operations])
    } catch (err) {
      if (err instanceof RpcError) throw new OvsdbRefused({ address, what: 'a transaction', reason: err.message })
      throw new OvsdbUnavailable({ address, reason: (err as Error).message, cause: err })
    }
    const results = resultsOf(answer, operations.length)
    if ('error' in results) throw this.#failure(results, operations)
    return results
  }

  #failure({ error, details, operation }: OvsdbFailure, operations: readonly Operation[]): MegrezError {
    const { address } = this
    // A name that is taken was free when we looked: a rival has been faster.
    if (error === 'timed out' || (error === 'constraint violation' && details.includes('identical values')))
      return new OvsdbStale({ address })
    const what = operation === undefined ? 'the commit' : described(operations[operation])
    return new OvsdbRefused({ address, what, reason: details === '' ? error : `${error}: ${details}` })
  }

  close(): void {
    this.#closed = true
    this.#stopRetry()
    this.#connection?.close()
    this.#replica = undefined
    this.#problem = 'closed'
  }

  #connect(): void {
    const connection = new Connection(dial(this.#where, this.#options.tls), {
      clock: this.#clock,
      probeMs: this.#options.probeMs ?? 5_000,
      onUnasked: (method, params) => this.#notified(connection, method, params),
    })
    this.#connection = connection
    this.#early = []
    void connection.closed.then((err) => this.#lost(err))
    this.#follow(connection).catch((err: Error) => connection.close(err))
  }

  async #follow(connection: Connection): Promise<void> {
    const { database, tables, log } = this.#options
    const replica = new Replica(schemaOf(await connection.call('get_schema', [database]), tables))
    const wanted = Object.fromEntries(Object.entries(tables).map(([table, columns]) => [table, { columns }]))
    try {
      const conditional = Object.fromEntries(Object.entries(wanted).map(([table, each]) => [table, [each]]))
      replica.update2((await connection.call('monitor_cond', [database, 'megrez', conditional])) as Parameters<Replica['update2']>[0])
    } catch (err) {
      // Servers before 2.6, and others than Open vSwitch's, have only RFC 7047's own monitor.
      if (!(err instanceof RpcError)) throw err
      replica.update((await connection.call('monitor', [database, 'megrez', wanted])) as Parameters<Replica['update']>[0])
    }
    this.#replica = replica
    this.#attempt = 0
    for (const [method, params] of this.#early.splice(0)) this.#update(replica, method, params)
    log.info({ address: this.address, database }, 'in step with the OVSDB')
    this.#notify('all')
  }

  #notified(connection: Connection, method: string, params: readonly unknown[]): void {
    if (connection !== this.#connection) return
    if (this.#replica === undefined) this.#early.push([method, params])
    else this.#notify(this.#update(this.#replica, method, params))
  }

  #update(replica: Replica, method: string, params: readonly unknown[]): readonly RowChange[] {
    if (method === 'update2') return replica.update2(params[1] as Parameters<Replica['update2']>[0])
    return method === 'update' ? replica.update(params[1] as Parameters<Replica['update']>[0]) : []
  }

  #notify(change: OvsdbChange): void {
    for (const listener of [...this.#listeners]) listener(change)
  }

  #lost(err: Error): void {
    this.#connection = undefined
    this.#replica = undefined
    if (this.#closed) return
    this.#problem = endOf(err)
    const inMs = backoffMs(++this.#attempt, (this.#options.random ?? Math.random)(), backoffs.ovsdb)
    this.#options.log.warn({ address: this.address, reason: this.#problem, inMs }, 'lost the OVSDB; connecting again')
    this.#stopRetry = this.#clock.after(inMs, () => this.#connect())
  }
}

const described = (operation: Operation | undefined): string =>
  operation === undefined ? 'an operation' : `${operation.op}${'table' in operation ? ` of ${operation.table}` : ''}`
