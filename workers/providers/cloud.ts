// The provider of every cloud: the same planners, behind the driver of the Cloud that a Vpc names.
import type { CloudAction, CloudKind, CloudKinds, CloudScope, CloudSeen, CloudThingDriver } from '../../core/contracts/cloud.ts'
import type { Write } from '../../core/contracts/store.ts'
import { CloudUnreachable, messageOf } from '../../core/errors.ts'
import { inNamespaceOf, keyOfItem, refOf, resolveReference, type Resource } from '../../core/kinds/index.ts'
import { planUnknown, type PlacedObject } from '../../core/plan/cloud/life.ts'
import { planCloudSubnet, planNetwork, type NetworkDesired, type SubnetDesired } from '../../core/plan/cloud/network.ts'
import { planCloudPort, type CloudPortAction, type CloudPortDesired } from '../../core/plan/cloud/port.ts'
import { refused, type Plan } from '../../core/plan/plan.ts'
import type { CloudSession } from '../clouds/cloud-sessions.ts'
import type { Env } from '../controller-env.ts'
import { hostIPOf, isCreatedByUs, isToLeave, networkOf } from '../gather/port.ts'
import { offerFor } from '../gather/warm-entry.ts'
import type { AnyController, Controller } from '../loop/controller.ts'
import { isNodeAction, nodeWrites } from './port-driver.ts'
import { portsInSubnet, subnetsIn } from '../gather/network-deletion-blockers.ts'
import type { Provider } from './provider.ts'

type Vpc = Resource<'Vpc'>
interface Desired {
  readonly item: PlacedObject
  readonly scope: CloudScope
  readonly cloud: string
  readonly session: CloudSession
  readonly offer?: Resource<'Port'> | undefined
}

export function cloudProvider(env: Env): Provider {
  const { caches } = env
  const vpcs = controller<'network', NetworkDesired & Desired>(env, 'network', planNetwork, async (key, made) => {
    const item = (made as Vpc | undefined) ?? caches.Vpc.get(key)
    return item && { ...around(item, item, env), item, blockers: await subnetsIn(item, env) }
  })
  const subnets = controller<'subnet', SubnetDesired & Desired>(env, 'subnet', planCloudSubnet, async (key, made) => {
    const item = (made as Resource<'Subnet'> | undefined) ?? caches.Subnet.get(key)
    const vpc = item && caches.Vpc.get(inNamespaceOf(item, item.spec.vpc ?? ''))
    return item && { ...around(item, vpc, env), item, vpc, blockers: await portsInSubnet(item, env) }
  })
  const ports = controller<'port', PortDesired, CloudPortAction>(env, 'port', planCloudPort, (key, made) => {
    const item = (made as Resource<'Port'> | undefined) ?? caches.Port.get(key)
    return item && portDesired(item, env)
  })
  return { Vpc: vpcs, Subnet: subnets, Port: ports }
}

type PortDesired = CloudPortDesired & Desired & { readonly item: Resource<'Port'> }

function portDesired(item: Resource<'Port'>, env: Env): PortDesired {
  const named = resolveReference(item.spec.subnet, item.metadata.namespace ?? '')
  const { subnet, vpc } = networkOf(item, named, env)
  const { scope, ...rest } = around(item, vpc, env)
  const pod = item.spec.podUID ?? item.spec.claim?.podUID
  return {
    ...rest,
    item,
    subnet,
    scope: {
      ...scope,
      ...(pod !== undefined && { pod }),
      ...(subnet?.status?.providerID !== undefined && { subnet: subnet.status.providerID }),
    },
    hostIP: hostIPOf(item, env),
    createdByUs: isCreatedByUs(item),
    isToLeave: isToLeave(item, named, env),
    agents: env.config.agents,
    offer: offerFor(item, env),
  }
}

/** What every thing of a cloud is gathered with. */
function around(item: PlacedObject, vpc: Vpc | undefined, { clouds }: Env): Omit<Desired, 'item'> & { readonly landsWithinMs: number } {
  const isThere = item.status?.cloud !== undefined
  const cloud = item.status?.cloud ?? vpc?.spec.cloud ?? ''
  const session = clouds.of(cloud, (vpc ?? item).metadata.namespace ?? '', isThere)
  clouds.follow(item.metadata, keyOfItem(item))
  return {
    cloud,
    session,
    scope: scopeOf(item, vpc),
    landsWithinMs: 'driver' in session ? session.driver.landsWithinMs : 0,
  }
}

const scopeOf = (item: PlacedObject, vpc: Vpc | undefined): CloudScope => ({
  of: { ...refOf(item), uid: item.metadata.uid },
  existing: existingOf(item),
  network: vpc?.status?.providerID,
  subnet: undefined,
})

const existingOf = ({ spec }: PlacedObject): string | undefined => ('subnet' in spec ? spec.portID : spec.existing)

function controller<K extends CloudKind, D extends Desired, A = CloudAction<K>>(
  env: Env,
  kind: K,
  plan: (desired: D, seen: CloudSeen<K>, now: number) => Plan<A>,
  gather: Controller<D, D, CloudSeen<K>, A, Plan<A>>['gather'],
): AnyController {
  const whole: Controller<D, D, CloudSeen<K>, A, Plan<A>> = {
    gather,
    driver: ({ session }) => driverOf(kind, session, env) as never,
    scope: (desired) => desired,
    item: ({ item }) => item,
    plan(desired, seen, now) {
      const planned = plan(desired, seen, now)
      if (planned.phase === 'deleted') env.clouds.forget(desired.item.metadata)
      return planned
    },
    refusal: (message) => refused('Refused', message),
    setback: ({ item }, err, now) =>
      err instanceof CloudUnreachable ? planUnknown(item, { reason: 'CloudUnreachable', message: messageOf(err) }, now) : undefined,
  }
  return whole
}

/** A cloud that does not answer is something that is seen, and told of; what is done to the Port object itself is nothing of its. */
function driverOf<K extends CloudKind>(kind: K, session: CloudSession, { store }: Env) {
  const driver = 'driver' in session ? (session.driver[kind] as CloudThingDriver<K>) : undefined
  return {
    name: driver?.name ?? 'cloud',
    async observe({ item, scope, offer }: Desired, signal: AbortSignal): Promise<CloudSeen<K>> {
      if ('problem' in session) return { there: undefined, problem: session.problem }
      try {
        return await observed(driver!, { item, scope, offer }, signal)
      } catch (err) {
        if (!(err instanceof CloudUnreachable)) throw err
        return { there: undefined, problem: { reason: 'CloudUnreachable', message: messageOf(err) } }
      }
    },
    async apply(action: CloudPortAction | CloudAction<K>, signal: AbortSignal): Promise<void> {
      const writes = writesOf(action)
      if (writes !== undefined) await store.commit(writes)
      else await driver!.apply(action as CloudAction<K>, signal)
    },
    asWrites: writesOf,
  }
}

function writesOf(action: CloudPortAction | CloudAction<CloudKind>): readonly Write[] | undefined {
  if (isNodeAction(action)) return nodeWrites(action)
  if (action.do !== 'keepEntry') return undefined
  const { entry } = action
  return [{ do: 'update', item: { ...entry, spec: { ...entry.spec, warm: { for: action.for } } } }]
}

/**
 * Of what has never been asked for nothing is there. What is being taken is looked for as whose it was before it is looked for as whose it
 * is to be: were it the other way round, it could change hands in between, and be seen as nobody's.
 */
async function observed<K extends CloudKind>(
  driver: CloudThingDriver<K>,
  { item, scope, offer }: Pick<Desired, 'item' | 'scope' | 'offer'>,
  signal: AbortSignal,
): Promise<CloudSeen<K> & { readonly entry?: CloudKinds[K]['there'] }> {
  if (offer !== undefined && item.status === undefined) return { there: undefined }
  const { from } = (item.status ?? {}) as { readonly from?: { readonly name: string; readonly uid: string } }
  if (from !== undefined) {
    const { there: entry } = await driver.observe({ ...scope, of: { ...scope.of, ...from } }, signal)
    if (entry?.owner === from.uid) return { there: undefined, entry }
  }
  return driver.observe(scope, signal)
}
