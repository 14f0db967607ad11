// Does a pod ask for Nics, in which Vpc, and who is eth0?
import {
  clusterNicAnnotation,
  defaultLabel,
  hotNicsAnnotation,
  networkAnnotation,
  nicsAnnotation,
  vpcAnnotation,
} from '../../kinds/annotations.ts'
import { resolveReference, type Resource } from '../../kinds/index.ts'
import { isUsableBy, networkSaid, problemByPolicy, vpcByPolicy, type VpcRequest } from './network-by-policy.ts'
import { nicsByUrl, vpcByService } from './network-services.ts'
import { readNics } from './nic-fields.ts'
import { annotationAt, isRefusal, pointerTo, refuse, refuseForNow, type Refusal } from '../refusal.ts'
import { quoted } from '../quoted.ts'
import type { PolicyPod } from '../../kinds/policy/policy-pod.ts'
import type { ClusterNic, NicSettings, NetworkView } from '../network-view.ts'

/** As much of a pod as decides its Nics; in admission it is not stored yet. */
export interface NicPod extends PolicyPod {
  readonly spec: { readonly hostNetwork?: boolean }
}

export interface NicRequest {
  readonly kind: 'asks'
  readonly namespace: string
  readonly annotations: Readonly<Record<string, string>>
  /** `name` or `namespace/name`. */
  readonly vpc: string
  /** Text of the annotation, where there is one. */
  readonly nics: string | undefined
  readonly clusterNic: ClusterNic
  /** They are those of its URLs: it has no list. */
  readonly byUrl?: true
  /** Its Vpc is its policy's to say, also where that says none and a default holds. */
  readonly byPolicy: boolean
}

const mirrorAnnotation = 'kubernetes.io/config.mirror'
const reference = /^([a-z0-9]([-a-z0-9]*[a-z0-9])?\/)?[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/

/** Whether every pod of a namespace gets its defaults. */
export const isDefaulted = (namespace: Resource<'Namespace'> | undefined): boolean =>
  namespace?.metadata.labels?.[defaultLabel] === 'enabled'

const isMirror = (annotations: Readonly<Record<string, string>>): boolean => annotations[mirrorAnnotation] !== undefined

/** All NICs of a pod are in one Vpc: one that says none is in that of its network services. */
function vpcSaid(
  { annotations, namespace, nics: text }: Pick<NicRequest, 'annotations' | 'namespace' | 'nics'>,
  byDefault: string | undefined,
  world: NetworkView,
): string | Refusal | undefined {
  if (annotations[vpcAnnotation] !== undefined || text === undefined) return annotations[vpcAnnotation] ?? byDefault
  const nics = readNics(text)
  if (isRefusal(nics)) return byDefault ?? nics
  return vpcByService(nics, namespace, world) ?? byDefault
}

/**
 * Its own words count, then its namespace's, save for pods that cannot have Nics anyway. A static pod's mirror never asks: kubelet runs the
 * file.
 */
function wants({ metadata: { annotations = {} }, spec }: NicPod, byDefault: boolean): boolean {
  if (isMirror(annotations)) return false
  const says = [vpcAnnotation, nicsAnnotation, hotNicsAnnotation, networkAnnotation].some((name) => annotations[name] !== undefined)
  return says || (byDefault && spec.hostNetwork !== true)
}

/** What a pod asks for, its namespace's defaults filled in. */
export function nicRequestOf(pod: NicPod, world: NetworkView, settings: NicSettings): NicRequest | Refusal | { readonly kind: 'none' } {
  const { annotations = {}, namespace = '' } = pod.metadata
  const defaults = defaultsOf(world.namespace(namespace), settings)
  const byUrl = isMirror(annotations) ? undefined : nicsByUrl(annotations, namespace, world)
  if (isRefusal(byUrl)) return byUrl
  if (byUrl === undefined && !wants(pod, (defaults.vpc ?? defaults.network) !== undefined)) return { kind: 'none' }
  return requestOf(pod, { byUrl, defaults }, world)
}

interface Filling {
  readonly byUrl: string | undefined
  readonly defaults: ReturnType<typeof defaultsOf>
}
function requestOf(pod: NicPod, { byUrl, defaults }: Filling, world: NetworkView): NicRequest | Refusal {
  const { annotations = {}, namespace = '' } = pod.metadata
  const nics = annotations[nicsAnnotation] ?? byUrl
  const network = networkSaid(annotations, defaults.network)
  const vpc =
    (network === undefined ? undefined : vpcByPolicy(pod, world)) ?? vpcSaid({ annotations, namespace, nics }, defaults.vpc, world)
  if (isRefusal(vpc)) return vpc
  const clusterNic = annotations[clusterNicAnnotation] ?? defaults.clusterNic
  return (
    problemInRequest(pod, { vpc, clusterNic, network }) ?? {
      kind: 'asks',
      namespace,
      annotations,
      vpc: vpc!,
      nics,
      ...(byUrl !== undefined && { byUrl: true }),
      clusterNic: clusterNic as ClusterNic,
      byPolicy: network !== undefined,
    }
  )
}

/** A Namespace gives its pods a Vpc only where its label says so; who is eth0, whenever it says. */
function defaultsOf(
  namespace: Resource<'Namespace'> | undefined,
  settings: NicSettings,
): { readonly vpc: string | undefined; readonly network: string | undefined; readonly clusterNic: string } {
  const annotations = namespace?.metadata.annotations ?? {}
  return {
    vpc: isDefaulted(namespace) ? annotations[vpcAnnotation] : undefined,
    network: isDefaulted(namespace) ? annotations[networkAnnotation] : undefined,
    clusterNic: annotations[clusterNicAnnotation] ?? settings.clusterNic,
  }
}

function problemInRequest(pod: NicPod, { vpc, clusterNic, network }: VpcRequest): Refusal | undefined {
  if (pod.spec.hostNetwork === true)
    return refuse(pointerTo('spec', 'hostNetwork'), "a pod in its node's own network cannot have NICs of its own")
  const wrong = network === undefined ? undefined : problemByPolicy({ vpc, clusterNic, network })
  if (wrong !== undefined) return wrong
  if (vpc === undefined) return refuse(annotationAt(vpcAnnotation), `is missing: ${nicsAnnotation} needs the VPC that its NICs are in`)
  if (!reference.test(vpc)) return refuse(annotationAt(vpcAnnotation), `must be the name of a Vpc, or namespace/name, not ${quoted(vpc)}`)
  if (clusterNic !== 'none' && clusterNic !== 'delegate')
    return refuse(annotationAt(clusterNicAnnotation), `must be none or delegate, not ${quoted(clusterNic)}`)
  return undefined
}

/** The Vpc that a pod may use: its namespace's own, or one that is shared with it. */
export function vpcOf(request: NicRequest, world: NetworkView): Resource<'Vpc'> | Refusal {
  const { namespace, name } = resolveReference(request.vpc, request.namespace)
  const vpc = world.vpc(namespace, name)
  const at = annotationAt(request.byPolicy ? networkAnnotation : vpcAnnotation)
  // A policy's words are no pod's: whoever is told of the pod is not told of them.
  const text = request.byPolicy ? 'that its policy names, or its namespace,' : request.vpc
  if (vpc === undefined || !isUsableBy(request.namespace, vpc)) return refuseForNow(at, `Vpc ${text} not found`)
  return vpc.metadata.deletionTimestamp === undefined ? vpc : refuse(at, `Vpc ${text} is being deleted`)
}
