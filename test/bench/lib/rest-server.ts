// What is measured: our REST on a store in memory, or a bare Fastify route that answers as much. Prints its address and token, ends with
// its parent.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fastify, type FastifyInstance } from 'fastify'
import { realUids } from '../../../platform/chance.ts'
import { openCaches } from '../../../platform/cache/caches.ts'
import { realClock as clock } from '../../../platform/clock.ts'
import { readConfig } from '../../../platform/config.ts'
import { makeLog } from '../../../platform/log.ts'
import { SqliteStore } from '../../../platform/store/sqlite.ts'
import { networkViewOf } from '../../../platform/cache/network-view.ts'
import { catchUpOf } from '../../../webhooks/admission/catch-up.ts'
import { Tokens } from '../../../webhooks/plugins/auth.ts'
import { openLocalIssuer } from '../../../webhooks/plugins/issuer.ts'
import { Signer } from '../../../webhooks/plugins/signer.ts'
import { buildRest } from '../../../webhooks/rest/server.ts'

const items = 100

/** Objects as large as ours, made and kept in a Map, watched by everybody who asks. */
function bare(): FastifyInstance {
  const app = fastify()
  const kept = new Map<string, object>()
  const watchers = new Set<(text: string) => void>()
  let version = 0
  app.post('/v1/namespaces/:namespace/securitygroups', (request, reply) => {
    const given = request.body as { readonly metadata: { readonly name: string } }
    const item = {
      ...given,
      metadata: {
        ...given.metadata,
        namespace: 'bench',
        uid: '88b4ac8f-ef37-4209-9c7a-bbb402b38795',
        resourceVersion: String(++version),
        generation: 1,
        creationTimestamp: '2026-11-21T12:00:00.000Z',
      },
    }
    kept.set(given.metadata.name, item)
    for (const tell of watchers) tell(`event: put\nid: ${version}\ndata: ${JSON.stringify(item)}\n\n`)
    return reply.code(201).send(item)
  })
  app.get('/v1/namespaces/:namespace/securitygroups/:name', (request, reply) =>
    reply.send(kept.get((request.params as { readonly name: string }).name)),
  )
  app.get('/v1/namespaces/:namespace/securitygroups', (request, reply) => {
    if ((request.query as { readonly watch?: string }).watch !== 'true')
      return reply.send({ kind: 'List', metadata: { resourceVersion: '1' }, items: [...kept.values()].slice(0, items) })
    reply.hijack()
    reply.raw.writeHead(200, { 'content-type': 'text/event-stream' })
    reply.raw.write('event: all\ndata: {}\n\n')
    const tell = (text: string): void => void reply.raw.write(text)
    watchers.add(tell)
    reply.raw.on('close', () => watchers.delete(tell))
  })
  return app
}

async function ours(): Promise<{ readonly app: FastifyInstance; readonly token: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'megrez-bench-'))
  const store = SqliteStore.open(':memory:', { freeze: false })
  const caches = openCaches(store)
  await caches.start(new AbortController().signal)
  const issuer = await openLocalIssuer(folder, clock)
  await rm(folder, { recursive: true })
  const token = await issuer.issue({ subject: 'bench', scope: 'operator' }, 3600)
  const log = makeLog('warn')
  const admission = { store, world: networkViewOf(caches), settings: readConfig({}), clock, log, news: catchUpOf(caches, clock) }
  const document = await readFile(join(import.meta.dirname, '../../../openapi/openapi.yaml'), 'utf8')
  return {
    app: buildRest({
      store,
      standalone: store,
      admission,
      tokens: new Tokens(issuer.trust, clock),
      seal: new Signer(Buffer.alloc(32, 1)),
      clock,
      random: Math.random,
      uids: realUids,
      log,
      document,
    }),
    token,
  }
}

const { app, token } = process.argv[2] === 'ours' ? await ours() : { app: bare(), token: 'none' }
await app.listen({ host: '127.0.0.1', port: 0 })
process.stdout.write(`${JSON.stringify({ l4Port: (app.server.address() as AddressInfo).port, token })}\n`)
process.stdin.resume().on('end', () => process.exit(0))
