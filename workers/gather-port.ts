// What a Port's planner looks at, from caches alone.
import { resolveReference, type Resource } from '../core/kinds/index.ts'
import { isMadeFor } from '../core/plan/pod.ts'
import type { Family, Offer, PortDesired } from '../core/plan/port.ts'
import type { Picks } from './addresses.ts'
import type { Env } from './env.ts'

const families = ['ipv4', 'ipv6'] as const

export type GatheredPort = PortDesired & { readonly picks: Picks }

export function gatherPort(port: Resource<'Port'>, env: Env, picks: Picks): GatheredPort {
  const { caches } = env
  const { namespace: from = '', name, uid } = port.metadata
  const named = resolveReference(port.spec.subnet, from)
  const { subnet, vpc } = groundOf(port, named, env)
  const scope = {
    vpc: { namespace: named.namespace, name: vpc?.metadata.name ?? '' },
    vni: port.status?.vni ?? subnet?.status?.vni ?? 0,
    subnet: named.name,
    port: { namespace: from, name, uid },
    known: port.status?.addresses ?? [],
  }
  return {
    port,
    subnet,
    vpc,
    scope,
    offers: subnet === undefined ? {} : offersOf(port, subnet, env, picks),
    lockOf: (lock) => caches.IPLock.get(`${named.namespace}/${lock}`),
    leaving: (lock) => isLeaving(lock, port, env),
    hostIP: hostIPOf(port, env),
    createdByUs: port.spec.claim === undefined ? port.status?.createdByUs === true : isMadeFor(port),
    picks,
  }
}

/** Its Subnet and that one's Vpc. A Vpc that is no longer shared keeps the Ports it has. */
function groundOf(port: Resource<'Port'>, named: { readonly namespace: string; readonly name: string }, { caches }: Env): Pick<PortDesired, 'subnet' | 'vpc'> {
  const subnet = caches.Subnet.get(`${named.namespace}/${named.name}`)
  const vpc = subnet && caches.Vpc.get(`${named.namespace}/${subnet.spec.vpc}`)
  const from = port.metadata.namespace ?? ''
  const allowed = named.namespace === from || port.status?.vni !== undefined || vpc?.spec.sharedWith?.includes(from) === true
  return allowed ? { subnet, vpc } : { subnet: undefined, vpc: undefined }
}

function offersOf(port: Resource<'Port'>, subnet: Resource<'Subnet'>, { caches }: Env, picks: Picks): { readonly [F in Family]?: Offer } {
  if (port.metadata.deletionTimestamp !== undefined || subnet.status?.validated !== true) return {}
  const offers: { [F in Family]?: Offer } = {}
  for (const family of families) {
    const has = (address: string | undefined): boolean => address?.includes(':') === (family === 'ipv6')
    if (subnet.spec[family] === undefined || port.spec.ips?.some(has) === true || port.status?.addresses?.some(has) === true) continue
    if (caches.IPLock.by('holder', port.metadata.uid)[Symbol.iterator]().next().done !== true && [...caches.IPLock.by('holder', port.metadata.uid)].some((lock) => has(lock.spec.address))) continue
    const offer = picks.pick(subnet, family)
    if (offer !== undefined) offers[family] = offer
  }
  return offers
}

function isLeaving(lock: Resource<'IPLock'>, port: Resource<'Port'>, { caches }: Env): boolean {
  const { holder } = lock.spec
  const other = holder && caches.Port.get(`${holder.namespace ?? ''}/${holder.name}`)
  if (holder === undefined) return false
  if (other === undefined || other.metadata.uid !== holder.uid || other.metadata.deletionTimestamp !== undefined) return true
  const { claim } = other.spec
  if (claim === undefined || claim.owner !== port.spec.claim?.owner || claim.nic !== port.spec.claim.nic) return false
  const pod = caches.Pod.get(`${other.metadata.namespace ?? ''}/${claim.pod}`)
  return pod?.metadata.uid !== claim.podUID || pod.metadata.deletionTimestamp !== undefined
}

function hostIPOf(port: Resource<'Port'>, { caches }: Env): string | undefined {
  const node = port.spec.node === undefined ? undefined : caches.Node.get(port.spec.node)
  return node?.status?.addresses?.find(({ type }) => type === 'InternalIP')?.address
}
