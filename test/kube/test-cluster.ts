// A whole Megrez around the test API server: what the chart renders for it, and its processes with their own accounts. One at a
// time: webhooks and roles are the cluster's.
import { randomBytes, X509Certificate } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseAllDocuments, stringify } from 'yaml'
import { rewriteManifest } from '../../core/admit/pod/rewrite.ts'
import type { Json } from '../../core/json.ts'
import { nicStatusAnnotation } from '../../core/kinds/annotations.ts'
import type { Resource } from '../../core/kinds/index.ts'
import { issueLeaf, makeAuthority } from '../../platform/tls/authority.ts'
import { startMain, complaintsIn, type Main } from '../process/mains.ts'
import { webhookClientCa } from '../setup/kubeconfig.ts'
import { installCrds, kubeconfigPath, kubectl, newNamespace } from '../setup/kubectl.ts'
import { redisSocket } from '../setup/redis.ts'
import { run } from '../setup/run.ts'
import { until } from '../setup/until.ts'

const root = resolve(import.meta.dirname, '../..')
const namespace = 'megrez-system'
/** Of the chart, what an API server without controllers can do something with. */
const wanted = [
  'ClusterRole',
  'ClusterRoleBinding',
  'Role',
  'RoleBinding',
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'FlowSchema',
  'PriorityLevelConfiguration',
]

export interface Manifest {
  readonly kind: string
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly annotations?: Readonly<Record<string, string>> }
  readonly spec?: Json
}
export interface NicStatus {
  readonly phase: string
  readonly message: string
  readonly nics: readonly {
    readonly name: string
    readonly port: string
    readonly addresses: readonly string[]
    readonly portID?: string
    readonly createdByUs: boolean
    readonly phase: string
  }[]
}

export interface TestCluster {
  readonly webhooks: Main
  /** PEM of who signed the certificate of admission and REST. */
  readonly ca: string
  /** Puts another certificate in the place of the one in use. */
  renew(): Promise<{ readonly fingerprint: string }>
  /** One more of them; the registrations lead to the first. */
  startWebhooks(): Main
  /** One more of them. */
  startWorkers(): Promise<Main>
  /** Registers admission, or takes it away. */
  register(): Promise<void>
  unregister(): Promise<void>
  close(): Promise<void>
}

export interface Issuer {
  readonly tokenIssuer: string
  readonly tokenAudience: string
  readonly tokenKeysUrl: string
}

/** @param issuer of tokens for REST; absent: REST is off */
export async function openTestCluster(issuer?: Issuer): Promise<TestCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'megrez-house-'))
  await installCrds()
  if (!(await list('namespaces')).some(({ metadata }) => metadata.name === namespace))
    await create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
  const life = { now: Date.now(), ms: 3_600_000 }
  const authority = makeAuthority('test', life)
  const [tlsCert, tlsKey] = [join(folder, 'tls.crt'), join(folder, 'tls.key')]
  const renew = async (): Promise<{ readonly fingerprint: string }> => {
    const { cert, key } = issueLeaf(authority, ['127.0.0.1'], life)
    await writeFile(tlsCert, cert)
    await writeFile(tlsKey, key)
    return { fingerprint: new X509Certificate(cert).fingerprint256 }
  }
  await renew()
  const env = {
    MEGREZ_KUBECONFIG: String(kubeconfigPath),
    MEGREZ_NAMESPACE: namespace,
    MEGREZ_LOG_LEVEL: 'info',
    MEGREZ_ADDRESS_REST_MS: '0',
    MEGREZ_CALLBACK_ALLOW: '127.0.0.0/8',
    MEGREZ_CALLBACK_HTTP: 'true',
    ...(redisSocket === undefined
      ? { MEGREZ_QUEUE_IN_PROCESS: 'true' }
      : { MEGREZ_REDIS: redisSocket, MEGREZ_REDIS_PREFIX: `house-${randomBytes(4).toString('hex')}` }),
    ...(issuer && {
      MEGREZ_TOKEN_ISSUER: issuer.tokenIssuer,
      MEGREZ_TOKEN_AUDIENCE: issuer.tokenAudience,
      MEGREZ_TOKEN_KEYS_URL: issuer.tokenKeysUrl,
      MEGREZ_KUBE_TOKENS: 'true',
      MEGREZ_REST_RATE: '0',
    }),
  }
  const door = { path: randomBytes(16).toString('hex'), timeoutSeconds: 10 }
  const values = { tls: { secretName: 'unused', caBundle: authority.cert }, ...(issuer && { rest: { ...issuer, kubeTokens: true } }) }
  const roles = await render({ ...values, admission: { ...door, url: 'https://127.0.0.1:1' } }, folder)
  // Their rights first, as in a cluster: without them they would wait.
  await apply(roles.filter(isRole))
  const started: Main[] = []
  const startWebhooks = (): Main => {
    const main = startMain('webhooks/main.ts', {
      ...env,
      MEGREZ_KUBE_CONTEXT: 'webhooks',
      MEGREZ_TLS_CERT: tlsCert,
      MEGREZ_TLS_KEY: tlsKey,
      MEGREZ_ADMISSION_REGISTRATION: 'megrez',
      MEGREZ_ADMISSION_CLIENT_CA: webhookClientCa(String(kubeconfigPath)),
      MEGREZ_ADMISSION_CLIENT_NAMES: 'megrez',
    })
    started.push(main)
    return main
  }
  const webhooks = startWebhooks()
  const url = `https://127.0.0.1:${await webhooks.l4PortOf('admissionL4Port')}`
  const manifests = await render({ ...values, admission: { ...door, url } }, folder)
  const hooks = manifests.filter(({ kind }) => kind.endsWith('WebhookConfiguration'))
  await apply(manifests)
  return {
    webhooks,
    renew,
    ca: authority.cert,
    startWebhooks,
    async startWorkers() {
      const main = startMain('workers/main.ts', { ...env, MEGREZ_KUBE_CONTEXT: 'workers' })
      started.push(main)
      await main.ready()
      await until(() => main.log.some(({ msg }) => msg === 'workers run'), `workers run: ${complaintsIn(main.log)}`, 60_000)
      return main
    },
    register: () => apply(hooks),
    unregister: () => remove(hooks),
    async close() {
      await remove(manifests)
      await Promise.all(started.map((main) => main.end()))
      await rm(folder, { recursive: true })
    },
  }
}

const isRole = ({ kind }: Manifest): boolean => /Role(Binding)?$/.test(kind)

/** Of what a chart renders, what is `wanted`. */
export async function render(values: object, folder: string, chart = join(root, 'charts/megrez')): Promise<Manifest[]> {
  const env = { HELM_CACHE_HOME: folder, HELM_CONFIG_HOME: folder, HELM_DATA_HOME: folder }
  const { code, stdout, stderr } = await run(
    process.env.MEGREZ_TEST_HELM ?? 'helm',
    ['template', 'megrez', chart, '--namespace', namespace, '--kube-version', '1.34', '--values', '-'],
    { env, input: stringify(values) },
  )
  if (code !== 0) throw new Error(`helm template: ${stderr}`)
  return parseAllDocuments(stdout)
    .map((document) => document.toJS() as Manifest | null)
    .filter((each) => each !== null && wanted.includes(each.kind)) as Manifest[]
}

const asList = (items: readonly object[]): string => JSON.stringify({ apiVersion: 'v1', kind: 'List', items })
const apply = async (items: readonly object[]): Promise<void> =>
  void (await kubectl(['apply', '--server-side', '--force-conflicts', '-f', '-'], { input: asList(items) }))
const remove = async (items: readonly object[]): Promise<void> =>
  void (await kubectl(['delete', '--ignore-not-found', '--wait=false', '-f', '-'], { input: asList(items) }))

export const create = async (...items: readonly object[]): Promise<void> =>
  void (await kubectl(['create', '-f', '-'], { input: asList(items) }))

export async function list<T extends Manifest>(plural: string, ...args: readonly string[]): Promise<readonly T[]> {
  return (JSON.parse(await kubectl(['get', plural, ...args, '-o', 'json'])) as { items: T[] }).items
}

export const statusOf = ({ metadata }: Manifest): NicStatus | undefined => {
  const text = metadata.annotations?.[nicStatusAnnotation]
  return text === undefined ? undefined : (JSON.parse(text) as NicStatus)
}

/** An example's objects as an API server takes them. */
export async function example(name: string, inNamespace: string): Promise<readonly Manifest[]> {
  const text = await readFile(join(root, 'examples', `${name}.yaml`), 'utf8')
  return parseAllDocuments(text).map((document) => {
    const rewritten = rewriteManifest(document.toJS() as Json)
    if (rewritten.kind === 'refused') throw new Error(rewritten.problems.map(({ message }) => message).join('; '))
    const manifest = (rewritten.kind === 'changed' ? rewritten.manifest : document.toJS()) as unknown as Manifest
    return { ...manifest, metadata: { ...manifest.metadata, namespace: inNamespace } }
  })
}

/** A namespace with what an example needs before its pod; the pod is given back, not yet made. */
export async function setUpOf(name: string): Promise<Manifest> {
  const space = await newNamespace(name)
  const manifests = await example(name, space)
  await create(...manifests.filter(({ kind }) => kind !== 'Pod'))
  await settled(space)
  return manifests.find(({ kind }) => kind === 'Pod')!
}

/** A Vpc `v` with one Subnet `s`. */
export async function network(prefix: string, cidr: string): Promise<string> {
  const space = await newNamespace(prefix)
  const apiVersion = 'megrez.io/v1alpha1'
  await create(
    { apiVersion, kind: 'Vpc', metadata: { name: 'v', namespace: space }, spec: {} },
    { apiVersion, kind: 'Subnet', metadata: { name: 's', namespace: space }, spec: { vpc: 'v', ipv4: { cidr } } },
  )
  await settled(space)
  return space
}

async function settled(space: string): Promise<void> {
  const phases = async (): Promise<string[]> =>
    (await list<Resource<'Subnet'> & Manifest>('vpcs,subnets,ports,securitygroups', '-n', space)).map(
      ({ status }) => status?.phase ?? 'none',
    )
  await until(async () => (await phases()).every((phase) => phase === 'ready'), `all in ${space} is ready`, 60_000)
}

export async function pod(space: string, name: string): Promise<Manifest | undefined> {
  return (await list('pods', '-n', space, `--field-selector=metadata.name=${name}`))[0]
}

/** The pod's report once it says `ready`. */
export async function served(space: string, name: string): Promise<NicStatus> {
  let status: NicStatus | undefined
  await until(async () => (status = statusOf((await pod(space, name))!))?.phase === 'ready', `pod ${space}/${name} has its Nics`, 60_000)
  return status!
}
