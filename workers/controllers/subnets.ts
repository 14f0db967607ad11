// Subnets: valid once their blocks stand in the lock of their VNI.
import type { Write } from '../../core/contracts/store.ts'
import { inNamespaceOf, keyOfItem, refOf, type Resource } from '../../core/kinds/index.ts'
import { vniLockName } from '../../core/net/names.ts'
import { isEvicted, isHolding } from '../../core/plan/vpc/eviction.ts'
import { refused, type Plan } from '../../core/plan/plan.ts'
import { planSubnet, type SubnetAction, type SubnetDesired, type SubnetObserved } from '../../core/plan/builtin/subnet.ts'
import type { Blockers } from '../../core/plan/vpc/blockers.ts'
import { blockersAmong, timeLeftMs } from '../blockers.ts'
import { objects } from '../drivers/objects.ts'
import type { Env } from '../env.ts'
import { row, type Row } from '../loop/row.ts'
import type { Controller } from '../loop/controller.ts'
import { subnetKeyOf } from '../../platform/cache/caches.ts'
import { both, goes, isBeingDeleted, isToldOtherwise, specChanges, when } from '../watch/events.ts'
import { asItWas, beingDeleted, by, every, itself, named, through, where } from '../watch/keys.ts'
import { servicesItNames } from '../watch/l2.ts'
import { blockLeaves, isGoingInIt, keyOfHolder, namespaceBeginsToGo, own, subnetPhaseChanges, vpcChanges } from '../watch/parts.ts'

type Subnet = Resource<'Subnet'>

const isNotValid = where<'Subnet'>('it is not valid yet', (subnet) => subnet?.status?.validated !== true)
/** What overlapped a Subnet that goes need not any more. */
const isRival = {
  name: 'it is of the same L2Service',
  test: (other: Subnet, { metadata: { namespace }, spec: { l2Service } }: Subnet): boolean =>
    l2Service !== undefined && other.spec.l2Service === l2Service && other.metadata.namespace === namespace,
}
/** It has been told to leave its Vpc, and its Subnet waits until it holds nothing. */
const hasLeft = when<'Port'>(
  'has been told to leave and holds nothing any more',
  ({ before, after }) => after !== undefined && isEvicted(after) && !isHolding(after) && (before === undefined || isHolding(before)),
)
const its = (port: Resource<'Port'>): readonly string[] => [subnetKeyOf(port)]
const listedBeingDeleted = named<'L2Service', 'Subnet'>(
  'Subnet',
  'its Subnets',
  (service) => (service.spec.subnets ?? []).map((name) => inNamespaceOf(service, name)),
  beingDeleted,
)

export const subnets: Row<'Subnet'> = row(
  'Subnet',
  (on) => [
    on('Subnet', { when: specChanges, keys: itself }),
    on('Subnet', { when: isToldOtherwise, keys: itself }),
    on('Subnet', { when: both(subnetPhaseChanges, isBeingDeleted), keys: every('Subnet', isRival) }),
    on('Namespace', { when: namespaceBeginsToGo, keys: every('Subnet', isGoingInIt) }),
    on('Vpc', { when: vpcChanges, keys: by('Subnet', 'vpc', own) }),
    on('SegmentLock', { when: blockLeaves, keys: by('Subnet', 'vpc', ({ spec }) => [keyOfHolder(spec.holder)], isNotValid) }),
    on('Port', { when: goes, keys: named('Subnet', 'its Subnet', its, beingDeleted) }),
    on('Port', { when: hasLeft, keys: named('Subnet', 'its Subnet', its, beingDeleted) }),
    on('L2Service', { when: specChanges, keys: asItWas(listedBeingDeleted) }),
    on('L2ServiceAttachment', {
      when: specChanges,
      keys: asItWas(through(servicesItNames, listedBeingDeleted)),
    }),
  ],
  open,
)

function open(env: Env): Controller<SubnetDesired, SubnetDesired, SubnetObserved, SubnetAction, Plan<SubnetAction>> {
  const { caches, store } = env
  const driver = objects<SubnetDesired, SubnetObserved, SubnetAction>(store, 'segments', {
    async observe({ subnet, vpc }) {
      if (subnet.spec.l2Service !== undefined) return { lock: undefined, rivals: await rivalsOf(subnet, env) }
      const vni = subnet.status?.vni ?? vpc?.status?.vni
      if (vni === undefined) return { lock: undefined }
      const name = vniLockName(vni)
      // A cache may be behind a rival: what decides is read live, and written only if nobody has since.
      const settled = subnet.status?.validated === true && subnet.metadata.deletionTimestamp === undefined
      return { lock: settled ? caches.SegmentLock.get(name) : await store.get({ kind: 'SegmentLock', name }) }
    },
    writesOf,
  })
  return {
    async gather(key) {
      const subnet = caches.Subnet.get(key)
      if (subnet === undefined) return undefined
      return {
        subnet,
        vpc: caches.Vpc.get(inNamespaceOf(subnet, subnet.spec.vpc ?? '')),
        blockers: await (subnet.spec.l2Service === undefined ? blockersOf(subnet, env) : listersOf(subnet, env)),
      }
    },
    driver: () => driver,
    scope: (desired) => desired,
    item: ({ subnet }) => subnet,
    basis: ({ vpc }) => (vpc === undefined ? [] : [vpc]),
    plan: planSubnet,
    refusal: (message) => refused('Refused', message),
  }
}

/** The others of its L2Service; once it is valid nobody's can change that. */
async function rivalsOf({ metadata, spec, status }: Resource<'Subnet'>, { store }: Env): Promise<readonly Resource<'Subnet'>[]> {
  if (status?.validated === true) return []
  const { items } = await store.list('Subnet', { namespace: metadata.namespace ?? '' })
  return items.filter(
    (each) => each.spec.l2Service === spec.l2Service && each.metadata.uid !== metadata.uid && each.metadata.deletionTimestamp === undefined,
  )
}

/** How soon a Subnet is reconciled again after its Ports were asked to leave: each step of theirs wakes it too. */
const leavingAgainMs = 10_000

/** The Ports in it; where the cache knows none, the store itself is asked. */
async function blockersOf(subnet: Resource<'Subnet'>, env: Env): Promise<Blockers | undefined> {
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

/** The L2Services whose definitions give its addresses to pods; where the cache knows none, the store itself is asked. */
async function listersOf(subnet: Resource<'Subnet'>, env: Env): Promise<Blockers | undefined> {
  if (subnet.metadata.deletionTimestamp === undefined) return undefined
  const { caches, store } = env
  const { namespace = '', name } = subnet.metadata
  const cached = [...caches.L2Service.by('subnet', keyOfItem(subnet))].filter(
    (service) => [...caches.L2ServiceAttachment.by('l2Service', keyOfItem(service))].length > 0,
  )
  if (cached.length > 0)
    return blockersAmong(
      subnet,
      cached.map(({ metadata }) => metadata.name),
      env,
    )
  const [services, attachments] = await Promise.all([
    store.list('L2Service', { namespace }),
    store.list('L2ServiceAttachment', { namespace }),
  ])
  const attached = new Set(attachments.items.flatMap(({ spec }) => spec.l2Services))
  const listers = services.items.filter(({ metadata, spec }) => attached.has(metadata.name) && spec.subnets?.includes(name) === true)
  return blockersAmong(
    subnet,
    listers.map(({ metadata }) => metadata.name),
    env,
  )
}

function writesOf({ lock, blocks }: SubnetAction): readonly Write[] {
  const { blocks: _, ...rest } = lock.spec
  return [{ do: 'update', item: { ...lock, spec: blocks.length === 0 ? rest : { ...rest, blocks: [...blocks] } } }]
}
