// What agents outside Kubernetes read and write, over a unix socket that only its owner may use: objects, watches as server-sent
// events, and the few writes that an agent may make. Which node it is of, it says itself: who can open the socket can be any, but
// is also one who could write the database beside it.
import { rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { agentReads } from '../../core/admit/object/agent-access.ts'
import { whyNotWrite } from '../../core/admit/object/agent-writes.ts'
import { nodeAllowances } from '../../core/admit/object/node-allowances.ts'
import { partsOf } from '../../core/contracts/parted.ts'
import type { Store, Within, Write } from '../../core/contracts/store.ts'
import { Forbidden, Malformed, MegrezError, UnknownPath } from '../../core/errors.ts'
import { portsWithoutPodLabel } from '../../core/kinds/annotations.ts'
import { uplinkResource } from '../../core/node/booking/booking.ts'
import { allKinds, refFromKey, type Kind, type Ref, type Resource } from '../../core/kinds/index.ts'
import type { Log } from '../../platform/log.ts'

export interface AgentServerDeps {
  readonly store: Store & AgentAuthority
  readonly log: Log
  /** Path of the socket; 107 bytes at most. */
  readonly socket: string
}
/** A store that is the only one to know Nodes: their status is written by whoever speaks for them. */
export interface AgentAuthority {
  replaceForeignStatus(ref: Ref<'Node'>, uid: string, status: object): Promise<unknown>
}

const readable: ReadonlySet<string> = new Set(Object.keys(agentReads))
const bodyMax = 2 ** 20
/** Objects in one event of a watch that asks for parts. */
const partMax = 500

/**
 * GET /objects/KIND[/KEY], GET /watch/KIND, POST /writes, PUT /nodes/NAME; fields as `field.spec.node=…`, `parts=true` for a watch that
 * begins in parts.
 */
export async function listenAgents({ store, log, socket }: AgentServerDeps): Promise<{ close(): Promise<void> }> {
  const stopping = new AbortController()
  const server = createServer((request, response) => {
    answer(request, response, store, stopping.signal).catch((err: unknown) => {
      if (!(err instanceof MegrezError)) log.error({ err: err }, "an agent's request failed")
      if (response.headersSent) return void response.destroy()
      const { code, message, policy } =
        err instanceof MegrezError ? err : { code: 'internal', message: 'an unexpected fault', policy: { http: 500 } }
      send(response, policy.http, { code, message })
    })
  })
  await rm(socket, { force: true })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    // Born with its mode: at no moment may others open it.
    const before = process.umask(0o177)
    server.listen(socket, resolve)
    process.umask(before)
  })
  return { close: () => closed(server, stopping) }
}

function closed(server: Server, stopping: AbortController): Promise<void> {
  stopping.abort()
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** One request, its path in parts. */
interface AgentRequest {
  readonly url: URL
  readonly name: string
  readonly rest: readonly string[]
  readonly node: string
  readonly request: IncomingMessage
}
type Route = (call: AgentRequest, response: ServerResponse, store: Store & AgentAuthority, stopping: AbortSignal) => Promise<void>

const routes: Readonly<Record<string, Route>> = {
  'GET objects': async ({ name, rest, url }, response, store) =>
    rest.length > 0
      ? sendObject(response, store, refFromKey(kindNamed(name), rest.join('/')))
      : send(response, 200, await store.list(kindNamed(name), withinOf(url))),
  'GET watch': ({ name, url }, response, store, stopping) =>
    watch(
      response,
      store,
      { kind: kindNamed(name), within: withinOf(url), size: url.searchParams.get('parts') === 'true' ? partMax : undefined },
      stopping,
    ),
  'POST writes': async ({ node, request }, response, store) => send(response, 200, await write(store, node, await bodyOf(request))),
  'PUT nodes': async ({ name, request }, response, store) => send(response, 200, await register(store, name, await bodyOf(request))),
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  store: Store & AgentAuthority,
  stopping: AbortSignal,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://agents')
  const [what = '', name = '', ...rest] = url.pathname.slice(1).split('/').map(decodeURIComponent)
  const header = request.headers['x-megrez-node']
  const route = routes[`${request.method ?? ''} ${what}`]
  if (route === undefined) throw new UnknownPath({ path: url.pathname })
  await route({ url, name, rest, node: typeof header === 'string' ? header : '', request }, response, store, stopping)
}

function kindNamed(name: string): Kind {
  const kind = allKinds.find((each) => each === name)
  if (kind === undefined || !readable.has(kind)) throw new UnknownPath({ path: `/objects/${name}` })
  return kind
}

function withinOf({ searchParams }: URL): Within & { readonly from?: string } {
  const fields = [...searchParams]
    .filter(([name]) => name.startsWith('field.'))
    .map(([name, value]) => [name.slice('field'.length), value] as const)
  const [namespace, from] = [searchParams.get('namespace'), searchParams.get('from')]
  return {
    ...(namespace !== null && { namespace }),
    ...(fields.length > 0 && { fields: Object.fromEntries(fields) }),
    ...(from !== null && { from }),
  }
}

async function sendObject(response: ServerResponse, store: Store, ref: Ref): Promise<void> {
  const item = await store.get(ref)
  send(response, item === undefined ? 404 : 200, item ?? { code: 'not-found' })
}

interface Watched {
  readonly kind: Kind
  readonly within: Within
  /** The most objects in one event; undefined: what there is comes in one. */
  readonly size: number | undefined
}

async function watch(response: ServerResponse, store: Store, { kind, within, size }: Watched, stopping: AbortSignal): Promise<void> {
  const end = new AbortController()
  const stop = (): void => end.abort()
  response.on('close', stop)
  stopping.addEventListener('abort', stop)
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  response.flushHeaders()
  try {
    for await (const change of store.watch(kind, within, end.signal)) {
      for (const each of size === undefined ? [change] : partsOf(change, size)) await sent(response, each)
    }
  } finally {
    stopping.removeEventListener('abort', stop)
    response.end()
  }
}

/** One event; resolves once there is room for the next, or nobody who would read it. */
async function sent(response: ServerResponse, event: { readonly type: string }): Promise<void> {
  if (response.destroyed || response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)) return
  await new Promise<void>((resolve) => {
    const done = (): void => {
      response.off('drain', done)
      response.off('close', done)
      resolve()
    }
    response.on('drain', done)
    response.on('close', done)
  })
}

/** All of them, or none where one may not be. @throws Forbidden */
async function write(store: Store, node: string, body: unknown): Promise<object> {
  const writes = (body as { readonly writes?: readonly Write[] } | null)?.writes
  if (!Array.isArray(writes)) throw new Malformed({ what: 'POST /writes', reason: '/writes: is missing' })
  for (const each of writes as readonly Write[]) {
    const why = whyNotWrite(each, await store.get(refOfWrite(each)), node)
    if (why !== undefined) throw new Forbidden({ at: why })
  }
  await store.commit(writes as readonly Write[])
  return {}
}

function refOfWrite(each: Write): Ref {
  if (each.do === 'patchPodStatus') return each.pod
  if (each.do === 'update')
    return {
      kind: each.item.kind,
      name: each.item.metadata.name,
      ...(each.item.metadata.namespace !== undefined && { namespace: each.item.metadata.namespace }),
    }
  if (each.do === 'create') return { kind: each.draft.kind, name: each.draft.metadata.name }
  return each.ref
}

/** An agent says that its Node is there, where, and which Ports without a pod it takes: outside Kubernetes nobody else does. */
async function register(store: Store & AgentAuthority, name: string, body: unknown): Promise<object> {
  const { address, ports, uplinkMbps } = (body ?? {}) as {
    readonly address?: unknown
    readonly ports?: unknown
    readonly uplinkMbps?: unknown
  }
  if (typeof address !== 'string') throw new Malformed({ what: 'PUT /nodes', reason: '/address: is missing' })
  const ref = { kind: 'Node', name } as const
  const there = (await store.get(ref)) ?? (await store.create({ kind: 'Node', metadata: { name }, spec: {} }))
  const { [portsWithoutPodLabel]: before, ...others } = there.metadata.labels ?? {}
  const now = nodeAllowances.find((each) => each === ports)
  const labels = { ...others, ...(now !== undefined && { [portsWithoutPodLabel]: now }) }
  if (now !== before) await store.update({ ...there, metadata: { ...there.metadata, labels } })
  await store.replaceForeignStatus(ref, there.metadata.uid, { addresses: [{ type: 'InternalIP', address }], ...resourcesOf(uplinkMbps) })
  return {}
}

/** As a kubelet's Node has what it has. */
function resourcesOf(uplinkMbps: unknown): Partial<NonNullable<Resource<'Node'>['status']>> {
  if (!Number.isSafeInteger(uplinkMbps)) return {}
  const amount = { [uplinkResource]: String(uplinkMbps) }
  return { capacity: amount, allocatable: amount }
}

/** Read as text only when all of it is there: a letter of several bytes may be cut between two chunks. */
async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    if ((bytes += chunk.length) > bodyMax) throw new Malformed({ what: "an agent's request", reason: 'it is too large' })
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString()) as unknown
  } catch (cause) {
    throw new Malformed({ what: "an agent's request", reason: 'it is no JSON', cause })
  }
}
