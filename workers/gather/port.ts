// What a Port's planner looks at, from caches alone.
import { isGoing } from '../../core/admit/pod/claims.ts'
import type { PortScope } from '../../core/contracts/port-holder.ts'
import { inNamespaceOf, keyOfItem, resolveReference, type Ref, type Resource } from '../../core/kinds/index.ts'
import type { Holder } from '../../core/kinds/meta.ts'
import { segmentLockName, segmentOf } from '../../core/kinds/vpc/segment.ts'
import { sinceOf } from '../../core/plan/hops.ts'
import { lockName } from '../../core/plan/builtin/locks.ts'
import { tunnelAddressOf } from '../../core/plan/node/address.ts'
import { isPooled, type PooledKind } from '../../core/plan/pool/pool-address.ts'
import { isMadeFor } from '../../core/plan/pod/pod.ts'
import { familyOf, type Family, type AddressOffer, type PortDesired } from '../../core/plan/builtin/port.ts'
import type { PickedAddresses } from '../addresses/free-addresses.ts'
import { bindingOf, isPolicyLate } from './port-policy.ts'
import { timeLeftMs } from './deletion-blockers.ts'
import type { Env } from '../controller-env.ts'

const families = ['ipv4', 'ipv6'] as const

export type GatheredPort = PortDesired & { readonly picks: PickedAddresses }

export function gatherPort(port: Resource<'Port'>, env: Env, picks: PickedAddresses): GatheredPort {
  const named = resolveReference(port.spec.subnet, namespaceOf(port))
  const { subnet, vpc } = networkOf(port, named, env)
  const scope = { ...scopeOf(port, named, { subnet, vpc }), since: sinceOf(port, podOf(port, env)) }
  return {
    port,
    subnet,
    vpc,
    scope,
    providerID: env.holder.idOf?.(scope),
    offers: subnet === undefined ? {} : offersOf(port, subnet, env, picks),
    lockOf: (lock) => env.caches.IPLock.get(`${named.namespace}/${lock}`),
    leaving: (lock) =>
      lock.spec.holder && isPooled(lock.spec.holder.kind) ? isPooledLeaving(lock.spec.holder, env) : isLeaving(lock, port, env),
    hostIP: hostIPOf(port, env),
    isToLeave: isToLeave(port, named, env),
    agents: env.config.agents,
    policy: port.metadata.deletionTimestamp === undefined ? bindingOf(port, scope, env) : undefined,
    isPolicyLate: isPolicyLate(scope, env),
    routed: routedAround(port, scope, { vpc, env }),
    createdByUs: isCreatedByUs(port),
    picks,
  }
}

/** One that asks for nothing, and was given nothing, is held to nothing: of most Ports no lock of their VNI is looked at. */
function routedAround(
  port: Resource<'Port'>,
  { vni, vlan }: PortScope,
  { vpc, env: { caches } }: { readonly vpc: Resource<'Vpc'> | undefined; readonly env: Env },
): PortDesired['routed'] {
  if (!mayHaveBlocks(port)) return { lock: undefined, peers: [] }
  const peerings = vpc === undefined ? [] : [...caches.VpcPeering.by('vpc', keyOfItem(vpc))]
  return {
    lock: caches.SegmentLock.get(segmentLockName({ segment: vni, vlan })),
    peers: peerings.flatMap(({ spec: { peer }, status }) => (status?.peer?.blocks ?? []).map((cidr) => ({ cidr, vpc: peer }))),
  }
}

const mayHaveBlocks = ({ spec, status }: Resource<'Port'>): boolean => spec.routedBlocks !== undefined || status?.routedBlocks !== undefined

/** A guest whose host's namespace is going; also where it is not shared any more, as its node may keep it all the same. */
export const isToLeave = (port: Resource<'Port'>, { namespace, name }: Named, env: Env): boolean =>
  namespace !== namespaceOf(port) && env.caches.Subnet.get(`${namespace}/${name}`) !== undefined && timeLeftMs(namespace, env) === 0

export const isCreatedByUs = (port: Resource<'Port'>): boolean =>
  port.spec.claim === undefined ? port.status?.createdByUs === true : isMadeFor(port)

export interface Named {
  readonly namespace: string
  readonly name: string
}

function scopeOf(port: Resource<'Port'>, named: Named, { subnet, vpc }: Pick<PortDesired, 'subnet' | 'vpc'>): PortScope {
  const { status, metadata } = port
  const placed = segmentOf(port) === undefined ? subnet : port
  return {
    vpc: { namespace: named.namespace, name: vpc?.metadata.name ?? '' },
    vni: (placed && segmentOf(placed)) ?? 0,
    vlan: placed?.status?.vlan,
    subnet: named.name,
    port: { namespace: namespaceOf(port), name: metadata.name, uid: metadata.uid },
    known: status?.addresses ?? [],
  }
}

const podOf = (port: Resource<'Port'>, { caches }: Env): Resource<'Pod'> | undefined =>
  port.spec.claim && caches.Pod.get(inNamespaceOf(port, port.spec.claim.pod))
const namespaceOf = (item: Resource): string => item.metadata.namespace ?? ''

/** Its Subnet and that one's Vpc. A Vpc that is no longer shared keeps the Ports it has. */
export function networkOf(port: Resource<'Port'>, named: Named, { caches }: Env): Pick<PortDesired, 'subnet' | 'vpc'> {
  const subnet = caches.Subnet.get(`${named.namespace}/${named.name}`)
  const vpc = subnet && caches.Vpc.get(`${named.namespace}/${subnet.spec.vpc}`)
  const from = namespaceOf(port)
  const isServed = segmentOf(port) !== undefined || port.status?.providerID !== undefined
  const allowed = named.namespace === from || isServed || vpc?.spec.sharedWith?.includes(from) === true
  return allowed ? { subnet, vpc } : { subnet: undefined, vpc: undefined }
}

/** What a Port's plan decides by; one that is being deleted decides nothing any more, but leaves nothing behind. */
export function basisOf({ port, subnet, vpc, scope, isToLeave }: GatheredPort): readonly (Ref | Resource)[] {
  const lock: readonly Ref[] = mayHaveBlocks(port)
    ? [{ kind: 'SegmentLock', name: segmentLockName({ segment: scope.vni, vlan: scope.vlan }) }]
    : []
  if (port.metadata.deletionTimestamp !== undefined) return lock
  const around = [subnet, vpc, ...lock].filter((each) => each !== undefined)
  return isToLeave ? [...around, { kind: 'Namespace', name: resolveReference(port.spec.subnet, namespaceOf(port)).namespace }] : around
}

/** A free address of each family that it lacks and does not name. */
function offersOf(port: Resource<'Port'>, subnet: Resource<'Subnet'>, env: Env, picks: PickedAddresses): PortDesired['offers'] {
  if (port.metadata.deletionTimestamp !== undefined || subnet.status?.validated !== true) return {}
  const has = new Set(addressesOf(port, env).map(familyOf))
  const offers: { [F in Family]?: AddressOffer } = {}
  for (const family of families) {
    const offer = subnet.spec[family] === undefined || has.has(family) ? undefined : picks.pick(subnet, family)
    if (offer !== undefined) offers[family] = offer
  }
  return offers
}

/** Those it names, those it holds, and those it was given: of these none that somebody else has by now. */
function addressesOf(port: Resource<'Port'>, { caches }: Env): string[] {
  const { spec, status = {}, metadata } = port
  const held = [...caches.IPLock.by('holder', metadata.uid)].flatMap((lock) => lock.spec.address ?? [])
  const namespace = resolveReference(spec.subnet, namespaceOf(port)).namespace
  const given = (status.addresses ?? []).filter((address) => {
    const holder = caches.IPLock.get(`${namespace}/${lockName(segmentOf(port) ?? 0, { address }) ?? ''}`)?.spec.holder
    return holder === undefined || holder.uid === metadata.uid
  })
  return [...(spec.ips ?? []), ...held, ...given]
}

/** Whether the holder of a lock is on its way out: gone, being deleted, or left by a pod whose successor wants the lock. */
function isLeaving({ spec: { holder } }: Resource<'IPLock'>, port: Resource<'Port'>, { caches }: Env): boolean {
  if (holder === undefined) return false
  const other = caches.Port.get(`${holder.namespace ?? ''}/${holder.name}`)
  if (other?.metadata.uid !== holder.uid || other.metadata.deletionTimestamp !== undefined) return true
  const { claim } = other.spec
  const { claim: mine } = port.spec
  if (claim === undefined || claim.owner !== mine?.owner || claim.nic !== mine.nic) return false
  return isGoing(claim, caches.Pod.get(inNamespaceOf(other, claim.pod)))
}

function isPooledLeaving({ kind, namespace = '', name, uid }: Holder, { caches }: Env): boolean {
  const there = caches[kind as PooledKind].get(`${namespace}/${name}`)
  return there?.metadata.uid !== uid || there.metadata.deletionTimestamp !== undefined
}

/** As the node's agent takes it: there it listens. */
export function hostIPOf(port: Resource<'Port'>, { caches, config }: Env): string | undefined {
  const node = port.spec.node === undefined ? undefined : caches.Node.get(port.spec.node)
  return node && tunnelAddressOf(node, config.tunnelBlocks)
}
