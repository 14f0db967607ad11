// One L2BridgeDomain against the switches: what is to be opened, what closed, and how far it has come.
import { isRoute, type SwitchChange, type SwitchPortState, type SwitchState, type VlanChange } from '../../contracts/fabric-driver.ts'
import { refOf, type Resource } from '../../kinds/index.ts'
import { hash80 } from '../../net/names.ts'
import { parseVlan, type VlanId } from '../../net/segment.ts'
import type { Plan, Step } from '../plan.ts'
import { findRoutes } from './domain-routes.ts'
import { markedIn, portsWith } from './fabric-marks.ts'
import type { WantedRoutes } from './gateway-vrfs.ts'
import type { PortsBySwitch } from './switch-ports.ts'

/** What a switch says, or why it says nothing. */
export type ObservedSwitch = { readonly state: SwitchState } | { readonly problem: string }
/** By `fabric/switch`. */
export type ObservedFabric = ReadonlyMap<string, ObservedSwitch>

export type DomainAction =
  /** Stands in the status before a switch is touched, so that whoever comes after a crash knows where to look. */
  | { readonly do: 'noteSwitches'; readonly domain: Resource<'L2BridgeDomain'>; readonly switches: readonly string[] }
  /** Each switch by itself, and all at once; nothing is closed anywhere before all that is to be opened was tried. */
  | { readonly do: 'setVlans'; readonly switches: ReadonlyMap<string, readonly SwitchChange[]> }

export interface DomainDesired {
  readonly domain: Resource<'L2BridgeDomain'>
  readonly ports: PortsBySwitch
  readonly unmatched: readonly string[]
  readonly routes: WantedRoutes
  /** Whether anybody has declared switches at all; without them nodes alone carry VLANs. */
  readonly hasFabric: boolean
  /** Fabrics in which nothing is changed. */
  readonly dryRun: ReadonlySet<string>
  /** Switches, as fabric/switch, whose unrestricted ports are not to be touched. */
  readonly refusing: ReadonlySet<string>
}
type DomainPlan = Plan<DomainAction>

/** Switches that carry it, and routers; each may be named twice. */
export const wantedOn = ({ ports, routes }: Pick<DomainDesired, 'ports' | 'routes'>): readonly string[] => [
  ...ports.keys(),
  ...routes.ports.keys(),
]

/** What marks a VLAN on a switch as this domain's. */
export const tokenOf = (domain: { readonly metadata: { readonly name: string } }): string =>
  hash80('domain', domain.metadata.name).slice(0, 10)

const unreachableAgainMs = 5_000
const wrongAgainMs = 30_000
/** Until it is looked at whether what a switch was told to close is closed. */
const closedAgainMs = 50

type BySwitch = ReadonlyMap<string, readonly SwitchChange[]>

/** All that one pass finds out; switches are named `fabric/switch`. */
interface Findings {
  /** Opens, and joins a VRF. */
  readonly open: Map<string, readonly SwitchChange[]>
  /** Closes, and leaves it. */
  readonly close: Map<string, readonly SwitchChange[]>
  /** On how many ports of a switch something is to be opened. */
  readonly opening: Map<string, number>
  readonly wrong: string[]
  readonly unreachable: Map<string, string>
  /** Wanted ports that carry all that is wanted of them. */
  done: number
  /** VLANs of ours that are still open somewhere they should not be. */
  left: number
}

export function planDomain(desired: DomainDesired, seen: ObservedFabric): DomainPlan {
  const { domain, ports, routes } = desired
  const going = domain.metadata.deletionTimestamp !== undefined
  const findings = find(desired, seen, going)
  const total = going ? 0 : sum([...ports.values(), ...routes.ports.values()].map(({ size }) => size))
  const steps = stepsOf(desired, findings, seen)
  const sections = sectionsOf({ desired, findings, seen, total })
  const verdict = verdictOf(desired, findings, { going, total, dry: isDry(desired, findings) })
  return { steps, sections, ...verdict }
}

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((all, each) => all + each, 0)
const isDryAt = ({ dryRun }: DomainDesired, key: string): boolean => dryRun.has(key.slice(0, key.indexOf('/')))
const isDry = (desired: DomainDesired, { open, close }: Findings): boolean =>
  [...open.keys(), ...close.keys()].some((key) => isDryAt(desired, key))

/** VLANs that are to be open on each wanted port. */
function wantedVlans({ spec, metadata }: Resource<'L2BridgeDomain'>): VlanId[] {
  if (metadata.deletionTimestamp !== undefined) return []
  return [spec.vlan, ...(spec.draining ?? []).filter((each) => each.close !== true).map((each) => each.vlan)].flatMap(
    (vlan) => parseVlan(vlan) ?? [],
  )
}

function find(desired: DomainDesired, seen: ObservedFabric, going: boolean): Findings {
  const { domain, ports, routes, refusing } = desired
  const of = tokenOf(domain)
  const vlans = wantedVlans(domain)
  const findings: Findings = { open: new Map(), close: new Map(), opening: new Map(), wrong: [], unreachable: new Map(), done: 0, left: 0 }
  for (const [key, sight] of seen) {
    if ('problem' in sight) {
      findings.unreachable.set(key, sight.problem)
      continue
    }
    const wanted = (going ? undefined : ports.get(key)) ?? none
    const want = { key, state: sight.state, wanted, vlans, of, refuses: refusing.has(key) }
    findSurplus(want, findings)
    findMissing(want, findings)
    addRoutes(want, { ports: (going ? undefined : routes.ports.get(key)) ?? none, vrf: domain.spec.vrf }, findings)
  }
  return findings
}

interface RoutesHere {
  /** Ports of this switch, as a router. */
  readonly ports: ReadonlySet<string>
  readonly vrf: string | undefined
}

function addRoutes({ key, state, vlans, of }: Want, { ports, vrf }: RoutesHere, findings: Findings): void {
  const { join, leave, wrong, done, joining } = findRoutes({ key, state, ports, vlans, of, vrf })
  const { open, close, opening } = findings
  findings.wrong.push(...wrong)
  findings.done += done
  findings.left += leave.length
  if (join.length > 0) open.set(key, [...(open.get(key) ?? []), ...join])
  if (leave.length > 0) close.set(key, [...(close.get(key) ?? []), ...leave])
  if (joining > 0) opening.set(key, (opening.get(key) ?? 0) + joining)
}

interface Want {
  /** `fabric/switch` */
  readonly key: string
  readonly state: SwitchState
  /** Its ports that are wanted. */
  readonly wanted: ReadonlySet<string>
  readonly vlans: readonly VlanId[]
  readonly of: string
  readonly refuses: boolean
}

const none: ReadonlySet<string> = new Set()
const absent: SwitchPortState = { ours: new Map(), others: new Set(), mode: 'absent' }

/** What is open for this domain and is not wanted there. */
function findSurplus({ key, state, of, vlans, wanted }: Want, findings: Findings): void {
  const surplus = (markedIn(state).byToken.get(of) ?? []).flatMap((vlan) =>
    portsWith(state, vlan, of).flatMap((on): VlanChange[] =>
      wanted.has(on) && vlans.includes(vlan) ? [] : [{ do: 'close', on, vlan, of }],
    ),
  )
  if (surplus.length === 0) return
  findings.close.set(key, surplus)
  findings.left += surplus.length
}

function findMissing(want: Want, findings: Findings): void {
  const { key, state, wanted, vlans, of } = want
  const elses = wanted.size === 0 ? undefined : vlans.find((vlan) => isElses(state, vlan, of))
  if (elses !== undefined) return void findings.wrong.push(`VLAN ${elses} on switch ${key} is carried for another L2Service`)
  const open: VlanChange[] = []
  let ports = 0
  for (const on of wanted) {
    const there = state.get(on) ?? absent
    const wrong = whyNot(there, want)
    const missing = vlans.filter((vlan) => !there.ours.has(vlan) && !there.others.has(vlan))
    if (wrong !== undefined) findings.wrong.push(`${key}/${on} ${wrong}`)
    else if (missing.length === 0) findings.done++
    else {
      ports++
      for (const vlan of missing) open.push({ do: 'open', on, vlan, of })
    }
  }
  if (ports === 0) return
  findings.open.set(key, open)
  findings.opening.set(key, ports)
}

/** Why nothing can be opened on a port, of the port. */
function whyNot({ mode }: SwitchPortState, { refuses }: Want): string | undefined {
  if (mode === 'absent') return 'is not there'
  if (mode === 'access') return 'is an access port of somebody else'
  return mode === 'unrestricted' && refuses ? 'carries every VLAN, and is not to be restricted' : undefined
}

/** One VLAN of one switch is one layer-2 domain, whatever physical networks it is said to be of. */
function isElses(all: SwitchState, vlan: VlanId, of: string): boolean {
  const { byVlan } = markedIn(all)
  return byVlan.has(vlan) && byVlan.get(vlan) !== of
}

/** What can be done on each switch by itself: one where nothing is changed, or that refuses, holds no other up. */
function doable(desired: DomainDesired, { open, close }: Findings): BySwitch {
  const keys = [...new Set([...open.keys(), ...close.keys()])].filter((key) => !isDryAt(desired, key))
  return new Map(keys.map((key) => [key, [...(open.get(key) ?? []), ...(close.get(key) ?? [])]]))
}

function stepsOf(desired: DomainDesired, findings: Findings, seen: ObservedFabric): Step<DomainAction>[] {
  const { domain } = desired
  const of = refOf(domain)
  const switches = doable(desired, findings)
  if (switches.size === 0) return []
  const touched = domain.status?.switches ?? []
  const noted = new Set([...touched, ...wantedOn(desired).filter((key) => seen.has(key)), ...switches.keys()])
  const steps: Step<DomainAction>[] = []
  if (noted.size > touched.length)
    steps.push({
      action: { do: 'noteSwitches', domain, switches: [...noted].sort() },
      because: { rule: 'switches that are about to be touched', of },
    })
  const opens = switches.keys().some((key) => findings.open.has(key))
  const rule = opens ? 'a VLAN that is not open on a wanted switch port' : 'a VLAN that is open on a switch port nobody wants it on'
  return [...steps, { action: { do: 'setVlans', switches }, because: { rule, of } }]
}

interface ReportInput {
  readonly desired: DomainDesired
  readonly findings: Findings
  readonly seen: ObservedFabric
  readonly total: number
}

function sectionsOf({ desired, findings, seen, total }: ReportInput): Readonly<Record<string, object>> {
  const { domain } = desired
  const opened = sum(findings.opening.entries().map(([key, count]) => (isDryAt(desired, key) ? 0 : count)))
  const open = findings.done + opened
  const left = findings.close
  // A switch that takes a batch may not have done it: only what it shows closed counts.
  const dark = (vlan: number): boolean =>
    findings.unreachable.size === 0 && !left.values().some((changes) => changes.some((change) => change.vlan === vlan))
  const gone = (domain.spec.draining ?? []).filter((each) => each.close === true && dark(each.vlan)).map((each) => each.vlan)
  const before = domain.status?.switches ?? []
  const keep = new Set([...wantedOn(desired).filter((key) => seen.has(key)), ...findings.unreachable.keys(), ...left.keys()])
  const switches = [...keep].filter((key) => before.includes(key) || opened > 0).sort()
  return {
    fabric: {
      open,
      wanted: total,
      progress: progressOf(open, total),
      ...(findings.left > 0 && { closing: findings.left }),
      ...(gone.length > 0 && { closed: gone }),
    },
    intent: { switches },
  }
}

export const progressOf = (open: number, total: number): string => `${open} of ${total} switch port${total === 1 ? '' : 's'}`

type DomainVerdict = Pick<DomainPlan, 'phase' | 'reason' | 'message'> & { readonly requeueAfterMs?: number }

function verdictOf(
  desired: DomainDesired,
  findings: Findings,
  { going, total, dry }: { readonly going: boolean; readonly total: number; readonly dry: boolean },
): DomainVerdict {
  const { unreachable, left } = findings
  const cut = [...unreachable].map(([key, problem]) => `switch ${key} is unreachable: ${problem}`)
  if (dry)
    return { phase: going ? 'terminating' : 'pending', reason: 'DryRun', message: dryText(desired, findings), requeueAfterMs: wrongAgainMs }
  if (going) {
    if (cut.length > 0)
      return { phase: 'terminating', reason: 'SwitchUnreachable', message: cut.join('; '), requeueAfterMs: unreachableAgainMs }
    if (left > 0)
      return {
        phase: 'terminating',
        reason: 'Closing',
        message: `${left} VLANs of switch ports are being closed`,
        requeueAfterMs: closedAgainMs,
      }
    return { phase: 'deleted', reason: 'Closed', message: 'nothing is open' }
  }
  const verdict = verdictOfState(desired, findings, { total, cut })
  return left > 0 ? { requeueAfterMs: closedAgainMs, ...verdict } : verdict
}

function verdictOfState(
  { hasFabric, unmatched, domain, routes: { refused } }: DomainDesired,
  findings: Findings,
  { total, cut }: { readonly total: number; readonly cut: readonly string[] },
): DomainVerdict {
  const progress = progressOf(findings.done + sum(findings.opening.values()), total)
  if (findings.wrong.length > 0)
    return {
      phase: 'error',
      reason: 'SwitchPortWrong',
      message: [progress, ...findings.wrong, ...cut].join('; '),
      requeueAfterMs: wrongAgainMs,
    }
  if (refused.length > 0)
    return {
      phase: 'error',
      reason: refused[0]!.reason,
      message: [progress, ...refused.map(({ message }) => message), ...cut].join('; '),
      requeueAfterMs: wrongAgainMs,
    }
  if (cut.length > 0)
    return { phase: 'pending', reason: 'SwitchUnreachable', message: [progress, ...cut].join('; '), requeueAfterMs: unreachableAgainMs }
  if (hasFabric && unmatched.length > 0)
    return {
      phase: 'error',
      reason: 'NoSwitchPort',
      message: `no switch port of any Fabric belongs to ${unmatched.join(' and ')}`,
      requeueAfterMs: wrongAgainMs,
    }
  if (!hasFabric)
    return { phase: 'ready', reason: 'NoFabric', message: `VLAN ${domain.spec.vlan}: no Fabric is declared, so only nodes carry it` }
  const { vlan, vrf } = domain.spec
  return { phase: 'ready', reason: 'Open', message: `VLAN ${vlan}${vrf === undefined ? '' : ` of VRF ${vrf}`} on ${progress}` }
}

const dryMax = 20
function dryText(desired: DomainDesired, { open, close }: Findings): string {
  const all = [...open, ...close]
    .filter(([key]) => isDryAt(desired, key))
    .flatMap(([key, changes]) => changes.map((change) => textOf(change, key)))
  return `dry run: would ${all.slice(0, dryMax).join(', ')}${all.length > dryMax ? ` and ${all.length - dryMax} more` : ''}`
}

function textOf(change: SwitchChange, key: string): string {
  const what = `VLAN ${change.vlan} on ${key}/${change.on}`
  if (!isRoute(change)) return `${change.do} ${what}`
  return change.do === 'join' ? `put ${what} into VRF ${change.vrf}` : `take ${what} out of its VRF`
}
