// The guests behind TAPs of ours: each is heard at its own TAP alone, and answered there and nowhere else. Whoever asks too much is not
// heard for a while, which costs the node nothing.
import { messageOf } from '../../core/errors.ts'
import { guestOf, isGuest } from '../../core/plan/node/guest.ts'
import type { Guest } from '../../core/node/guest.ts'
import { advertiseEveryMs, advertisementFor } from '../../core/wire/guest/advertisement.ts'
import { answerOf } from '../../core/wire/guest/answer.ts'
import { guestFilter } from '../../core/wire/guest/filter.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { Wired } from '../ledger/record.ts'
import type { Links } from '../links/links.ts'
import type { ObjectCache } from '../sources/object-cache.ts'

export interface GuestDeps {
  readonly links: Links
  readonly objects: ObjectCache
  readonly clock: Clock
  readonly log: Log
}

/** A client asks twice to four times, and again after seconds. */
const askedMost = 20
/** In which that many are heard, and for which nobody is heard who has asked more, or whose TAP cannot be heard. */
const spanMs = 1_000

export class Guests {
  readonly #deps: GuestDeps
  readonly #ears = new Map<string, Ear>()

  constructor(deps: GuestDeps) {
    this.#deps = deps
  }

  /** From now on, until it is left; again, as it is by now. A TAP of a cloud's is left to the cloud. */
  answer(wired: Wired): void {
    const { uid } = wired.port
    if (wired.guest === undefined || !isGuest(wired.port)) return
    this.leave(uid)
    this.#ears.set(uid, new Ear(wired, wired.guest, this.#deps))
  }

  leave(uid: string): void {
    this.#ears.get(uid)?.close()
    this.#ears.delete(uid)
  }

  stop(): void {
    for (const uid of [...this.#ears.keys()]) this.leave(uid)
  }
}

class Ear {
  readonly #wired: Wired
  readonly #deps: GuestDeps
  #guest: Guest
  #isClosed = false
  #stop: (() => void) | undefined
  #cancel: (() => void) | undefined
  #cancelNext: (() => void) | undefined
  #span = { began: -Infinity, asked: 0 }
  /** Said once, until it is heard again. */
  #isDeaf = false

  constructor(wired: Wired, guest: Guest, deps: GuestDeps) {
    this.#wired = wired
    this.#guest = guest
    this.#deps = deps
    void this.#open()
  }

  close(): void {
    this.#isClosed = true
    this.#cancelNext?.()
    this.#quiet()
  }

  #quiet(): void {
    this.#cancel?.()
    this.#stop?.()
    this.#stop = undefined
  }

  async #open(): Promise<void> {
    const { links, log } = this.#deps
    const { ifcName, mac, of } = this.#wired.port
    if (links.hear === undefined) return
    try {
      const { stop } = await links.hear(ifcName, guestFilter(mac), (frame) => this.#heard(frame))
      if (this.#isClosed) return stop()
      this.#stop = stop
      this.#isDeaf = false
      if (this.#cancelNext === undefined) this.#advertise()
    } catch (err) {
      if (!this.#isDeaf) log.warn({ port: of, reason: messageOf(err) }, 'the guest at a TAP is not heard')
      this.#isDeaf = true
      this.#again()
    }
  }

  /** Not heard for a while; then anew. */
  #again(): void {
    this.#quiet()
    if (!this.#isClosed) this.#cancel = this.#deps.clock.after(spanMs, () => void this.#open())
  }

  #heard(frame: Uint8Array | undefined): void {
    const { clock, log } = this.#deps
    const now = clock.elapsed()
    if (now - this.#span.began > spanMs) this.#span = { began: now, asked: 0 }
    if (frame !== undefined && ++this.#span.asked <= askedMost) return void this.#reply(Uint8Array.from(frame))
    if (frame !== undefined) log.debug({ port: this.#wired.port.of }, 'a guest asks too much')
    this.#again()
  }

  async #reply(frame: Uint8Array): Promise<void> {
    const answer = answerOf(frame, await this.#told())
    if (answer !== undefined) await this.#tell(answer)
  }

  /** As its Subnet is by now; where the store is away, as it was. */
  async #told(): Promise<Guest> {
    const { port, subnetKey } = this.#wired
    const subnet = subnetKey === undefined ? undefined : await this.#deps.objects.get('Subnet', subnetKey).catch(() => undefined)
    if (subnet !== undefined) this.#guest = guestOf(port, subnet, this.#guest.defaultRoute)
    return this.#guest
  }

  async #tell(frame: Uint8Array): Promise<void> {
    const { links, log } = this.#deps
    const { ifcName, of } = this.#wired.port
    if (this.#isClosed) return
    await links.tell?.(ifcName, frame).catch((err: unknown) => log.debug({ err, port: of }, 'the guest at a TAP is told nothing'))
  }

  /** At once, as what it was told before may be of before, and now and then. */
  #advertise(): void {
    this.#cancelNext = this.#deps.clock.after(advertiseEveryMs, () => this.#advertise())
    void this.#told().then((guest) => {
      const advertisement = advertisementFor(guest)
      return advertisement && this.#tell(advertisement)
    })
  }
}
