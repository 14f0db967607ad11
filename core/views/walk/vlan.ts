// A pod's interface in VLANs as its node carries it, and how a packet of one of them comes to it there.
import { attachmentOf, vlansOpen } from '../../node/external-conf.ts'
import type { LocalPort, PortPolicy } from '../../node/wanted.ts'
import { refOf } from '../../kinds/index.ts'
import { vlanVid, tagPresent } from '../../pipeline/openflow/fields.ts'
import { attachmentSegment, externalPolicyNamed } from '../../plan/node/external-policy.ts'
import type { NamedPolicy } from '../../plan/node/policy.ts'
import type { VlanInterface } from '../../policy/trace/trace.ts'
import { nobodysMac, type Arrival } from './walked.ts'

/** Of its way into the VLANs, and of the zone of one of several: no end has them. */
const [wayNumber, zoneNumber] = [3, 4]

/** Undefined: policies judge nothing of it, or it is in no VLAN (yet). @param policyThere as its node has the rules */
export function portInVlans(at: VlanInterface, number: number, policyThere: (named: NamedPolicy) => PortPolicy): LocalPort | undefined {
  const { pod, attachment, vlan } = at
  const { physicalNetwork, vlans } = attachment.status ?? {}
  const named = policyInVlans(at)
  if (named === undefined || physicalNetwork === undefined) return undefined
  const { vlanType } = attachment.spec
  return {
    uid: pod.metadata.uid,
    of: refOf(attachment),
    number,
    ifcName: 'end',
    attachment: attachmentOf({ physicalNetwork, vlanType, vlans: vlansOpen(vlans) }),
    mac: nobodysMac,
    addresses: [],
    allowedAddressPairs: [],
    portSecurity: false,
    type: 'kernel',
    mtu: 1_500,
    policy: policyThere(named),
    wayNumber,
    ...(vlanType !== 'access' && { zones: [{ vlan, number: zoneNumber }] }),
  }
}

/** By its own port, or by the way from its VLANs; with a tag where it is in several. */
export function inVlan({ attachment, vlan }: VlanInterface, { frame, by }: Pick<Arrival, 'frame' | 'by'>): Pick<Arrival, 'frame' | 'by'> {
  const isTagged = attachment.spec.vlanType !== 'access'
  return { frame: isTagged ? new Map([...frame, [vlanVid, tagPresent + vlan] as const]) : frame, by: by === 'tunnel' ? wayNumber : by }
}

/** Undefined: policies judge nothing of it, or it is in no VLAN (yet). */
export function policyInVlans({ pod, attachment }: Pick<VlanInterface, 'pod' | 'attachment'>): NamedPolicy | undefined {
  const segment = attachmentSegment(attachment)
  return segment === undefined ? undefined : externalPolicyNamed(attachment, { podUID: pod.metadata.uid, segment })
}
