// Mutating admission of pods: what was left out is written in, so that everybody reads the same afterwards.
import { finalizersFor } from '../../core/admit/object/finalizers.ts'
import { readNics, type NicFields } from '../../core/admit/pod/nic-fields.ts'
import { resolveNics } from '../../core/admit/pod/nics.ts'
import { isRefusal, type Refusal } from '../../core/admit/refusal.ts'
import type { NetworkView, NicResolution, ResolvedNic } from '../../core/admit/network-view.ts'
import { managedLabel, networkAnnotation, nicsAnnotation, vpcAnnotation } from '../../core/kinds/annotations.ts'
import { requestedNotes, type Cause } from '../../core/kinds/trace.ts'
import { applyPatch, type Operation } from '../../core/wire/json-patch.ts'
import type { AdmissionDeps, AdmittedPod } from './deps.ts'
import { uplinkPatch } from './booking/request.ts'
import { dpdkPatch, putAll } from './dpdk.ts'

export interface Mutated {
  readonly patch: readonly Operation[]
  readonly pod: AdmittedPod
}

/** The patch of a pod, from memory: none where it asks for no Nics. Given its own result, it changes nothing. */
export function mutatePod(deps: Pick<AdmissionDeps, 'world' | 'settings'>, given: AdmittedPod, namespace: string): Mutated | Refusal {
  const pod = given.metadata.namespace === namespace ? given : { ...given, metadata: { ...given.metadata, namespace } }
  const wanted = resolveNics(pod, deps.world, deps.settings)
  if (wanted.kind === 'refused') return wanted
  const patch = patchOf(pod, wanted, deps.world)
  return { patch, pod: patch.length === 0 ? pod : applyPatch(pod, patch) }
}

/** The same without building the pod: what a webhook answers, with what is noted of the request that it reviews. */
export function patchFor(
  deps: Pick<AdmissionDeps, 'world' | 'settings' | 'clock'>,
  pod: AdmittedPod,
  cause: Cause | undefined,
): readonly Operation[] | Refusal {
  const wanted = resolveNics(pod, deps.world, deps.settings)
  return wanted.kind === 'refused'
    ? wanted
    : patchOf(pod, wanted, deps.world, () => requestedNotes(pod.metadata.annotations ?? {}, cause, { now: deps.clock.now() }))
}

function patchOf(
  pod: AdmittedPod,
  wanted: Exclude<NicResolution, Refusal>,
  world: NetworkView,
  notes: () => Readonly<Record<string, string>> = () => ({}),
): readonly Operation[] {
  if (wanted.kind === 'none') return []
  const { metadata } = pod
  return [
    ...putAll('/metadata/annotations', metadata.annotations, { ...annotationsFor(pod, wanted), ...notes() }),
    ...putAll('/metadata/labels', metadata.labels, { [managedLabel]: 'true' }),
    ...finalizerPatch(pod),
    ...(wanted.nics.some((nic) => nic.type === 'dpdk') ? dpdkPatch(pod) : []),
    ...uplinkPatch(pod, wanted, world),
  ]
}

type PodNics = Extract<NicResolution, { readonly kind: 'nics' }>

function annotationsFor(pod: AdmittedPod, { vpc, nics, byPolicy }: PodNics): Record<string, string> {
  const { annotations = {}, namespace } = pod.metadata
  if (byPolicy)
    return { [networkAnnotation]: 'policy', [nicsAnnotation]: annotations[nicsAnnotation] ?? JSON.stringify([{ name: nics[0]!.name }]) }
  const named = vpc.metadata.namespace === namespace ? vpc.metadata.name : `${vpc.metadata.namespace ?? ''}/${vpc.metadata.name}`
  return { [vpcAnnotation]: annotations[vpcAnnotation] ?? named, [nicsAnnotation]: completed(annotations[nicsAnnotation], nics) }
}

/** The list with names and Subnets filled in; as it was written where it lacks neither. */
function completed(text: string | undefined, nics: readonly ResolvedNic[]): string {
  const requestedNics = text === undefined ? [] : readNics(text)
  if (isRefusal(requestedNics) || requestedNics.length === 0)
    return JSON.stringify(
      nics.filter(({ hot }) => hot !== true).map(({ name, subnet, service }) => ({ name, ...asWritten(service), subnet: subnet.name })),
    )
  const lacksSubnet = ({ subnet, portID }: NicFields): boolean => subnet === undefined && portID === undefined
  if (text !== undefined && !requestedNics.some((each) => each.name === undefined || lacksSubnet(each))) return text
  return JSON.stringify(
    requestedNics.map((each, index) => ({
      name: nics[index]!.name,
      ...each.written,
      ...(lacksSubnet(each) && { subnet: nics[index]!.subnet.name }),
    })),
  )
}

/** Of one that came by URL. */
const asWritten = (service: ResolvedNic['service']): object =>
  service === undefined ? {} : { [service.as === 'client' ? 'networkService' : 'serves']: service.name, labels: service.labels }

function finalizerPatch(pod: AdmittedPod): readonly Operation[] {
  const there = pod.metadata.finalizers
  const missing = finalizersFor('Pod', { metadata: pod.metadata, spec: pod.spec }).filter((each) => !(there ?? []).includes(each))
  if (missing.length === 0) return []
  return there === undefined
    ? [{ op: 'add', path: '/metadata/finalizers', value: missing }]
    : missing.map((value) => ({ op: 'add', path: '/metadata/finalizers/-', value }))
}
