// Who judges an interface in VLANs, as workers say it in the status of its L2ServiceAttachment.
import type { Resource } from '../../kinds/index.ts'
import { ruleSetName } from '../../kinds/policy/policy-rule-set.ts'
import { unknown } from '../../kinds/policy/tiers.ts'
import { vlanSegment } from '../../net/segment.ts'
import type { NamedPolicy } from './policy.ts'

/** The number of the VLAN that rules are for, the first of several; undefined: not ours to plumb, or not there yet. */
export function attachmentSegment({ status = {} }: Pick<Resource<'L2ServiceAttachment'>, 'status'>): number | undefined {
  const { implementation, physicalNetwork, vlans = [], definition } = status
  const isOurs = implementation === 'megrez' && definition !== undefined
  return isOurs && physicalNetwork !== undefined && vlans[0] !== undefined ? vlanSegment(physicalNetwork, vlans[0]) : undefined
}

/** No rule set has this number: who is judged by it lets nothing pass. */
const nobodys = 0

/**
 * A pod that is not told of, or is told of in another VLAN than the one it is in, waits for the word of workers.
 *
 * @param segment number of the VLAN that the interface is in
 * @returns undefined where no policy is in force there, and of workers that do not know of policies in VLANs
 */
export function externalPolicyNamed(
  { status: { policy } = {} }: Pick<Resource<'L2ServiceAttachment'>, 'status'>,
  { podUID, segment }: { readonly podUID: string | undefined; readonly segment: number },
): NamedPolicy | undefined {
  if (policy === undefined) return undefined
  const mine = policy.judged.find(({ pods }) => podUID !== undefined && pods.includes(podUID))
  if (mine === undefined || policy.segment !== segment) {
    if (policy.audit === true) return undefined
    return { identity: unknown, ruleSets: [ruleSetName({ vni: segment, number: nobodys })] }
  }
  return { identity: mine.identity, ruleSets: mine.ruleSets }
}
