// What a pod's planner works from: caches, and one live read where a pod seems to be gone, or another to have its name.
import { isNetworkByPolicy } from '../../core/admit/pod/network-by-policy.ts'
import { nicRequestOf } from '../../core/admit/pod/nic-request.ts'
import { ownerOf } from '../../core/admit/pod/claims.ts'
import { listedNames, resolveNics } from '../../core/admit/pod/nics.ts'
import type { NicResolution, ResolvedNic } from '../../core/admit/network-view.ts'
import type { Draft } from '../../core/contracts/store.ts'
import { hotNicsAnnotation, nicStatusAnnotation, noticeFinalizer, wiredFinalizer } from '../../core/kinds/annotations.ts'
import { partOf } from '../../core/kinds/notify/nfv.ts'
import { keyOf, refFromKey, type Resource, type SpecOf } from '../../core/kinds/index.ts'
import type { OfNetworkService } from '../../core/kinds/vpc/port.ts'
import { requestNotes } from '../../core/kinds/trace.ts'
import { portNameOf } from '../../core/net/names.ts'
import { isPodFinished, unaskedPorts, type NicAnswer, type PodDesired } from '../../core/plan/pod/pod.ts'
import { networkFor } from '../../core/policy/pod-network.ts'
import { subnetKeyOf } from '../../platform/cache/caches.ts'
import type { Env } from '../controller-env.ts'

export async function gatherPod(key: string, env: Env): Promise<PodDesired | undefined> {
  const ref = refFromKey('Pod', key)
  const claimed = [...env.caches.Port.by('claimPod', key)]
  const seen = env.caches.Pod.get(key)
  // A Port may be seen before its pod is, by another worker's haste: only the store itself can say that a pod is gone.
  const isLast = claimed.every(({ spec }) => spec.claim?.podUID === seen?.metadata.uid)
  const pod = isLast ? seen : await env.store.get(ref)
  if (claimed.length === 0 && (pod === undefined || !isOurs(pod, env))) return undefined
  const desired = await desiredBy(pod, { ref, claimed }, env)
  // Which NICs a pod asks for may change while it runs, and a cache may be behind: before it loses one the store itself is asked.
  return isLast && unaskedPorts(desired).length > 0 ? desiredBy(await env.store.get(ref), { ref, claimed }, env) : desired
}

async function desiredBy(
  pod: Resource<'Pod'> | undefined,
  { ref, claimed }: Pick<PodDesired, 'ref' | 'claimed'>,
  env: Env,
): Promise<PodDesired> {
  const base = { ref, pod, owner: ownerOf(pod?.metadata ?? { name: ref.name }), claimed, answers: undefined, problem: undefined }
  return pod === undefined || isPodFinished(pod) ? base : resolved(pod, base, env)
}

/** It asks for Nics, or has been told of some, or somebody wants to be told of its end. */
export function isOurs(pod: Resource<'Pod'>, env: Pick<Env, 'view' | 'config'>): boolean {
  const { annotations, finalizers } = pod.metadata
  if (annotations?.[nicStatusAnnotation] !== undefined || finalizers?.includes(noticeFinalizer) === true) return true
  return !isPodFinished(pod) && nicRequestOf(pod, env.view, env.config).kind !== 'none'
}

async function resolved(pod: Resource<'Pod'>, base: PodDesired, env: Env): Promise<PodDesired> {
  const wanted = resolveNics(pod, env.view, env.config)
  if (wanted.kind === 'none') return base
  if (wanted.kind === 'refused')
    return { ...base, problem: wanted, listed: listedNames(pod, env.view, env.config), isHeldBack: mayChange(pod) }
  const { owner } = base
  return {
    ...base,
    answers: await Promise.all(wanted.nics.map((nic) => answerOf(nic, { pod, vpc: wanted.vpc, follows: wanted.byPolicy, owner }, env))),
  }
}

/** What it asks for may be another thing while it runs. */
const mayChange = (pod: Resource<'Pod'>): boolean => isNetworkByPolicy(pod) || pod.metadata.annotations?.[hotNicsAnnotation] !== undefined

async function answerOf(nic: ResolvedNic, { owner, follows, ...network }: PodNetwork & Following, env: Env): Promise<NicAnswer> {
  const { pod } = network
  if (nic.portID !== undefined) return answerNamed(pod, nic, nic.portID, env)
  const answer = answerMade(pod, nic, owner, env)
  if (nic.hot === true) return { ...answer, follows: true }
  return follows === true ? moved(answer, network, env) : answer
}

interface Following {
  readonly owner: string
  /** Its network is its policy's to say. */
  readonly follows: true | undefined
}
interface PodNetwork {
  readonly pod: Resource<'Pod'>
  readonly vpc: Resource<'Vpc'>
}

/** A Port in another Vpc than its pod's policy names goes, where the store itself says so: nothing is lost by a cache's word. */
async function moved(answer: NicAnswer, { pod, vpc }: PodNetwork, env: Env): Promise<NicAnswer> {
  const { port } = answer
  if (port === undefined || isIn(vpc, port, env)) return { ...answer, follows: true }
  const { items } = await env.store.list('UnifiedNetworkPolicy', { namespace: pod.metadata.namespace ?? '' })
  const live: NicResolution = resolveNics(pod, { ...env.view, networkByPolicy: (of) => networkFor(of, items) }, env.config)
  const isSaid = live.kind === 'nics' && live.vpc.metadata.uid === vpc.metadata.uid
  return { ...answer, follows: true, moves: isSaid }
}

/** One whose Subnet is not known is where it is. */
function isIn(vpc: Resource<'Vpc'>, port: Resource<'Port'>, { caches }: Env): boolean {
  const subnet = caches.Subnet.get(subnetKeyOf(port))
  return subnet === undefined || (subnet.metadata.namespace === vpc.metadata.namespace && subnet.spec.vpc === vpc.metadata.name)
}

function answerNamed(pod: Resource<'Pod'>, nic: ResolvedNic, portID: string, { view }: Env): NicAnswer {
  const inSubnet = `${nic.subnet.namespace}/${nic.subnet.name}`
  const port = [...view.portsByID(pod.metadata.namespace ?? '', portID)].find((each) => subnetKeyOf(each) === inSubnet)
  return { nic: nic.name, port, portID, draft: undefined }
}

function answerMade(pod: Resource<'Pod'>, nic: ResolvedNic, owner: string, { caches, config }: Env): NicAnswer {
  const named = { namespace: pod.metadata.namespace ?? '', name: portNameOf(pod.metadata, nic.name) }
  const port = caches.Port.get(keyOf(named))
  return {
    nic: nic.name,
    port,
    portID: undefined,
    draft: port === undefined ? draftOf(pod, nic, named, { owner, agents: config.agents }) : undefined,
  }
}

function draftOf(
  pod: Resource<'Pod'>,
  nic: ResolvedNic,
  named: { readonly namespace: string; readonly name: string },
  { owner, agents }: { readonly owner: string; readonly agents: boolean },
): Draft<'Port'> {
  const { uid, name, namespace = '' } = pod.metadata
  const node = pod.spec.nodeName
  const spec: SpecOf<'Port'> = {
    subnet: nic.subnet.namespace === namespace ? nic.subnet.name : `${nic.subnet.namespace}/${nic.subnet.name}`,
    ...(nic.ips.length > 0 && { ips: [...nic.ips] }),
    ...askedOf(nic),
    type: nic.type,
    claim: { pod: name, nic: nic.name, owner, podUID: uid },
    podUID: uid,
    ...(node !== undefined && { node }),
  }
  // Its node is to be heard from the first.
  return {
    kind: 'Port',
    metadata: { ...named, ...takenOver(pod), ...(node !== undefined && agents && { finalizers: [wiredFinalizer] }) },
    spec,
  }
}

const askedOf = ({ mac, securityGroups, qosPolicy, routedBlocks, tap, service }: ResolvedNic): Partial<SpecOf<'Port'>> => ({
  ...(mac !== undefined && { mac }),
  ...(securityGroups.length > 0 && { securityGroups: [...securityGroups] }),
  ...(qosPolicy !== undefined && { qosPolicy }),
  ...(routedBlocks.length > 0 && { routedBlocks: [...routedBlocks] }),
  ...(tap !== undefined && { tap }),
  ...(service !== undefined && { networkService: ofServiceOf(service) }),
})

const ofServiceOf = ({ name, as, labels }: NonNullable<ResolvedNic['service']>): OfNetworkService => ({
  name,
  as,
  ...(Object.keys(labels).length > 0 && { labels: { ...labels } }),
})

/** What a Port has of its pod: whose part it is, and the trace of what caused both. */
function takenOver(pod: Resource<'Pod'>): Pick<Draft['metadata'], 'labels' | 'annotations'> {
  const { labels, annotations } = partOf(pod.metadata)
  const notes = { ...annotations, ...requestNotes(pod) }
  return { ...(labels && { labels }), ...(Object.keys(notes).length > 0 && { annotations: notes }) }
}
