// An Audit: what was found at the first look is told; with repair, what is found again once no request can be under way is put right, until
// nothing of it is found.
import type { CloudItem } from '../../contracts/cloud.ts'
import { findingsMax, strangersMax, type Finding, type Stranger } from '../../kinds/vpc/audit.ts'
import { readyCondition } from '../../kinds/meta.ts'
import { refOf, type Ref, type Resource, type StatusOf } from '../../kinds/index.ts'
import { sentWithinMs, skewMs } from '../cloud/life.ts'
import { inPlace, refused, waitingFor, type Plan, type Step } from '../plan.ts'
import { compare } from './compare.ts'
import { identityOf, type AuditSeen, type Difference, type Repair } from './difference.ts'

export interface AuditDesired {
  readonly audit: Resource<'Audit'>
}
export type AuditState =
  /** Nothing is looked at: it is over, or it is too early. */
  | undefined
  /** A source that is not known: nothing is said by what is known of others. */
  | { readonly problem: string }
  | (AuditSeen & {
      readonly strangers: ReadonlyMap<string, readonly CloudItem[]>
      /** Of the Clouds that were asked, the longest. */
      readonly landsWithinMs: number
    })
export type AuditAction = Extract<Repair, { readonly do: 'end' }> | { readonly do: 'mend'; readonly node: string }

/** Between two rounds of a repair: those who were woken have had time. */
const againMs = 10_000
/** Then it is told what is left. */
const roundsMost = 6

const isOver = ({ metadata, status }: Resource<'Audit'>): boolean =>
  metadata.deletionTimestamp !== undefined || status?.phase === 'ready' || status?.phase === 'error'

export const isDue = (audit: Resource<'Audit'>, now: number): boolean => !isOver(audit) && dueInMs(audit, now) === 0

/** Milliseconds until it is looked again. */
function dueInMs({ status }: { readonly status?: StatusOf<'Audit'> | undefined }, now: number): number {
  return status?.dueAt === undefined ? 0 : Math.max(0, Date.parse(status.dueAt) - now)
}

export function planAudit({ audit }: AuditDesired, state: AuditState, now: number): Plan<AuditAction> {
  if (audit.metadata.deletionTimestamp !== undefined)
    return { steps: [], phase: 'deleted', reason: 'Deleted', message: 'nobody asks any more' }
  if (state === undefined) return asBefore(audit, now)
  if ('problem' in state) return { ...waitingFor('SourceUnknown', `nothing is compared: ${state.problem}`), requeueAfterMs: againMs }
  const found = compare(state)
  return audit.status?.rounds === undefined ? firstRound(audit, state, found, now) : furtherRound(audit, found, now)
}

function asBefore({ status }: Resource<'Audit'>, now: number): Plan<never> {
  const { reason = 'Comparing', message = '' } = readyCondition(status?.conditions) ?? {}
  const leftMs = dueInMs({ status }, now)
  return { steps: [], phase: status?.phase ?? 'pending', reason, message, ...(leftMs > 0 && { requeueAfterMs: leftMs }) }
}

type Looked = Exclude<AuditState, undefined | { readonly problem: string }>
type Result = Omit<StatusOf<'Audit'>, 'phase'>

function firstRound(audit: Resource<'Audit'>, state: Looked, found: readonly Difference[], now: number): Plan<never> {
  const things = [...state.clouds.values()].reduce((sum, items) => sum + items.length, 0)
  const strangers = [...state.strangers].flatMap(([cloud, items]) =>
    items.flatMap((item) => (item.kind === 'group' ? [] : strangerOf(cloud, item))),
  )
  const waits = found.length > 0 && audit.spec.repair === true
  // Of nodes nothing lands late: whoever is asked there looks for itself.
  const isOfNodes = found.every(({ repair }) => repair.do === 'mend')
  const waitMs = isOfNodes ? againMs : sentWithinMs + skewMs + state.landsWithinMs
  const result: Result = {
    lookedAt: new Date(now).toISOString(),
    ...(waits && { dueAt: new Date(now + waitMs).toISOString() }),
    compared: things + state.after.length + state.pods.length + state.nodes.length,
    ...(state.inventories && { nodesAsked: state.inventories.size, nodesAnswered: [...state.inventories.values()].filter(Boolean).length }),
    found: found.length,
    left: found.length,
    rounds: 1,
    findings: found.slice(0, findingsMax).map(({ finding }) => finding),
    ...(audit.spec.strangers === true && { strangers: strangers.slice(0, strangersMax) }),
    ...((found.length > findingsMax || strangers.length > strangersMax) && { truncated: true }),
  }
  const sections = { result }
  if (!waits) return { ...toldOf(found.length), sections }
  return {
    ...waitingFor('Settling', `${found.length} found; requests may still be under way`, waitMs),
    sections,
  }
}

const toldOf = (found: number): Plan<never> =>
  found === 0 ? inPlace('Agreed', 'all say the same of each other') : inPlace('Found', `${found} found; nothing was changed`)

/** Only what was found at the first look is put right: what came since is the next Audit's. */
function furtherRound(audit: Resource<'Audit'>, found: readonly Difference[], now: number): Plan<AuditAction> {
  const status = audit.status ?? {}
  const { findings = [], rounds = 1 } = status
  const present = new Map(found.map((each) => [identityOf(each.finding), each]))
  const still = findings.flatMap((finding) => present.get(identityOf(finding)) ?? [])
  const isLast = rounds >= roundsMost
  const result: Result = {
    ...resultIn(status),
    left: still.length,
    rounds: rounds + 1,
    findings: findings.map((finding): Finding => ({ ...finding, repair: present.has(identityOf(finding)) ? 'asked' : 'gone' })),
  }
  if (still.length === 0) return { ...inPlace('Repaired', `${findings.length} found, none is left`), sections: { result } }
  if (isLast) return { ...refused('Left', `${still.length} of ${findings.length} are left after ${rounds} rounds`), sections: { result } }
  const dueAt = new Date(now + againMs).toISOString()
  return {
    ...waitingFor('Repairing', `${still.length} of ${findings.length} are left`, againMs),
    steps: [...still.flatMap((each) => endingOf(each, audit)), ...mendingOf(still, audit)],
    next: still.flatMap(({ repair }) => wokenBy(repair)),
    sections: { result: { ...result, dueAt } },
  }
}

const because = (what: string, audit: Resource<'Audit'>): Step<AuditAction>['because'] => ({
  rule: `what an audit has found: ${what}`,
  of: refOf(audit),
})

function endingOf({ repair, finding }: Difference, audit: Resource<'Audit'>): readonly Step<AuditAction>[] {
  return repair.do === 'end' ? [{ action: repair, because: because(finding.class, audit) }] : []
}

/** A node is asked once, whatever was found there. */
function mendingOf(still: readonly Difference[], audit: Resource<'Audit'>): readonly Step<AuditAction>[] {
  const nodes = new Set(still.flatMap(({ repair }) => (repair.do === 'mend' ? (repair.node ?? []) : [])))
  return [...nodes].map((node) => ({ action: { do: 'mend', node }, because: because(`something on node ${node}`, audit) }))
}

function wokenBy(repair: Repair): readonly Ref[] {
  if (repair.do === 'wake') return [repair.ref]
  return repair.do === 'mend' && repair.wake !== undefined ? [repair.wake] : []
}

function resultIn(status: StatusOf<'Audit'>): Result {
  const { lookedAt, compared, nodesAsked, nodesAnswered, found, strangers, truncated } = status
  return {
    ...(lookedAt !== undefined && { lookedAt }),
    ...(compared !== undefined && { compared }),
    ...(nodesAsked !== undefined && { nodesAsked }),
    ...(nodesAnswered !== undefined && { nodesAnswered }),
    ...(found !== undefined && { found }),
    ...(strangers !== undefined && { strangers }),
    ...(truncated !== undefined && { truncated }),
  }
}

function strangerOf(cloud: string, { kind, there, network, subnet }: Exclude<CloudItem, { readonly kind: 'group' }>): Stranger {
  const blocks = 'learned' in there ? [there.learned.ipv4?.cidr, there.learned.ipv6?.cidr].flatMap((cidr) => cidr ?? []) : undefined
  return {
    cloud,
    kind,
    id: there.id,
    name: there.name,
    ...(network !== undefined && { network }),
    ...(subnet !== undefined && { subnet }),
    ...(blocks !== undefined && { blocks }),
    ...('addresses' in there && { addresses: [...there.addresses] }),
    ...('host' in there && there.host !== undefined && { host: there.host }),
  }
}
