// The node's BGP daemon does what the node's BGPSpeaker says: rendered, looked through by the daemon itself, put in force, looked at.
import type { Surroundings } from '../../core/bgp/renderer.ts'
import type { SeenSession } from '../../core/bgp/session-state.ts'
import type { SpeakerSpec } from '../../core/bgp/speaker.ts'
import { startAfterMs } from '../../core/bgp/start-after.ts'
import { BGPRefused, InUse, MegrezError, messageOf } from '../../core/errors.ts'
import { sameJson } from '../../core/same-json.ts'
import { linkScope } from '../../core/wire/netlink/address.ts'
import type { NetlinkEvent } from '../../core/wire/netlink/netlink.ts'
import { pause, type Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { Daemon } from './daemon.ts'
import type { FollowedLists } from '../netlink/followed-lists.ts'
import type { BGPHost } from './host.ts'
import { isUnderlay, linksOf, routesOf, underlayOf } from './kernel-view.ts'
import { MissedAfter } from './missed-after.ts'
import { holderOfBgp } from './port-holder.ts'
import { leavingRouteProtocol, ownRouteProtocol } from '../../core/net/route-table.ts'
import { StatusReports, type SpeakerStatus } from './status.ts'

/**
 * Secrets are read anew this often, and addresses and routes of the node looked at, where nobody has told of a change; host routes of
 * Ports, where they are needed, at each look.
 */
const aroundMs = 10_000

export interface SpeakerDeps {
  readonly daemon: Daemon
  readonly host: BGPHost
  readonly kernel: FollowedLists
  /** Whether we start the daemon; else something else does that, and we wait for it. */
  readonly starts: boolean
  readonly password: (secret: { readonly name: string; readonly key: string }) => Promise<string | undefined>
  readonly report: (status: SpeakerStatus) => void
  readonly clock: Clock
  readonly log: Log
}
interface WantedSpeaker {
  readonly spec: SpeakerSpec
  readonly generation: number
}

export class Speaker {
  readonly #deps: SpeakerDeps
  #wanted: WantedSpeaker | undefined
  /** Before that nothing is done: a daemon that is there goes on as it does. */
  #isKnown = false
  #around: { readonly at: number; readonly links: readonly string[]; readonly underlay: Surroundings['underlay'] } | undefined
  #passwords = new Map<string, string | undefined>()
  /** What the daemon was told by this process: a daemon that was there before is told once. */
  #applied: string | undefined
  #generation: number | undefined
  /** Looked through once: the same text is refused again. */
  #refused: { readonly text: string; readonly by: MegrezError } | undefined
  #leftOut: string | undefined
  readonly #missedAfter = new MissedAfter()
  readonly #reports: StatusReports
  /** Aborted when another thing is wanted: it is not waited for the next look. */
  #news = new AbortController()
  #ended: Promise<void> = Promise.resolve()

  constructor(deps: SpeakerDeps) {
    this.#deps = deps
    this.#reports = new StatusReports(deps.report, deps.clock)
  }

  /** @param spec undefined: nothing is to be said; sessions close, and their routes go */
  want(spec: SpeakerSpec | undefined, generation = 0): void {
    const changed = !sameJson(this.#wanted?.spec, spec)
    this.#wanted = spec && { spec, generation }
    this.#isKnown = true
    if (!changed) return
    this.#around = undefined
    this.#news.abort()
  }

  /** What the kernel tells: where a configuration depends on it, it is not waited for the next look. */
  hear(event: NetlinkEvent | undefined): void {
    if (event === undefined || !matters(event, this.#deps.daemon)) return
    this.#around = undefined
    this.#news.abort()
  }

  follow(signal: AbortSignal): void {
    const { clock, daemon, log } = this.#deps
    const loop = async (): Promise<void> => {
      while (!signal.aborted) {
        this.#news = new AbortController()
        await this.observe().catch((err: unknown) => log.warn({ err }, 'the BGP daemon was not looked at'))
        await pause(daemon.pollMs, clock, AbortSignal.any([signal, this.#news.signal])).catch(() => undefined)
      }
    }
    this.#ended = loop()
  }

  /** Resolves once nothing is under way. The daemon goes on. */
  ended(): Promise<void> {
    return this.#ended
  }

  /** One pass: what is wanted in force, where it can be, and what is seen reported. */
  async observe(): Promise<void> {
    if (!this.#isKnown) return
    const wanted = this.#wanted
    const problem = await this.#putInForce(wanted?.spec ?? noSpeaker, wanted?.generation ?? 0).then(
      () => undefined,
      (err: unknown) => this.#problemOf(err),
    )
    if (wanted !== undefined) this.#reports.take(await this.#seen(wanted.spec, problem))
  }

  /** What nobody can weigh here is told in words; what passes by is tried again. */
  #problemOf(err: unknown): string {
    if (!(err instanceof MegrezError)) throw err
    return messageOf(err)
  }

  async #putInForce(spec: SpeakerSpec, generation: number): Promise<void> {
    const { daemon } = this.#deps
    const runs = (await daemon.version()) !== undefined
    const before = await daemon.inForce()
    // A node that never had anything to say has no daemon.
    if (before === undefined && !runs && spec.groups.length === 0) return
    const running = runs ? before : undefined
    await this.#askBfd(running)
    const { text, leftOut } = daemon.renderer.render(spec, await this.#surroundings(spec))
    this.#leftOut = leftOut.length === 0 ? undefined : leftOut.map(({ at, reason }) => `${at}: ${reason}`).join('; ')
    await this.#refuseHeld(running, text)
    if (text !== before || (runs && text !== this.#applied)) await this.#apply(text, generation)
    if (!runs) await this.#start(before, text)
    this.#applied = text
    this.#generation = generation
  }

  /** Another daemon on the port would take our neighbours' calls, and we its. @throws InUse */
  async #refuseHeld(before: string | undefined, text: string): Promise<void> {
    const { daemon, host } = this.#deps
    if (!daemon.listens(text) || (before !== undefined && daemon.listens(before))) return
    const owner = await holderOfBgp(host)
    if (owner !== undefined) throw new InUse({ what: 'TCP port 179', owner })
  }

  async #askBfd(running: string | undefined): Promise<void> {
    const { daemon, clock } = this.#deps
    if (running === undefined) return
    this.#missedAfter.take(daemon.renderer.missedAfter(await daemon.showBfd(), running), clock.elapsed())
  }

  /** @param before what the daemon before had: this process may not have been there then */
  async #start(before: string | undefined, text: string): Promise<void> {
    const { daemon, starts, clock, log } = this.#deps
    if (!starts) return
    await pause(Math.max(startAfterMs(before ?? ''), startAfterMs(text)), clock)
    await daemon.start()
    log.info({ program: daemon.program }, 'the BGP daemon is started')
  }

  async #apply(text: string, generation: number): Promise<void> {
    const { daemon, log } = this.#deps
    if (this.#refused?.text === text) throw this.#refused.by
    try {
      await daemon.apply(text)
      this.#refused = undefined
      log.info({ program: daemon.program, generation }, 'BGP is configured')
    } catch (err) {
      if (err instanceof BGPRefused) this.#refused = { text, by: err }
      throw err
    }
  }

  async #surroundings(spec: SpeakerSpec): Promise<Surroundings> {
    const { kernel, daemon, clock } = this.#deps
    const now = clock.elapsed()
    if (this.#around === undefined || now - this.#around.at >= aroundMs) {
      await this.#readPasswords(spec)
      const [links, underlay] = await Promise.all([linksOf(kernel), underlayOf(kernel)])
      this.#around = { at: now, links, underlay }
    }
    const tables = daemon.needsHostRoutes ? spec.groups.map(({ table }) => table) : []
    const routesBy = async (protocol: number): Promise<ReadonlyMap<number, readonly string[]>> =>
      new Map(
        await Promise.all(
          tables.map(async (table) => [table, await routesOf(kernel, { table, protocol: String(protocol), leading: true })] as const),
        ),
      )
    const [here, leaving] = await Promise.all([routesBy(ownRouteProtocol), routesBy(leavingRouteProtocol)])
    return {
      ...this.#around,
      password: (secret) => this.#passwords.get(keyOf(secret)),
      hostRoutes: (table) => here.get(table) ?? [],
      leavingRoutes: (table) => leaving.get(table) ?? [],
      missedAfterMs: (neighbour) => this.#missedAfter.msOf(neighbour),
    }
  }

  async #readPasswords(spec: SpeakerSpec): Promise<void> {
    const secrets = spec.groups.flatMap(({ sessions }) => sessions.flatMap(({ passwordSecret }) => passwordSecret ?? []))
    const each = new Map(secrets.map((secret) => [keyOf(secret), secret]))
    // One that the store does not answer for stays as it was: a session is not closed because the store is away.
    const read = [...each].map(
      async ([key, secret]) => [key, await this.#deps.password(secret).catch(() => this.#passwords.get(key))] as const,
    )
    this.#passwords = new Map(await Promise.all(read))
  }

  async #seen(spec: SpeakerSpec, problem: string | undefined): Promise<SpeakerStatus> {
    const { daemon } = this.#deps
    const version = await daemon.version()
    const sessions: readonly SeenSession[] = version === undefined ? [] : daemon.renderer.read(await daemon.show(), spec)
    const problems = [problem, this.#leftOut].filter((each) => each !== undefined).join('; ')
    return {
      daemon: {
        program: daemon.program,
        ...(version !== undefined && { version }),
        state: problem !== undefined ? 'refused' : version === undefined ? 'absent' : 'running',
        ...(problems !== '' && { problem: problems }),
        ...(this.#generation !== undefined && { generation: this.#generation }),
      },
      addresses: [...new Set(spec.groups.flatMap(({ addresses }) => Object.values(addresses)))],
      sessions: [...sessions],
    }
  }
}

function matters(event: NetlinkEvent, { needsHostRoutes }: Daemon): boolean {
  if (event.kind === 'addresses') return event.address.scope !== linkScope
  if (event.kind !== 'tableRoutes') return false
  const { protocol } = event.route
  return protocol === ownRouteProtocol || protocol === leavingRouteProtocol ? needsHostRoutes : isUnderlay(event.route)
}

const noSpeaker: SpeakerSpec = { node: '', groups: [] }
const keyOf = ({ name, key }: { readonly name: string; readonly key: string }): string => `${name}/${key}`
