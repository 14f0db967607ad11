// Clouds: whether each can be asked. What stands there is its Vpcs', Subnets' and Ports'.
import { keyOfItem, type Resource } from '../../../core/kinds/index.ts'
import { poolKeyOf } from '../../../core/kinds/vpc/warm.ts'
import { planCloud, type CloudDesired, type CloudQuotaSeen } from '../../../core/plan/cloud/cloud.ts'
import type { Plan } from '../../../core/plan/plan.ts'
import { nothing } from '../../drivers/store-objects.ts'
import type { Driver } from '../../../core/contracts/driver.ts'
import type { Env } from '../../controller-env.ts'
import type { Controller } from '../../loop/controller.ts'
import { row, type Row } from '../../loop/controller-row.ts'
import { goes, isGoing, specChanges } from '../../watch/predicates.ts'
import { beingDeleted, itself, named } from '../../watch/map-to-keys.ts'

const cloudOf = ({ spec }: Resource<'Vpc' | 'CloudSecurityGroup'>): readonly string[] => (spec.cloud === undefined ? [] : [spec.cloud])

/** What pools have heard of its quota is told so long afterwards, in place of being asked for. */
const toldMs = 60_000

export const clouds: Row<'Cloud'> = row(
  'Cloud',
  (on) => [
    on('Cloud', { when: specChanges, keys: itself }),
    on('Vpc', { when: goes, keys: named('Cloud', 'its Cloud', cloudOf, beingDeleted) }),
    on('CloudSecurityGroup', { when: goes, keys: named('Cloud', 'its Cloud', cloudOf, beingDeleted) }),
  ],
  open,
)

function open(env: Env): Controller<CloudDesired, CloudDesired, CloudQuotaSeen, never, Plan<never>> {
  env.meter.warmPorts(() => pooled(env))
  const driver: Driver<CloudDesired, CloudQuotaSeen, never> = {
    ...nothing(env.store),
    name: 'cloud',
    observe: async ({ cloud, problem }, signal) => ({
      quota: isGoing(cloud) || problem !== undefined ? undefined : await env.quotas.of(cloud, signal, toldMs),
    }),
  }
  return {
    async gather(key) {
      const cloud = env.caches.Cloud.get(key)
      if (cloud === undefined) return undefined
      if (isGoing(cloud)) return { cloud, problem: undefined, users: await usersOf(key, env), pools: undefined }
      const session = env.clouds.usable(cloud)
      return { cloud, problem: 'problem' in session ? session.problem : undefined, users: [], pools: poolsOf(cloud, env.caches) }
    },
    driver: () => driver,
    scope: (desired) => desired,
    item: ({ cloud }) => cloud,
    plan: planCloud,
  }
}

/** Cloud → what is made ahead there. */
function* pooled({ caches }: Env): Generator<readonly [string, NonNullable<CloudDesired['pools']>]> {
  for (const cloud of caches.Cloud.values()) {
    const pools = poolsOf(cloud, caches)
    if (pools !== undefined) yield [cloud.metadata.name, pools]
  }
}

function poolsOf({ spec, metadata }: Resource<'Cloud'>, caches: Env['caches']): CloudDesired['pools'] {
  if (spec.warmPools === undefined) return undefined
  const entries = [...caches.Port.by('cloud', metadata.name)].filter(({ spec: { warm } }) => warm !== undefined && warm.for === undefined)
  const ready = entries.filter(({ status }) => status?.phase === 'ready').length
  return { pools: new Set(entries.map(poolKeyOf)).size, ready, making: entries.length - ready }
}

/** Where the caches know none, the store itself is asked. */
async function usersOf(name: string, { caches, store }: Env): Promise<readonly string[]> {
  const cached = [...caches.Vpc.by('cloud', name)]
  if (cached.length > 0) return textsOf(cached)
  const [vpcs, groups] = await Promise.all([store.list('Vpc'), store.list('CloudSecurityGroup')])
  return textsOf([...vpcs.items, ...groups.items].filter(({ spec }) => spec.cloud === name))
}

const textsOf = (items: readonly Resource[]): readonly string[] => items.map((item) => `${item.kind} ${keyOfItem(item)}`).sort()
