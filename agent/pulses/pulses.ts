// Whether what stands behind Ports still answers: each is asked, again and again, what it answers while its data path is whole. One that
// has never answered is not judged by that: it may be nobody that answers such things.
import { portPiece } from '../../core/pieces/port.ts'
import type { LocalPort } from '../../core/node/wanted.ts'
import type { AgentEnv } from '../agent-env.ts'
import { lastOf, portOf, reportNodeStatus } from '../ports/node-status.ts'

/** What is asked, of whom, and where it is said that nothing answers any more. */
export interface Pulse {
  readonly everyMs: number
  readonly field: 'silent' | 'unreachable'
  /** For the log: what does, or does not. */
  readonly about: string
  /** Also one of whom that was said already. */
  isAsked(port: LocalPort, env: AgentEnv): boolean
  /** Undefined: it has no address to be asked by. */
  frame(port: LocalPort): Uint8Array | undefined
  /** Which of its frames are answers. */
  filter(mac: string): Uint8Array
}

const missesMost = 3

interface Hearing {
  stop: () => void
  hasAnswered: boolean
  /** Asked and not answered since. */
  misses: number
}

export class Pulses {
  readonly #env: AgentEnv
  readonly #pulse: Pulse
  readonly #of = new Map<string, Hearing>()

  constructor(env: AgentEnv, pulse: Pulse) {
    this.#env = env
    this.#pulse = pulse
  }

  /** Asks until the signal falls. */
  start(signal: AbortSignal): void {
    const { clock, links, log } = this.#env
    if (links.hear === undefined || links.tell === undefined) return
    if (signal.aborted) return this.#forget(() => true)
    const cancel = clock.after(this.#pulse.everyMs, () => {
      signal.removeEventListener('abort', end)
      void this.#ask()
        .catch((err: unknown) => log.debug({ err }, `was not asked: ${this.#pulse.about}; the next turn asks`))
        .finally(() => this.start(signal))
    })
    const end = (): void => {
      cancel()
      this.#forget(() => true)
    }
    signal.addEventListener('abort', end, { once: true })
  }

  async #ask(): Promise<void> {
    const ports = [...this.#env.loop.pieces.of(portPiece).values()].filter((port) => this.#pulse.isAsked(port, this.#env))
    const uids = new Set(ports.map(({ uid }) => uid))
    this.#forget((uid) => !uids.has(uid))
    await Promise.all(ports.map((port) => this.#askOne(port)))
  }

  async #askOne(local: LocalPort): Promise<void> {
    const { uid, ifcName } = local
    const frame = this.#pulse.frame(local)
    if (frame === undefined) return
    // Where there is no interface any more nothing answers.
    const hearing = this.#of.get(uid) ?? (await this.#listen(local).catch(() => undefined))
    if (hearing === undefined) return
    hearing.misses++
    if (hearing.hasAnswered && hearing.misses > missesMost) this.#say(uid, true)
    await this.#env.links.tell?.(ifcName, frame).catch(() => undefined)
  }

  async #listen({ uid, ifcName, mac }: LocalPort): Promise<Hearing> {
    const hearing: Hearing = { stop: () => undefined, hasAnswered: false, misses: 0 }
    const { stop } = await this.#env.links.hear!(ifcName, this.#pulse.filter(mac), (frame) => {
      if (frame !== undefined) return this.#answered(uid)
      // The interface has gone: another one of its name is listened at anew.
      if (this.#of.get(uid) === hearing) this.#of.delete(uid)
    })
    const port = portOf(uid, this.#env)
    // It was said before this agent began.
    hearing.hasAnswered = (port && lastOf(port, this.#env)?.[this.#pulse.field]) === true
    hearing.stop = stop
    this.#of.set(uid, hearing)
    return hearing
  }

  #answered(uid: string): void {
    const hearing = this.#of.get(uid)
    if (hearing === undefined) return
    hearing.hasAnswered = true
    hearing.misses = 0
    this.#say(uid, false)
  }

  #say(uid: string, isGone: boolean): void {
    const { field, about } = this.#pulse
    const port = portOf(uid, this.#env)
    const { [field]: was = false, ...node } = (port && lastOf(port, this.#env)) ?? {}
    if (port === undefined || node.wired !== true || was === isGone) return
    this.#env.log[isGone ? 'warn' : 'info']({ port: port.metadata.name, [field]: isGone }, about)
    reportNodeStatus(port, { ...node, wired: true, ...(isGone && { [field]: true }) }, this.#env)
  }

  #forget(isGone: (uid: string) => boolean): void {
    for (const [uid, { stop }] of this.#of)
      if (isGone(uid)) {
        stop()
        this.#of.delete(uid)
      }
  }
}
