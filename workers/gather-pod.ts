// What a pod's planner looks at: caches, and one live look where a pod seems to be gone, or another to have its name.
import { nicRequestOf } from '../core/admit/pod/nic-request.ts'
import { ownerOf } from '../core/admit/pod/claims.ts'
import { finalizersFor } from '../core/admit/object/finalizers.ts'
import { resolveNics } from '../core/admit/pod/nics.ts'
import type { ResolvedNic } from '../core/admit/network-view.ts'
import type { Draft } from '../core/contracts/store.ts'
import { nicStatusAnnotation, noticeFinalizer, traceparentAnnotation, wiredFinalizer } from '../core/kinds/annotations.ts'
import { apiVersion } from '../core/kinds/meta.ts'
import { partOf } from '../core/kinds/nfv.ts'
import { keyOf, refFromKey, type Resource, type SpecOf } from '../core/kinds/index.ts'
import { causeOf } from '../core/kinds/trace.ts'
import { portNameOf } from '../core/net/names.ts'
import { isSubscribedTo } from '../core/plan/notify/notices.ts'
import { isPodFinished, type NicAnswer, type PodDesired } from '../core/plan/pod/pod.ts'
import { subnetKeyOf } from '../platform/cache/caches.ts'
import type { PickedAddresses } from './addresses.ts'
import { reporting, type Env } from './env.ts'
import { gatherPort } from './gather-port.ts'
import { servedAtBirth } from './port-pass.ts'
import { askForBirths } from './who-asks.ts'

export type GatheredPod = PodDesired & { readonly picks: PickedAddresses; readonly born: readonly string[] }

export async function gatherPod(key: string, env: Env): Promise<GatheredPod | undefined> {
  const ref = refFromKey('Pod', key)
  const claimed = [...env.caches.Port.by('claimPod', key)]
  const seen = env.caches.Pod.get(key)
  // A Port may be seen before its pod is, by another worker's haste: only the store itself can say that a pod is gone.
  const isLast = claimed.every(({ spec }) => spec.claim?.podUID === seen?.metadata.uid)
  const pod = isLast ? seen : await env.store.get(ref)
  if (claimed.length === 0 && (pod === undefined || !isOurs(pod, env))) return undefined
  const base = { ref, pod, owner: ownerOf(pod?.metadata ?? { name: ref.name }), claimed, picks: env.addresses.open(), born: [], answers: undefined, fault: undefined }
  if (pod === undefined || isPodFinished(pod)) return base
  await askForBirths(pod, env)
  return resolved(pod, base, env)
}

/** It asks for Nics, or has been told of some, or somebody wants to be told of its end. */
export function isOurs(pod: Resource<'Pod'>, env: Pick<Env, 'view' | 'config'>): boolean {
  const { annotations, finalizers } = pod.metadata
  if (annotations?.[nicStatusAnnotation] !== undefined || finalizers?.includes(noticeFinalizer) === true) return true
  return !isPodFinished(pod) && nicRequestOf(pod, env.view, env.config).say !== 'none'
}

function resolved(pod: Resource<'Pod'>, base: GatheredPod, env: Env): GatheredPod {
  const wanted = resolveNics(pod, env.view, env.config)
  if (wanted.say === 'none') return base
  if (wanted.say === 'refused') return { ...base, fault: wanted }
  const born: string[] = []
  const answers = wanted.nics.map((nic) => (nic.portID === undefined ? answerMade(pod, nic, { ...base, born }, env) : answerNamed(pod, nic, nic.portID, env)))
  return { ...base, answers, born }
}

function answerNamed(pod: Resource<'Pod'>, nic: ResolvedNic, portID: string, { view: world }: Env): NicAnswer {
  const inSubnet = `${nic.subnet.namespace}/${nic.subnet.name}`
  const port = [...world.portsByID(pod.metadata.namespace ?? '', portID)].find((each) => subnetKeyOf(each) === inSubnet)
  return { nic: nic.name, port, portID, birth: undefined }
}

type Base = Pick<GatheredPod, 'owner' | 'picks'> & { readonly born: string[] }

function answerMade(pod: Resource<'Pod'>, nic: ResolvedNic, base: Base, env: Env): NicAnswer {
  const named = { namespace: pod.metadata.namespace ?? '', name: portNameOf(pod.metadata, nic.name) }
  const port = env.caches.Port.get(keyOf(named))
  if (port !== undefined) return { nic: nic.name, port, portID: undefined, birth: undefined }
  const draft = withEndTold(draftOf(pod, nic, named, { owner: base.owner, agents: env.config.agents }), env)
  const birth = env.store.identify === undefined ? undefined : bornOf(env.store.identify(draft), base, env)
  return { nic: nic.name, portID: undefined, port: birth?.after, birth: birth === undefined ? { draft, more: [] } : birth }
}

function draftOf(pod: Resource<'Pod'>, nic: ResolvedNic, named: { readonly namespace: string; readonly name: string }, { owner, agents }: { readonly owner: string; readonly agents: boolean }): Draft<'Port'> {
  const { uid, name, namespace = '' } = pod.metadata
  const node = pod.spec.nodeName
  const spec: SpecOf<'Port'> = {
    subnet: nic.subnet.namespace === namespace ? nic.subnet.name : `${nic.subnet.namespace}/${nic.subnet.name}`,
    ...(nic.ips.length > 0 && { ips: [...nic.ips] }),
    ...(nic.mac !== undefined && { mac: nic.mac }),
    ...(nic.securityGroups.length > 0 && { securityGroups: [...nic.securityGroups] }),
    type: nic.type,
    claim: { pod: name, nic: nic.name, owner, podUID: uid },
    podUID: uid,
    ...(node !== undefined && { node }),
  }
  return { kind: 'Port', metadata: { ...named, ...takenOver(pod), finalizers: [...finalizersFor('Port', { metadata: {}, spec }), ...(node === undefined || !agents ? [] : [wiredFinalizer])] }, spec }
}

/** A Port that somebody asks about has our finalizer from the first: its maker does not look at it again by himself. */
function withEndTold(draft: Draft<'Port'>, env: Env): Draft<'Port'> {
  if (!isSubscribedTo(asStored(draft, '', env), reporting(env, 0))) return draft
  return { ...draft, metadata: { ...draft.metadata, finalizers: [...(draft.metadata.finalizers ?? []), noticeFinalizer] } }
}

const asStored = ({ metadata, spec }: Draft<'Port'>, uid: string, { clock }: Env): Resource<'Port'> =>
  ({ apiVersion, kind: 'Port', metadata: { ...metadata, uid, resourceVersion: '', generation: 1, creationTimestamp: new Date(clock.now()).toISOString() }, spec })

/** What a Port has of its pod: whose part it is, and the trace of what caused both. */
function takenOver(pod: Resource<'Pod'>): Pick<Draft['metadata'], 'labels' | 'annotations'> {
  const cause = causeOf(pod)
  const { labels, annotations } = partOf(pod.metadata)
  const notes = { ...annotations, ...(cause !== undefined && { [traceparentAnnotation]: cause }) }
  return { ...(labels && { labels }), ...(Object.keys(notes).length > 0 && { annotations: notes }) }
}

/** The Port as it will be stored, served in the same commit. */
function bornOf(draft: Draft<'Port'>, { picks, born }: Base, env: Env): NicAnswer['birth'] & { readonly after: Resource<'Port'> } | undefined {
  const { uid } = draft.metadata
  if (uid === undefined) return undefined
  const served = servedAtBirth(gatherPort(asStored(draft, uid, env), env, picks), env)
  if (served === undefined) return undefined
  if (served.after.status?.phase === 'ready') born.push(uid)
  return { draft, more: served.writes, after: served.after }
}
