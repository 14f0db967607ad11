// A Vpc and a Subnet of a cloud.
import type { CloudNetwork, CloudSeen, CloudSubnet, NetworkWanted, SubnetWanted } from '../../contracts/cloud.ts'
import { whyNotL3 } from '../../kinds/vpc/subnet.ts'
import type { Resource } from '../../kinds/index.ts'
import type { Learned } from '../../kinds/vpc/subnet.ts'
import { sameJson } from '../../same-json.ts'
import { inPlace, refused, waitingFor, type Plan } from '../plan.ts'
import { againInMs, blockedText, type Blockers } from '../vpc/blockers.ts'
import { auditMs, placeOf, planLife, planLifeEnd, type LifeAction, type LifeDesired } from './life.ts'

type Around<K extends 'network' | 'subnet', Kind extends 'Vpc' | 'Subnet'> = Omit<
  LifeDesired<K>,
  'item' | 'wanted' | 'differs' | 'sectionsOf'
> & {
  readonly item: Resource<Kind>
  readonly blockers: Blockers | undefined
}
export type NetworkDesired = Around<'network', 'Vpc'>
export type SubnetDesired = Around<'subnet', 'Subnet'> & { readonly vpc: Resource<'Vpc'> | undefined }

const inUse = (kind: string, blockers: Blockers): Plan<never> => ({
  steps: [],
  phase: 'terminating',
  reason: 'InUse',
  message: blockedText(kind, blockers),
  ...againInMs(blockers),
})

export function planNetwork(desired: NetworkDesired, seen: CloudSeen<'network'>, now: number): Plan<LifeAction<'network'>> {
  const { item, blockers, cloud } = desired
  if (item.metadata.deletionTimestamp !== undefined)
    return blockers === undefined ? planLifeEnd(desired, seen, now) : inUse('Subnet', blockers)
  const wanted: NetworkWanted = { mtu: item.spec.mtu }
  const differs = ({ mtu }: CloudNetwork): boolean => item.spec.mtu !== undefined && mtu !== item.spec.mtu
  const sectionsOf = (there: CloudNetwork) => ({
    provider: { ...placeOf(desired, there), ...(there.mtu !== undefined && { mtu: there.mtu }) },
  })
  const life = planLife<'network'>({ ...desired, wanted, differs, sectionsOf }, seen, now)
  if (life.is === 'not yet') return life.plan
  const { there } = life
  return { ...inPlace('InPlace', `${there.name} of cloud ${cloud}`), requeueAfterMs: auditMs, sections: sectionsOf(there) }
}

const providerIDOf = (vpc: Resource<'Vpc'> | undefined): string | undefined =>
  vpc?.status?.phase === 'ready' ? vpc.status.providerID : undefined

export function planCloudSubnet(desired: SubnetDesired, seen: CloudSeen<'subnet'>, now: number): Plan<LifeAction<'subnet'>> {
  const { item, vpc, blockers, cloud } = desired
  if (item.metadata.deletionTimestamp !== undefined)
    return blockers === undefined ? planLifeEnd(desired, seen, now) : inUse('Port', blockers)
  if (item.spec.mode === 'l3') return refused('ModeRefused', whyNotL3)
  const providerID = providerIDOf(vpc)
  if (vpc === undefined || providerID === undefined)
    return waitingFor('VpcNotReady', `Vpc ${item.spec.vpc ?? ''} is not ready at cloud ${cloud}`)
  const wanted = wantedOf(item)
  const sectionsOf = (there: CloudSubnet) => ({ provider: { ...placeOf(desired, there), learned: learnedBy(wanted, there) } })
  const life = planLife<'subnet'>({ ...desired, wanted, differs: (there) => isOtherwise(wanted, there), sectionsOf }, seen, now)
  if (life.is === 'not yet') return life.plan
  const { there } = life
  const blocks = [there.learned.ipv4, there.learned.ipv6].flatMap((block) => block?.cidr ?? [])
  const sections = { ...sectionsOf(there), segment: { validated: true } }
  return { ...inPlace('InPlace', `${blocks.join(' and ')} of cloud ${cloud}`), requeueAfterMs: auditMs, sections }
}

const wantedOf = ({ spec: { ipv4, ipv6, routes, dns } }: Resource<'Subnet'>): SubnetWanted => ({
  ...(ipv4 && { ipv4 }),
  ...(ipv6 && { ipv6 }),
  ...(routes && { routes }),
  ...(dns && { dns }),
})

/** Blocks cannot be changed, here or there; a domain is told to pods by us, and to no cloud. */
const isOtherwise = ({ routes, dns }: SubnetWanted, { learned }: CloudSubnet): boolean =>
  (routes !== undefined && !sameJson(routeTexts(routes), routeTexts(learned.routes))) ||
  (dns !== undefined && !sameJson(dns.nameservers ?? [], learned.dns?.nameservers ?? []))

const routeTexts = (routes: SubnetWanted['routes'] = []): readonly string[] =>
  routes.map(({ destination, nextHop }) => `${destination} ${nextHop}`).sort()

/** What pods get. */
function learnedBy({ dns: { domain, search } = {} }: SubnetWanted, { learned }: CloudSubnet): Learned {
  if (domain === undefined && search === undefined) return learned
  return { ...learned, dns: { ...learned.dns, ...(domain !== undefined && { domain }), ...(search !== undefined && { search }) } }
}
