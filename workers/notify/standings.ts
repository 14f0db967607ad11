// How it goes with each Subscription, written into its status: the circuit, what is parked, what was given up. One write a
// second at most for each, however many notices fail.
import type { Store } from '../../core/contracts/store.ts'
import { refOf, type Resource } from '../../core/kinds/index.ts'
import type { Holder } from '../../core/kinds/meta.ts'
import { parkedMax, type Parked } from '../../core/kinds/subscription.ts'
import { sameJson } from '../../core/same-json.ts'
import type { Caches } from '../../platform/caches.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'

const everyMs = 1_000

interface Standing {
  circuit: 'open' | 'closed'
  readonly parked: Map<string, Parked>
  /** Since the last write. */
  givenUp: number
  goneAt: number | undefined
}

export class Standings {
  readonly #parts: { readonly store: Store; readonly caches: Caches; readonly clock: Clock; readonly log: Log }
  readonly #of = new Map<string, Standing>()
  readonly #due = new Set<string>()
  #timer: (() => void) | undefined

  constructor(parts: { readonly store: Store; readonly caches: Caches; readonly clock: Clock; readonly log: Log }) {
    this.#parts = parts
  }

  /** Objects whose next notice waits parked, over all Subscriptions. */
  get parked(): number {
    return [...this.#of.values()].reduce((sum, { parked }) => sum + parked.size, 0)
  }

  circuit(uid: string, circuit: 'open' | 'closed'): void {
    const known = this.#of.get(uid)
    if (known === undefined && circuit === 'closed') return
    if (known?.circuit !== circuit) this.#change(uid, (standing) => void (standing.circuit = circuit))
  }

  park(uid: string, of: Holder, parked: Omit<Parked, keyof Holder>): void {
    if (this.#of.get(uid)?.parked.get(of.uid)?.sequence !== parked.sequence) this.#change(uid, (standing) => void standing.parked.set(of.uid, { ...of, ...parked }))
  }

  unpark(uid: string, objectUid: string): void {
    if (this.#of.get(uid)?.parked.has(objectUid) === true) this.#change(uid, (standing) => void standing.parked.delete(objectUid))
  }

  gaveUp(uid: string, count: number): void {
    this.#change(uid, (standing) => void (standing.givenUp += count))
  }

  gone(uid: string, generation: number): void {
    this.#change(uid, (standing) => void (standing.goneAt = generation))
  }

  async stop(): Promise<void> {
    this.#timer?.()
    await this.#write()
  }

  #change(uid: string, change: (standing: Standing) => void): void {
    const standing = this.#of.get(uid) ?? { circuit: 'closed', parked: new Map(), givenUp: 0, goneAt: undefined }
    this.#of.set(uid, standing)
    change(standing)
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
    const { caches, store, log } = this.#parts
    const [item] = caches.Subscription.by('uid', uid)
    const standing = this.#of.get(uid)
    if (item === undefined || standing === undefined) return void this.#of.delete(uid)
    const given = standing.givenUp
    standing.givenUp = 0
    const delivery = sectionOf(item, standing, given)
    if (sameJson(delivery, sectionIn(item))) return
    try {
      await store.patchStatus({ ref: refOf(item), uid, resourceVersion: item.metadata.resourceVersion }, { delivery })
    } catch (problem) {
      log.debug({ subscription: item.metadata.name, err: problem }, 'standing not written yet')
      standing.givenUp += given
      this.#change(uid, () => undefined)
    }
  }
}

const sectionIn = ({ status = {} }: Resource<'Subscription'>): object => {
  const { circuit, parkedCount, parked, givenUp, goneAt } = status
  return JSON.parse(JSON.stringify({ circuit, parkedCount, parked, givenUp, goneAt })) as object
}

function sectionOf({ status = {} }: Resource<'Subscription'>, { circuit, parked, goneAt }: Standing, givenUp: number): object {
  const sum = (status.givenUp ?? 0) + givenUp
  const gone = goneAt ?? status.goneAt
  return { circuit, parkedCount: parked.size, parked: [...parked.values()].slice(0, parkedMax), ...(sum > 0 && { givenUp: sum }), ...(gone !== undefined && { goneAt: gone }) }
}
