// From a plan to the writes that report it: the Notice that is due, then the status sections that differ.
import type { Write } from '../contracts/store.ts'
import { noticeFinalizer } from '../kinds/annotations.ts'
import { definitionOf, refOf, type OwnKind, type Resource } from '../kinds/index.ts'
import type { Report } from '../kinds/meta.ts'
import { digestOf, wantsAllChanges } from './notify/changes.ts'
import { fencedStatus, type Fencing } from './fence.ts'
import { deletedStateOf, noticeOf, type NotifiedObject, type NoticeSettings } from './notify/notices.ts'
import type { Plan } from './plan.ts'
import { nextReport } from './report.ts'
import { sameJson } from '../same-json.ts'

/** What reporting needs beside the object. */
export interface Reporting extends NoticeSettings, Pick<Fencing, 'outlivesSpec'> {
  /** Milliseconds since 1970. */
  readonly now: number
}
export interface ReportWrites<K extends OwnKind> {
  readonly writes: readonly Write[]
  /** The object as it is about to be. */
  readonly after: Resource<K>
}
type ReportedPlan = Pick<Plan<unknown>, 'phase' | 'reason' | 'message' | 'sections' | 'conditions' | 'happened'>
type Fields = Readonly<Record<string, unknown>>

/** The writes that bring an object's status to what a plan says; none when it says so already. */
export function reported<K extends OwnKind>(item: Resource<K>, verdict: ReportedPlan, reporting: Reporting): ReportWrites<K> {
  const before = (item.status ?? {}) as Fields
  const next = nextReport(before, verdict, item.metadata.generation, reporting.now)
  const { report, changed } = counted(
    { ...item, status: replaced(before, item.kind, { report: next.report, ...verdict.sections }) },
    next,
    reporting,
  )
  const sections = Object.fromEntries(
    Object.entries({ report, ...verdict.sections }).filter(([name, values]) => !sameJson(sectionOf(before, item.kind, name), values)),
  )
  if (Object.keys(sections).length === 0) return { writes: [], after: item }
  const after = { ...item, status: replaced(before, item.kind, sections) } as Resource<K>
  const patch = fencedStatus(item, sections, { beside: Object.keys({ report, ...verdict.sections }), outlivesSpec: reporting.outlivesSpec })
  return { writes: [...(changed === undefined ? [] : noticed(after, reporting, changed)), patch], after }
}

/**
 * Its changes are those of phase, and others only where somebody asks for them; what was told of is kept where it was, if nobody does any
 * more.
 */
function counted(
  after: Resource,
  { report, phaseChanged }: ReturnType<typeof nextReport>,
  reporting: Reporting,
): { readonly report: Report; readonly changed: NotifiedObject | undefined } {
  const changed = phaseChanged ? ('phase' as const) : undefined
  if (!wantsAllChanges(after, reporting)) return { report, changed }
  const digest = digestOf(after)
  if (phaseChanged || report.told === undefined || report.told === digest) return { report: { ...report, told: digest }, changed }
  return { report: { ...report, told: digest, sequence: (report.sequence ?? 0) + 1 }, changed: 'more' }
}

/**
 * The writes that let an object go: the Notice of its end stands before the finalizers that kept it fall.
 *
 * @param finalizers ours, in the order in which they are taken off
 */
export function ended(item: Resource, finalizers: readonly string[], reporting: Reporting): readonly Write[] {
  const there = item.metadata.finalizers ?? []
  const off = [noticeFinalizer, ...finalizers].filter((finalizer) => there.includes(finalizer))
  const due = there.includes(noticeFinalizer) ? noticed(deletedStateOf(item), reporting) : []
  return [...due, ...off.map((finalizer): Write => ({ do: 'removeFinalizer', ref: refOf(item), uid: item.metadata.uid, finalizer }))]
}

function noticed(after: Resource, reporting: Reporting, changed?: NotifiedObject): Write[] {
  const notice = noticeOf(after, reporting, reporting.now, changed)
  return notice === undefined ? [] : [notice]
}

const fieldsOf = (kind: OwnKind, section: string): readonly string[] => definitionOf(kind).sections[section] ?? []

function sectionOf(status: Fields, kind: OwnKind, section: string): Fields {
  return Object.fromEntries(fieldsOf(kind, section).map((field) => [field, status[field]]))
}

function replaced(status: Fields, kind: OwnKind, sections: Readonly<Record<string, object>>): Fields {
  const gone = new Set(Object.keys(sections).flatMap((section) => fieldsOf(kind, section)))
  return Object.assign(
    Object.fromEntries(Object.entries(status).filter(([field]) => !gone.has(field))),
    ...Object.values(sections),
  ) as Fields
}
