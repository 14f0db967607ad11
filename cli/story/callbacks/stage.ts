// What is alive in the story at the moment, and what has come.
import { randomBytes } from 'node:crypto'
import type { Notice } from '../../../receiver/verify.ts'
import { Rest, type Answer } from '../../demo/rest.ts'
import type { Logged } from './log.ts'
import { startReceiver, startServer, type Part } from './parts.ts'

export class Stage {
  readonly notices: Notice[] = []
  /** What the store said of objects before they went: name → changes. */
  readonly histories = new Map<string, readonly Logged[]>()
  readonly url: string
  readonly redis: string
  readonly #folder: string
  readonly #l4Port: number
  readonly #secret = `whsec_${randomBytes(32).toString('base64')}`
  #server: Part | undefined
  #receiver: Part | undefined
  #rest: Rest | undefined

  constructor(folder: string, redis: string, l4Port: number) {
    this.#folder = folder
    this.redis = redis
    this.#l4Port = l4Port
    this.url = `http://127.0.0.1:${l4Port}/told`
  }

  /** @throws while no server runs */
  get rest(): Rest {
    if (this.#rest === undefined) throw new Error('no server runs')
    return this.#rest
  }

  async must(method: string, path: string, body?: unknown): Promise<Answer['body']> {
    const answer = await this.rest.call(method, path, body)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.body.detail ?? ''}`)
    return answer.body
  }

  async serve(): Promise<void> {
    this.#server = await startServer(this.#folder, this.redis, this.#secret)
    this.#rest = new Rest(JSON.parse(this.#server.first) as { readonly url: string; readonly token: string })
  }

  /** By what the server signs the callbacks of a namespace with: it has to run. */
  async receive(namespace: string): Promise<void> {
    const { secrets } = (await this.must('GET', `/v1/namespaces/${namespace}/signing-secret`)) as unknown as {
      readonly secrets: readonly string[]
    }
    this.#receiver = await startReceiver(this.#l4Port, secrets[0] ?? '')
    this.#receiver.lines.on('line', (line) => this.notices.push(JSON.parse(line) as Notice))
  }

  async killServer(): Promise<void> {
    await this.#server?.end('SIGKILL')
  }

  async killReceiver(): Promise<void> {
    await this.#receiver?.end('SIGKILL')
  }

  async end(): Promise<void> {
    await this.#server?.end('SIGTERM')
    await this.#receiver?.end('SIGKILL')
  }
}
