// Which pod a sandbox is of, and what it asks for.
import { segmentOf } from '../../core/kinds/vpc/segment.ts'
import { isNetworkByPolicy } from '../../core/admit/pod/network-by-policy.ts'
import { nicRequestOf } from '../../core/admit/pod/nic-request.ts'
import { resolveNics } from '../../core/admit/pod/nics.ts'
import { annotationAt } from '../../core/admit/refusal.ts'
import type { ClusterNic, NicResolution, ResolvedNic, NetworkView } from '../../core/admit/network-view.ts'
import { NicsRefused, PodUnknown } from '../../core/errors.ts'
import { clusterNicAnnotation, hotNicsAnnotation, networkAnnotation, nicsAnnotation, vpcAnnotation } from '../../core/kinds/annotations.ts'
import { resolveReference, type Resource } from '../../core/kinds/index.ts'
import { isMadeFor } from '../../core/plan/pod/pod.ts'
import { pause } from '../../platform/clock.ts'
import type { AgentEnv } from '../agent-env.ts'

export interface PodName {
  readonly namespace: string
  readonly name: string
  readonly uid: string
}

/** What a pod's sandbox gets beside what the delegate makes. */
export type PodNics = { readonly clusterNic: ClusterNic; readonly nics: readonly ResolvedNic[] }
/** How often what a pod's Nics need is looked for anew. */
const retryMs = 500
const nothing: PodNics = { clusterNic: 'delegate', nics: [] }

/** CNI_ARGS as the CRI runtimes fill them; undefined where it is no pod's sandbox. */
export function podNamed(args: Readonly<Record<string, string>>): PodName | undefined {
  const { K8S_POD_NAMESPACE: namespace, K8S_POD_NAME: name, K8S_POD_UID: uid = '' } = args
  return namespace === undefined || name === undefined ? undefined : { namespace, name, uid }
}

/** Kubelet names static pods by a hash; the API server names pods by a UUID. A static pod's mirror has another UID. */
const isStatic = ({ uid }: PodName): boolean => /^[0-9a-f]{32}$/.test(uid)

/**
 * The pod as this node's watch has it, else as the store itself does.
 *
 * @throws PodUnknown where another has its name by now, or nobody
 */
async function podOf(named: PodName, { pods, store }: AgentEnv): Promise<Resource<'Pod'>> {
  const meant = (pod: Resource<'Pod'> | undefined): pod is Resource<'Pod'> =>
    pod !== undefined && (named.uid === '' || pod.metadata.uid === named.uid)
  const known = pods.get(`${named.namespace}/${named.name}`)
  if (meant(known)) return known
  const live = await store.get({ kind: 'Pod', namespace: named.namespace, name: named.name })
  if (meant(live)) return live
  throw new PodUnknown({ pod: `${named.namespace}/${named.name}`, uid: named.uid })
}

/**
 * What a pod asks for. Static pods, and pods that say nothing where the store is away, get the delegate alone: what a
 * namespace gives by default was written into the pod at admission.
 *
 * @throws NicsRefused, PodUnknown, StoreUnavailable
 */
export async function nicsOf(
  named: PodName | undefined,
  env: AgentEnv,
  signal: AbortSignal,
): Promise<PodNics & { readonly pod?: Resource<'Pod'> }> {
  for (;;) {
    const found = await requestedOf(named, env)
    if (!('refused' in found)) return found
    // What is missing may still come: its Vpc and Subnets are made by whoever made the pod.
    await pause(retryMs, env.clock, signal)
    if (signal.aborted) throw found.refused
    env.objects.forget()
  }
}

async function requestedOf(
  named: PodName | undefined,
  env: AgentEnv,
): Promise<(PodNics & { readonly pod?: Resource<'Pod'> }) | { readonly refused: Error }> {
  if (named === undefined || isStatic(named)) return nothing
  const pod = await podOf(named, env)
  const annotations = pod.metadata.annotations ?? {}
  const silent = [vpcAnnotation, nicsAnnotation, hotNicsAnnotation, networkAnnotation].every((name) => annotations[name] === undefined)
  const namespace = await env.objects.get('Namespace', named.namespace).catch((err: unknown) => {
    if (silent) return undefined
    throw err
  })
  const world = await worldFor(pod, { namespace, served: await servedNetwork(pod, env) }, env)
  const wanted = resolvable(pod, world, env)
  if (wanted.kind === 'refused') {
    const refused = new NicsRefused({ reason: wanted.message, at: wanted.at })
    if (wanted.later) return { refused }
    throw refused
  }
  return wanted.kind === 'none'
    ? { ...nothing, ...silentNone(annotations), pod }
    : { clusterNic: wanted.clusterNic, nics: wanted.nics, pod }
}

/** A list of NICs that come and go keeps no pod from having its own, whatever is wrong with it: they come once it is right. */
function resolvable(pod: Resource<'Pod'>, world: NetworkView, { config }: AgentEnv): NicResolution {
  const wanted = resolveNics(pod, world, config)
  if (wanted.kind !== 'refused' || !wanted.at.startsWith(annotationAt(hotNicsAnnotation))) return wanted
  const { [hotNicsAnnotation]: _, ...annotations } = pod.metadata.annotations ?? {}
  return resolveNics({ ...pod, metadata: { ...pod.metadata, annotations } }, world, config)
}

/** A pod without Nics always has the cluster's, whatever it says of it. */
const silentNone = (annotations: Readonly<Record<string, string>>): Partial<PodNics> =>
  annotations[clusterNicAnnotation] === 'none' ? { clusterNic: 'delegate' } : {}

/** All that the function of the Nics asks, fetched before it is asked. */
async function worldFor(
  pod: Resource<'Pod'>,
  { namespace, served }: { readonly namespace: Resource<'Namespace'> | undefined; readonly served: Resource<'Subnet'> | undefined },
  { objects, ports, config }: AgentEnv,
): Promise<NetworkView> {
  const bare: NetworkView = {
    namespace: () => namespace,
    cloud: () => undefined,
    vpc: () => undefined,
    subnet: () => undefined,
    vpcsOfSegment: () => [],
    subnetsOf: () => [],
    port: (space, name) => ports.get(`${space}/${name}`),
    portByID: (space, id) => [...ports.by('portID', `${space}/${id}`)][0],
    portsByID: (space, id) => ports.by('portID', `${space}/${id}`),
    networkByPolicy: () => served && `${served.metadata.namespace ?? ''}/${served.spec.vpc ?? ''}`,
    sessionGroups: () => [],
    inquiriesIn: () => [],
  }
  const requests = nicRequestOf(pod, bare, config)
  if (requests.kind !== 'asks') return bare
  const named = resolveReference(requests.vpc, requests.namespace)
  const [going, there] = await Promise.all([objects.get('Vpc', `${named.namespace}/${named.name}`), objects.subnetsIn(named.namespace)])
  const usable = going && asFor(pod, isServedIn(named.namespace, pod, ports) ? sharedWith(requests.namespace, going) : going)
  const vpc = served && usable ? { ...usable, spec: { ...usable.spec, defaultSubnet: served.metadata.name } } : usable
  const subnets = there
    .filter(({ metadata }) => served === undefined || metadata.uid === served.metadata.uid)
    .map((subnet) => asFor(pod, subnet))
  return {
    ...bare,
    vpc: (space, name) => (space === named.namespace && name === named.name ? vpc : undefined),
    subnet: (space, name) => subnets.find(({ metadata }) => metadata.namespace === space && metadata.name === name),
    subnetsOf: (of) =>
      subnets.filter(({ spec, metadata }) => spec.vpc === of.metadata.name && metadata.namespace === of.metadata.namespace),
  }
}

/** Workers read policies, a node does not: where a pod's network is its policy's to say, it is the one that its Port is in. */
async function servedNetwork(pod: Resource<'Pod'>, { ports, objects }: AgentEnv): Promise<Resource<'Subnet'> | undefined> {
  if (!isNetworkByPolicy(pod)) return undefined
  const port = [...ports.values()].find((each) => each.spec.claim?.podUID === pod.metadata.uid && isMadeFor(each))
  if (port === undefined) return undefined
  const { namespace, name } = resolveReference(port.spec.subnet, port.metadata.namespace ?? '')
  return objects.get('Subnet', `${namespace}/${name}`)
}

/** A Vpc whose share is taken back keeps the Ports that it has: a new sandbox of their pod is nothing new. */
function isServedIn(network: string, pod: Resource<'Pod'>, ports: AgentEnv['ports']): boolean {
  return [...ports.values()].some(
    (port) => port.spec.claim?.podUID === pod.metadata.uid && segmentOf(port) !== undefined && networkOfPort(port) === network,
  )
}
const networkOfPort = ({ spec: { subnet }, metadata: { namespace = '' } }: Resource<'Port'>): string =>
  resolveReference(subnet, namespace).namespace
const sharedWith = (namespace: string, vpc: Resource<'Vpc'>): Resource<'Vpc'> => ({
  ...vpc,
  spec: { ...vpc.spec, sharedWith: [...(vpc.spec.sharedWith ?? []), namespace] },
})

/** A Vpc or Subnet that is going stays for whoever was there before it began to: their Ports hold it, and a new sandbox is nothing new. */
function asFor<K extends 'Vpc' | 'Subnet'>({ metadata: { creationTimestamp } }: Resource<'Pod'>, item: Resource<K>): Resource<K> {
  const { deletionTimestamp, ...metadata } = item.metadata
  return deletionTimestamp === undefined || creationTimestamp > deletionTimestamp ? item : { ...item, metadata }
}
