// The certificate of admission and the path that it answers at, renewed by whoever runs: authorities and path in a Secret that no pod
// mounts, what servers show in another, and bundle and path in the webhook configurations, where the API server judges and calls by
// them. Any number may tend them at once: the first Secret is changed under the resourceVersion that was read, and the rest follows from
// it.
import { randomBytes, X509Certificate } from 'node:crypto'
import { StoreUnavailable } from '../../../core/errors.ts'
import { followsLabel } from '../../../core/kinds/annotations.ts'
import { planRegistration, usualPathLives, type PathLives, type Registration } from '../../../core/plan/registration.ts'
import type { Operation } from '../../../core/wire/json-patch.ts'
import type { Log } from '../../log.ts'
import { bundleOf, pairOf, tended } from '../../tls/ring.ts'
import type { Lives, Ring } from '../../tls/rotation.ts'
import { registrationPath, registrationResources } from './registration.ts'
import { absent, isStatus, ok } from '../answers.ts'
import type { KubeResponse, KubeApi } from '../client.ts'

export interface AdmissionCertificates {
  readonly namespace: string
  /** Name of the Secret that the servers mount: tls.crt, tls.key, ca.crt. */
  readonly shown: string
  /** Name of the Secret with the authorities and their keys. */
  readonly kept: string
  /** Name of the MutatingWebhookConfiguration and of the ValidatingWebhookConfiguration. */
  readonly configurations: string
  /** DNS names that the API server calls admission by. */
  readonly hosts: readonly string[]
  /** How long admission is at one path; absent: where it is, is somebody else's to say. */
  readonly paths?: PathLives
  /** Labels of the pods that serve it. */
  readonly servers: string
}
export interface TendOptions {
  readonly client: KubeApi
  readonly at: AdmissionCertificates
  readonly log: Log
  readonly now: number
  readonly lives: Lives
  /** Added to every renewal, so that not all who tend begin at once. */
  readonly jitterMs: number
}

/** What the Secret `kept` holds, as JSON under `ring.json`. */
interface KeptRing {
  readonly ring: Ring
  /** Authorities of certificates that somebody else made, as the chart its first: judged by until every server shows one of ours. */
  readonly others: readonly { readonly cert: string; readonly until: number }[]
  /** Since when admission is to be at which path. */
  readonly path?: Path
}
interface Path {
  /** Before the ends: `/` and 128 bits. A segment is a DNS name (Kubernetes, validation of webhook configurations). */
  readonly before: string
  readonly from: number
}
interface Secret {
  readonly metadata: { readonly resourceVersion: string }
  readonly data?: Readonly<Record<string, string>>
}
interface Pod {
  readonly metadata: { readonly labels?: Readonly<Record<string, string>> }
  readonly status?: { readonly phase?: string }
}

const key = 'ring.json'
const triesMost = 10

/**
 * Does what is due, and mends what differs.
 *
 * @returns milliseconds in which nothing is due
 * @throws StoreUnavailable where the API server does not answer, or refuses
 */
export async function tendAdmission(options: TendOptions): Promise<number> {
  for (let left = triesMost; left > 0; left--) {
    const rest = await tendOnce(options)
    if (rest !== undefined) return rest
  }
  throw new StoreUnavailable({ reason: `the certificates of ${options.at.configurations} are changed by others all the time` })
}

/** Undefined where somebody else was faster. */
async function tendOnce(options: TendOptions): Promise<number | undefined> {
  const { at, now, lives, log } = options
  const shown = await read<Secret>(options, secretAt(at, at.shown))
  const secret = await read<Secret>(options, secretAt(at, at.kept))
  const before = keptIn(secret)
  const { ring, steps, restMs } = tended(before.ring, at.hosts, options)
  const others = othersNow(before, shown, now + lives.overlapMs).filter(({ until }) => until > now)
  const path = pathNow(before.path, options)
  if (steps.length > 0 || others.length !== before.others.length || path !== before.path) {
    if (!(await keep(options, secret, { ring, others, ...(path !== undefined && { path }) }))) return undefined
    log.info(
      { steps, authorities: ring.authorities.length, others: others.length, path: path === before.path ? 'kept' : 'turned' },
      'certificates of admission turned',
    )
  }
  const bundle = others.map(({ cert }) => `${cert.trim()}\n`).join('') + bundleOf(ring)
  // The judge before the judged.
  if (!(await publish(options, bundle, path))) return undefined
  if (!(await show(options, shown, { ...pairOf(ring), bundle }))) return undefined
  return Math.min(restMs, ...others.map(({ until }) => until - now), pathRestMs(path, options))
}

const base64 = (text: string): string => Buffer.from(text).toString('base64')
const textIn = (secret: Secret | undefined, name: string): string => Buffer.from(secret?.data?.[name] ?? '', 'base64').toString()
const secretAt = ({ namespace }: AdmissionCertificates, name: string): string => `/api/v1/namespaces/${namespace}/secrets/${name}`

function keptIn(secret: Secret | undefined): KeptRing {
  const text = textIn(secret, key)
  return text === '' ? { ring: { authorities: [] }, others: [] } : (JSON.parse(text) as KeptRing)
}

/** Where servers show what none of these authorities has signed, its own is one of the others from now on. */
function othersNow({ ring, others }: KeptRing, shown: Secret | undefined, until: number): KeptRing['others'] {
  const [leaf] = certificatesIn(textIn(shown, 'tls.crt'))
  const known = [...ring.authorities, ...others].map(({ cert }) => new X509Certificate(cert))
  if (leaf === undefined || known.some(({ publicKey }) => leaf.verify(publicKey))) return others
  return [...others, ...certificatesIn(textIn(shown, 'ca.crt')).map((each) => ({ cert: each.toString(), until }))]
}

const certificatesIn = (pem: string): readonly X509Certificate[] =>
  (pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).map((each) => new X509Certificate(each))

/** False where it was changed, or made, since it was read. */
async function keep(options: TendOptions, secret: Secret | undefined, kept: KeptRing): Promise<boolean> {
  const { at } = options
  const values = { [key]: base64(JSON.stringify(kept)) }
  return secret === undefined
    ? make(options, at.kept, 'Opaque', values)
    : patch(options, secretAt(at, at.kept), secret, [{ op: 'add', path: '/data', value: values }])
}

async function show(
  options: TendOptions,
  shown: Secret | undefined,
  { cert, key: own, bundle }: { readonly cert: string; readonly key: string; readonly bundle: string },
): Promise<boolean> {
  const values = { 'ca.crt': base64(bundle), 'tls.crt': base64(cert), 'tls.key': base64(own) }
  if (Object.entries(values).every(([name, value]) => shown?.data?.[name] === value)) return true
  return shown === undefined
    ? make(options, options.at.shown, 'kubernetes.io/tls', values)
    : patch(options, secretAt(options.at, options.at.shown), shown, [{ op: 'add', path: '/data', value: values }])
}

/** False where somebody else was faster. */
async function publish(options: TendOptions, bundle: string, path: Path | undefined): Promise<boolean> {
  const { at, now } = options
  const before = path === undefined ? undefined : (await allFollow(options)) ? path.before : ''
  for (const resource of registrationResources) {
    const where = registrationPath(resource, at.configurations)
    const registration = await read<Registration>(options, where)
    const operations =
      registration === undefined
        ? []
        : planRegistration(registration, { caBundle: base64(bundle), before, now, lives: at.paths ?? usualPathLives })
    if (registration !== undefined && operations.length > 0 && !(await patch(options, where, registration, operations))) return false
  }
  return true
}

const pathRestMs = (path: Path | undefined, { at: { paths }, now }: TendOptions): number =>
  path === undefined || paths === undefined ? Infinity : path.from + paths.pathMs - now

/** The same object where it is not due. */
function pathNow(path: Path | undefined, { at: { paths }, now }: TendOptions): Path | undefined {
  if (paths === undefined || (path !== undefined && now < path.from + paths.pathMs)) return path
  return { before: `/${randomBytes(16).toString('hex')}`, from: now }
}

/** Whether each server that there is follows the registration: one of a version that knows no paths would refuse what comes to another. */
async function allFollow(options: TendOptions): Promise<boolean> {
  const { namespace, servers } = options.at
  const answer = await options.client.ask({
    verb: 'list',
    resource: 'pods',
    path: `/api/v1/namespaces/${namespace}/pods`,
    query: { labelSelector: servers },
  })
  const { items } = taken(answer, 'pods of admission') as { readonly items: readonly Pod[] }
  return items.every(
    ({ metadata: { labels = {} }, status }) =>
      labels[followsLabel] === 'true' || status?.phase === 'Succeeded' || status?.phase === 'Failed',
  )
}

const resourceIn = (path: string): string => path.split('/').at(-2) ?? ''

async function read<T>({ client }: TendOptions, path: string): Promise<T | undefined> {
  const answer = await client.ask({ verb: 'get', resource: resourceIn(path), path })
  if (absent(answer)) return undefined
  return taken(answer, path) as T
}

async function make({ client, at }: TendOptions, name: string, type: string, values: object): Promise<boolean> {
  const path = `/api/v1/namespaces/${at.namespace}/secrets`
  const answer = await client.ask({
    verb: 'create',
    resource: 'secrets',
    path,
    body: { apiVersion: 'v1', kind: 'Secret', metadata: { name }, type, data: values },
  })
  if (answer.status === 409) return false
  taken(answer, path)
  return true
}

async function patch(
  { client }: TendOptions,
  path: string,
  { metadata: { resourceVersion } }: { readonly metadata: { readonly resourceVersion: string } },
  operations: readonly Operation[],
): Promise<boolean> {
  const body = [{ op: 'add', path: '/metadata/resourceVersion', value: resourceVersion }, ...operations]
  const answer = await client.ask({ verb: 'patch', resource: resourceIn(path), path, contentType: 'application/json-patch+json', body })
  if (answer.status === 409) return false
  taken(answer, path)
  return true
}

/** @throws StoreUnavailable: all that can be wrong here is somebody's to mend, and looked at again */
function taken(answer: KubeResponse, path: string): unknown {
  if (!ok(answer))
    throw new StoreUnavailable({ reason: `${path}: ${answer.status} ${isStatus(answer.body) ? (answer.body.message ?? '') : ''}` })
  return answer.body
}
