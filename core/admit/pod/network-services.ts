// NICs of network services: a client of one, or an endpoint. Such a NIC is in the Subnet that its NetworkService stands on.
import { networkServiceAnnotation, nicsAnnotation, poolAnnotation } from '../../kinds/annotations.ts'
import { inNamespaceOf, keyOfItem, resolveReference, type Resource } from '../../kinds/index.ts'
import { readClientUrls } from '../../nsm/client-url.ts'
import type { NetworkView, NicRole } from '../network-view.ts'
import { quoted } from '../quoted.ts'
import { annotationAt, isRefusal, refuse, refuseForNow, type Refusal } from '../refusal.ts'
import { nicAt, type NicFields } from './nic-fields.ts'
import { subnetNamed } from './subnets.ts'

type Annotations = Readonly<Record<string, string>>

/** The list of NICs that a pod's URLs come to, as text; its own list counts alone where it has one. */
export function nicsByUrl(annotations: Annotations, namespace: string, world: NetworkView): string | Refusal | undefined {
  const text = annotations[networkServiceAnnotation]
  if (text === undefined || annotations[nicsAnnotation] !== undefined) return undefined
  const urls = readClientUrls(text)
  // One of them all is enough to know: else the pod is somebody else's, as Network Service Mesh's own webhook serves the same annotation.
  const names = 'wrong' in urls ? [text.replace(/^[a-z]+:\/\//, '').split(/[@/?,]/)[0]!] : urls.map(({ networkService }) => networkService)
  if (!names.some((name) => subnetKeyOf(world.networkService?.(namespace, name)) !== undefined)) return undefined
  return 'wrong' in urls ? refuse(annotationAt(networkServiceAnnotation), urls.wrong) : JSON.stringify(urls)
}

/** What is wrong with a list that nobody wrote is wrong with the URLs that it was made of. */
export const atUrls = (refusal: Refusal): Refusal =>
  refusal.at.startsWith(annotationAt(nicsAnnotation)) ? { ...refusal, at: annotationAt(networkServiceAnnotation) } : refusal

/** `namespace/name` of the Subnet that a NetworkService stands on. */
export function subnetKeyOf(service: Resource<'NetworkService'> | undefined): string | undefined {
  const named = service?.metadata.annotations?.[poolAnnotation]
  if (service === undefined || named === undefined) return undefined
  const { namespace, name } = resolveReference(named, service.metadata.namespace ?? '')
  return `${namespace}/${name}`
}

/** `namespace/name` of the Vpc of the first of these NICs that is of a service: a pod that names no Vpc is in it. */
export function vpcByService(nics: readonly NicFields[], namespace: string, world: NetworkView): string | undefined {
  for (const { service } of nics) {
    const at = service && resolveReference(service.name, namespace)
    const subnetKey = at && subnetKeyOf(world.networkService?.(at.namespace, at.name))
    if (subnetKey === undefined) continue
    const { namespace: home, name } = resolveReference(subnetKey, namespace)
    const subnet = world.subnet(home, name)
    if (subnet?.spec.vpc !== undefined) return inNamespaceOf(subnet, subnet.spec.vpc)
  }
  return undefined
}

interface Around {
  readonly namespace: string
  readonly vpc: Resource<'Vpc'>
  readonly world: NetworkView
}
type Position = { readonly hot?: true; readonly index: number }

/** The Subnet of a NIC that is of a network service. */
export function subnetOfService(nic: NicFields, place: Position, around: Around): Resource<'Subnet'> | Refusal {
  const { subnet: written } = nic
  const { vpc, world } = around
  const at = (): string => nicAt(place, nic.service!.as === 'client' ? 'networkService' : 'serves')
  const wrong = problemInVpc(vpc)
  if (wrong !== undefined) return refuse(at(), wrong)
  const asWritten = written === undefined ? undefined : subnetNamed(written, vpc, world, () => nicAt(place, 'subnet'))
  // A node goes by what admission has written.
  if (world.networkService === undefined && asWritten !== undefined) return asWritten
  const subnet = standsOn(nic.service!.name, around, at)
  if (isRefusal(subnet) || asWritten === undefined) return subnet
  if (isRefusal(asWritten) || asWritten.metadata.uid === subnet.metadata.uid) return asWritten
  const message = `NetworkService ${nic.service!.name} stands on Subnet ${keyOfItem(subnet)}, not on ${quoted(written)}`
  return refuse(nicAt(place, 'subnet'), message)
}

function standsOn(service: string, { namespace, vpc, world }: Around, at: () => string): Resource<'Subnet'> | Refusal {
  const named = resolveReference(service, namespace)
  const found = world.networkService?.(named.namespace, named.name)
  if (found === undefined) return refuseForNow(at(), `NetworkService ${service} not found`)
  const key = subnetKeyOf(found)
  return key === undefined
    ? refuseForNow(at(), `NetworkService ${service} stands on no Subnet: it needs the annotation ${poolAnnotation}`)
    : subnetNamed(key, vpc, world, at)
}

/** Whom a Port may talk to is told by what it is, and in a VLAN, or at a cloud, nobody of ours knows whose an address is. */
function problemInVpc({ spec, metadata: { name } }: Resource<'Vpc'>): string | undefined {
  if (spec.cloud !== undefined) return `is not done in Vpc ${name}, which a cloud carries`
  return spec.vlan !== undefined ? `is not done in Vpc ${name}, which is a VLAN` : undefined
}

/** What its Port is to know. */
export function nicServiceOf({ service }: NicFields, namespace: string): { readonly service?: NicRole } {
  if (service === undefined) return {}
  const named = resolveReference(service.name, namespace)
  return { service: { name: `${named.namespace}/${named.name}`, as: service.as, labels: service.labels } }
}
