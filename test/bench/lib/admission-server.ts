// The two servers of the benchmark `admission`, by their first argument: `ours`, or `bare`, which parses the review and answers
// it. Prints its port, ends with its parent.
import type { AddressInfo } from 'node:net'
import { fastify, type FastifyInstance } from 'fastify'
import { openCaches } from '../../../platform/cache/caches.ts'
import { realClock } from '../../../platform/clock.ts'
import { readConfig } from '../../../platform/config.ts'
import { makeLog } from '../../../platform/log.ts'
import { makeMetrics } from '../../../platform/metrics.ts'
import { SqliteStore } from '../../../platform/store/sqlite.ts'
import { issueLeaf, makeAuthority } from '../../../platform/tls/authority.ts'
import { Certificates } from '../../../platform/tls.ts'
import { networkViewOf } from '../../../platform/cache/network-view.ts'
import { catchUpOf } from '../../../webhooks/admission/catch-up.ts'
import { buildAdmission } from '../../../webhooks/server.ts'

const life = { now: Date.now(), ms: 3_600_000 }
const pair = issueLeaf(makeAuthority('bench', life), ['127.0.0.1'], life)

function bare(): FastifyInstance {
  const app = fastify({ https: pair, bodyLimit: 8 * 1024 * 1024 }) as unknown as FastifyInstance
  app.post('/*', (request) => ({
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    response: { uid: (request.body as { request: { uid: string } }).request.uid, allowed: true },
  }))
  return app
}

async function ours(): Promise<FastifyInstance> {
  const store = SqliteStore.open(':memory:')
  const caches = openCaches(store)
  await caches.start(new AbortController().signal)
  const make = async (kind: 'Vpc' | 'Subnet', name: string, spec: object, segment: object): Promise<void> => {
    const made = await store.create({ kind, metadata: { namespace: 'tenant-a', name }, spec: spec })
    await store.patchStatus({ ref: { kind, namespace: 'tenant-a', name }, uid: made.metadata.uid }, { segment })
  }
  await make('Vpc', 'vpc-1', {}, { vni: 5_000 })
  for (const i of [1, 2])
    await make('Subnet', `subnet-${i}`, { vpc: 'vpc-1', ipv4: { cidr: `10.${i}.0.0/16` } }, { vni: 5_000, validated: true })
  return buildAdmission({
    store,
    world: networkViewOf(caches),
    settings: readConfig({}),
    clock: realClock,
    log: makeLog('info'),
    news: catchUpOf(caches, realClock),
    metrics: makeMetrics(),
    certificate: new Certificates(pair),
  })
}

const app = process.argv[2] === 'bare' ? bare() : await ours()
await app.listen({ host: '127.0.0.1', port: 0 })
process.stdout.write(`${(app.server.address() as AddressInfo).port}\n`)
process.stdin.resume().on('end', () => process.exit(0))
