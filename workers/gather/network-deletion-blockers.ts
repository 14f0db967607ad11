// Who holds back the end of a Vpc or a Subnet, whosever it is.
import { keyOfItem, refOf, type Resource } from '../../core/kinds/index.ts'
import { segmentOf } from '../../core/kinds/vpc/segment.ts'
import { pooledKinds } from '../../core/plan/pool/pool-address.ts'
import { isEvicted, isHolding } from '../../core/plan/vpc/eviction.ts'
import type { Blockers } from '../../core/plan/vpc/blockers.ts'
import { blockersAmong, timeLeftMs } from './deletion-blockers.ts'
import type { Env } from '../controller-env.ts'

/**
 * The Subnets in it; where the cache knows none, the store itself is asked. They are of its own namespace, and go with it: none is ever
 * given up.
 */
export async function subnetsIn(vpc: Resource<'Vpc'>, { caches, store }: Env): Promise<Blockers | undefined> {
  if (vpc.metadata.deletionTimestamp === undefined) return undefined
  const cached = [...caches.Subnet.by('vpc', keyOfItem(vpc))]
  const { namespace = '', name } = vpc.metadata
  const items = cached.length > 0 ? cached : (await store.list('Subnet', { namespace, fields: { '.spec.vpc': name }, limit: 1 })).items
  const [first, ...others] = items.map((subnet) => subnet.metadata.name).sort()
  return first === undefined ? undefined : { first, others: others.length }
}

/** How soon a Subnet is reconciled again after its Ports were asked to leave: each step of theirs wakes it too. */
const leavingAgainMs = 10_000

/** The Ports in it; where the cache knows none, the store itself is asked. */
export async function portsInSubnet(subnet: Resource<'Subnet'>, env: Env): Promise<Blockers | undefined> {
  if (subnet.metadata.deletionTimestamp === undefined) return undefined
  if (timeLeftMs(subnet.metadata.namespace ?? '', env) === 0) return holdersIn(subnet, env)
  const cached = [...env.caches.Port.by('subnet', keyOfItem(subnet))]
  const ports = cached.length > 0 ? cached : await portsIn(subnet, env, { limit: 1 })
  return blockersAmong(
    subnet,
    ports.map((port) => port.metadata.name),
    env,
  )
}

/**
 * The time of guests is over: they are looked at, so that they are told to leave. Whatever still holds something is waited for as long as
 * it takes.
 */
async function holdersIn(subnet: Resource<'Subnet'>, env: Env): Promise<Blockers | undefined> {
  const cached = [...env.caches.Port.by('subnet', keyOfItem(subnet))].filter(isHolding)
  const holding = cached.length > 0 ? cached : (await portsIn(subnet, env)).filter(isHolding)
  const [first, ...others] = holding.map((port) => port.metadata.name).sort()
  return first === undefined
    ? undefined
    : { first, others: others.length, againInMs: leavingAgainMs, toLeave: holding.filter((port) => !isEvicted(port)).map(refOf) }
}

async function portsIn(
  { metadata: { namespace = '', name } }: Resource<'Subnet'>,
  { store }: Env,
  limit: { readonly limit?: number } = {},
): Promise<readonly Resource<'Port'>[]> {
  const pages = await Promise.all([
    store.list('Port', { namespace, fields: { '.spec.subnet': name }, ...limit }),
    store.list('Port', { fields: { '.spec.subnet': `${namespace}/${name}` }, ...limit }),
  ])
  return pages.flatMap(({ items }) => items)
}

/** What has its addresses from it; where the cache knows none, the store itself is asked. */
export async function pooledInSubnet(subnet: Resource<'Subnet'>, env: Env): Promise<Blockers | undefined> {
  const vni = segmentOf(subnet)
  if (subnet.metadata.deletionTimestamp === undefined || vni === undefined) return undefined
  const key = keyOfItem(subnet)
  for (const kind of pooledKinds) {
    const cached = [...env.caches[kind].by('subnet', key)]
    const inVni = async () => (await env.store.list(kind, { fields: { '.spec.vni': String(vni) } })).items
    const there = cached.length > 0 ? cached : (await inVni()).filter(({ spec }) => spec.subnet === key)
    const blockers = blockersAmong(subnet, there.map(keyOfItem), env)
    if (blockers !== undefined) return { ...blockers, kind }
  }
  return undefined
}
