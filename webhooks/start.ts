// From settings to the listeners of the webhooks process. Pods and objects are in the Kubernetes API; nothing is kept here.
import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { ConfigInvalid } from '../core/errors.ts'
import { realClock } from '../platform/clock.ts'
import { openCluster } from '../platform/cluster.ts'
import { settings, type Config } from '../platform/config.ts'
import { hostOf } from '../platform/health.ts'
import type { Log } from '../platform/log.ts'
import type { Stops } from '../platform/run.ts'
import type { CertificateSource } from '../platform/tls.ts'
import { followFiles } from '../platform/tls/files.ts'
import { worldOf } from '../platform/world.ts'
import type { AdmissionDeps } from './admission/deps.ts'
import { newsOf } from './admission/news.ts'
import { stopGently, type GentleStop } from './gentle-stop.ts'
import { Tokens, type Trust } from './plugins/auth.ts'
import { remoteKeys } from './plugins/keys.ts'
import { buildRest } from './rest/server.ts'
import { buildAdmission } from './server.ts'

const contract = join(import.meta.dirname, '../openapi/openapi.yaml')
const clock = realClock

/** @throws ConfigInvalid, or what listening throws; what was started by then is in `stops` */
export async function startWebhooks(config: Config, { log, stops }: { readonly log: Log; readonly stops: Stops }): Promise<void> {
  const trust = trustOf(config)
  const certificate = await followFiles({ cert: config.tlsCert, key: config.tlsKey }, { clock, log })
  stops.add(() => certificate.close())
  const { store, caches, metrics, healthL4Port, watchFor, sync } = await openCluster(config, { log, stops, without: ['Notice', 'Subscription'] })
  log.info({ healthL4Port }, 'listening')
  await sync()
  const admission = { store, world: worldOf(caches), settings: config, clock, log, news: newsOf(caches, clock) }
  const servers = [await startAdmission(config, { ...admission, certificate, metrics })]
  if (trust !== undefined) servers.push(await startRest(config, { admission, certificate, trust }))
  else log.info({ settings: trustSettings.map(({ env }) => env) }, 'REST is off: no issuer of tokens is set')
  watchFor(() => (servers.some(({ stopping }) => stopping()) ? 'stopping' : undefined))
  stops.add(() => Promise.all(servers.map((server) => server.stop())))
}

const trustSettings = [settings.tokenIssuer, settings.tokenAudience, settings.tokenKeysUrl]

/** Undefined: nobody's tokens are taken, so there is no REST. */
function trustOf({ tokenIssuer: issuer, tokenAudience: audience, tokenKeysUrl: keysUrl }: Config): Trust | undefined {
  const given = [issuer, audience, keysUrl]
  if (issuer !== undefined && audience !== undefined && keysUrl !== undefined) return { issuer, audience, algorithms: ['ES256', 'RS256', 'EdDSA'], keys: remoteKeys({ issuer, keysUrl }, clock) }
  if (given.every((each) => each === undefined)) return undefined
  const missing = trustSettings.filter((_, i) => given[i] === undefined).map(({ env }) => env)
  throw new ConfigInvalid({ name: missing[0]!, reason: `is not set: REST takes tokens where ${trustSettings.map(({ env }) => env).join(', ')} are all set, and is off where none is` })
}

async function startAdmission(config: Config, deps: Parameters<typeof buildAdmission>[0]): Promise<GentleStop> {
  const app = buildAdmission({ ...deps, lingerMs: config.lingerMs })
  deps.log.info({ admissionL4Port: await listen(app, config.listenHost, config.admissionL4Port) }, 'listening')
  return app.gently
}

async function startRest(config: Config, { admission, certificate, trust }: { admission: AdmissionDeps; certificate: CertificateSource; trust: Trust }): Promise<GentleStop> {
  const { store, log } = admission
  const app = buildRest({ store, admission, certificate, tokens: new Tokens(trust, clock), clock, random: Math.random, log, document: await readFile(contract, 'utf8') })
  const gently = stopGently(app, clock, config.lingerMs)
  log.info({ restL4Port: await listen(app, config.listenHost, config.restL4Port) }, 'listening')
  return gently
}

async function listen(app: FastifyInstance, host: string | undefined, l4Port: number): Promise<number> {
  await app.listen({ host: hostOf(host), port: l4Port })
  return (app.server.address() as AddressInfo).port
}
