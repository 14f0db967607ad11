// The registry as an nsmgr offers it: endpoints of its node are registered further on under the nsmgr's own URL, and found here under
// theirs. Source: networkservicemesh/sdk, pkg/registry/common/localbypass (2026-11).
import { ChainRefused } from '../../../core/errors.ts'
import { msOf } from '../../../core/wire/nsm/well-known.ts'
import type {
  NetworkServiceEndpoint,
  NetworkServiceEndpointQuery,
  NetworkServiceEndpointResponse,
} from '../../../core/wire/nsm/registry.ts'
import type { ReadOf } from '../../../core/wire/protobuf/protobuf.ts'
import type { CarriedFile } from '../../grpc/carried-files.ts'
import { inodeOf } from '../connection/server/namespaces.ts'
import type { ServedCall } from '../../grpc/caller.ts'
import { serverStream, unary, type ServedHandler } from '../../grpc/handlers.ts'
import type { Method } from '../../grpc/method.ts'
import type { Clock } from '../../clock.ts'
import { endpointMethods, serviceMethods } from '../registry-methods.ts'
import type { Directory } from '../directory.ts'
import type { Upstream } from '../upstream.ts'

type EndpointQuery = ReadOf<typeof NetworkServiceEndpointQuery>
type EndpointAnswer = ReadOf<typeof NetworkServiceEndpointResponse>

/** Endpoints of one node at the most. */
const mostLocal = 10_000
/** A descriptor comes right before the call that names it. */
const lateMs = 2_000

interface LocalEndpoint {
  readonly url: string
  readonly endsMs: number
  /** Its unix socket, where it has sent that. */
  readonly socket?: CarriedFile | undefined
}

export class LocalRegistry {
  readonly #registry: Upstream
  readonly #clock: Clock
  /** Of this nsmgr, as other nodes get to it. */
  readonly #url: string
  readonly #local = new Map<string, LocalEndpoint>()

  constructor(registry: Upstream, clock: Clock, url: string) {
    this.#registry = registry
    this.#clock = clock
    this.#url = url
  }

  handlers(): readonly ServedHandler[] {
    return [
      unary(serviceMethods.register, async (request, call) => this.#registry.pass(serviceMethods.register, request, call)),
      serverStream(serviceMethods.find, (request, call) => this.#found(serviceMethods.find, request, call)),
      unary(serviceMethods.unregister, async (request, call) => this.#registry.pass(serviceMethods.unregister, request, call)),
      unary(endpointMethods.register, async (request, call) => this.#register(request, call)),
      serverStream(endpointMethods.find, (request, call) => this.#find(request, call)),
      unary(endpointMethods.unregister, async (request, call) => this.#unregister(request, call)),
    ]
  }

  /** What the nsmgr itself asks: endpoints of its node under their own URLs. */
  directory(registry: Directory): Directory {
    return {
      ...registry,
      endpoints: async (query) => (await registry.endpoints(query)).flatMap((each) => this.#asFoundHere(each) ?? []),
    }
  }

  /** Of this node alone: other nodes' forwarders carry nothing of its clients'. */
  ofNode(registry: Directory): Directory {
    return {
      ...registry,
      endpoints: async (query) =>
        (await registry.endpoints({ ...query, url: this.#url })).flatMap((each) =>
          this.#local.has(each.name) ? (this.#asFoundHere(each) ?? []) : [],
        ),
    }
  }

  isOfNode(url: string): boolean {
    return [...this.#local.values()].some((each) => each.url === url)
  }

  async #register(request: NetworkServiceEndpoint, call: ServedCall): Promise<NetworkServiceEndpoint> {
    if (request.url === '') throw new ChainRefused({ reason: `cannot register NSE with passed URL: ${request.url}` })
    this.#forgetEnded()
    if (this.#local.size >= mostLocal && !this.#local.has(request.name))
      throw new ChainRefused({ reason: `${mostLocal} endpoints are registered here already` })
    const socket = await socketSent(request.url, call)
    try {
      const entry = await this.#registry.pass(endpointMethods.register, { ...request, url: this.#url }, call)
      const { expirationTime } = entry
      const url = socket === undefined ? request.url : `unix:///proc/${process.pid}/fd/${socket.fd}`
      this.#drop(entry.name)
      this.#local.set(entry.name, { url, endsMs: expirationTime === undefined ? Infinity : msOf(expirationTime), socket })
      return { ...entry, url: request.url }
    } catch (err) {
      socket?.close()
      throw err
    }
  }

  async #unregister(request: NetworkServiceEndpoint, call: ServedCall): Promise<object> {
    await this.#registry.pass(endpointMethods.unregister, { ...request, url: this.#url }, call)
    this.#drop(request.name)
    return {}
  }

  async *#find(request: EndpointQuery, call: ServedCall): AsyncGenerator<EndpointAnswer> {
    for await (const answer of this.#found(endpointMethods.find, request, call)) {
      const { networkServiceEndpoint: found, deleted } = answer
      const here = found === undefined ? undefined : this.#asFoundHere(found, deleted)
      if (here !== undefined) yield { networkServiceEndpoint: here, deleted }
    }
  }

  /** Of this node, but not registered here since this process began: nobody could get there. */
  #asFoundHere(found: NetworkServiceEndpoint, deleted = false): NetworkServiceEndpoint | undefined {
    const local = this.#local.get(found.name)
    if (local !== undefined) return { ...found, url: local.url }
    return found.url === this.#url && !deleted ? undefined : found
  }

  #forgetEnded(): void {
    const now = this.#clock.now()
    for (const [name, { endsMs }] of this.#local) if (endsMs < now) this.#drop(name)
  }

  #drop(name: string): void {
    this.#local.get(name)?.socket?.close()
    this.#local.delete(name)
  }

  #found<Sent, Answer>(through: Method<Sent, Answer>, request: Sent, { signal, deadline }: ServedCall): AsyncIterable<Answer> {
    const timeout = deadline === undefined ? {} : { timeoutMs: Math.max(1, deadline - this.#clock.now()) }
    return this.#registry.find(through, request, { signal, ...timeout })
  }
}

/** An endpoint's unix socket (sdk, pkg/registry/common/recvfd). @throws ChainRefused where it was named, and has not come */
async function socketSent(url: string, { caller: { files } }: ServedCall): Promise<CarriedFile | undefined> {
  const name = inodeOf(url)
  if (files === undefined || name === undefined) return undefined
  const socket = await files.take(name, lateMs)
  if (socket === undefined) throw new ChainRefused({ reason: `no descriptor of ${url} came with the call` })
  return socket
}
