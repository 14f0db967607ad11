// A Service of our class: its ServiceAddress, its slices, and what its status says.
import type { Draft } from '../../contracts/store.ts'
import { poolAnnotation, serviceAddressFinalizer } from '../../kinds/annotations.ts'
import { apiVersionOf, keyOfItem, refOf, type Ref, type Resource, type SpecOf } from '../../kinds/index.ts'
import { readyCondition } from '../../kinds/meta.ts'
import { sameJson } from '../../same-json.ts'
import { inPlace, refused, waitingFor, type Plan, type Step } from '../plan.ts'
import { endpointsOf, type Member } from './members.ts'
import { sliceSteps, type SliceAction } from './slices.ts'

type Address = Resource<'ServiceAddress'>
type Spec = SpecOf<'ServiceAddress'>

export type ServiceAction =
  | SliceAction
  | { readonly do: 'makeAddress'; readonly draft: Draft<'ServiceAddress'> }
  | { readonly do: 'changeAddress'; readonly address: Address; readonly spec: Spec }
  | { readonly do: 'deleteAddress'; readonly address: Address }

/** Where the address is to come from. */
export interface ServicePool {
  readonly subnet: Resource<'Subnet'>
  readonly vpc: Resource<'Vpc'>
  readonly vni: number
}
export interface ServiceDesired {
  readonly ref: Ref<'Service'>
  readonly service: Resource<'Service'> | undefined
  /** It is of our class, and there to stay. */
  readonly isWanted: boolean
  readonly address: Address | undefined
  /** Ours alone. */
  readonly slices: readonly Resource<'EndpointSlice'>[]
  /** `isGone`: there is no Subnet of that name at all. */
  readonly pool: ServicePool | { readonly problem: string; readonly later: boolean; readonly isGone?: boolean }
  /** `namespace/name` of the Subnet that it names. */
  readonly named: string | undefined
  readonly members: readonly Member[]
}
export type ServicePlan = Plan<ServiceAction> & {
  /** What clients may use. */
  readonly ingress: readonly string[]
}

/** A Subnet that comes wakes it; this is for the case that nobody saw it come. */
const waitingAgainMs = 60_000

export function planService(desired: ServiceDesired): ServicePlan {
  const { service, address, isWanted } = desired
  if (service === undefined || !isWanted) return planEnd(desired)
  if (address !== undefined && isLeft(address, desired)) return planLeaving(service, address, desired)
  if (address !== undefined) return planServed(service, address, desired)
  const { pool } = desired
  if ('problem' in pool) return without(problemPlan(pool), service, desired)
  const draft = draftOf(service, pool, desired.members)
  const because = { rule: 'a Service of our class', of: refOf(service) }
  return {
    ...waitingFor('AddressPending', 'its address is being locked'),
    ingress: [],
    steps: [{ action: { do: 'makeAddress', draft }, because }],
  }
}

const problemPlan = ({ problem, later }: { readonly problem: string; readonly later: boolean }): Plan<never> =>
  later ? { ...refused('PoolMissing', problem), requeueAfterMs: waitingAgainMs } : refused('Refused', problem)

/** It is another's, is on its way out, or of a pool that is gone or not named any more: the pool of an address never changes. */
const isLeft = ({ metadata, spec }: Address, { service, named, pool }: ServiceDesired): boolean =>
  metadata.deletionTimestamp !== undefined ||
  spec.subnet !== named ||
  ('isGone' in pool && pool.isGone === true) ||
  metadata.ownerReferences?.some(({ uid }) => uid === service?.metadata.uid) !== true

function planLeaving(service: Resource<'Service'>, address: Address, desired: ServiceDesired): ServicePlan {
  const named =
    desired.named === undefined ? `${poolAnnotation} names no pool any more` : `its address in ${address.spec.subnet} is being freed`
  return without(waitingFor('AddressLeaving', named), service, desired)
}

/** Neither slices nor an address. */
function without(plan: Plan<never>, service: Resource<'Service'>, { address, slices }: ServiceDesired): ServicePlan {
  return { ...plan, ingress: [], steps: [...sliceSteps(service, [], slices), ...letGo(address, service)] }
}

const letGo = (address: Address | undefined, because: Resource): readonly Step<ServiceAction>[] =>
  address === undefined || address.metadata.deletionTimestamp !== undefined
    ? []
    : [
        {
          action: { do: 'deleteAddress', address },
          because: { rule: 'a Service that is to have no address, or another', of: refOf(because) },
        },
      ]

/** Its finalizer stays until its address is free. */
function planEnd({ service, address, slices }: ServiceDesired): ServicePlan {
  const of = service ?? address
  const steps = [...(service === undefined ? [] : sliceSteps(service, [], slices)), ...(of === undefined ? [] : letGo(address, of))]
  const plan = { ingress: [], steps }
  return address === undefined
    ? { ...plan, phase: 'deleted', reason: 'Freed', message: 'it has no address of ours' }
    : { ...plan, phase: 'terminating', reason: 'AddressLeaving', message: 'its address is being freed' }
}

function planServed(service: Resource<'Service'>, address: Address, { members, slices, pool }: ServiceDesired): ServicePlan {
  const { endpoints, leftOut } = endpointsOf(service.spec, members)
  const spec: Spec = { ...wantedOf(service), ...locationOf(address), endpoints: [...endpoints] }
  const change: Step<ServiceAction> = {
    action: { do: 'changeAddress', address, spec },
    because: { rule: 'what a Service asks for, and who serves it', of: refOf(service) },
  }
  const steps = [...(sameJson(spec, address.spec) ? [] : [change]), ...sliceSteps(service, members, slices)]
  // What is wrong with what it asks for now does not take the address that it has.
  const verdict = 'problem' in pool && !pool.later ? refused('Refused', pool.problem) : verdictOf(address, endpoints.length, leftOut)
  const isKept = verdict.phase === 'ready' || verdict.reason === 'Refused'
  return { ...verdict, ingress: isKept ? address.spec.addresses : [], steps }
}

/** As its address is reported. */
function verdictOf(address: Address, many: number, leftOut: number): Plan<never> {
  const { phase, conditions, message = 'its address is being locked' } = address.status ?? {}
  if (phase === 'ready') return inPlace('InPlace', servedBy(address, many, leftOut))
  const reason = readyCondition(conditions)?.reason ?? 'AddressPending'
  return phase === 'error' ? refused(reason, message) : waitingFor(reason, message)
}

function servedBy({ spec }: Address, many: number, leftOut: number): string {
  const more = leftOut === 0 ? '' : `; ${leftOut} more are left out, as nodes take ${many}`
  return `${spec.addresses.join(' and ')} of Subnet ${spec.subnet}${more}`
}

const locationOf = ({ spec: { subnet, vpc, vni, addresses } }: Address): Pick<Spec, 'subnet' | 'vpc' | 'vni' | 'addresses'> => ({
  subnet,
  vpc,
  vni,
  addresses,
})

/** As long as Kubernetes remembers a client where nothing is said (core/v1, ClientIPConfig). */
const affinitySeconds = 10_800

function wantedOf({ spec }: Resource<'Service'>): Pick<Spec, 'ports' | 'externalTrafficPolicy' | 'sessionAffinity'> {
  return {
    ports: (spec.ports ?? []).map(({ name, protocol = 'TCP', port }) => ({ ...(name !== undefined && { name }), protocol, port })),
    externalTrafficPolicy: spec.externalTrafficPolicy ?? 'Cluster',
    ...(spec.sessionAffinity === 'ClientIP' && {
      sessionAffinity: { clientIPSeconds: spec.sessionAffinityConfig?.clientIP?.timeoutSeconds ?? affinitySeconds },
    }),
  }
}

/** Its finalizer from birth: its locks are made after it. */
function draftOf(service: Resource<'Service'>, { subnet, vpc, vni }: ServicePool, members: readonly Member[]): Draft<'ServiceAddress'> {
  const { namespace = '', name, uid } = service.metadata
  const place = { subnet: keyOfItem(subnet), vpc: keyOfItem(vpc), vni, addresses: [] }
  return {
    kind: 'ServiceAddress',
    metadata: {
      namespace,
      name,
      finalizers: [serviceAddressFinalizer],
      ownerReferences: [{ apiVersion: apiVersionOf('Service'), kind: 'Service', name, uid, controller: true, blockOwnerDeletion: true }],
    },
    spec: { ...wantedOf(service), ...place, endpoints: [...endpointsOf(service.spec, members).endpoints] },
  }
}
