// What a Subscription's sink has read of an object is what happened to it, in order, of what the filter wants, and in the end all of it.
// Gaps come by merge, by 410 and by the end of the Subscription alone: no case lasts as long as the horizon.
import { noticeFinalizer } from '../../../core/kinds/annotations.ts'
import { keyOf, keyOfItem, type Resource } from '../../../core/kinds/index.ts'
import type { Phase } from '../../../core/kinds/meta.ts'
import { isNotified } from '../../../core/kinds/notify/notified.ts'
import { hash80, noticeName } from '../../../core/net/names.ts'
import { reportedStateOf, type ReportedState } from '../../../core/plan/notify/notices.ts'
import { isGone, isSubscribed, wantsPhase } from '../../../core/plan/notify/subscribers.ts'
import type { Invariant } from '../invariant.ts'
import type { Read } from '../receivers.ts'
import { ReadOrder } from './read-order.ts'
import type { Landed, Truth } from '../truth.ts'

type Subscription = Resource<'Subscription'>
type Fail = (what: string) => void
/** Sequence → phase. */
type Phases = Map<number, Phase>

/** What a Subscription has to be told of one object. */
interface Owed {
  readonly item: Resource
  readonly phases: Phases
  readonly read: Set<number>
  readonly order: ReadOrder
  /** Dropped, maybe, as the sink answered 410, or as the Subscription ended. */
  readonly dropped: Set<number>
}
interface Followed {
  is: Subscription
  /** It has said that it tells. */
  begun: boolean
  /** It was ever said that its sink has answered 410. */
  goneIsSaid: boolean
  /** By UID of the object. */
  readonly owed: Map<string, Owed>
}

/** A replaced Notice has the name of the one before, and may say a later sequence. */
const aheadMost = 8

export const history: Invariant = {
  name: 'history',
  begin({ site: { truth, receivers, config } }, fail) {
    const all = new Map<string, Followed>()
    /** UID of an object → all that it ever was. */
    const happened = new Map<string, Phases>()
    const recordChange = (item: Resource, { sequence, phase }: ReportedState): void => {
      const { uid } = item.metadata
      happened.set(uid, (happened.get(uid) ?? new Map<number, Phase>()).set(sequence, phase))
      for (const each of all.values())
        if (each.begun && asksFor(each.is, item, phase, config.namespace)) owedOf(each, item).phases.set(sequence, phase)
    }
    receivers.on((read) => {
      const item = JSON.parse(read.body) as Resource
      for (const each of all.values()) {
        if (each.is.spec.sink !== read.url || !isFor(read, item.metadata.uid, each.is)) continue
        const wrong = whyWrong(each, item, { read, happened })
        if (wrong !== undefined)
          fail(
            `${read.url} read for Subscription ${keyOfItem(each.is)} that ${item.kind} ${keyOfItem(item)} was ${read.phase} (${read.sequence}), ${wrong}`,
          )
      }
    })
    receivers.onGone(({ url }) => {
      for (const each of all.values()) if (each.is.spec.sink === url) excuse(each)
    })
    return {
      landed(landed) {
        if (landed.kind === 'Subscription') follow(landed, all)
        else if (isNotified(landed.kind)) for (const [item, state] of changesIn(landed)) recordChange(item, state)
      },
      atRest() {
        for (const each of all.values()) if (isThere(each.is, truth)) hasReadAll(each, fail)
      },
    }
  },
}

/** A change that counts, and an end: whoever has our finalizer goes with it when its end stands written. */
function changesIn({ before, after }: Landed): (readonly [Resource, ReportedState])[] {
  const reached = before && reportedStateOf(before)
  const is = after && reportedStateOf(after)
  const counted = is?.sequence === reached?.sequence ? [] : change(after, is)
  return isGuarded(before) && hasEnded(before, after)
    ? [...counted, ...change(before, { sequence: (reached?.sequence ?? 0) + 1, phase: 'deleted' })]
    : counted
}

const hasEnded = (before: Resource, after: Resource | undefined): boolean =>
  before.metadata.deletionTimestamp !== undefined && !isGuarded(after)
const change = (item: Resource | undefined, state: ReportedState | undefined): (readonly [Resource, ReportedState])[] =>
  item === undefined || state === undefined ? [] : [[item, state]]

const isGuarded = (item: Resource | undefined): item is Resource => item?.metadata.finalizers?.includes(noticeFinalizer) === true
const asksFor = (subscription: Subscription, item: Resource, phase: Phase, own: string): boolean =>
  isSubscribed(subscription, item, own) && wantsPhase(subscription, phase)

function owedOf({ owed }: Followed, item: Resource): Owed {
  const { uid } = item.metadata
  const known = owed.get(uid) ?? {
    item,
    phases: new Map<number, Phase>(),
    read: new Set<number>(),
    order: new ReadOrder(),
    dropped: new Set<number>(),
  }
  owed.set(uid, known)
  return known
}

/** Two Subscriptions may have one sink: each has an order of its own, and ids of its own. */
function isFor({ id, sequence, phase }: Read, uid: string, { metadata }: Subscription): boolean {
  for (let of = Math.max(1, sequence - aheadMost); of <= sequence + 1; of++)
    if (id === `msg_${hash80('delivery', noticeName(uid, of), phase, metadata.uid)}`) return true
  return false
}

const wantsKind = ({ spec: { filter } }: Subscription, kind: string): boolean => filter?.kinds?.includes(kind) !== false

/** Why it should not have read this; undefined where it should. */
function whyWrong(
  followed: Followed,
  item: Resource,
  { read, happened }: { readonly read: Read; readonly happened: ReadonlyMap<string, Phases> },
): string | undefined {
  const { sequence, phase } = read
  if (!wantsKind(followed.is, item.kind) || !wantsPhase(followed.is, phase as Phase)) return 'and does not ask for it'
  const was = happened.get(item.metadata.uid)?.get(sequence)
  if (was !== phase) return `and it was ${was ?? 'never so far'}`
  const owed = owedOf(followed, item)
  owed.read.add(sequence)
  const last = owed.order.take(read)
  return last === undefined ? undefined : `after ${last}`
}

/** It promises to tell once it is ready as it is asked for now; what it has begun it goes on with, until its sink is gone. */
function follow(landed: Landed, all: Map<string, Followed>): void {
  const is = (landed.after ?? landed.before) as Subscription
  const known = all.get(is.metadata.uid) ?? { is, begun: false, goneIsSaid: false, owed: new Map<string, Owed>() }
  all.set(is.metadata.uid, known)
  known.is = is
  known.goneIsSaid ||= isGone(is)
  if (isGone(is) || landed.after === undefined || is.metadata.deletionTimestamp !== undefined) {
    known.begun = false
    excuse(known)
  } else known.begun ||= isReady(is)
}

const isReady = ({ status, metadata }: Subscription): boolean =>
  status?.phase === 'ready' && status.observedGeneration === metadata.generation
const isThere = ({ metadata, spec }: Subscription, truth: Truth): boolean =>
  spec.paused !== true && truth.at('Subscription', keyOf(metadata))?.metadata.uid === metadata.uid

/** What is under way to it may be dropped; what it reads stays in order. */
function excuse({ owed }: Followed): void {
  for (const { phases, dropped } of owed.values()) {
    for (const sequence of phases.keys()) dropped.add(sequence)
    phases.clear()
  }
}

function hasReadAll({ is, owed, goneIsSaid }: Followed, fail: Fail): void {
  for (const { item, phases, read, dropped } of owed.values()) {
    const all = [...phases]
    const missing = all
      .filter(([sequence, phase], i) => !read.has(sequence) && !isMerged(is, phase, all.slice(i + 1)))
      .map(([sequence, phase]) => `${phase} (${sequence})`)
    const of = `${item.kind} ${keyOfItem(item)}`
    if (missing.length > 0)
      fail(
        `the sink of Subscription ${keyOfItem(is)} was never told that ${of} was ${missing.join(', ')}; it read ${[...read].join(', ') || 'nothing'}`,
      )
    const unsaid = [...dropped].filter((sequence) => !read.has(sequence))
    if (unsaid.length > 0 && !goneIsSaid)
      fail(
        `changes ${unsaid.join(', ')} of ${of} were dropped as the sink of Subscription ${keyOfItem(is)} had answered 410, and it never said so`,
      )
  }
}

/** The newest says it all, and the end of an object replaces nothing. */
const isMerged = ({ spec }: Subscription, phase: Phase, later: readonly (readonly [number, Phase])[]): boolean =>
  spec.merge === true && phase !== 'deleted' && later.some(([, each]) => each !== 'deleted')
