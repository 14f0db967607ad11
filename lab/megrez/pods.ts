// Pods of a lab: asked for with kubectl, read back as the API server has them.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { rewriteManifest } from '../../core/admit/pod/rewrite.ts'
import type { Json } from '../../core/json.ts'
import { networkStatusAnnotation, nicsAnnotation, nicStatusAnnotation } from '../../core/kinds/annotations.ts'
import { until } from '../../platform/programs/until.ts'
import type { Cluster } from '../cluster.ts'
import { busyboxImage } from '../images.ts'
import { apply, root } from './install.ts'

const apiVersion = 'megrez.io/v1alpha1'
const settleMs = 60_000
const rolloutMs = 120_000

/** As the Network Plumbing Working Group has it. */
export interface NetworkStatus {
  readonly name: string
  readonly interface: string
  readonly ips: readonly string[]
  readonly mac: string
  readonly default?: boolean
}
export interface PodSeen {
  readonly namespace: string
  readonly name: string
  readonly node: string
  readonly podIP: string
  readonly phase: string
  /** It asks for NICs of ours. */
  readonly asks: boolean
  /** Our own, in the order in which they were asked for. */
  readonly nics: readonly {
    readonly name: string
    readonly port: string
    readonly portID: string
    readonly address: string
    readonly mac: string
  }[]
  readonly networkStatus: readonly NetworkStatus[]
}
interface RawPod {
  readonly metadata: {
    readonly name: string
    readonly namespace: string
    readonly deletionTimestamp?: string
    readonly annotations?: Readonly<Record<string, string>>
  }
  readonly spec: { readonly nodeName?: string }
  readonly status?: { readonly podIP?: string; readonly phase?: string }
}
interface RawNic {
  readonly name: string
  readonly port: string
  readonly portID?: string
  readonly addresses?: readonly string[]
  readonly mac?: string
}

/** A namespace with one Vpc `v` and one Subnet `s`, ready. More fields of theirs may be said. */
export async function makeNetwork(
  cluster: Cluster,
  namespace: string,
  cidr: string,
  more: { readonly vpc?: object; readonly subnet?: object } = {},
): Promise<void> {
  await apply(cluster, [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }])
  await apply(cluster, [
    { apiVersion, kind: 'Vpc', metadata: { name: 'v', namespace }, spec: { ...more.vpc } },
    { apiVersion, kind: 'Subnet', metadata: { name: 's', namespace }, spec: { vpc: 'v', ipv4: { cidr }, ...more.subnet } },
  ])
  await settled(cluster, namespace)
}

/** All that is not a pod is ready. */
export async function settled({ kubectl }: Cluster, namespace: string): Promise<void> {
  const phases = async (): Promise<string[]> =>
    (
      JSON.parse(await kubectl(['get', 'vpcs,subnets,ports,securitygroups', '-n', namespace, '-o', 'json'])) as {
        items: { status?: { phase?: string } }[]
      }
    ).items.map(({ status }) => status?.phase ?? '')
  await until(async () => (await phases()).every((phase) => phase === 'ready'), `all in ${namespace} is ready`, settleMs)
}

/** What its containers do: nothing, and end when they are told. */
const sleeper = { image: busyboxImage, command: ['/bin/sh', '-c', 'trap "exit 0" TERM; while :; do sleep 1 & wait; done'] }

export interface Wish {
  readonly namespace: string
  readonly name: string
  readonly replicas: number
  readonly annotations?: Readonly<Record<string, string>>
}

/** Spread over the nodes as evenly as can be. */
export function deploymentOf({ namespace, name, replicas, annotations = {} }: Wish): object {
  const matchLabels = { app: name }
  const spread = { maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'DoNotSchedule', labelSelector: { matchLabels } }
  const spec = {
    automountServiceAccountToken: false,
    terminationGracePeriodSeconds: 1,
    topologySpreadConstraints: [spread],
    containers: [{ name: 'c', ...sleeper }],
  }
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace },
    spec: { replicas, selector: { matchLabels }, template: { metadata: { labels: matchLabels, annotations }, spec } },
  }
}

export function podOf({ namespace, name, annotations = {}, node }: Omit<Wish, 'replicas'> & { readonly node: string }): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace, annotations },
    spec: {
      nodeSelector: { 'kubernetes.io/hostname': node },
      automountServiceAccountToken: false,
      terminationGracePeriodSeconds: 1,
      containers: [{ name: 'c', ...sleeper }],
    },
  }
}

/** One of the samples, in a namespace of its name: as kubectl takes it, with an image that is there. */
export async function sampleOf(name: string): Promise<readonly object[]> {
  const documents = parseAllDocuments(await readFile(join(root, 'examples', `${name}.yaml`), 'utf8')).map(
    (document) => document.toJS() as Json,
  )
  return documents.map((document) => {
    const rewritten = rewriteManifest(document)
    if (rewritten.kind === 'refused') throw new Error(rewritten.problems.map(({ message }) => message).join('; '))
    const manifest = (rewritten.kind === 'changed' ? rewritten.manifest : document) as unknown as Sample
    const { containers } = manifest.spec
    const spec =
      containers === undefined
        ? manifest.spec
        : { ...manifest.spec, terminationGracePeriodSeconds: 1, containers: containers.map((each) => ({ ...each, ...sleeper })) }
    return { ...manifest, metadata: { ...manifest.metadata, namespace: name }, spec }
  })
}
interface Sample {
  readonly kind: string
  readonly metadata: object
  readonly spec: { readonly containers?: readonly object[]; readonly [more: string]: unknown }
}

/** With what it needs before it. */
export async function applySample(cluster: Cluster, name: string): Promise<void> {
  const manifests = await sampleOf(name)
  const isPod = (each: object): boolean => (each as Sample).kind === 'Pod'
  await apply(cluster, [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }])
  await accountReady(cluster, name)
  await apply(
    cluster,
    manifests.filter((each) => !isPod(each)),
  )
  await settled(cluster, name)
  await apply(cluster, manifests.filter(isPod))
}

/** A pod needs the account that a controller makes. */
export async function accountReady({ kubectl }: Cluster, namespace: string): Promise<void> {
  await until(
    async () => (await kubectl(['get', 'serviceaccounts', '-n', namespace, '-o', 'name'])).includes('default'),
    `${namespace} has its account`,
    settleMs,
  )
}

/** The first pod of the namespace runs. */
export async function someRun(cluster: Cluster, namespace: string): Promise<void> {
  await until(
    async () => (await podsIn(cluster, namespace)).some(({ phase }) => phase === 'Running'),
    `a pod of ${namespace} runs`,
    rolloutMs,
  )
}

export async function podsIn({ kubectl }: Cluster, namespace: string): Promise<readonly PodSeen[]> {
  const { items } = JSON.parse(await kubectl(['get', 'pods', '-n', namespace, '-o', 'json'])) as { items: readonly RawPod[] }
  return items.filter(({ metadata }) => metadata.deletionTimestamp === undefined).map(seen)
}

function seen({ metadata, spec, status }: RawPod): PodSeen {
  const annotated = <T>(annotation: string, otherwise: T): T =>
    metadata.annotations?.[annotation] === undefined ? otherwise : (JSON.parse(metadata.annotations[annotation]) as T)
  const { nics = [] } = annotated<{ nics?: readonly RawNic[] }>(nicStatusAnnotation, {})
  return {
    namespace: metadata.namespace,
    name: metadata.name,
    node: spec.nodeName ?? '',
    podIP: status?.podIP ?? '',
    phase: status?.phase ?? '',
    asks: metadata.annotations?.[nicsAnnotation] !== undefined,
    nics: nics.map(({ name, port, portID = '', addresses = [], mac = '' }) => ({ name, port, portID, address: addresses[0] ?? '', mac })),
    networkStatus: annotated<readonly NetworkStatus[]>(networkStatusAnnotation, []),
  }
}

/** All pods of the namespace run, so many of them, and say what their interfaces are. */
export async function running(cluster: Cluster, namespace: string, count: number): Promise<readonly PodSeen[]> {
  let pods: readonly PodSeen[] = []
  const done = (pod: PodSeen): boolean =>
    pod.phase === 'Running' && pod.podIP !== '' && (!pod.asks || (pod.nics.length > 0 && pod.networkStatus.length > 0))
  await until(
    async () => (pods = await podsIn(cluster, namespace)).length === count && pods.every(done),
    `${count} pods of ${namespace} run`,
    rolloutMs,
  ).catch(async (err: Error) => {
    throw new Error(`${err.message}; ${pods.filter(done).length} do; ${await lastEvents(cluster, namespace)}`)
  })
  return pods
}

const lastEvents = async ({ kubectl }: Cluster, namespace: string): Promise<string> =>
  (
    await kubectl([
      'get',
      'events',
      '-n',
      namespace,
      '--field-selector=type=Warning',
      '-o',
      'custom-columns=OF:.involvedObject.name,SAYS:.message',
    ])
  )
    .split('\n')
    .slice(-5)
    .join(' | ')

/** Deletes namespaces and waits until they are gone. */
export async function removeNamespaces({ kubectl }: Cluster, names: readonly string[]): Promise<void> {
  await kubectl(['delete', 'namespace', ...names, '--wait=true', '--timeout=180s'])
}
