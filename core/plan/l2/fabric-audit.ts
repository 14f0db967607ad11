// One Fabric against everything that is wanted of it: what is missing, dangling, wrong or foreign, by switch.
import type { RoutedVlan, SwitchChange, SwitchState, VlanChange } from '../../contracts/fabric-driver.ts'
import { refOf, type Ref, type Resource } from '../../kinds/index.ts'
import type { VlanId } from '../../net/segment.ts'
import { closableOn } from './fabric-marks.ts'
import type { ObservedFabric, ObservedSwitch } from './fabric.ts'
import { firstAndMore, type Plan, type Step } from '../plan.ts'

export type AuditAction =
  /**
   * A domain that would not look at a switch is told that something of its own is open there: it was opened by a pass that another has
   * overtaken.
   */
  | { readonly do: 'noteSwitch'; readonly domain: Domain; readonly switches: readonly string[] }
  | { readonly do: 'setVlans'; readonly switches: ReadonlyMap<string, readonly SwitchChange[]> }

type Domain = Resource<'L2BridgeDomain'>

export type RoutesByPort = ReadonlyMap<string, ReadonlyMap<VlanId, RoutedVlan>>

export interface AuditDesired {
  readonly fabric: Resource<'Fabric'>
  /** `fabric/switch` → switch port → VLAN → token of who wants it there. */
  readonly wants: ReadonlyMap<string, ReadonlyMap<string, ReadonlyMap<VlanId, string>>>
  /** The same of the ports of routers, with the VRF that it is to be in. */
  readonly routes: ReadonlyMap<string, RoutesByPort>
  /** By token. */
  readonly domains: ReadonlyMap<string, Domain>
  /** L2BridgeDomains that may have something open here. */
  readonly users: readonly string[]
}
export interface AuditObserved {
  readonly sights: ObservedFabric
  /** Tokens of domains that a cache did not know and the store did. */
  readonly known: ReadonlySet<string>
}

interface Finding {
  readonly name: string
  readonly state: 'reachable' | 'unreachable'
  readonly message?: string
  readonly missing?: number
  readonly dangling?: number
  readonly wrong?: number
  readonly foreign?: number
}
interface LocatedFinding {
  readonly finding: Finding
  /** `fabric/switch` */
  readonly key: string
  /** Domains that have something to put right themselves. */
  readonly wake: ReadonlySet<Domain>
  /** Those of them that have something to close. */
  readonly dangling: readonly Domain[]
  /** Of nobody that there is. */
  readonly close: readonly SwitchChange[]
}

/** What is open and unwanted is looked at again soon: whoever was to close it may have planned by a past. */
const danglingAgainMs = 10_000

/** @param everyMs how often it is audited without a reason */
export function planAudit(desired: AuditDesired, observed: AuditObserved, everyMs: number): Plan<AuditAction> {
  const { fabric, users } = desired
  const { name, deletionTimestamp } = fabric.metadata
  if (deletionTimestamp !== undefined) return planEnd(users)
  const found = fabric.spec.switches.map((each) =>
    audit(each.name, observed.sights.get(`${name}/${each.name}`), { key: `${name}/${each.name}`, desired, known: observed.known }),
  )
  const findings = found.map(({ finding }) => finding)
  const isDry = fabric.spec.dryRun === true
  const dangles = !isDry && findings.some(({ dangling = 0 }) => dangling > 0)
  return {
    steps: isDry ? [] : stepsOf(fabric, found),
    // Also where nothing is changed: they say so of themselves, and nobody is told any more of a VLAN that a switch has lost.
    next: disagreeing(found),
    ...verdictOf(findings),
    requeueAfterMs: dangles ? Math.min(everyMs, danglingAgainMs) : everyMs,
    sections: { audit: { switches: findings } },
  }
}

function planEnd(users: readonly string[]): Plan<never> {
  const [first, ...others] = users
  if (first !== undefined)
    return {
      steps: [],
      phase: 'terminating',
      reason: 'InUse',
      message: `L2BridgeDomain ${firstAndMore(first, others.length)} may still be open on it`,
    }
  return { steps: [], phase: 'deleted', reason: 'Unused', message: 'nothing of ours is open on it' }
}

/** L2BridgeDomains that a switch disagrees with: each corrects its own VLAN. */
function disagreeing(found: readonly LocatedFinding[]): readonly Ref[] {
  const names = new Set(found.flatMap(({ wake }) => [...wake].map(({ metadata }) => metadata.name)))
  return [...names].sort().map((name) => ({ kind: 'L2BridgeDomain', name }))
}

function stepsOf(fabric: Resource<'Fabric'>, found: readonly LocatedFinding[]): Step<AuditAction>[] {
  const of = refOf(fabric)
  const switches = new Map(
    found.flatMap(({ finding, close }) => (close.length === 0 ? [] : [[`${fabric.metadata.name}/${finding.name}`, close] as const])),
  )
  return [
    ...unnoted(found).map((action) => ({ action, because: { rule: 'an L2BridgeDomain that does not know where it is open', of } })),
    ...(switches.size === 0
      ? []
      : [{ action: { do: 'setVlans' as const, switches }, because: { rule: 'VLANs of ours that nobody wants any more', of } }]),
  ]
}

/** One action for each domain, as its status is written as a whole. */
function unnoted(found: readonly LocatedFinding[]): Extract<AuditAction, { do: 'noteSwitch' }>[] {
  const missing = new Map<Domain, string[]>()
  for (const { key, dangling } of found)
    for (const domain of dangling) if (!touches(domain, key)) missing.set(domain, [...(missing.get(domain) ?? []), key])
  return [...missing].map(([domain, keys]) => ({
    do: 'noteSwitch',
    domain,
    switches: [...(domain.status?.switches ?? []), ...keys].sort(),
  }))
}

const touches = ({ status }: Domain, key: string): boolean => status?.switches?.includes(key) === true

interface AuditRequest {
  readonly key: string
  readonly desired: AuditDesired
  readonly known: ReadonlySet<string>
}

function audit(name: string, sight: ObservedSwitch | undefined, { key, desired, known }: AuditRequest): LocatedFinding {
  if (sight === undefined || 'problem' in sight)
    return {
      key,
      finding: { name, state: 'unreachable', message: sight?.problem ?? 'not looked at yet' },
      wake: new Set(),
      dangling: [],
      close: [],
    }
  const wants = desired.wants.get(key) ?? new Map<string, ReadonlyMap<VlanId, string>>()
  const routes: RoutesByPort = desired.routes.get(key) ?? new Map()
  const wake = new Set<Domain>()
  const surplus = [...surplusOf(wants, sight), ...surplusRoutes(routes, sight.state)]
  const foreign = [...sight.state.values()].reduce((sum, { others }) => sum + others.size, 0)
  const dangling = [...new Set(surplus.flatMap(({ of }) => desired.domains.get(of) ?? []))]
  for (const domain of dangling) wake.add(domain)
  const unrouted = missingRoutes(routes, sight.state)
  for (const { of } of unrouted) wakeOf(of, desired.domains, wake)
  const { missing, wrong } = shortOf(wants, sight, desired.domains, wake)
  const close = surplus.filter(({ of }) => !desired.domains.has(of) && !known.has(of))
  return {
    key,
    finding: { name, state: 'reachable', missing: missing + unrouted.length, dangling: surplus.length, wrong, foreign },
    wake,
    dangling,
    close,
  }
}

type Wants = ReadonlyMap<string, ReadonlyMap<VlanId, string>>

/** What is open of ours and is wanted by nobody there. */
function surplusOf(wants: Wants, { state }: Extract<ObservedSwitch, { state: unknown }>): VlanChange[] {
  return [...state].flatMap(([on, port]) =>
    closableOn(port)
      .filter(([vlan, token]) => wants.get(on)?.get(vlan) !== token)
      .map(([vlan, of]): VlanChange => ({ do: 'close', on, vlan, of })),
  )
}

function shortOf(
  wants: Wants,
  { state }: Extract<ObservedSwitch, { state: unknown }>,
  domains: ReadonlyMap<string, Domain>,
  wake: Set<Domain>,
): { readonly missing: number; readonly wrong: number } {
  let missing = 0
  let wrong = 0
  for (const [on, vlans] of wants) {
    const there = state.get(on)
    const fits = there !== undefined && there.mode !== 'absent' && there.mode !== 'access'
    if (!fits) wrong++
    for (const [vlan, token] of vlans) {
      if (fits && (there.ours.has(vlan) || there.others.has(vlan))) continue
      missing++
      wakeOf(token, domains, wake)
    }
  }
  return { missing, wrong }
}

function wakeOf(token: string, domains: ReadonlyMap<string, Domain>, wake: Set<Domain>): void {
  const domain = domains.get(token)
  if (domain !== undefined) wake.add(domain)
}

/** Subinterfaces of ours that nobody wants there; one in another VRF than its own is missing there, and moves. */
function surplusRoutes(routes: RoutesByPort, state: SwitchState): SwitchChange[] {
  return [...state].flatMap(([on, { routed = new Map() }]) =>
    [...routed]
      .filter(([vlan, { of }]) => routes.get(on)?.get(vlan)?.of !== of)
      .map(([vlan, { of }]): SwitchChange => ({ do: 'leave', on, vlan, of })),
  )
}

function missingRoutes(routes: RoutesByPort, state: SwitchState): RoutedVlan[] {
  return [...routes].flatMap(([on, vlans]) =>
    [...vlans].filter(([vlan, { vrf }]) => state.get(on)?.routed?.get(vlan)?.vrf !== vrf).map(([, wanted]) => wanted),
  )
}

function verdictOf(findings: readonly Finding[]): Pick<Plan<never>, 'phase' | 'reason' | 'message'> {
  const cut = findings.filter(({ state }) => state === 'unreachable')
  const sum = (of: 'missing' | 'dangling' | 'wrong' | 'foreign'): number => findings.reduce((all, each) => all + (each[of] ?? 0), 0)
  const counts = `${sum('missing')} missing, ${sum('dangling')} dangling, ${sum('wrong')} wrong, ${sum('foreign')} foreign`
  if (cut.length > 0)
    return {
      phase: 'pending',
      reason: 'SwitchUnreachable',
      message: `${cut.map(({ name, message = '' }) => `switch ${name} is unreachable: ${message}`).join('; ')}; ${counts}`,
    }
  if (sum('wrong') > 0) return { phase: 'error', reason: 'SwitchPortWrong', message: counts }
  return { phase: 'ready', reason: 'Audited', message: `${findings.length} switches: ${counts}` }
}
