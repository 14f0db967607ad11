// Services of our class. A Service that is of another, or of none, is left alone.
import { isOurService, servicePoolKey, poolOf } from '../../../core/admit/service/pool.ts'
import type { Write } from '../../../core/contracts/store.ts'
import { serviceFinalizer } from '../../../core/kinds/annotations.ts'
import { inNamespaceOf, keyOfItem, refFromKey, refOf, type Ref, type Resource } from '../../../core/kinds/index.ts'
import { selectsPod, type Member } from '../../../core/plan/services/members.ts'
import { planService, type ServiceAction, type ServiceDesired, type ServicePlan } from '../../../core/plan/services/service.ts'
import { isSource } from '../../../core/plan/services/sources.ts'
import { serviceReported } from '../../../core/plan/services/service-report.ts'
import { refused } from '../../../core/plan/plan.ts'
import { selectedLabelOf, subnetKeyOf } from '../../../platform/cache/caches.ts'
import type { Env } from '../../controller-env.ts'
import { objects } from '../../drivers/store-objects.ts'
import type { Controller } from '../../loop/controller.ts'
import { row, type Row } from '../../loop/controller-row.ts'
import { serviceWatches } from './service-watches.ts'

export const services: Row<'Service'> = row('Service', serviceWatches, open)

function open(env: Env): Controller<ServiceDesired, undefined, undefined, ServiceAction, ServicePlan> {
  const driver = objects<undefined, undefined, ServiceAction>(env.store, 'objects', { observe: () => undefined, writesOf })
  return {
    gather: (key) => gather(key, env),
    driver: () => driver,
    scope: () => undefined,
    item: ({ service }) => service,
    basis: ({ ref, service, named }) => [
      ...(service === undefined ? [ref] : []),
      { ...ref, kind: 'ServiceAddress' },
      ...networkRefs(named, env),
    ],
    plan: planService,
    guards: ({ isWanted }) => isWanted,
    reporter: ({ service, isWanted }, plan, reporting) =>
      service === undefined ? [] : serviceReported(service, plan, isWanted, reporting),
    refusal: (message) => ({ ...refused('Refused', message), ingress: [] }),
  }
}

/** What says whether its pool may be its. */
function networkRefs(named: string | undefined, { caches }: Env): readonly Ref[] {
  const subnet = named === undefined ? undefined : caches.Subnet.get(named)
  if (named === undefined) return []
  const vpc = subnet?.spec.vpc
  return [
    refFromKey('Subnet', named),
    ...(subnet === undefined || vpc === undefined ? [] : [refFromKey('Vpc', inNamespaceOf(subnet, vpc))]),
  ]
}

function gather(key: string, env: Env): ServiceDesired | undefined {
  const { caches } = env
  const service = caches.Service.get(key)
  const found = caches.ServiceAddress.get(key)
  const address = found !== undefined && isSource(found) ? undefined : found
  const isWanted = service !== undefined && isOurService(service) && service.metadata.deletionTimestamp === undefined
  const slices = [...caches.EndpointSlice.by('service', key)]
  if (!isWanted && address === undefined && !hasOurs(service, slices)) return undefined
  const base = { ref: refFromKey('Service', key), service, isWanted, address, slices }
  return isWanted ? { ...base, ...servedIn(service, address, env) } : { ...base, pool: nowhere, named: undefined, members: [] }
}
/** A worker that hears late may have made a slice after all else was gone. With its Service Kubernetes collects it. */
const hasOurs = (service: Resource<'Service'> | undefined, slices: readonly unknown[]): boolean =>
  service !== undefined && (service.metadata.finalizers?.includes(serviceFinalizer) === true || slices.length > 0)
const nowhere = { problem: 'it is not to have an address of ours', later: false }

/** Its pool, and who serves it there. */
function servedIn(
  service: Resource<'Service'>,
  address: Resource<'ServiceAddress'> | undefined,
  env: Env,
): Pick<ServiceDesired, 'pool' | 'named' | 'members'> {
  const pool = poolOf(service, env.view, address?.spec.subnet)
  const isPool = pool.kind === 'pool'
  const vpc = isPool ? keyOfItem(pool.vpc) : address?.spec.vpc
  const named = servicePoolKey(service)
  const isGone = named !== undefined && env.caches.Subnet.get(named) === undefined
  return {
    pool: isPool ? pool : { problem: `${pool.at}: ${pool.message}`, later: pool.later, isGone },
    named,
    members: vpc === undefined ? [] : [...membersOf(service, vpc, env)],
  }
}

/** Of a pod with several Ports in the Vpc the first by name. */
function* membersOf(service: Resource<'Service'>, vpc: string, { caches }: Env): Generator<Member> {
  const label = selectedLabelOf(service)
  for (const pod of label === undefined ? [] : caches.Pod.by('label', label)) {
    if (!selectsPod(service.spec, pod.metadata.labels)) continue
    const own = [...caches.Port.by('claimPod', keyOfItem(pod))].filter((port) => isClaimedBy(pod, port) && isIn(vpc, port, caches))
    const [port] = own.sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
    if (port !== undefined) yield { pod, port }
  }
}
const isClaimedBy = (pod: Resource<'Pod'>, { spec }: Resource<'Port'>): boolean => spec.claim?.podUID === pod.metadata.uid

function isIn(vpc: string, port: Resource<'Port'>, caches: Env['caches']): boolean {
  const subnet = caches.Subnet.get(subnetKeyOf(port))
  return subnet?.spec.vpc !== undefined && inNamespaceOf(subnet, subnet.spec.vpc) === vpc
}

function writesOf(action: ServiceAction): readonly Write[] {
  switch (action.do) {
    case 'makeAddress':
    case 'makeSlice':
      return [{ do: 'create', draft: action.draft }]
    case 'changeAddress':
      return [{ do: 'update', item: { ...action.address, spec: action.spec } }]
    case 'changeSlice':
      return [{ do: 'update', item: { ...action.slice, spec: action.spec } }]
    case 'deleteAddress':
      return [deleting(action.address)]
    case 'deleteSlice':
      return [deleting(action.slice)]
  }
}

const deleting = (item: Resource<'ServiceAddress'> | Resource<'EndpointSlice'>): Write => ({
  do: 'delete',
  ref: refOf<'ServiceAddress' | 'EndpointSlice'>(item),
  preconditions: { uid: item.metadata.uid, resourceVersion: item.metadata.resourceVersion },
})
