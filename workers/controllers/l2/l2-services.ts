// L2Services: the locks of their VLANs, and their L2BridgeDomains.
import { finalizersFor } from '../../../core/admit/object/finalizers.ts'
import type { Write } from '../../../core/contracts/store.ts'
import { keyOfItem, refOf, type Resource } from '../../../core/kinds/index.ts'
import { vlanLockName } from '../../../core/net/names.ts'
import {
  advances,
  domainNameOf,
  planL2Service,
  segmentsOf,
  type L2ServiceAction,
  type L2ServiceDesired,
  type L2ServiceObserved,
} from '../../../core/plan/l2/service.ts'
import { freeing } from '../../../core/plan/builtin/locks.ts'
import { refused, type Plan } from '../../../core/plan/plan.ts'
import { networkOf } from '../../../core/plan/l2/switch-ports.ts'
import type { Blockers } from '../../../core/plan/vpc/blockers.ts'
import { blockersAmong } from '../../gather/deletion-blockers.ts'
import { objects } from '../../drivers/store-objects.ts'
import type { Env } from '../../controller-env.ts'
import { followedBy } from '../../gather/drained-vlans.ts'
import { consumersOf, podsOf, type Consumer } from '../../gather/l2-users.ts'
import { row, type Row } from '../../loop/controller-row.ts'
import type { Controller } from '../../loop/controller.ts'
import { specChanges } from '../../watch/predicates.ts'
import { asItWas, every, itself, named, through } from '../../watch/map-to-keys.ts'
import { attachmentsItUses, attachmentsOnIt, letsGoOfNetworks, servicesItNames, trunksBesideIt } from '../../watch/l2-keys.ts'
import { attachmentChanges, domainChanges, isGoingInIt, keyOfHolder, namespaceBeginsToGo } from '../../watch/compared-fields.ts'

type L2Service = Resource<'L2Service'>

export const l2Services: Row<'L2Service'> = row(
  'L2Service',
  (on) => [
    on('L2Service', { when: specChanges, keys: itself }),
    on('Namespace', { when: namespaceBeginsToGo, keys: every('L2Service', isGoingInIt) }),
    on('L2ServiceAttachment', { when: attachmentChanges, keys: servicesItNames }),
    on('L2ServiceAttachment', { when: specChanges, keys: asItWas(servicesItNames) }),
    on('L2ServiceAttachment', { when: specChanges, keys: through(trunksBesideIt, servicesItNames) }),
    on('L2BridgeDomain', { when: domainChanges, keys: named('L2Service', 'its holder', ({ spec }) => [keyOfHolder(spec.holder)]) }),
    on('ConnectionPoint', { when: specChanges, keys: through(attachmentsOnIt, servicesItNames) }),
    on('Pod', { when: letsGoOfNetworks, keys: asItWas(through(attachmentsItUses, servicesItNames)) }),
  ],
  open,
)

function open(env: Env): Controller<L2ServiceDesired, L2ServiceDesired, L2ServiceObserved, L2ServiceAction, Plan<L2ServiceAction>> {
  const { caches, store } = env
  const driver = objects<L2ServiceDesired, L2ServiceObserved, L2ServiceAction>(store, 'segments', {
    async observe(desired) {
      const { service } = desired
      const name = domainNameOf(service)
      const going = service.metadata.deletionTimestamp !== undefined
      // That a domain is gone is the proof that nothing is open: a cache may not know yet that it has been made.
      const domain = caches.L2BridgeDomain.get(name) ?? (going ? await store.get({ kind: 'L2BridgeDomain', name }) : undefined)
      const names = segmentsOf(desired, domain).map(({ physicalNetwork, vlan }) => vlanLockName(physicalNetwork, vlan))
      const locks = await Promise.all(
        names.map(async (each) => [each, caches.SegmentLock.get(each) ?? (await store.get({ kind: 'SegmentLock', name: each }))] as const),
      )
      return {
        domain,
        locks: new Map(locks.flatMap(([each, lock]) => (lock === undefined ? [] : [[each, lock]]))),
        held: going ? await heldLive(service, env) : [...caches.SegmentLock.by('holder', service.metadata.uid)],
      }
    },
    writesOf,
  })
  return {
    async gather(key) {
      const service = caches.L2Service.get(key)
      return (
        service && {
          service,
          ...(await consumption(service, await consumers(service, env), env)),
          blockers: await blockersOf(service, env),
        }
      )
    },
    driver: () => driver,
    scope: (desired) => desired,
    item: ({ service }) => service,
    basis: ({ service }) => [{ kind: 'L2BridgeDomain', name: domainNameOf(service) }],
    plan: planL2Service,
    needsLive: (_, plan) => {
      const { steps } = plan
      const { byAttachments, byPods } = advances(plan)
      if (byPods) return ['L2ServiceAttachment', 'ConnectionPoint', 'Pod']
      // By a past of attachments or of ConnectionPoints ports would be closed that are relied on.
      if (
        byAttachments ||
        steps.some(
          ({ action }) =>
            action.do === 'changeDomain' &&
            action.domain.spec.connectionPoints.some((each) => !action.spec.connectionPoints.includes(each)),
        )
      )
        return ['L2ServiceAttachment', 'ConnectionPoint']
      // Made for an L2Service of the past, nobody would ever take it away.
      return steps.some(({ action }) => action.do === 'makeDomain') ? [] : undefined
    },
    refusal: (message) => refused('Refused', message),
  }
}

/** Before it goes, lest a lock that no watch has told of is left behind. */
const heldLive = async ({ metadata }: L2Service, { store }: Env) =>
  (await store.list('SegmentLock', { fields: { '.spec.holder.uid': metadata.uid } })).items

type Consumption = Pick<L2ServiceDesired, 'connectionPoints' | 'networks' | 'definitionsFollow' | 'podBefore'>

/** What nobody seems to want any more is closed by the store's word alone: an attachment that no watch has told of may rely on it. */
async function consumers(service: L2Service, { caches, store }: Env): Promise<readonly Consumer[]> {
  const known = consumersOf(service, caches)
  const domain = caches.L2BridgeDomain.get(domainNameOf(service))
  const wanted = new Set(known.map(({ point }) => point.metadata.name))
  if (domain === undefined || ((domain.spec.draining ?? []).length === 0 && domain.spec.connectionPoints.every((name) => wanted.has(name))))
    return known
  const { items } = await store.list('L2ServiceAttachment', { namespace: service.metadata.namespace ?? '' })
  return consumersOf(
    service,
    caches,
    items.filter(({ spec }) => spec.l2Services.includes(service.metadata.name)),
  )
}

async function consumption(service: L2Service, consumers: readonly Consumer[], env: Env): Promise<Consumption> {
  const points = [...new Map(consumers.map(({ point }) => [point.metadata.name, point])).values()]
  return {
    connectionPoints: points.map((point) => point.metadata.name).sort(),
    networks: [...new Set(points.map(networkOf))].sort(),
    definitionsFollow: await followedBy(consumers, service, env),
    podBefore: (time) =>
      consumers
        .flatMap(({ attachment }) => podsOf(attachment, env.caches))
        .find((pod) => Date.parse(pod.metadata.creationTimestamp) <= Date.parse(time))?.metadata.name,
  }
}

async function blockersOf(service: L2Service, env: Env): Promise<Blockers | undefined> {
  if (service.metadata.deletionTimestamp === undefined) return undefined
  const cached = [...env.caches.L2ServiceAttachment.by('l2Service', keyOfItem(service))]
  const { items } =
    cached.length > 0 ? { items: cached } : await env.store.list('L2ServiceAttachment', { namespace: service.metadata.namespace ?? '' })
  return blockersAmong(
    service,
    items.filter(({ spec }) => spec.l2Services.includes(service.metadata.name)).map((each) => each.metadata.name),
    env,
  )
}

function writesOf(action: L2ServiceAction): readonly Write[] {
  switch (action.do) {
    case 'takeVlan': {
      const { namespace = '', name, uid } = action.service.metadata
      const { physicalNetwork, vlan } = action
      return [
        {
          do: 'create',
          draft: {
            kind: 'SegmentLock',
            metadata: { name: vlanLockName(physicalNetwork, vlan) },
            spec: { physicalNetwork, vlan, holder: { kind: 'L2Service', namespace, name, uid } },
          },
        },
      ]
    }
    case 'freeVlan':
      return [freeing(action.lock)]
    case 'makeDomain': {
      const spec = action.spec
      return [
        {
          do: 'create',
          draft: {
            kind: 'L2BridgeDomain',
            metadata: { name: action.name, finalizers: [...finalizersFor('L2BridgeDomain', { metadata: {}, spec })] },
            spec,
          },
        },
      ]
    }
    case 'changeDomain':
      return [{ do: 'update', item: { ...action.domain, spec: action.spec } }]
    case 'deleteDomain':
      return [
        {
          do: 'delete',
          ref: refOf(action.domain),
          preconditions: { uid: action.domain.metadata.uid, resourceVersion: action.domain.metadata.resourceVersion },
        },
      ]
  }
}
