// Which Port answers a Nic of a pod: one of the pod's own namespace, by the name that is derived for the Nic or that the Nic names,
// and claimed for just this pod and Nic. That a Port says the pod's UID proves nothing: whoever may make a Port could write it.
import { resolveReference, type Resource } from '../../kinds/index.ts'
import type { Claim } from '../../kinds/vpc/port.ts'
import { portNameOf } from '../../net/names.ts'
import type { ResolvedNic } from '../network-view.ts'

type PodNamed = Pick<Resource<'Pod'>, 'metadata'>

/** Its name, in the pod's namespace. */
export const portNameFor = (nic: Pick<ResolvedNic, 'name' | 'portName'>, { metadata }: PodNamed): string =>
  nic.portName ?? portNameOf(metadata, nic.name)

/** Why a Port is not the Nic's to have, in words; undefined where it is. */
export function whyNotPortOf(port: Resource<'Port'>, nic: ResolvedNic, pod: PodNamed): string | undefined {
  const { namespace = '', uid } = pod.metadata
  const { claim, podUID, subnet } = port.spec
  if (port.metadata.namespace !== namespace || port.metadata.name !== portNameFor(nic, pod)) return 'it is another Port'
  const place = resolveReference(subnet, namespace)
  if (place.namespace !== nic.subnet.namespace || place.name !== nic.subnet.name)
    return `it is in Subnet ${subnet}, and the NIC asks for ${nic.subnet.name}`
  if (claim === undefined) return 'nobody has claimed it for the pod yet'
  if (!isClaimedFor(claim, nic, pod)) return `it is claimed for NIC ${claim.nic} of pod ${claim.pod}`
  return podUID === uid ? undefined : 'its pod before has not let it go yet'
}

const isClaimedFor = (claim: Claim, nic: ResolvedNic, { metadata }: PodNamed): boolean =>
  claim.pod === metadata.name && claim.podUID === metadata.uid && claim.nic === nic.name
