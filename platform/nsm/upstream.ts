// The registry behind an nsmgr or a forwarder: another process', by gRPC, or one that is kept in this one.
import { printRegistryPath, readRegistryPath } from '../../core/nsm/registry-path.ts'
import { pause, type Clock } from '../clock.ts'
import type { ServedCall } from '../grpc/caller.ts'
import type { CallOptions } from '../grpc/channel.ts'
import type { Method } from '../grpc/method.ts'
import type { ServedHandler } from '../grpc/handlers.ts'
import { tokenHeaders } from './connection/hops/headers.ts'
import type { Dialled } from './dial.ts'
import { handed } from './registry/hand.ts'
import type { Tokens } from './tokens/token.ts'

export interface FindOptions {
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
}

export interface Finds {
  /** One of both registries' Find. @throws PeerUnavailable, PeerRefused */
  find<Sent, Answer>(through: Method<Sent, Answer>, query: Sent, options: FindOptions): AsyncIterable<Answer>
}

export interface Upstream extends Finds {
  /** Register or Unregister, one hop on. @throws as find, ChainRefused */
  pass<Sent extends PathIds, Answer>(through: Method<Sent, Answer>, request: Sent, call: ServedCall): Promise<Answer>
}
interface PathIds {
  readonly pathIds?: readonly string[] | undefined
}

export interface RegistryOptions {
  readonly registry: Dialled
  readonly tokens: Tokens
  readonly clock: Clock
}

const pathHeader = 'path'
const callMs = 15_000

export function remoteRegistry({ registry, tokens, clock }: RegistryOptions): Upstream {
  const headers = async (): Promise<Readonly<Record<string, string>>> => tokenHeaders(await tokens.make(await registry.identity()))
  return {
    async *find(through, query, options) {
      yield* registry.channel.serverStream(through, query, { ...options, headers: await headers() })
    },
    async pass(through, request, call) {
      const hands = await handed(call, tokens)
      let whole = hands.path
      const pathIds = hands.idsOn(request.pathIds ?? [])
      const options: CallOptions = {
        headers: { ...(await headers()), [pathHeader]: printRegistryPath(whole) },
        signal: call.signal,
        timeoutMs: call.deadline === undefined ? callMs : Math.max(1, call.deadline - clock.now()),
        answered: (header) => (whole = readRegistryPath(header(pathHeader)[0]) ?? whole),
      }
      const answer = await registry.channel.unary(through, { ...request, pathIds }, options)
      call.header(pathHeader, printRegistryPath({ ...whole, index: hands.path.index - 1 }))
      return answer
    },
  }
}

/** No segment of a path is its own: who calls it is whoever calls this process. */
export function registryInProcess(handlers: readonly ServedHandler[], clock: Clock): Upstream {
  const handlerOf = <K extends ServedHandler['kind']>(path: string, kind: K): ServedHandler & { readonly kind: K } => {
    const found = handlers.find((each): each is ServedHandler & { readonly kind: K } => each.path === path && each.kind === kind)
    if (found === undefined) throw new RangeError(`${path} is no ${kind} method of a registry`)
    return found
  }
  return {
    async *find(through, query, { signal, timeoutMs }) {
      const ended = new AbortController()
      const until = signal === undefined ? ended.signal : AbortSignal.any([signal, ended.signal])
      if (timeoutMs !== undefined) void pause(timeoutMs, clock, ended.signal).then(() => ended.abort())
      try {
        const call: ServedCall = { ...ownCall, path: through.path, signal: until }
        for await (const bytes of handlerOf(through.path, 'stream').answer(through.encode(query), call)) yield through.decode(bytes)
      } finally {
        ended.abort()
      }
    },
    async pass(through, request, call) {
      return through.decode(await handlerOf(through.path, 'unary').answer(through.encode(request), call))
    },
  }
}

const ownCall: Omit<ServedCall, 'path' | 'signal'> = {
  caller: { address: 'here' },
  deadline: undefined,
  metadata: () => [],
  header: () => undefined,
}
