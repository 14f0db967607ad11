// POST /v1/policy/plan?attachment=…: what policies would change for interfaces in a VLAN.
import { refOf, type Resource } from '../../../core/kinds/index.ts'
import { vlansOpen } from '../../../core/node/external-conf.ts'
import { attachmentSegment } from '../../../core/plan/node/external-policy.ts'
import { memberOfPod } from '../../../core/policy/member.ts'
import { readPolicy, type PolicyKind } from '../../../core/policy/read.ts'
import { forecastInVlan, type ForecastInterface, type VlanForecast } from '../../../core/policy/vlan/forecast.ts'
import type { Caller } from '../../plugins/auth.ts'
import { everyOf } from '../across/gather.ts'
import { reachOf } from '../across/reach.ts'
import type { RestDeps } from '../deps.ts'
import { afterChange, type PolicyChange } from './change.ts'
import { podsOn } from './interfaces.ts'
import { policiesOf } from './network.ts'

type Attachment = Resource<'L2ServiceAttachment'>
interface PlannedIn {
  readonly attachment: Attachment
  readonly segment: number
  /** All that is in force there is in audit. */
  readonly isAudit: boolean
}

export interface VlanPlan extends Omit<VlanForecast, 'problems'> {
  readonly problems: readonly { readonly policy: NamedPolicy; readonly path: string; readonly message: string }[]
}

/** Told of pods that the caller may list. */
export async function planInVlan(change: PolicyChange, at: PlannedIn, deps: RestDeps, caller: Caller): Promise<VlanPlan> {
  const interfaces = await interfacesIn(at, deps, caller)
  const names = [...new Set(interfaces.map(({ member }) => member.namespace))]
  const stored = await policiesOf(deps, names)
  const edited = new Set(change.put.map((each) => textOf(refOf(each))))
  const { problems, ...forecast } = forecastInVlan(read(stored), read(afterChange(stored, change)), {
    segment: at.segment,
    interfaces,
    vlans: vlansOpen(at.attachment.status?.vlans),
    isAudit: at.isAudit && change.enforce,
    isEdited: ({ of }) => edited.has(textOf(of)),
  })
  return { ...forecast, problems: problems.map(({ policy, problem: { path, message } }) => ({ policy: nameOf(policy), path, message })) }
}

const read = (all: readonly Resource<PolicyKind>[]) => all.flatMap((each) => readPolicy(each).policy ?? [])
const textOf = ({ kind, namespace = '', name }: NamedPolicy): string => `${kind} ${namespace}/${name}`
interface NamedPolicy {
  readonly kind: string
  readonly namespace?: string
  readonly name: string
}
const nameOf = ({ kind, namespace, name }: NamedPolicy): NamedPolicy => ({
  kind,
  ...(namespace !== undefined && { namespace }),
  name,
})

/** Of all attachments to the VLAN: whoever is there may be named by rules. */
async function interfacesIn({ attachment, segment }: PlannedIn, deps: RestDeps, caller: Caller): Promise<readonly ForecastInterface[]> {
  const { namespace = '' } = attachment.metadata
  const all = await everyOf(deps, undefined, 'L2ServiceAttachment', { namespace })
  const there = all.filter((each) => attachmentSegment(each) === segment)
  const namespaces = new Map((await everyOf(deps, undefined, 'Namespace')).map((each) => [each.metadata.name, each]))
  const shown = await reachOf(deps, caller, { kind: 'Pod' })
  const found = await Promise.all(
    there.map(async (each) => {
      const isAsked = each.metadata.uid === attachment.metadata.uid
      return (await podsOn(each, deps)).map((pod): ForecastInterface => {
        const { namespace: its = '' } = pod.metadata
        const isShown = isAsked && (shown.includes(undefined) || shown.includes(its))
        return { pod, attachment: each, member: memberOfPod(pod, namespaces.get(its)), isShown }
      })
    }),
  )
  return found.flat()
}
