// One L2BridgeDomain against the switches: what is to be opened, what closed, and how far it has come.
import type { SwitchPortState, SwitchState, VlanChange } from '../contracts/fabric-driver.ts'
import { refOf, type Resource } from '../kinds/index.ts'
import { hash80 } from '../net/names.ts'
import { parseVlan, type VlanId } from '../net/segment.ts'
import type { Plan, Step } from './plan.ts'
import { markedIn } from './fabric-marks.ts'
import { portKeyOf, switchKeyOf, type SwitchPort } from './switch-ports.ts'

/** What a switch says, or why it says nothing. */
export type SwitchSight = { readonly state: SwitchState } | { readonly problem: string }
/** By `fabric/switch`. */
export type FabricSight = ReadonlyMap<string, SwitchSight>

export type DomainAction =
  /** Stands in the status before a switch is touched, so that whoever comes after a crash knows where to look. */
  | { readonly do: 'noteSwitches'; readonly domain: Resource<'L2BridgeDomain'>; readonly switches: readonly string[] }
  /** Each switch by itself, and all at once. */
  | { readonly do: 'setVlans'; readonly switches: ReadonlyMap<string, readonly VlanChange[]> }

export interface DomainDesired {
  readonly domain: Resource<'L2BridgeDomain'>
  readonly ports: readonly SwitchPort[]
  readonly unmatched: readonly string[]
  /** Whether anybody has declared switches at all; without them nodes alone carry VLANs. */
  readonly hasFabric: boolean
  /** Fabrics in which nothing is changed. */
  readonly dryRun: ReadonlySet<string>
  /** Switches, as fabric/switch, whose unrestricted ports are not to be touched. */
  readonly refusing: ReadonlySet<string>
}
type DomainPlan = Plan<DomainAction>

/** What marks a VLAN on a switch as this domain's. */
export const tokenOf = (domain: { readonly metadata: { readonly name: string } }): string => hash80('domain', domain.metadata.name).slice(0, 10)

const unreachableAgainMs = 5_000
const wrongAgainMs = 30_000

/** All that one pass finds out; counted over the ports that are wanted. */
interface Findings {
  readonly open: VlanChange[]
  readonly close: VlanChange[]
  readonly byChange: Map<VlanChange, string>
  readonly wrong: string[]
  readonly unreachable: Map<string, string>
  /** Ports that carry all that is wanted of them. */
  done: number
  /** VLANs of ours that are still open somewhere they should not be. */
  left: number
}

export function planDomain(desired: DomainDesired, seen: FabricSight): DomainPlan {
  const { domain, ports } = desired
  const going = domain.metadata.deletionTimestamp !== undefined
  const findings = find(desired, seen, going)
  const total = going ? 0 : ports.length
  const steps = stepsOf(desired, findings, seen)
  const sections = sectionsOf({ desired, findings, seen, total })
  const said = verdictOf(desired, findings, { going, total, dry: isDry(desired, findings) })
  return { steps, sections, ...said }
}

const isDry = ({ dryRun }: DomainDesired, { byChange }: Findings): boolean => [...byChange.values()].some((key) => dryRun.has(key.split('/')[0]!))

/** VLANs that are to be open on each wanted port. */
function wantedVlans({ spec, metadata }: Resource<'L2BridgeDomain'>): VlanId[] {
  if (metadata.deletionTimestamp !== undefined) return []
  return [spec.vlan, ...(spec.draining ?? []).filter((each) => each.close !== true).map((each) => each.vlan)].flatMap((vlan) => parseVlan(vlan) ?? [])
}

function find(desired: DomainDesired, seen: FabricSight, going: boolean): Findings {
  const { domain, ports, refusing } = desired
  const of = tokenOf(domain)
  const vlans = wantedVlans(domain)
  const findings: Findings = { open: [], close: [], byChange: new Map(), wrong: [], unreachable: new Map(), done: 0, left: 0 }
  const wanted = new Set(going ? [] : ports.map(portKeyOf))
  for (const [key, sight] of seen) {
    if ('problem' in sight) findings.unreachable.set(key, sight.problem)
    else findSurplus({ key, state: sight.state, of, vlans, wanted }, findings)
  }
  for (const at of going ? [] : ports) {
    const key = switchKeyOf(at)
    const sight = seen.get(key)
    if (sight !== undefined && 'state' in sight) findMissing(at, sight.state, { vlans, of, refuses: refusing.has(key) }, findings)
  }
  return findings
}

const absent: SwitchPortState = { ours: new Map(), others: new Set(), mode: 'absent' }

function findMissing(at: SwitchPort, state: SwitchState, want: Want, findings: Findings): void {
  const missing = missingOn(at, state.get(at.port) ?? absent, want, state)
  if (typeof missing === 'string') findings.wrong.push(missing)
  else if (missing.length === 0) findings.done++
  else for (const vlan of missing) note(findings, 'open', { do: 'open', on: at.port, vlan, of: want.of }, switchKeyOf(at))
}

function note(findings: Findings, list: 'open' | 'close', change: VlanChange, key: string): void {
  findings[list].push(change)
  findings.byChange.set(change, key)
}

interface Surplus {
  readonly key: string
  readonly state: SwitchState
  readonly of: string
  readonly vlans: readonly VlanId[]
  readonly wanted: ReadonlySet<string>
}

/** What is open for this domain and is not wanted there. */
function findSurplus({ key, state, of, vlans, wanted }: Surplus, findings: Findings): void {
  for (const { on, vlan } of markedIn(state).byToken.get(of) ?? []) {
    if (wanted.has(`${key}/${on}`) && vlans.includes(vlan)) continue
    findings.left++
    note(findings, 'close', { do: 'close', on, vlan, of }, key)
  }
}

interface Want {
  readonly vlans: readonly VlanId[]
  readonly of: string
  readonly refuses: boolean
}

/** The VLANs that are still to be opened on a port, or why none can be. */
function missingOn(at: SwitchPort, state: SwitchPortState, { vlans, of, refuses }: Want, all: SwitchState): VlanId[] | string {
  const name = portKeyOf(at)
  if (state.mode === 'absent') return `${name} is not there`
  if (state.mode === 'access') return `${name} is an access port of somebody else`
  if (state.mode === 'unrestricted' && refuses) return `${name} carries every VLAN, and is not to be restricted`
  for (const vlan of vlans) if (isElses(all, vlan, of)) return `VLAN ${vlan} on switch ${switchKeyOf(at)} is carried for another L2Service`
  return vlans.filter((vlan) => !state.ours.has(vlan) && !state.others.has(vlan))
}

/** One VLAN of one switch is one layer-2 domain, whatever physical networks it is said to be of. */
function isElses(all: SwitchState, vlan: VlanId, of: string): boolean {
  const tokens = markedIn(all).byVlan.get(vlan)
  return tokens !== undefined && (tokens.size > 1 || !tokens.has(of))
}

function stepsOf({ domain, ports, dryRun }: DomainDesired, { open, close, byChange }: Findings, seen: FabricSight): Step<DomainAction>[] {
  const of = refOf(domain)
  // Close after open: a moved ConnectionPoint must not go dark while both ends are known.
  const now = (open.length > 0 ? open : close).filter((change) => !dryRun.has(byChange.get(change)!.split('/')[0]!))
  if (now.length === 0) return []
  const switches = Map.groupBy(now, (change) => byChange.get(change)!)
  const touched = domain.status?.switches ?? []
  const noted = new Set([...touched, ...ports.map(switchKeyOf).filter((key) => seen.has(key)), ...switches.keys()])
  const steps: Step<DomainAction>[] = []
  if (noted.size > touched.length) steps.push({ action: { do: 'noteSwitches', domain, switches: [...noted].sort() }, because: { rule: 'switches that are about to be touched', of } })
  const rule = open.length > 0 ? 'a VLAN that is not open on a wanted switch port' : 'a VLAN that is open on a switch port nobody wants it on'
  return [...steps, { action: { do: 'setVlans', switches }, because: { rule, of } }]
}

interface Told {
  readonly desired: DomainDesired
  readonly findings: Findings
  readonly seen: FabricSight
  readonly total: number
}

function sectionsOf({ desired, findings, seen, total }: Told): Readonly<Record<string, object>> {
  const { domain, ports, dryRun } = desired
  const doable = findings.open.filter((change) => !dryRun.has(findings.byChange.get(change)!.split('/')[0]!))
  const opened = new Set(doable.map((change) => `${findings.byChange.get(change)!}/${change.on}`)).size
  const open = findings.done + opened
  // What is closed in this pass counts: a step that fails leaves nothing reported.
  const closed = findings.unreachable.size === 0 && (findings.left === 0 || findings.open.length === 0) && !isDry(desired, findings)
  const gone = (domain.spec.draining ?? []).filter((each) => each.close === true && closed).map((each) => each.vlan)
  const still = findings.left > 0 && findings.open.length > 0
  const keep = new Set([...ports.map(switchKeyOf).filter((key) => seen.has(key)), ...findings.unreachable.keys(), ...(still ? (domain.status?.switches ?? []) : [])])
  const switches = [...keep].filter((key) => (domain.status?.switches ?? []).includes(key) || opened > 0).sort()
  return { fabric: { open, wanted: total, progress: progressOf(open, total), ...(gone.length > 0 && { closed: gone }) }, intent: { switches } }
}

export const progressOf = (open: number, total: number): string => `${open} of ${total} switch port${total === 1 ? '' : 's'}`

type Said = Pick<DomainPlan, 'phase' | 'reason' | 'message'> & { readonly lookAgainInMs?: number }

function verdictOf(desired: DomainDesired, findings: Findings, { going, total, dry }: { readonly going: boolean; readonly total: number; readonly dry: boolean }): Said {
  const { unreachable, left } = findings
  const cut = [...unreachable].map(([key, problem]) => `switch ${key} is unreachable: ${problem}`)
  if (dry) return { phase: going ? 'terminating' : 'pending', reason: 'DryRun', message: dryText(findings), lookAgainInMs: wrongAgainMs }
  if (going) {
    if (cut.length > 0) return { phase: 'terminating', reason: 'SwitchUnreachable', message: cut.join('; '), lookAgainInMs: unreachableAgainMs }
    return { phase: 'deleted', reason: 'Closed', message: left === 0 ? 'nothing is open' : `closed ${left} times` }
  }
  return standingVerdict(desired, findings, { total, cut })
}

function standingVerdict({ hasFabric, unmatched, domain }: DomainDesired, findings: Findings, { total, cut }: { readonly total: number; readonly cut: readonly string[] }): Said {
  const opening = new Set(findings.open.map((change) => `${findings.byChange.get(change)!}/${change.on}`)).size
  const progress = progressOf(findings.done + opening, total)
  if (findings.wrong.length > 0) return { phase: 'error', reason: 'SwitchPortWrong', message: [progress, ...findings.wrong, ...cut].join('; '), lookAgainInMs: wrongAgainMs }
  if (cut.length > 0) return { phase: 'pending', reason: 'SwitchUnreachable', message: [progress, ...cut].join('; '), lookAgainInMs: unreachableAgainMs }
  if (hasFabric && unmatched.length > 0) return { phase: 'error', reason: 'NoSwitchPort', message: `no switch port of any Fabric belongs to ${unmatched.join(' and ')}`, lookAgainInMs: wrongAgainMs }
  if (!hasFabric) return { phase: 'ready', reason: 'NoFabric', message: `VLAN ${domain.spec.vlan}: no Fabric is declared, so only nodes carry it` }
  // What is to be closed waits for what was opened in this pass.
  const again = findings.open.length > 0 && findings.close.length > 0 ? { lookAgainInMs: 1 } : {}
  return { phase: 'ready', reason: 'Open', message: `VLAN ${domain.spec.vlan} on ${progress}`, ...again }
}

const dryMax = 20
function dryText({ open, close, byChange }: Findings): string {
  const all = [...open, ...close].map((change) => `${change.do} VLAN ${change.vlan} on ${byChange.get(change)!}/${change.on}`)
  return `dry run: would ${all.slice(0, dryMax).join(', ')}${all.length > dryMax ? ` and ${all.length - dryMax} more` : ''}`
}
