// An L2ServiceAttachment: its NetworkAttachmentDefinition, which is there only while the fabric carries what it promises.
import type { Draft } from '../../contracts/store.ts'
import { refOf, type Resource } from '../../kinds/index.ts'
import { sameJson } from '../../same-json.ts'
import { definitionOf } from './definitions.ts'
import { choose, implementationsOf, type ImplementationChoice } from './implementation-choice.ts'
import { ipamOf } from './ipam.ts'
import { refused, waitingFor, type Plan, type Step } from '../plan.ts'
import { networkOf } from './switch-ports.ts'
import { againInMs, blockedText, type Blockers } from '../vpc/blockers.ts'

type Definition = Resource<'NetworkAttachmentDefinition'>
export type DefinitionAction =
  | { readonly do: 'makeDefinition'; readonly draft: Draft<'NetworkAttachmentDefinition'> }
  | { readonly do: 'repairDefinition'; readonly definition: Definition; readonly draft: Draft<'NetworkAttachmentDefinition'> }
  | { readonly do: 'deleteDefinition'; readonly definition: Definition }

/** One of its L2Services, and what the fabric does for it. */
export interface UsedL2Service {
  readonly name: string
  readonly service: Resource<'L2Service'> | undefined
  readonly domain: Resource<'L2BridgeDomain'> | undefined
  readonly subnets: readonly { readonly name: string; readonly subnet: Resource<'Subnet'> | undefined }[]
}
export interface AttachmentDesired {
  readonly attachment: Resource<'L2ServiceAttachment'>
  readonly point: Resource<'ConnectionPoint'> | undefined
  readonly services: readonly UsedL2Service[]
  readonly refusal: string | undefined
  /** Other trunks on the ConnectionPoint that stand with it: name, and the VLANs they bring. */
  readonly shared: readonly { readonly name: string; readonly vlans: readonly number[] }[]
  /** Pods that use the definition, where it is to be deleted. */
  readonly blockers: Blockers | undefined
}
export interface AttachmentObserved {
  readonly definition: Definition | undefined
}
type AttachmentPlan = Plan<DefinitionAction>

const driftAgainMs = 60_000

export function planAttachment(desired: AttachmentDesired, { definition }: AttachmentObserved): AttachmentPlan {
  const { attachment, point, refusal } = desired
  if (attachment.metadata.deletionTimestamp !== undefined) return planEnd(desired, definition)
  const { connectionPoint } = attachment.spec
  if (point === undefined)
    return keeping(desired, waitingFor('ConnectionPointMissing', `ConnectionPoint ${connectionPoint} is not there yet`), definition)
  if (refusal !== undefined) return keeping(desired, refused('Refused', refusal), definition)
  const choice = choose(implementationsOf(point), attachment.spec)
  if (typeof choice === 'string') return keeping(desired, refused('Refused', choice), definition)
  const not = whyNotYet(desired)
  if (not !== undefined) return keeping(desired, not, definition)
  return planDefinition(desired, { choice, point, definition })
}

/** What is there stays while the fabric is being changed below it: pods that run on it are not cut off. */
function keeping(desired: AttachmentDesired, plan: Plan<never>, definition: Definition | undefined): AttachmentPlan {
  const { status, metadata } = desired.attachment
  const mine = definition !== undefined && isOf(definition, metadata.uid)
  const { vlans, physicalNetwork, implementation, podInterfaceType } = status ?? {}
  const kept = Object.fromEntries(
    Object.entries({ vlans, physicalNetwork, implementation, podInterfaceType, definition: metadata.name }).filter(
      ([, value]) => value !== undefined,
    ),
  )
  return { ...plan, sections: { definition: { ...(mine && kept), progress: progressOf(desired) } } }
}

/** Over all its L2Services. */
function progressOf({ services }: AttachmentDesired): string {
  const sum = (of: 'open' | 'wanted'): number => services.reduce((all, { domain }) => all + (domain?.status?.[of] ?? 0), 0)
  return `${sum('open')} of ${sum('wanted')} switch ports`
}

function whyNotYet({ attachment, services }: AttachmentDesired): Plan<never> | undefined {
  for (const { name, service, domain, subnets } of services) {
    const not = whyNotServed(name, service) ?? whyNotOpen({ name, service: service!, domain, point: attachment.spec.connectionPoint })
    if (not !== undefined) return not
    const without = attachment.spec.vlanType === 'access' ? whyNotAddressed(name, subnets) : undefined
    if (without !== undefined) return without
  }
  return undefined
}

function whyNotAddressed(service: string, subnets: UsedL2Service['subnets']): Plan<never> | undefined {
  const missing = subnets.find(({ subnet }) => subnet === undefined)
  if (missing !== undefined) return waitingFor('SubnetMissing', `Subnet ${missing.name} of L2Service ${service} is not there yet`)
  const wrong = subnets.find(({ subnet }) => subnet?.status?.phase === 'error')
  return wrong && refused('SubnetError', `Subnet ${wrong.name} of L2Service ${service}: ${wrong.subnet?.status?.message ?? ''}`)
}

function whyNotServed(name: string, service: Resource<'L2Service'> | undefined): Plan<never> | undefined {
  if (service === undefined) return waitingFor('L2ServiceMissing', `L2Service ${name} is not there yet`)
  if (service.metadata.deletionTimestamp !== undefined) return waitingFor('L2ServiceMissing', `L2Service ${name} is being deleted`)
  return service.status?.phase === 'error' ? refused('L2ServiceError', `L2Service ${name}: ${service.status.message ?? ''}`) : undefined
}

interface ServiceRequest {
  readonly name: string
  readonly service: Resource<'L2Service'>
  readonly domain: Resource<'L2BridgeDomain'> | undefined
  readonly point: string
}

function whyNotOpen({ name, service, domain, point }: ServiceRequest): Plan<never> | undefined {
  const vlan = service.spec.segmentationID
  if (domain === undefined || domain.spec.vlan !== vlan || !domain.spec.connectionPoints.includes(point))
    return waitingFor('FabricPending', `VLAN ${vlan} of L2Service ${name} is not asked of the fabric yet`)
  const { phase, observedGeneration, message = '' } = domain.status ?? {}
  if (observedGeneration !== domain.metadata.generation || phase === undefined)
    return waitingFor('FabricPending', `VLAN ${vlan} of L2Service ${name} is being opened`)
  if (phase === 'ready') return undefined
  return (phase === 'error' ? refused : waitingFor)('FabricNotOpen', `VLAN ${vlan} of L2Service ${name}: ${message}`)
}

interface DefinitionChoice {
  readonly choice: ImplementationChoice
  readonly point: Resource<'ConnectionPoint'>
  readonly definition: Definition | undefined
}

function planDefinition(desired: AttachmentDesired, { choice, point, definition }: DefinitionChoice): AttachmentPlan {
  const { attachment, services, shared } = desired
  const ipam =
    attachment.spec.vlanType === 'access'
      ? ipamOf(services.flatMap(({ subnets }) => subnets.flatMap(({ subnet }) => subnet ?? [])))
      : undefined
  if (typeof ipam === 'string')
    return keeping(desired, refused('SubnetsDisagree', `L2Service ${services[0]?.name ?? ''}: ${ipam}`), definition)
  const vlans = services.map(({ service }) => service!.spec.segmentationID)
  const allowed = [...new Set([...vlans, ...shared.flatMap((each) => each.vlans)])].sort((a, b) => a - b)
  const physicalNetwork = networkOf(point)
  const draft = definitionOf({ attachment, choice, vlans, allowed, physicalNetwork, ipam })
  const name = `NetworkAttachmentDefinition ${attachment.metadata.name}`
  if (definition !== undefined && !isOf(definition, attachment.metadata.uid))
    return keeping(desired, { ...refused('DefinitionTaken', `${name} is there, and not ours`), requeueAfterMs: driftAgainMs }, definition)
  const trunk = attachment.spec.vlanType === 'trunk'
  return {
    steps: stepsOf(attachment, draft, definition),
    phase: 'ready',
    reason: 'InPlace',
    message: `${name}, VLAN ${(trunk ? allowed : vlans).join(', ')}${shared.length === 0 ? '' : `: the union with ${shared.map((each) => each.name).join(', ')}`}`,
    // Its watch wakes us; this is for where Kubernetes does not know the kind yet.
    requeueAfterMs: driftAgainMs,
    sections: {
      definition: {
        vlans: [...(trunk ? allowed : vlans)],
        physicalNetwork,
        implementation: choice.cni.name,
        podInterfaceType: choice.podInterfaceType,
        definition: attachment.metadata.name,
        progress: progressOf(desired),
      },
    },
  }
}

export const isOf = (definition: Definition, uid: string): boolean =>
  definition.metadata.ownerReferences?.some((owner) => owner.uid === uid) === true

function stepsOf(
  attachment: Resource<'L2ServiceAttachment'>,
  draft: Draft<'NetworkAttachmentDefinition'>,
  definition: Definition | undefined,
): Step<DefinitionAction>[] {
  const of = refOf(attachment)
  if (definition === undefined)
    return [
      { action: { do: 'makeDefinition', draft }, because: { rule: 'an attachment whose fabric is open and that has no definition', of } },
    ]
  if (definition.metadata.deletionTimestamp !== undefined || isSame(definition, draft)) return []
  return [
    {
      action: { do: 'repairDefinition', definition, draft },
      because: { rule: 'a definition that says something else than its attachment', of },
    },
  ]
}

/** Other annotations than ours are left as they are. */
function isSame({ spec, metadata }: Definition, draft: Draft<'NetworkAttachmentDefinition'>): boolean {
  const wanted = Object.entries(draft.metadata.annotations ?? {})
  return (
    spec.config === draft.spec.config &&
    wanted.every(([name, value]) => metadata.annotations?.[name] === value) &&
    sameJson(draft.metadata.ownerReferences, metadata.ownerReferences)
  )
}

function planEnd({ attachment, blockers }: AttachmentDesired, definition: Definition | undefined): AttachmentPlan {
  if (blockers !== undefined)
    return {
      steps: [],
      phase: 'terminating',
      reason: 'InUse',
      message: blockedText('Pod', blockers).replace('in it', 'using it'),
      ...againInMs(blockers),
    }
  const mine = definition !== undefined && isOf(definition, attachment.metadata.uid) && definition.metadata.deletionTimestamp === undefined
  const steps: Step<DefinitionAction>[] = mine
    ? [{ action: { do: 'deleteDefinition', definition }, because: { rule: 'an attachment that is being deleted', of: refOf(attachment) } }]
    : []
  return { steps, phase: 'deleted', reason: 'Freed', message: 'its definition is gone' }
}
