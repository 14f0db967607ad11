// Megrez in a cluster of the lab: CRDs and the chart's objects applied, its webhooks and workers as processes beside the control
// plane, each with the account that the chart made for it.
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Outcome } from '../../platform/programs/run.ts'
import { until } from '../../platform/programs/until.ts'
import { startRedisServer } from '../../platform/redis-server.ts'
import { issueLeaf, makeAuthority } from '../../platform/tls/authority.ts'
import type { KeptServer } from '../../platform/redis-server/keep.ts'
import type { Cluster } from '../cluster.ts'
import type { ClusterPrograms } from '../cluster/programs.ts'
import { kubeconfigOf } from '../cluster/who.ts'
import { runIn } from '../commands.ts'
import type { Space } from '../lab.ts'
import { namespace, renderChart, settingsOf, type Manifest } from './chart.ts'

export interface Megrez {
  /** What the chart rendered. */
  readonly manifests: readonly Manifest[]
  readonly processes: Readonly<Record<'webhooks' | 'workers', KeptServer>>
  /** REST, from the space of the control plane, and the file of the authority that has signed its certificate. */
  readonly rest: { readonly url: string; readonly ca: string }
  /** Ends what is not the lab's to end. */
  stop(): Promise<void>
}
export interface MegrezOptions {
  readonly programs: ClusterPrograms
  /** Of the chart, beside those that say where things are here. */
  readonly values?: Readonly<Record<string, unknown>>
}

export const root = resolve(import.meta.dirname, '../..')
const admissionL4Port = 8443
const restL4Port = 8444
const healthL4Ports = { webhooks: 8081, workers: 8082 }
/** Of the chart, what a cluster without our image runs as processes. */
const asProcesses = /^(Deployment|DaemonSet|PodDisruptionBudget|Service)$/

export async function installMegrez(cluster: Cluster, { programs, values: more = {} }: MegrezOptions): Promise<Megrez> {
  const home = join(cluster.lab.folder, 'megrez')
  await mkdir(home)
  const life = { now: Date.now(), ms: 3_600_000 }
  const authority = makeAuthority('lab', life)
  const { cert, key } = issueLeaf(authority, ['127.0.0.1'], life)
  const tls = { MEGREZ_TLS_CERT: join(home, 'tls.crt'), MEGREZ_TLS_KEY: join(home, 'tls.key') }
  await writeFile(tls.MEGREZ_TLS_CERT, cert)
  await writeFile(tls.MEGREZ_TLS_KEY, key)
  const rest = { url: `https://127.0.0.1:${restL4Port}`, ca: join(home, 'ca.crt') }
  await writeFile(rest.ca, authority.cert)
  const values = {
    tls: { secretName: 'megrez-tls', caBundle: authority.cert },
    admission: { url: `https://127.0.0.1:${admissionL4Port}` },
    ...more,
  }
  await applyCrds(cluster, await renderChart(programs.helm, { values: { crds: { render: true } }, only: 'templates/crds.yaml', home }))
  await apply(cluster, [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }])
  const manifests = await renderChart(programs.helm, { values, home })
  const isHook = ({ kind }: Manifest): boolean => kind.endsWith('WebhookConfiguration')
  await apply(
    cluster,
    manifests.filter((each) => !asProcesses.test(each.kind) && !isHook(each)),
  )
  const redis = await startRedisServer({ folder: join(home, 'redis') })
  const queue = 'missing' in redis ? { MEGREZ_QUEUE_IN_PROCESS: 'true' } : { MEGREZ_REDIS: redis.socket, MEGREZ_QUEUE_IN_PROCESS: 'false' }
  const stop = async (): Promise<void> => void ('stop' in redis && (await redis.stop()))
  try {
    const [webhooks, workers] = await Promise.all([
      startComponent(cluster, 'webhooks', { ...settingsOf(manifests, 'webhooks'), ...tls }),
      startComponent(cluster, 'workers', { ...settingsOf(manifests, 'workers'), ...queue }),
    ])
    await until(
      async () => (await ready(cluster.space, healthL4Ports.webhooks)) && ready(cluster.space, healthL4Ports.workers),
      'webhooks and workers are ready',
      60_000,
    )
    // Before they answer, the API server would refuse what it has to ask them.
    await apply(cluster, manifests.filter(isHook))
    return { manifests, processes: { webhooks, workers }, rest, stop }
  } catch (err) {
    await stop()
    throw err
  }
}

async function startComponent(
  cluster: Cluster,
  component: 'webhooks' | 'workers',
  env: Readonly<Record<string, string>>,
): Promise<KeptServer> {
  const more = {
    MEGREZ_KUBECONFIG: await accountOf(cluster, component),
    MEGREZ_HEALTH_L4PORT: String(healthL4Ports[component]),
    MEGREZ_ADMISSION_L4PORT: String(admissionL4Port),
    MEGREZ_REST_L4PORT: String(restL4Port),
    MEGREZ_LISTEN_HOST: '127.0.0.1',
  }
  return startMain(cluster, cluster.space, { main: `${component}/main.ts`, log: component, env: { ...env, ...more } })
}

/** Runs a process of ours as a container of the chart would, with nothing but its settings of ours. */
export function startMain(
  cluster: Cluster,
  space: Space,
  { main, log, env }: { readonly main: string; readonly log: string; readonly env: Readonly<Record<string, string>> },
): Promise<KeptServer> {
  const mine = Object.fromEntries(
    Object.keys(process.env)
      .filter((name) => /^(MEGREZ|npm|KUBE|NODE_TEST)/.test(name))
      .map((name) => [name, undefined]),
  )
  return cluster.lab.start(process.execPath, ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=8', join(root, main)], {
    space,
    log,
    env: { ...mine, ...env },
  })
}

/** A kubeconfig with a token of the component's account; bound to a Node, where it has one, as a pod's would be. */
export async function accountOf({ kubectl, controlPlane, lab }: Cluster, component: string, node?: string): Promise<string> {
  const bound = node === undefined ? [] : ['--bound-object-kind', 'Node', '--bound-object-name', node]
  const token = (await kubectl(['create', 'token', `megrez-${component}`, '--namespace', namespace, '--duration', '2h', ...bound])).trim()
  const file = join(lab.folder, `${[component, node].filter((part) => part !== undefined).join('-')}.kubeconfig`)
  await writeFile(file, kubeconfigOf(controlPlane.url, controlPlane.ca, token), { mode: 0o600 })
  return file
}

// A program of the lab's namespaces is asked from within: nothing of ours listens anywhere else.
const fetcher =
  'fetch(process.argv[1], { signal: AbortSignal.timeout(2000) }).then(async (r) => { process.stdout.write(await r.text()); process.exit(r.ok ? 0 : 1) }, () => process.exit(1))'
const page = (space: Space, url: string): Promise<Outcome> => runIn(space, [process.execPath, '-e', fetcher, url])

/** Whether a process of ours says on loopback of its space that it is ready. */
export const ready = async (space: Space, l4Port: number): Promise<boolean> =>
  (await page(space, `http://127.0.0.1:${l4Port}/readyz`)).code === 0

/** What a process of ours tells on its metrics page. */
export const metricsOf = async (space: Space, l4Port: number): Promise<string> =>
  (await page(space, `http://127.0.0.1:${l4Port}/metrics`)).stdout

/** Of the chart; they serve once this resolves. */
export async function applyCrds(cluster: Cluster, crds: readonly Manifest[]): Promise<void> {
  await apply(cluster, crds)
  await cluster.kubectl(['wait', '--for=condition=Established', '--timeout=60s', ...crds.map(({ metadata }) => `crd/${metadata.name}`)])
}

/** By server-side apply. */
export async function apply({ kubectl }: Pick<Cluster, 'kubectl'>, items: readonly object[]): Promise<void> {
  await kubectl(['apply', '--server-side', '--force-conflicts', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items }))
}
