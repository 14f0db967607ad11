// What a hop tells of all connections that go there from here, by one stream: programs of NSM have one for each connection, and a peer has
// room for so many streams. A hop that refuses to tell of all, as NSM's default policies do, is asked for each.
import { status } from '@grpc/grpc-js'
import { segmentsOf } from '../../../../core/nsm/connection/path.ts'
import { ConnectionEvent, monitorConnection, MonitorScopeSelector, type PathSegment } from '../../../../core/wire/nsm/connection.ts'
import type { Channel } from '../../../grpc/channel.ts'
import { method } from '../../../grpc/method.ts'
import { statusOf } from './failure.ts'

const monitorConnections = method(monitorConnection, 'MonitorConnections', MonitorScopeSelector, ConnectionEvent)

export interface EventFollower {
  /** The segment that its connection has here. */
  readonly segment: Pick<PathSegment, 'name' | 'id'>
  readonly signal: AbortSignal
  hear(event: ConnectionEvent): void
  /** The hop tells nothing more; not where the signal has fallen. */
  lose(): void
}
type Headers = () => Promise<Readonly<Record<string, string>>>

export class HopEvents {
  readonly #channel: Channel
  /** By the ids of their segments. */
  readonly #followers = new Map<string, Set<EventFollower>>()
  #stream: AbortController | undefined
  #isRefused = false

  constructor(channel: Channel) {
    this.#channel = channel
  }

  /** Until its signal falls. Nothing is said of what was before, where others follow already. */
  follow(follower: EventFollower, headers: Headers): void {
    if (follower.signal.aborted) return
    if (this.#isRefused) return void this.#followAlone(follower, headers)
    const { id, name } = follower.segment
    this.#followers.set(id, (this.#followers.get(id) ?? new Set()).add(follower))
    follower.signal.addEventListener('abort', () => this.#drop(follower), { once: true })
    if (this.#stream === undefined) void this.#followAll(name, headers)
  }

  #drop(follower: EventFollower): void {
    const { id } = follower.segment
    const followers = this.#followers.get(id)
    followers?.delete(follower)
    if (followers?.size === 0) this.#followers.delete(id)
    if (this.#followers.size > 0) return
    this.#stream?.abort()
    this.#stream = undefined
  }

  async #followAll(name: string, headers: Headers): Promise<void> {
    const stream = new AbortController()
    this.#stream = stream
    const failed = await this.#read({ pathSegments: [{ name }] }, headers, stream.signal, (event) => this.#tell(event))
    if (this.#stream !== stream) return
    this.#stream = undefined
    const followers = [...this.#followers.values()].flatMap((each) => [...each])
    this.#followers.clear()
    const code = statusOf(failed)?.code
    this.#isRefused = code === status.PERMISSION_DENIED
    if (this.#isRefused) for (const each of followers) void this.#followAlone(each, headers)
    else if (code !== status.CANCELLED) for (const each of followers) each.lose()
  }

  #tell({ type, connections }: ConnectionEvent): void {
    for (const [key, connection] of connections)
      for (const { id } of segmentsOf(connection))
        for (const follower of this.#followers.get(id) ?? []) follower.hear({ type, connections: new Map([[key, connection]]) })
  }

  async #followAlone(follower: EventFollower, headers: Headers): Promise<void> {
    const { segment, signal } = follower
    const { name, id } = segment
    const failed = await this.#read({ pathSegments: [{ name, id }] }, headers, signal, (event) => follower.hear(event))
    if (!signal.aborted && statusOf(failed)?.code !== status.CANCELLED) follower.lose()
  }

  /** @returns what it has ended with; undefined: the hop has ended it */
  async #read(
    selector: { readonly pathSegments: readonly Partial<PathSegment>[] },
    headers: Headers,
    signal: AbortSignal,
    hear: (event: ConnectionEvent) => void,
  ): Promise<unknown> {
    try {
      const options = { signal, headers: await headers() }
      for await (const event of this.#channel.serverStream(monitorConnections, selector, options)) hear(event)
      return undefined
    } catch (err) {
      return err
    }
  }
}
