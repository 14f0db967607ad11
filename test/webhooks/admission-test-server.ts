// Admission on a store of its own in memory.
import { openCaches, type Caches } from '../../platform/cache/caches.ts'
import { TurnedClock, type Clock } from '../../platform/clock.ts'
import { readConfig, type Config } from '../../platform/config.ts'
import { silentLog } from '../../platform/log.ts'
import { SqliteStore } from '../../platform/store/sqlite.ts'
import { networkViewOf } from '../../platform/cache/network-view.ts'
import type { Store } from '../../core/contracts/store.ts'
import type { Draft } from '../../core/contracts/store.ts'
import type { Kind, OwnKind, Resource, SpecOf } from '../../core/kinds/index.ts'
import { defaultLabel, nicsAnnotation, vpcAnnotation } from '../../core/kinds/annotations.ts'
import type { AdmissionDeps, AdmittedPod } from '../../webhooks/admission/deps.ts'
import { buildAdmission, type AdmissionServer } from '../../webhooks/server.ts'

export interface AdmissionTestServer {
  readonly store: SqliteStore
  readonly caches: Caches
  readonly clock: TurnedClock
  readonly deps: AdmissionDeps
  /** Creates, sets status sections, and waits until the caches have it. */
  make<K extends Kind>(kind: K, key: string, spec: SpecOf<K>, more?: More): Promise<Resource<K>>
  /** Until the caches have all that the store has. */
  seen(): Promise<void>
  server(more?: Partial<AdmissionServer>): ReturnType<typeof buildAdmission>
  close(): Promise<void>
}
export interface More {
  readonly metadata?: Partial<Draft['metadata']>
  readonly sections?: Readonly<Record<string, object>>
}

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

export async function openAdmission({
  config = {},
  around = (store: Store) => store,
  clock = new TurnedClock(),
}: { config?: Partial<Config>; around?: (store: Store) => Store; clock?: Clock } = {}): Promise<AdmissionTestServer> {
  const store = SqliteStore.open(':memory:')
  const caches = openCaches(store)
  const stop = new AbortController()
  await caches.start(stop.signal)
  const deps: AdmissionDeps = {
    store: around(store),
    world: networkViewOf(caches),
    settings: readConfig({}, config),
    clock,
    log: silentLog(),
  }
  const servers: ReturnType<typeof buildAdmission>[] = []
  const seen = async (): Promise<void> => {
    await tick()
    await tick()
  }
  return {
    store,
    caches,
    clock: clock as TurnedClock,
    deps,
    seen,
    async make<K extends Kind>(kind: K, key: string, spec: SpecOf<K>, { metadata = {}, sections }: More = {}) {
      const slash = key.indexOf('/')
      const named = slash < 0 ? { name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) }
      const made = await store.create({ kind, metadata: { ...named, ...metadata }, spec })
      if (sections !== undefined)
        await store.commit([{ do: 'patchStatus', ref: { kind: kind as OwnKind, ...named }, uid: made.metadata.uid, sections }])
      await seen()
      return (await store.get({ kind, ...named }))!
    },
    server(more = {}) {
      const server = buildAdmission({ ...deps, ...more })
      servers.push(server)
      return server
    },
    async close() {
      await Promise.all(servers.map((server) => server.close()))
      stop.abort()
      await store.close()
    },
  }
}

/** Vpcs `tagged`, which is a VLAN, and `blue` with VNI 5000 and one validated Subnet `front`, 10.0.0.0/24, in namespace `a`. */
export async function furnish(cluster: AdmissionTestServer): Promise<void> {
  await cluster.make('Vpc', 'a/blue', {}, { sections: { segment: { vni: 5000 } } })
  await cluster.make('Vpc', 'a/tagged', { vlan: { physicalNetwork: 'physnet1', id: 100 } })
  await cluster.make(
    'Subnet',
    'a/front',
    { vpc: 'blue', ipv4: { cidr: '10.0.0.0/24' } },
    { sections: { segment: { vni: 5000, validated: true } } },
  )
}

export const defaulted = { labels: { [defaultLabel]: 'enabled' }, annotations: { [vpcAnnotation]: 'blue' } }

export function podWith(
  nics: unknown,
  more: { annotations?: Record<string, string>; metadata?: Partial<AdmittedPod['metadata']>; spec?: Partial<AdmittedPod['spec']> } = {},
): AdmittedPod {
  const text = nics === undefined ? {} : { [nicsAnnotation]: typeof nics === 'string' ? nics : JSON.stringify(nics) }
  return {
    metadata: {
      name: 'web',
      namespace: 'a',
      uid: '11111111-1111-4111-8111-111111111111',
      annotations: { [vpcAnnotation]: 'blue', ...text, ...more.annotations },
      ...more.metadata,
    },
    spec: { containers: [{ name: 'app', image: 'app' }], ...more.spec },
  }
}

export function reviewOf(pod: unknown, more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const kind = { group: '', version: 'v1', kind: 'Pod' }
  const resource = { group: '', version: 'v1', resource: 'pods' }
  const request = {
    uid: '705ab4f5-6393-11e8-b7cc-42010a800002',
    kind,
    resource,
    requestKind: kind,
    requestResource: resource,
    name: 'web',
    namespace: 'a',
    operation: 'CREATE',
    userInfo: { username: 'someone' },
    object: pod,
    oldObject: null,
    dryRun: false,
    options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1' },
  }
  return { kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', request: { ...request, ...more } }
}

export interface Answer {
  readonly uid: string
  readonly allowed: boolean
  readonly patch?: string
  readonly patchType?: string
  readonly warnings?: readonly string[]
  readonly status?: {
    readonly code: number
    readonly message: string
    readonly details: { readonly causes: readonly { readonly field: string; readonly message: string }[] }
  }
}

export async function ask(server: ReturnType<typeof buildAdmission>, path: string, body: unknown): Promise<Answer> {
  const reply = await server.inject({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/json' },
    payload: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
  })
  if (reply.statusCode !== 200) throw new Error(`${reply.statusCode} ${reply.body}`)
  return reply.json<{ response: Answer }>().response
}

export const patchIn = (answer: Answer): unknown =>
  answer.patch === undefined ? [] : JSON.parse(Buffer.from(answer.patch, 'base64').toString('utf8'))
