// A thing of a cloud, of whatever kind: how it is gathered and driven, behind the driver of its Cloud.
import type { CloudAction, CloudKind, CloudKinds, CloudScope, CloudSeen, CloudThingDriver } from '../../core/contracts/cloud.ts'
import type { Write } from '../../core/contracts/store.ts'
import { CloudUnreachable, messageOf } from '../../core/errors.ts'
import { keyOfItem, refOf, type Resource } from '../../core/kinds/index.ts'
import type { GroupObjectAction } from '../../core/plan/cloud/group.ts'
import { planUnknown, type LifeAction, type MarkAsked, type PlacedObject } from '../../core/plan/cloud/life.ts'
import type { KeepEntry } from '../../core/plan/cloud/taking.ts'
import { refused, type Plan } from '../../core/plan/plan.ts'
import type { NodeAction } from '../../core/plan/vpc/on-node.ts'
import type { CloudSession } from '../clouds/cloud-sessions.ts'
import type { Env } from '../controller-env.ts'
import type { AnyController, Controller } from '../loop/controller.ts'
import { isNodeAction, nodeWrites } from './port-driver.ts'

type Vpc = Resource<'Vpc'>
export interface CloudDesired {
  readonly item: PlacedObject
  readonly scope: CloudScope
  readonly cloud: string
  readonly session: CloudSession
  readonly offer?: Resource<'Port'> | undefined
}
/** What is done to objects of ours beside what is done at the cloud. */
type ObjectAction = NodeAction | GroupObjectAction | KeepEntry | MarkAsked

/** What every thing of a cloud is gathered with. */
export function around(
  item: PlacedObject,
  vpc: Vpc | undefined,
  { clouds }: Env,
): Omit<CloudDesired, 'item'> & { readonly landsWithinMs: number } {
  const cloud = item.status?.cloud ?? askedCloud(item, vpc)
  // A group is made for a Port that may be there.
  const isThere = item.status?.cloud !== undefined || 'group' in item.spec
  const session = clouds.of(cloud, (vpc ?? item).metadata.namespace ?? '', isThere)
  clouds.follow(item.metadata, keyOfItem(item))
  return {
    cloud,
    session,
    scope: scopeOf(item, vpc),
    landsWithinMs: 'driver' in session ? session.driver.landsWithinMs : 0,
  }
}

const askedCloud = ({ spec }: PlacedObject, vpc: Vpc | undefined): string => ('group' in spec ? spec.cloud : (vpc?.spec.cloud ?? ''))

const scopeOf = (item: PlacedObject, vpc: Vpc | undefined): CloudScope => ({
  of: { ...refOf(item), uid: item.metadata.uid },
  existing: existingOf(item),
  network: vpc?.status?.providerID,
  subnet: undefined,
  ...(item.status?.providerID !== undefined && { known: item.status.providerID }),
})

function existingOf({ spec }: PlacedObject): string | undefined {
  if ('group' in spec) return undefined
  return 'subnet' in spec ? spec.portID : spec.existing
}

export function cloudController<K extends CloudKind, D extends CloudDesired, A = LifeAction<K>>(
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
    async observe({ item, scope, offer }: CloudDesired, signal: AbortSignal): Promise<CloudSeen<K>> {
      if ('problem' in session) return { there: undefined, problem: session.problem }
      try {
        return await observed(driver!, { item, scope, offer }, signal)
      } catch (err) {
        if (!(err instanceof CloudUnreachable)) throw err
        return { there: undefined, problem: { reason: 'CloudUnreachable', message: messageOf(err) } }
      }
    },
    async apply(action: ObjectAction | CloudAction<K>, signal: AbortSignal): Promise<void> {
      const writes = writesOf(action)
      if (writes === undefined) await driver!.apply(action as CloudAction<K>, signal)
      else await store.commit(writes)
    },
    asWrites: writesOf,
  }
}

function writesOf(action: { readonly do: string }): readonly Write[] | undefined {
  if (isNodeAction(action)) return nodeWrites(action)
  return isOfObjects(action) ? [writeOf(action)] : undefined
}

const isOfObjects = (action: { readonly do: string }): action is GroupObjectAction | KeepEntry | MarkAsked =>
  ['makeGroup', 'endGroup', 'keepEntry', 'markAsked'].includes(action.do)

function writeOf(action: GroupObjectAction | KeepEntry | MarkAsked): Write {
  if (action.do === 'makeGroup') return { do: 'create', draft: action.draft }
  if (action.do === 'endGroup') return { do: 'delete', ref: refOf(action.item), preconditions: { uid: action.item.metadata.uid } }
  if (action.do === 'markAsked') {
    const { uid, resourceVersion } = action.item.metadata
    return { do: 'patchStatus', ref: refOf(action.item), uid, resourceVersion, sections: { provider: action.provider } }
  }
  const { entry } = action
  return { do: 'update', item: { ...entry, spec: { ...entry.spec, warm: { ...entry.spec.warm, for: action.for } } } }
}

/**
 * Of what has never been asked for nothing is there. What is being taken is looked for as whose it was and as whose it is to be, at once;
 * where neither is seen it may have changed hands in between, and is looked for once more as whose it is to be.
 */
async function observed<K extends CloudKind>(
  driver: CloudThingDriver<K>,
  { item, scope, offer }: Pick<CloudDesired, 'item' | 'scope' | 'offer'>,
  signal: AbortSignal,
): Promise<CloudSeen<K> & { readonly entry?: CloudKinds[K]['there'] }> {
  if (offer !== undefined && item.status === undefined) return { there: undefined }
  const { from } = (item.status ?? {}) as { readonly from?: { readonly name: string; readonly uid: string } }
  if (from !== undefined) {
    const [{ there: entry }, own] = await Promise.all([
      driver.observe({ ...scope, of: { ...scope.of, ...from } }, signal),
      driver.observe({ ...scope, formerly: from.uid }, signal),
    ])
    if (entry?.owner === from.uid) return { there: undefined, entry }
    if (own.there !== undefined) return own
  }
  return driver.observe({ ...scope, ...(from && { formerly: from.uid }) }, signal)
}
