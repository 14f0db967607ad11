// One request and its answer, as undici tells of them: without a stream of the body, for of most answers only the status counts.
import type { Dispatcher } from 'undici'
import type { EndableRequest } from './request-ends.ts'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

export interface ExchangeOptions {
  /** The answer's body is wanted; else it is read only so that the connection can be used again. */
  readonly reads: boolean
  /** No more is read: an answer that is wanted whole is none then, another is cut off. */
  readonly bodyMaxBytes: number
}

export class Exchange implements Dispatcher.DispatchHandler, EndableRequest {
  readonly #options: ExchangeOptions
  readonly #outcome = Promise.withResolvers<Answer>()
  #controller: Dispatcher.DispatchController | undefined
  #over = false
  #status = 0
  #headers: Answer['headers'] = {}
  #chunks: Buffer[] = []
  #size = 0

  constructor(options: ExchangeOptions) {
    this.#options = options
  }

  /** Rejects where there is none: with what undici says, or with what it was ended by. */
  get answer(): Promise<Answer> {
    return this.#outcome.promise
  }

  end(err: Error): void {
    if (this.#over) return
    this.#fail(err)
    this.#controller?.abort(err)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    // Ended while it waited for a connection.
    if (this.#over) controller.abort(new DOMException('ended', 'AbortError'))
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: Answer['headers']): void {
    if (status < 200) return
    this.#status = status
    this.#headers = headers
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length
    if (this.#size <= this.#options.bodyMaxBytes) {
      if (this.#options.reads) this.#chunks.push(chunk)
      return
    }
    const problem = new DOMException(`the answer is larger than ${this.#options.bodyMaxBytes} bytes`, 'AbortError')
    this.#fail(problem)
    controller.abort(problem)
  }

  onResponseEnd(): void {
    this.#settle()
  }

  onResponseError(_: Dispatcher.DispatchController, err: Error): void {
    this.#fail(err)
  }

  /** Where the body is not wanted, a receiver whose status has come has answered: a failure after that is none. */
  #fail(err: Error): void {
    if (this.#status !== 0 && !this.#options.reads) return this.#settle()
    this.#over = true
    this.#chunks = []
    this.#outcome.reject(err)
  }

  #settle(): void {
    this.#over = true
    this.#outcome.resolve({ status: this.#status, headers: this.#headers, body: Buffer.concat(this.#chunks).toString() })
  }
}
