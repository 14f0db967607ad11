// What a Service is told: its addresses, a condition, and an Event for each change of that.
import type { Write } from '../../contracts/store.ts'
import { serviceFinalizer, serviceReadyCondition } from '../../kinds/annotations.ts'
import type { ServiceIngress, ServiceStatus } from '../../kinds/foreign-services.ts'
import { refOf, type Resource } from '../../kinds/index.ts'
import type { Condition } from '../../kinds/meta.ts'
import { sameJson } from '../../same-json.ts'
import { eventOf } from '../events.ts'
import { ended, type Reporting } from '../status.ts'
import type { ServicePlan } from './service.ts'

type Fields = Required<{ readonly [F in 'loadBalancer' | 'conditions']: ServiceStatus[F] | undefined }>

/**
 * Only where our finalizer stands: without it the Service is somebody else's, or this pass has just put it there, and what was read is old.
 *
 * @param isWanted the Service is still of our class
 */
export function serviceReported(
  service: Resource<'Service'>,
  plan: ServicePlan,
  isWanted: boolean,
  reporting: Reporting,
): readonly Write[] {
  if (service.metadata.finalizers?.includes(serviceFinalizer) !== true) return []
  const isGoing = service.metadata.deletionTimestamp !== undefined
  const writes = isGoing ? [] : isWanted ? saidOf(service, plan, reporting.now) : writesOf(service, cleared(service))
  return plan.phase === 'deleted' ? [...writes, ...ended(service, [serviceFinalizer], reporting)] : writes
}

function saidOf(service: Resource<'Service'>, plan: ServicePlan, now: number): readonly Write[] {
  const before = service.status?.conditions?.find(({ type }) => type === serviceReadyCondition)
  const condition = conditionOf(service, plan, before, now)
  const others = othersOf(service)
  const patch = writesOf(service, { loadBalancer: { ingress: plan.ingress.map(ingressOf) }, conditions: [...others, condition] })
  const isNews = before?.status !== condition.status || before.reason !== condition.reason || before.message !== condition.message
  return [...patch, ...(isNews ? eventsOf(service, plan, before, now) : [])]
}

/** kube-proxy takes packets for a VIP to its own endpoints; what is said to be a proxy's address it leaves alone. */
const ingressOf = (ip: string): ServiceIngress => ({ ip, ipMode: 'Proxy' })

function conditionOf(
  { metadata: { generation } }: Resource<'Service'>,
  { phase, reason, message }: ServicePlan,
  before: Condition | undefined,
  now: number,
): Condition {
  const status = phase === 'ready' ? 'True' : phase === 'pending' ? 'Unknown' : 'False'
  const since = before?.status === status ? before.lastTransitionTime : new Date(now).toISOString().replace(/\.\d+Z$/, 'Z')
  return { type: serviceReadyCondition, status, reason, message, observedGeneration: generation, lastTransitionTime: since }
}

const othersOf = ({ status }: Resource<'Service'>): readonly Condition[] =>
  (status?.conditions ?? []).filter(({ type }) => type !== serviceReadyCondition)

function cleared(service: Resource<'Service'>): Fields {
  const conditions = othersOf(service)
  return { loadBalancer: {}, conditions: conditions.length === 0 ? undefined : conditions }
}

function writesOf(service: Resource<'Service'>, fields: Fields): readonly Write[] {
  const { status = {}, metadata } = service
  const ingress = (of: ServiceStatus['loadBalancer']): readonly ServiceIngress[] => of?.ingress ?? []
  const isSaid =
    sameJson(ingress(status.loadBalancer), ingress(fields.loadBalancer)) && sameJson(status.conditions ?? [], fields.conditions ?? [])
  return isSaid
    ? []
    : [{ do: 'patchServiceStatus', ref: refOf(service), uid: metadata.uid, resourceVersion: metadata.resourceVersion, fields }]
}

/** What goes as it should from the start the condition says. */
function eventsOf(
  service: Resource<'Service'>,
  { phase, reason, message }: ServicePlan,
  before: Condition | undefined,
  now: number,
): readonly Write[] {
  if (phase === 'pending' || (phase === 'ready' && before?.status !== 'False')) return []
  const type = phase === 'ready' ? 'Normal' : 'Warning'
  return [eventOf(service, { type, reason, note: message, sequence: now }, now)]
}
