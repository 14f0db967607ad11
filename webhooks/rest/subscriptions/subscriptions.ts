// What a Subscription can be asked beside what every kind can: its events, a sample, what is kept once more, another secret.
import type { Store } from '../../../core/contracts/store.ts'
import { CursorExpired } from '../../../core/errors.ts'
import { addressOf } from '../../../core/kinds/address.ts'
import { refOf, type Resource, type SpecOf } from '../../../core/kinds/index.ts'
import { isExpired, parseCursor, printCursor, type Cursor } from '../../../core/plan/notify/cursor.ts'
import { eventsLabel, reportedStateOf } from '../../../core/plan/notify/notices.ts'
import { rendererOf } from '../../../core/plan/notify/profiles/index.ts'
import { isSubscriptionError, type SubscriptionError } from '../../../core/plan/notify/subscription.ts'
import { keepMsOf } from '../../../core/plan/notify/subscribers.ts'
import { eventPosition } from '../../../core/plan/notify/targets.ts'
import { sameJson } from '../../../core/same-json.ts'
import { timeLimit } from '../../../platform/clock.ts'
import { printSecret } from '../../../platform/signing.ts'
import { mayDo, storeFor } from '../../plugins/access.ts'
import { paramsOf } from '../address.ts'
import { objectIn } from '../write/bodies.ts'
import type { Handler, RestDeps } from '../deps.ts'
import { validObject, withAddress } from '../write/drafts.ts'
import { limitIn, parametersOf } from '../query.ts'
import { BadParameter, InvalidObject } from '../invalid-object.ts'
import { changeSpec, subscriptionIn } from './change-spec.ts'
import { rotationOf } from './rotate.ts'

type Subscription = Resource<'Subscription'>

/** A sample's answer is waited for so long; then the caller is told to look again. */
const testWaitMs = 20_000
/** One whose object has not reached it may still be replaced: it holds up those behind it, but not for ever. */
const unreachedMs = 60_000

/** By the id of the operation. */
export const subscriptionHandlers = {
  listSubscriptionEvents: eventsOf,
  testSubscription: testOf,
  replaySubscription: replayOf,
  getSigningSecret: signingSecretOf,
  rotateSubscriptionSecret: rotationOf,
}

/** The same sink, filter and profile again is the same Subscription: 303 leads to it (SOL003, 5.4.18.3.1). */
export function withoutTwins(create: Handler, deps: RestDeps): Handler {
  return async (request, reply) => {
    const { namespace } = paramsOf(request)
    await mayDo(deps, request.caller, { act: 'write', kind: 'Subscription', namespace })
    const { spec } = validObject('Subscription', withAddress(objectIn(request), { kind: 'Subscription', namespace }))
    const twin = await twinOf(storeFor(deps, request.caller), namespace, spec)
    return twin === undefined
      ? create(request, reply)
      : reply
          .code(303)
          .header('location', addressOf(refOf(twin)))
          .send()
  }
}

/** The one that tells the same sink of the same already. One that lacks its credentials tells nobody of anything: it is none. */
export async function twinOf(store: Store, namespace: string | undefined, spec: SpecOf<'Subscription'>): Promise<Subscription | undefined> {
  if (spec.sink === undefined) return undefined
  const { items } = await store.list('Subscription', { ...(namespace !== undefined && { namespace }) })
  return items.find(
    (each) =>
      each.metadata.deletionTimestamp === undefined &&
      stalledBy(each) !== 'NoCredentials' &&
      sameJson(deliveryOf(each.spec), deliveryOf(spec)),
  )
}

/** Why it needs somebody's help, if it does. */
export function stalledBy({ status }: Subscription): SubscriptionError | undefined {
  const reason = status?.conditions?.find(({ type, status: is }) => type === 'Stalled' && is === 'True')?.reason
  return isSubscriptionError(reason) ? reason : undefined
}

const deliveryOf = ({ sink, profile = 'eno', changes = 'phase', filter = {} }: SpecOf<'Subscription'>): object => ({
  sink,
  profile,
  changes,
  filter,
})

/** What is kept for it, in the order in which it was filed, after a cursor; the next cursor is always given. */
function eventsOf(deps: RestDeps): Handler {
  return async (request, reply) => {
    const subscription = await subscriptionIn(request, deps, 'read')
    const parameters = parametersOf(request, ['after', 'limit'])
    const limit = limitIn(parameters)
    const now = deps.clock.now()
    const after = cursorIn(parameters['after'], subscription, now)
    const { uid } = subscription.metadata
    // Notices are ours: whoever may read the Subscription may read what it is told.
    const { items } = await deps.store.list('Notice', {
      ...(deps.admission.settings.namespace !== undefined && { namespace: deps.admission.settings.namespace }),
      labels: eventsLabel(uid),
    })
    const later = items
      .filter((notice) => eventPosition(notice) > (after?.place ?? -1n))
      .sort((a, b) => (eventPosition(a) < eventPosition(b) ? -1 : 1))
    const reached = await reachedOf(deps, later.slice(0, limit), now)
    const place = reached.items.at(-1)
    const next: Cursor = {
      of: uid,
      place: place === undefined ? (after?.place ?? 0n) : eventPosition(place),
      at: reached.complete && later.length <= limit ? now : (after?.at ?? now),
    }
    const render = rendererOf(subscription)
    return reply.send({
      items: reached.items
        .filter((notice) => !reached.skipped.has(notice))
        .map((notice) => ({
          id: notice.metadata.name,
          sequence: notice.spec.sequence,
          phase: notice.spec.phase,
          time: notice.spec.time,
          event: JSON.parse(render({ eventId: notice.metadata.name, ...notice.spec, root: deps.publicUrl }, subscription).body) as unknown,
        })),
      next: printCursor(next),
    })
  }
}

function cursorIn(text: string | undefined, subscription: Subscription, now: number): Cursor | undefined {
  if (text === undefined || text === '') return undefined
  const cursor = parseCursor(text, subscription.metadata.uid)
  if (cursor === undefined) throw new BadParameter('after', 'is no cursor that this Subscription gave')
  if (isExpired(cursor, keepMsOf(subscription), now)) throw new CursorExpired({ seconds: keepMsOf(subscription) / 1_000 })
  return cursor
}

interface Reached {
  readonly items: readonly Resource<'Notice'>[]
  readonly skipped: ReadonlySet<Resource<'Notice'>>
  readonly complete: boolean
}

/** As far as their objects have come; what is behind one that has not is another reading's. */
async function reachedOf(deps: RestDeps, notices: readonly Resource<'Notice'>[], now: number): Promise<Reached> {
  const skipped = new Set<Resource<'Notice'>>()
  for (const [at, notice] of notices.entries()) {
    if (await isReached(deps, notice)) continue
    if (now - Date.parse(notice.spec.time) < unreachedMs) return { items: notices.slice(0, at), skipped, complete: false }
    skipped.add(notice)
  }
  return { items: notices, skipped, complete: true }
}

async function isReached({ store }: RestDeps, { spec: { of, sequence } }: Resource<'Notice'>): Promise<boolean> {
  const live = await store.get({
    kind: of.kind as Resource['kind'],
    name: of.name,
    ...(of.namespace === undefined ? {} : { namespace: of.namespace }),
  })
  return live?.metadata.uid !== of.uid || (reportedStateOf(live)?.sequence ?? 0) >= sequence
}

function testOf(deps: RestDeps): Handler {
  return async (request, reply) => {
    const subscription = await subscriptionIn(request, deps, 'write')
    parametersOf(request, [])
    if (subscription.spec.sink === undefined)
      throw new InvalidObject([{ at: '/spec/sink', message: 'is absent: there is nobody to send a sample to' }])
    const id = deps.uids()
    await changeSpec(deps, request, subscription, () => ({ test: id }))
    const stop = AbortSignal.any([deps.stopping, timeLimit(testWaitMs, deps.clock)])
    for await (const change of deps.store.watch(
      'Subscription',
      { namespace: subscription.metadata.namespace ?? '', fields: { '.metadata.name': subscription.metadata.name } },
      stop,
    )) {
      const items = change.type === 'all' ? change.items : change.type === 'put' ? [change.item] : []
      const found = items.find(({ status }) => status?.tested?.id === id)?.status?.tested
      if (found !== undefined) return reply.send(found)
    }
    return reply
      .code(202)
      .header('location', addressOf(refOf(subscription)))
      .send({ id, outcome: 'pending', time: new Date(deps.clock.now()).toISOString() })
  }
}

/** For callers that may write Subscriptions of the namespace: such a caller could name a signing secret of its own anyway. */
function signingSecretOf(deps: RestDeps): Handler {
  return async (request, reply) => {
    const { namespace = '' } = paramsOf(request)
    await mayDo(deps, request.caller, { act: 'write', kind: 'Subscription', namespace })
    parametersOf(request, [])
    return reply.header('cache-control', 'no-store').send({ secrets: (deps.signing?.own(namespace) ?? []).map(printSecret) })
  }
}

function replayOf(deps: RestDeps): Handler {
  return async (request, reply) => {
    const subscription = await subscriptionIn(request, deps, 'write')
    parametersOf(request, [])
    const { after } = objectIn(request)
    if (after !== undefined && typeof after !== 'string') throw new InvalidObject([{ at: '/after', message: 'must be a cursor' }])
    if (keepMsOf(subscription) === 0)
      throw new InvalidObject([{ at: '/spec/keepSeconds', message: 'is 0: nothing is kept to be sent anew' }])
    cursorIn(after, subscription, deps.clock.now())
    const id = deps.uids()
    await changeSpec(deps, request, subscription, () => ({ replay: { id, ...(after !== undefined && { after }) } }))
    return reply
      .code(202)
      .header('location', addressOf(refOf(subscription)))
      .send({ id })
  }
}
