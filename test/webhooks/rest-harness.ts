// A REST server over a store in memory, without workers: what they would write is written by the test, and no sink is tested.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance, InjectOptions } from 'fastify'
import type { Store } from '../../core/contracts/store.ts'
import { realUids } from '../../platform/chance.ts'
import { openCaches } from '../../platform/cache/caches.ts'
import { realClock, type Clock } from '../../platform/clock.ts'
import { readConfig, type Config } from '../../platform/config.ts'
import { silentLog } from '../../platform/log.ts'
import { SqliteStore } from '../../platform/store/sqlite.ts'
import { networkViewOf } from '../../platform/cache/network-view.ts'
import { catchUpOf } from '../../webhooks/admission/catch-up.ts'
import { Tokens } from '../../webhooks/plugins/auth.ts'
import type { ProblemBody } from '../../webhooks/plugins/errors.ts'
import { openLocalIssuer, type LocalIssuer } from '../../webhooks/plugins/issuer.ts'
import { Signer } from '../../webhooks/plugins/signer.ts'
import { buildRest } from '../../webhooks/rest/server.ts'
import { holdToContract } from './rest-contract.ts'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Readonly<Record<string, unknown>>
  readonly problem: ProblemBody
  readonly text: string
}
export interface Harness {
  readonly app: FastifyInstance
  readonly store: SqliteStore
  readonly issuer: LocalIssuer
  readonly token: string
  /** `GET /v1/…`, with the admin's token unless headers say otherwise. */
  ask(line: string, more?: { readonly body?: unknown; readonly headers?: Record<string, string> }): Promise<Answer>
  /** A Vpc and a Subnet that the workers have made ready. */
  network(
    namespace: string,
    names?: { readonly vpc?: string; readonly subnet?: string; readonly cidr?: string; readonly vni?: number },
  ): Promise<void>
  /** One more server on the same store, as another process would be one. */
  another(more?: Partial<Parameters<typeof buildRest>[0]>): FastifyInstance
  /** An admin's token that begins now. */
  fresh(): Promise<string>
  close(): Promise<void>
}

/**
 * @param serve what REST works with in place of the store itself
 * @param newsMs how long admission waits for what is on its way
 * @param given settings other than the usual
 */
export async function openHarness(
  serve: (store: SqliteStore) => Store = (store) => store,
  clock: Clock = realClock,
  newsMs = 100,
  given: Partial<Config> = {},
): Promise<Harness> {
  const folder = await mkdtemp(join(tmpdir(), 'megrez-rest-'))
  const store = SqliteStore.open(':memory:')
  const following = new AbortController()
  const caches = openCaches(store)
  await caches.start(following.signal)
  const issuer = await openLocalIssuer(folder, clock)
  const token = await issuer.issue({ subject: 'test', scope: 'admin' }, 3600)
  const log = silentLog()
  const settings = readConfig({}, { nicLimits: { default: 8, flavors: { 'm1.large': 2 } }, ...given })
  const admission = { store, world: networkViewOf(caches), settings, clock, log, news: catchUpOf(caches, clock, newsMs) }
  const document = await readFile(join(import.meta.dirname, '../../openapi/openapi.yaml'), 'utf8')
  const deps = {
    store: serve(store),
    standalone: store,
    admission,
    clock,
    random: Math.random,
    uids: realUids,
    log,
    document,
    seal: new Signer(Buffer.alloc(32, 1)),
    testWaitMs: 1,
  }
  const another = (more: Partial<Parameters<typeof buildRest>[0]> = {}): FastifyInstance =>
    buildRest({ ...deps, tokens: new Tokens(issuer.trust, clock), ...more })
  const app = another()
  return {
    app,
    store,
    issuer,
    token,
    another,
    fresh: () => issuer.issue({ subject: 'test', scope: 'admin' }, 3600),
    ask: (line, more) => ask(app, token, line, more),
    async network(namespace, { vpc = 'vpc-1a2b3c4d', subnet = 'subnet-1', cidr = '192.168.0.0/24', vni = 4097 } = {}) {
      const made = await store.create({ kind: 'Vpc', metadata: { namespace, name: vpc }, spec: { provider: 'builtin' } })
      await store.patchStatus(
        { ref: { kind: 'Vpc', namespace, name: vpc }, uid: made.metadata.uid },
        { segment: { vni }, report: { phase: 'ready' } },
      )
      const block = await store.create({ kind: 'Subnet', metadata: { namespace, name: subnet }, spec: { vpc, ipv4: { cidr } } })
      await store.patchStatus(
        { ref: { kind: 'Subnet', namespace, name: subnet }, uid: block.metadata.uid },
        { segment: { vni, validated: true }, report: { phase: 'ready' } },
      )
    },
    async close() {
      await app.close()
      following.abort()
      await store.close()
      await rm(folder, { recursive: true })
    },
  }
}

/** One request, its answer held to the contract. */
export async function ask(
  app: FastifyInstance,
  token: string,
  line: string,
  { body, headers = {} }: Parameters<Harness['ask']>[1] = {},
): Promise<Answer> {
  const [method = '', url = ''] = line.split(' ')
  const answer = await app.inject({ method, url, ...sent(method, body, { authorization: `Bearer ${token}`, ...headers }) } as InjectOptions)
  const { statusCode: status, body: text } = answer
  const type = String(answer.headers['content-type'])
  // As it is sent: whoever sends takes steps back (`..`, `%2e%2e`) by himself.
  holdToContract({ method, path: new URL(`http://localhost${url}`).pathname, status, type, body: text })
  const parsed = type.includes('json') && text !== '' ? (JSON.parse(text) as Record<string, unknown>) : {}
  return {
    status,
    headers: answer.headers as Record<string, string | undefined>,
    body: parsed,
    problem: parsed as unknown as ProblemBody,
    text,
  }
}

function sent(method: string, body: unknown, headers: Record<string, string>): InjectOptions {
  if (body === undefined) return { headers }
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
  return { headers: { 'content-type': type, ...headers }, payload: typeof body === 'string' ? body : JSON.stringify(body) }
}
