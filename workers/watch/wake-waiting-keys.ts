// What brings that which plans wait for (waitsFor): its coming wakes whoever waits for it in this process.
import { inNamespaceOf, resolveReference, type Kind, type Resource } from '../../core/kinds/index.ts'
import type { WaitsFor } from '../../core/plan/plan.ts'
import type { ChangeEvent } from '../../platform/cache/cache.ts'
import type { Cached } from '../../platform/cache/caches.ts'
import type { Env } from '../controller-env.ts'
import { both, goes, isThere, latest, part, when, type Predicate } from './predicates.ts'
import { subnetChanges, vpcChanges } from './compared-fields.ts'

export interface Release {
  readonly kind: Cached
  readonly brings: WaitsFor['kind']
  readonly when: string
  readonly hear: (event: ChangeEvent<Kind>, env: Env) => void
}
interface ReleaseOptions<K extends Kind, B extends WaitsFor['kind']> {
  readonly when: Predicate<K>
  readonly of: (item: Resource<K>, env: Env) => readonly Extract<WaitsFor, { kind: B }>[]
  /** Only the first of those who wait is woken, so much later; absent: all, at once. */
  readonly first?: (env: Env) => { readonly afterMs: number }
}

const release = <B extends WaitsFor['kind'], K extends Cached>(brings: B, kind: K, given: ReleaseOptions<K, B>): Release => ({
  kind,
  brings,
  when: given.when.name,
  hear(event, env) {
    const change = event as Parameters<typeof given.when.test>[0]
    if (!given.when.test(change, env)) return
    const how = given.first === undefined ? {} : { first: true, ...given.first(env) }
    for (const come of given.of(latest(change), env)) env.waiting.wake(come, how)
  },
})

/** Pods that may name a Vpc are in its namespace, and in those that it is shared with. */
const namersOf = ({ metadata, spec }: Resource<'Vpc'>): readonly Extract<WaitsFor, { kind: 'named' }>[] =>
  [metadata.namespace ?? '', ...(spec.sharedWith ?? [])].map((namespace) => ({ kind: 'named', namespace }))

function namersOfSubnet(subnet: Resource<'Subnet'>, { caches }: Env): readonly Extract<WaitsFor, { kind: 'named' }>[] {
  const vpc = subnet.spec.vpc === undefined ? undefined : caches.Vpc.get(inNamespaceOf(subnet, subnet.spec.vpc))
  return vpc === undefined ? [] : namersOf(vpc)
}

const inItsNamespace = ({ metadata: { namespace = '' } }: Resource): readonly Extract<WaitsFor, { kind: 'named' }>[] => [
  { kind: 'named', namespace },
]
const appearsForAnybody = when<'Port'>(
  "appears and is nobody's",
  ({ before, after }) => before === undefined && after !== undefined && after.spec.claim === undefined,
)
const isLetGo = when<'Port'>(
  'is no longer claimed',
  ({ before, after }) => before?.spec.claim !== undefined && after?.spec.claim === undefined,
)

const wasAtCloud = when<'Port'>('was at its cloud', ({ before }) => before?.status?.providerID !== undefined)

export const releases: readonly Release[] = [
  release('lock', 'IPLock', { when: goes, of: ({ metadata: { namespace = '', name } }) => [{ kind: 'lock', namespace, name }] }),
  release('address', 'IPLock', {
    when: goes,
    of: ({ metadata: { namespace = '' }, spec: { subnet, address } }) =>
      subnet === undefined || address === undefined ? [] : [{ kind: 'address', namespace, subnet }],
    first: ({ config }) => ({ afterMs: config.addressRestMs }),
  }),
  // Its cloud has the address again, and has maybe refused one to others.
  release('address', 'Port', {
    when: both(goes, wasAtCloud),
    of({ metadata, spec }) {
      const { namespace, name: subnet } = resolveReference(spec.subnet, metadata.namespace ?? '')
      return [{ kind: 'address', namespace, subnet }]
    },
    first: () => ({ afterMs: 0 }),
  }),
  release('segment', 'SegmentLock', { when: goes, of: ({ metadata: { name } }) => [{ kind: 'segment', name }] }),
  release('identity', 'PolicyIdentity', {
    when: both(
      isThere,
      part('status.phase', (identity) => identity?.status?.phase),
    ),
    of: ({ metadata: { namespace = '', name } }) => [{ kind: 'identity', namespace, name }],
  }),
  release('named', 'Vpc', { when: vpcChanges, of: namersOf }),
  release('named', 'Subnet', { when: subnetChanges, of: namersOfSubnet }),
  // Ports that are made for other pods are no news to a pod: there would be as many passes as pods for each.
  release('named', 'Port', { when: appearsForAnybody, of: inItsNamespace }),
  release('named', 'Port', { when: isLetGo, of: inItsNamespace }),
]
