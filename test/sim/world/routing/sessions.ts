// Sessions between the BGP daemons of all machines, and to a gateway outside: up once both ends are configured to each other, down as
// either end or the way between them goes; and what goes through them, in order and a little late.
import type { Dice } from '../../dice.ts'
import type { Scheduler } from '../../scheduler.ts'
import type { BirdModel, SessionEnd } from './bird.ts'
import type { BirdSession } from './bird-config.ts'
import type { ToldRoute } from './bird-route.ts'

/** Longest that an update is on its way, beside what a daemon takes to make it. */
const updateMs = 60
/** `connect delay time` of our configurations; a neighbour that calls may be quicker than its own retry. */
const connectMs = 1_000

interface Pair {
  readonly a: BirdModel
  readonly b: BirdModel
  isUp: boolean
  /** Counts what has happened to it: what was on its way before does not arrive. */
  life: number
  /** Something is due that makes it come or go. */
  due: boolean
  /** As it came up. */
  agreed: Agreed | undefined
}
interface Agreed {
  /** Which daemons they were, counted by their starts, and what both called it: another name is another session. */
  readonly ends: string
  /** How long the routes of either end are to stay while that restarts. */
  readonly restarts: readonly [a: number | undefined, b: number | undefined]
  readonly silence: Silence
}
/** Until it goes where nothing is heard. */
interface Silence {
  /** Of a by b, and of b by a. */
  readonly ms: readonly [a: number, b: number]
  readonly hasBfd: boolean
  /** When one of them has begun to send nothing more of BFD, while the other listens. */
  readonly since?: number
}
interface Deps {
  readonly scheduler: Scheduler
  readonly dice: Dice
  /** Whether packets go from one to the other now. */
  readonly joined: (a: string, b: string) => boolean
}

export class Sessions {
  readonly #deps: Deps
  readonly #pairs: readonly Pair[]
  /** What a neighbour was told last. */
  readonly #sent = new Map<string, string>()
  readonly #settling = new Set<BirdModel>()
  /** Called where a daemon that was started again has its routes dropped, in words: it was started too soon. */
  onTooSoon: (what: string) => void = () => undefined

  constructor(daemons: readonly BirdModel[], deps: Deps) {
    this.#deps = deps
    this.#pairs = daemons.flatMap((a, i) =>
      daemons.slice(i + 1).map((b) => ({ a, b, isUp: false, life: 0, due: false, agreed: undefined })),
    )
    for (const daemon of daemons) {
      daemon.onConfig = () => this.changed(daemon)
      const { onChange } = daemon.kernel
      daemon.kernel.onChange = () => {
        onChange()
        this.#soon(daemon)
      }
    }
  }

  /** Its configuration, its life or its links are not as they were. */
  changed(daemon: BirdModel): void {
    for (const pair of this.#pairs) if (pair.a === daemon || pair.b === daemon) this.#adjust(pair)
    this.#soon(daemon)
  }

  /** Some way between machines is open or closed that was not. */
  linksChanged(): void {
    for (const pair of this.#pairs) this.#adjust(pair)
  }

  /** Whether a session between the two is up. */
  isUp(one: string, other: string): boolean {
    return this.#pairs.some(({ a, b, isUp }) => isUp && [a.address, b.address].includes(one) && [a.address, b.address].includes(other))
  }

  #adjust(pair: Pair): void {
    const ends = configured(pair)
    this.#settleBfd(pair)
    if (pair.isUp && !isHeard(pair) && (ends !== undefined || !isSilent(pair))) return this.#close(pair)
    const isJoined = ends !== undefined && this.#deps.joined(pair.a.address, pair.b.address)
    if (pair.due || pair.isUp === isJoined) return
    const ms = pair.isUp
      ? Math.max(...pair.agreed!.silence.ms)
      : connectMs + this.#deps.dice.next() * Math.min(...ends!.map(({ retryMs }) => retryMs))
    pair.due = true
    this.#deps.scheduler.after(ms, `BGP between ${pair.a.address} and ${pair.b.address}`, () => {
      pair.due = false
      const now = configured(pair)
      const isJoinedNow = now !== undefined && this.#deps.joined(pair.a.address, pair.b.address)
      if (pair.isUp === isJoinedNow) return
      if (pair.isUp) this.#close(pair)
      else this.#open(pair, now!)
    })
  }

  #open(pair: Pair, [a, b]: Ends): void {
    pair.isUp = true
    pair.life++
    pair.agreed = { ends: textOfEnds(pair, [a, b]), restarts: [a.restartMs, b.restartMs], silence: silenceOf(a, b) }
    tellIntervals(pair, [a, b])
    for (const [daemon, session] of [
      [pair.a, a],
      [pair.b, b],
    ] as const) {
      this.#sent.delete(keyOf(daemon, session))
      daemon.ends.set(session.name, {
        isUp: true,
        since: this.#deps.scheduler.now,
        told: daemon.ends.get(session.name)?.told ?? new Map(),
        isWhole: false,
      })
      this.#soon(daemon)
    }
    this.#say(pair, 'is up')
  }

  /**
   * BFD goes by what both ends want now: they poll each other (RFC 5880 section 6.5), which BIRD 2.0.12 was seen to be done with at once.
   * Who is told to send nothing more does not say so, and is missed.
   */
  #settleBfd(pair: Pair): void {
    const ends = configured(pair)
    if (!pair.isUp || ends === undefined || !isHeard(pair) || !this.#deps.joined(pair.a.address, pair.b.address)) return
    tellIntervals(pair, ends)
    if ((ends[0].bfd === undefined) !== (ends[1].bfd === undefined)) this.#missOne(pair, ends[0].bfd === undefined ? 0 : 1)
    else pair.agreed = { ...pair.agreed!, silence: silenceOf(...ends) }
  }

  /** Of two that are still there and want their session, so that both keep what they were told, if they may. */
  #missOne(pair: Pair, silent: 0 | 1): void {
    const { agreed, life } = pair
    if (agreed?.silence.hasBfd !== true || agreed.silence.since !== undefined) return
    const silence = { ...agreed.silence, since: this.#deps.scheduler.now }
    pair.agreed = { ...agreed, silence }
    this.#deps.scheduler.after(silence.ms[silent], `BFD is missed between ${pair.a.address} and ${pair.b.address}`, () => {
      if (pair.life === life && pair.agreed?.silence.since === silence.since) this.#close(pair, true)
    })
  }

  /** Who is still there keeps what it was told, if the other had asked for that and did not take its leave. */
  #close(pair: Pair, isMissed?: true): void {
    pair.isUp = false
    tellIntervals(pair, undefined)
    const life = ++pair.life
    this.#say(pair, 'is down')
    this.#missLate(pair)
    for (const [daemon, other, restartMs] of [
      [pair.a, pair.b, pair.agreed!.restarts[1]],
      [pair.b, pair.a, pair.agreed!.restarts[0]],
    ] as const) {
      const session = daemon.sessionTo(other.address)
      const end = session && daemon.ends.get(session.name)
      if (session === undefined || end === undefined) continue
      const isRestart = isMissed ?? mayComeAgain(other, session, daemon)
      // What it has not told again since is dropped, as it is lost a second time.
      const keepsMs = isRestart && !isHalfTold(end) ? restartMs : undefined
      const down: SessionEnd = { isUp: false, since: this.#deps.scheduler.now, told: end.told, isWhole: false }
      daemon.ends.set(session.name, keepsMs === undefined ? { ...down, told: new Map() } : down)
      if (keepsMs !== undefined)
        this.#deps.scheduler.after(keepsMs, `${daemon.address} waits no longer for ${other.address}`, () => {
          const now = daemon.ends.get(session.name)
          if (pair.life !== life || now === undefined) return
          daemon.ends.set(session.name, { ...now, told: new Map() })
          this.#soon(daemon)
        })
      this.#soon(daemon)
    }
    this.#adjust(pair)
  }

  /** BFD counts on from what it heard of one that was killed, and takes the session of the next for that one's. */
  #missLate(pair: Pair): void {
    const { life, agreed } = pair
    const [killed] = [pair.a, pair.b].filter((each) => !each.running && !each.isSilent)
    if (killed === undefined || agreed?.silence.hasBfd !== true) return
    const other = killed === pair.a ? pair.b : pair.a
    const { now } = this.#deps.scheduler
    const ms = agreed.silence.ms[killed === pair.a ? 0 : 1] - (now - (agreed.silence.since ?? now))
    this.#deps.scheduler.after(ms, `BFD of ${other.address} misses ${killed.address}`, () => {
      if (!pair.isUp || pair.life !== life + 1) return
      const session = other.sessionTo(killed.address)
      const end = session && other.ends.get(session.name)
      if (session?.bfd === undefined) return
      if (session.bfdGracefully && end !== undefined && isHalfTold(end))
        this.onTooSoon(
          `BIRD of ${killed.address} was started before BFD of ${other.address} had missed the one before: its routes are dropped`,
        )
      this.#close(pair)
    })
  }

  #say({ a, b }: Pair, what: string): void {
    this.#deps.scheduler.say('BGP', `session of ${a.address} and ${b.address} ${what}`)
  }

  /** It looks at all it knows, once for all that comes at one time. */
  #soon(daemon: BirdModel): void {
    if (this.#settling.has(daemon)) return
    this.#settling.add(daemon)
    this.#deps.scheduler.after(1 + this.#deps.dice.next() * 5, `BIRD of ${daemon.address}`, () => {
      this.#settling.delete(daemon)
      if (!daemon.running) return
      if (daemon.isRecovering) return this.#afterRecovery(daemon)
      daemon.writeKernel()
      for (const pair of this.#pairs) if (pair.isUp && (pair.a === daemon || pair.b === daemon)) this.#tell(daemon, pair)
    })
  }

  #afterRecovery(daemon: BirdModel): void {
    const { recoversUntil } = daemon
    this.#deps.scheduler.after(recoversUntil - this.#deps.scheduler.now, `BIRD of ${daemon.address} waits no longer`, () => {
      if (daemon.recoversUntil === recoversUntil) this.#soon(daemon)
    })
  }

  /** The first that it tells is the whole of it, even if that is nothing. */
  #tell(daemon: BirdModel, pair: Pair): void {
    const other = pair.a === daemon ? pair.b : pair.a
    const session = daemon.sessionTo(other.address)
    if (session === undefined) return
    const told = daemon.toldTo(session)
    const [key, text] = [keyOf(daemon, session), textOf(told)]
    if (this.#sent.get(key) === text) return
    this.#sent.set(key, text)
    const { life } = pair
    this.#deps.scheduler.after(this.#deps.dice.next() * updateMs, `${daemon.address} tells ${other.address}`, () => {
      const end = other.sessionTo(daemon.address)
      const there = end && other.ends.get(end.name)
      // A later one may have come before it.
      if (pair.life !== life || there === undefined || this.#sent.get(key) !== text) return
      other.ends.set(end!.name, { ...there, told, isWhole: true })
      this.#soon(other)
    })
  }
}

const textOfEnds = ({ a, b }: Pair, [one, other]: Ends): string => `${a.starts} ${one.name}, ${b.starts} ${other.name}`
/** Both daemons are those that opened it, and want it still. */
function isHeard(pair: Pair): boolean {
  const ends = configured(pair)
  return ends !== undefined && textOfEnds(pair, ends) === pair.agreed!.ends
}
const isSilent = ({ a, b }: Pair): boolean => a.isSilent || b.isSilent
/** It may still want the session, and does not come through. */
const isUnheard = (one: BirdModel, by: BirdModel): boolean => one.isSilent || one.sessionTo(by.address) !== undefined

const mayComeAgain = (one: BirdModel, session: BirdSession, by: BirdModel): boolean =>
  isUnheard(one, by) ? session.bfdGracefully : !one.running

type Ends = readonly [a: BirdSession, b: BirdSession]

/** Both configured to each other. */
function configured({ a, b }: Pair): Ends | undefined {
  const [one, other] = [a.sessionTo(b.address), b.sessionTo(a.address)]
  return one === undefined || other === undefined || one.as !== other.localAs || other.as !== one.localAs ? undefined : [one, other]
}

/** The hold time is the less of both (RFC 4271 section 4.2); BFD needs both ends. */
const silenceOf = (a: BirdSession, b: BirdSession): Silence => {
  const hold = Math.min(a.holdMs, b.holdMs)
  if (a.bfd === undefined || b.bfd === undefined) return { ms: [hold, hold], hasBfd: false }
  const interval = Math.max(a.bfd.intervalMs, b.bfd.intervalMs)
  return { ms: [interval * a.bfd.multiplier, interval * b.bfd.multiplier], hasBfd: true }
}
function tellIntervals({ a, b }: Pair, ends: Ends | undefined): void {
  const [one, other] = (ends ?? []).map(({ bfd }) => bfd)
  for (const [daemon, neighbour] of [
    [a, b],
    [b, a],
  ] as const)
    if (one === undefined || other === undefined) daemon.bfdIntervals.delete(neighbour.address)
    else daemon.bfdIntervals.set(neighbour.address, Math.max(one.intervalMs, other.intervalMs))
}
/** It has told what it told before its restart, and not yet all again. */
const isHalfTold = ({ told, isWhole }: SessionEnd): boolean => told.size > 0 && !isWhole

const keyOf = ({ address }: BirdModel, { name }: BirdSession): string => `${address} ${name}`
const textOf = (told: ReadonlyMap<string, ToldRoute>): string =>
  [...told.values()]
    .map(({ net, nextHop, asPath, localPref, communities, largeCommunities }) =>
      [net, nextHop, asPath, localPref, ...communities, ...largeCommunities].join(' '),
    )
    .sort()
    .join('\n')
