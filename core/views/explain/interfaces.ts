// A pod's interface in VLANs of an L2ServiceAttachment: which policies judge it, or why it is closed, by what is stored.
import { keyOfItem, type Resource } from '../../kinds/index.ts'
import { ruleSetName, type RuleSetSpec } from '../../kinds/policy/policy-rule-set.ts'
import { unknown, type Tier } from '../../kinds/policy/tiers.ts'
import { vlansOpen } from '../../node/external-conf.ts'
import { notDone } from '../../pieces/policy/not-done.ts'
import { attachmentSegment, externalPolicyNamed } from '../../plan/node/external-policy.ts'
import { planeName } from './plane-names.ts'

export interface InterfaceExplained {
  /** Both as `namespace/name`. */
  readonly attachment: string
  readonly pod: string
  readonly vlans: readonly number[]
  /** free: nobody judges it. closed: nothing passes but ARP, neighbour discovery and DHCP. */
  readonly state: 'free' | 'judged' | 'closed'
  readonly because: string
  readonly policies: readonly JudgingPolicy[]
}

export interface JudgingPolicy {
  readonly tier: Tier
  readonly policy: { readonly kind: string; readonly namespace?: string; readonly name: string }
  readonly rules: number
  /** It changes no verdict: what it would deny is counted. */
  readonly audit: boolean
}

export interface InterfaceOfPod {
  readonly pod: Resource<'Pod'>
  readonly attachment: Resource<'L2ServiceAttachment'>
  /** What the pod's node carries Ports with; absent: not known. */
  readonly dataplane?: string | undefined
}

/** @param sets of its VLAN */
export function interfaceExplained(of: InterfaceOfPod, sets: readonly RuleSetSpec[]): InterfaceExplained {
  const { pod, attachment } = of
  const place = { attachment: keyOfItem(attachment), pod: keyOfItem(pod), vlans: vlansOpen(attachment.status?.vlans) }
  const segment = attachmentSegment(attachment)
  if (segment === undefined) return { ...place, state: 'free', because: whyNotOurs(attachment), policies: [] }
  const named = externalPolicyNamed(attachment, { podUID: pod.metadata.uid, segment })
  if (named === undefined) return { ...place, state: 'free', because: whyFree(attachment), policies: [] }
  if (named.identity === unknown) return { ...place, state: 'closed', because: 'workers have not told (yet) who judges it', policies: [] }
  const byName = new Map(sets.map((set) => [ruleSetName(set), set]))
  const judging = named.ruleSets.flatMap((name) => byName.get(name) ?? [])
  const absent = named.ruleSets.find((name) => !byName.has(name))
  const closed = absent === undefined ? leftOut(judging, of) : `PolicyRuleSet ${absent}, which judges it, is not there (yet)`
  return {
    ...place,
    state: closed === undefined ? 'judged' : 'closed',
    because: closed ?? whoJudges(judging),
    policies: judging.map(shown),
  }
}

function whyNotOurs({ status = {} }: Resource<'L2ServiceAttachment'>): string {
  const { implementation, message = 'nobody has looked at it' } = status
  if (implementation !== undefined && implementation !== 'megrez') return `plugin ${implementation} plumbs it: policies judge none of those`
  return `it is in no VLAN yet: ${message}`
}

const whyFree = ({ status }: Resource<'L2ServiceAttachment'>): string =>
  status?.policy === undefined ? 'no policy is in force in its VLAN' : 'the cluster audits, and workers have not told (yet) who judges it'

const whoJudges = (judging: readonly RuleSetSpec[]): string =>
  judging.length === 0 ? 'no policy selects its pod: all passes' : `${judging.length === 1 ? 'a policy judges' : 'policies judge'} it`

/** A plane that judges nothing in VLANs closes it, unless no policy asks for that. */
function leftOut(judging: readonly RuleSetSpec[], { dataplane }: InterfaceOfPod): string | undefined {
  if (dataplane !== 'bess' && dataplane !== 'linux') return undefined
  const closing = judging.find((set) => set.audit !== true && set.onUnsupported !== 'allow' && notDone[dataplane](set).length > 0)
  return (
    closing && `its node has ${planeName(dataplane)}, which judges nothing in VLANs, and ${closing.policy.name} closes what is not judged`
  )
}

const shown = ({ tier, policy: { kind, namespace, name }, rules, audit = false }: RuleSetSpec): JudgingPolicy => ({
  tier,
  policy: { kind, ...(namespace !== undefined && { namespace }), name },
  rules: rules.length,
  audit,
})
