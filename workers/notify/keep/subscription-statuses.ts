// How it goes with each Subscription, written into its status: the circuit, what is parked, what was given up. One write a
// second at most for each, however many notices fail.
import type { Store } from '../../../core/contracts/store.ts'
import { refOf, type Resource } from '../../../core/kinds/index.ts'
import { eventOf } from '../../../core/plan/events.ts'
import type { Holder } from '../../../core/kinds/meta.ts'
import { parkedMax, type Parked } from '../../../core/kinds/notify/subscription.ts'
import { sameJson } from '../../../core/same-json.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import type { LiveSubscriptions } from '../live-subscriptions.ts'

const everyMs = 1_000
const reasonMax = 512

interface DeliveryState {
  circuit: 'open' | 'closed'
  readonly parked: Map<string, Parked>
  /** Since the last write. */
  givenUp: number
  goneAt: number | undefined
  /** As this process has found it. */
  delivering: Delivering | undefined
  /** Sendings that were not taken since the last that was. */
  failures: number
}

type Delivering = NonNullable<NonNullable<Resource<'Subscription'>['status']>['delivering']>

/** A sink that has taken something may refuse one object's notices, or be away for a moment: that alone is not reported. */
const failuresMax = 3
const nothing = (): DeliveryState => ({
  circuit: 'closed',
  parked: new Map(),
  givenUp: 0,
  goneAt: undefined,
  delivering: undefined,
  failures: 0,
})

export class SubscriptionStatuses {
  readonly #parts: { readonly store: Store; readonly live: LiveSubscriptions; readonly clock: Clock; readonly log: Log }
  readonly #of = new Map<string, DeliveryState>()
  readonly #due = new Set<string>()
  #timer: (() => void) | undefined

  constructor(parts: { readonly store: Store; readonly live: LiveSubscriptions; readonly clock: Clock; readonly log: Log }) {
    this.#parts = parts
  }

  /** Objects whose next notice waits parked, over all Subscriptions. */
  get parked(): number {
    return [...this.#of.values()].reduce((sum, { parked }) => sum + parked.size, 0)
  }

  circuit(uid: string, circuit: 'open' | 'closed'): void {
    const known = this.#of.get(uid)
    if (known === undefined && circuit === 'closed') return
    if (known?.circuit !== circuit) this.#change(uid, (state) => void (state.circuit = circuit))
  }

  park(uid: string, of: Holder, parked: Omit<Parked, keyof Holder>): void {
    if (this.#of.get(uid)?.parked.get(of.uid)?.sequence !== parked.sequence)
      this.#change(uid, (state) => void state.parked.set(of.uid, { ...of, ...parked }))
  }

  unpark(uid: string, objectUid: string): void {
    if (this.#of.get(uid)?.parked.has(objectUid) === true) this.#change(uid, (state) => void state.parked.delete(objectUid))
  }

  /** @param reason in words, why it has not taken what it was sent; undefined: it has */
  sent(subscription: Resource<'Subscription'>, reason: string | undefined): void {
    const { uid } = subscription.metadata
    const state = this.#of.get(uid) ?? nothing()
    this.#of.set(uid, state)
    state.failures = reason === undefined ? 0 : state.failures + 1
    const known = state.delivering ?? subscription.status?.delivering
    if (!isTransition(known, reason, state.failures)) return
    const taken = reason === undefined
    const since = known?.taken === taken ? known.since : new Date(this.#parts.clock.now()).toISOString()
    this.#change(uid, () => void (state.delivering = { taken, since, ...(reason !== undefined && { reason: reason.slice(0, reasonMax) }) }))
  }

  gaveUp(uid: string, count: number): void {
    this.#change(uid, (state) => void (state.givenUp += count))
  }

  gone(uid: string, generation: number): void {
    this.#change(uid, (state) => void (state.goneAt = generation))
  }

  async stop(): Promise<void> {
    this.#timer?.()
    await this.#write()
  }

  #change(uid: string, change: (state: DeliveryState) => void): void {
    const state = this.#of.get(uid) ?? nothing()
    this.#of.set(uid, state)
    change(state)
    this.#due.add(uid)
    this.#timer ??= this.#parts.clock.after(everyMs, () => void this.#write())
  }

  async #write(): Promise<void> {
    this.#timer = undefined
    const due = [...this.#due]
    this.#due.clear()
    await Promise.all(due.map((uid) => this.#writeOne(uid)))
  }

  async #writeOne(uid: string): Promise<void> {
    const { live, store, log } = this.#parts
    const state = this.#of.get(uid)
    if (state === undefined) return
    // A Subscription that no watch has delivered yet has a state too.
    const item = live.get(uid) ?? (await live.list().catch(() => undefined))?.get(uid)
    if (item === undefined) return void this.#of.delete(uid)
    const given = state.givenUp
    state.givenUp = 0
    const delivery = sectionOf(item, state, given)
    if (sameJson(delivery, sectionIn(item))) return
    try {
      await store.patchStatus({ ref: refOf(item), uid, resourceVersion: item.metadata.resourceVersion }, { delivery })
      await this.#reportTransition(item, state.delivering)
    } catch (err) {
      log.debug({ subscription: item.metadata.name, err: err }, 'delivery not written yet')
      state.givenUp += given
      this.#change(uid, () => undefined)
    }
  }

  /** An Event each time that a sink begins to take nothing, and when it does again. */
  async #reportTransition(item: Resource<'Subscription'>, delivering: Delivering | undefined): Promise<void> {
    const before = item.status?.delivering?.taken
    if (delivering === undefined || delivering.taken === before || (delivering.taken && before === undefined)) return
    const { store, clock, log } = this.#parts
    const [type, reason] = delivering.taken ? (['Normal', 'Delivering'] as const) : (['Warning', 'NotDelivering'] as const)
    const note = delivering.taken ? 'the sink takes what it is sent again' : `the sink takes nothing: ${delivering.reason ?? ''}`
    const event = eventOf(item, { type, reason, note, sequence: Math.floor(Date.parse(delivering.since) / 1_000) }, clock.now())
    await store.commit([event]).catch((err: unknown) => log.debug({ subscription: item.metadata.name, err: err }, 'event not written'))
  }
}

/** Whether it is to be said otherwise than it is. */
function isTransition(known: Delivering | undefined, reason: string | undefined, failures: number): boolean {
  if (known === undefined) return true
  if (reason === undefined) return !known.taken
  return known.taken ? failures >= failuresMax : known.reason !== reason.slice(0, reasonMax)
}

const sectionIn = ({ status = {} }: Resource<'Subscription'>): object => {
  const { delivering, circuit, parkedCount, parked, givenUp, goneAt } = status
  return JSON.parse(JSON.stringify({ delivering, circuit, parkedCount, parked, givenUp, goneAt })) as object
}

function sectionOf(
  { status = {} }: Resource<'Subscription'>,
  { circuit, parked, goneAt, delivering = status.delivering }: DeliveryState,
  givenUp: number,
): object {
  const sum = (status.givenUp ?? 0) + givenUp
  const gone = goneAt ?? status.goneAt
  return {
    ...(delivering !== undefined && { delivering }),
    circuit,
    parkedCount: parked.size,
    parked: [...parked.values()].slice(0, parkedMax),
    ...(sum > 0 && { givenUp: sum }),
    ...(gone !== undefined && { goneAt: gone }),
  }
}
