// Whether Ports that carry functions out forward: each is handed a packet whose time is up there, and says so while it forwards. One that
// has never answered is not judged by that: it may be no router that says such things, or have no route.
import { portPiece } from '../../core/pieces/port.ts'
import type { LocalPort } from '../../core/node/wanted.ts'
import { gatewayMac } from '../../core/net/gateway-mac.ts'
import { pulseFilter } from '../../core/wire/guest/filter.ts'
import { pulseFrame } from '../../core/wire/guest/pulse.ts'
import type { AgentEnv } from '../agent-env.ts'
import { lastOf, portOf, reportNodeStatus } from '../ports/node-status.ts'

/** Linux says at most one such thing a second to one address (icmp_ratelimit), some at once. */
const everyMs = 1_000
const missesMost = 3

interface Pulse {
  readonly stop: () => void
  hasAnswered: boolean
  /** Asked and not answered since. */
  misses: number
}

export class Pulses {
  readonly #env: AgentEnv
  readonly #of = new Map<string, Pulse>()

  constructor(env: AgentEnv) {
    this.#env = env
  }

  /** Asks until the signal falls. */
  start(signal: AbortSignal): void {
    const { clock, links, plane, log } = this.#env
    if (links.hear === undefined || links.tell === undefined || plane.name !== 'ovs') return
    if (signal.aborted) return this.#forget(() => true)
    const cancel = clock.after(everyMs, () => {
      signal.removeEventListener('abort', end)
      void this.#ask()
        .catch((err: unknown) => log.debug({ err }, 'functions were not asked whether they forward: the next turn asks them'))
        .finally(() => this.start(signal))
    })
    const end = (): void => {
      cancel()
      this.#forget(() => true)
    }
    signal.addEventListener('abort', end, { once: true })
  }

  async #ask(): Promise<void> {
    const functions = [...this.#env.loop.pieces.of(portPiece).values()].filter((port) => this.#isAsked(port))
    const uids = new Set(functions.map(({ uid }) => uid))
    this.#forget((uid) => !uids.has(uid))
    await Promise.all(functions.map((port) => this.#askOne(port)))
  }

  /** Also one that was left out for its silence. */
  #isAsked({ uid, type }: LocalPort): boolean {
    const port = type === 'dpdk' ? undefined : portOf(uid, this.#env)
    const { chain, silent } = (port && lastOf(port, this.#env)) ?? {}
    return chain !== undefined || silent === true
  }

  async #askOne({ uid, ifcName, mac }: LocalPort): Promise<void> {
    const { links } = this.#env
    // Where there is no interface any more nothing answers.
    const pulse = this.#of.get(uid) ?? (await this.#listen({ uid, ifcName, mac }).catch(() => undefined))
    if (pulse === undefined) return
    pulse.misses++
    if (pulse.hasAnswered && pulse.misses > missesMost) this.#say(uid, true)
    await links.tell?.(ifcName, pulseFrame(mac, gatewayMac)).catch(() => undefined)
  }

  async #listen({ uid, ifcName, mac }: Pick<LocalPort, 'uid' | 'ifcName' | 'mac'>): Promise<Pulse> {
    const hearing = await this.#env.links.hear!(ifcName, pulseFilter(mac), (frame) => {
      if (frame !== undefined) this.#answered(uid)
    })
    const port = portOf(uid, this.#env)
    // It was said to be silent before this agent began.
    const pulse = { stop: () => hearing.stop(), hasAnswered: (port && lastOf(port, this.#env)?.silent) === true, misses: 0 }
    this.#of.set(uid, pulse)
    return pulse
  }

  #answered(uid: string): void {
    const pulse = this.#of.get(uid)
    if (pulse === undefined) return
    pulse.hasAnswered = true
    pulse.misses = 0
    this.#say(uid, false)
  }

  #say(uid: string, isSilent: boolean): void {
    const port = portOf(uid, this.#env)
    const { silent = false, ...node } = (port && lastOf(port, this.#env)) ?? {}
    if (port === undefined || node.wired !== true || silent === isSilent) return
    this.#env.log[isSilent ? 'warn' : 'info']({ port: port.metadata.name, silent: isSilent }, 'a function of a chain forwards, or does not')
    reportNodeStatus(port, { ...node, ...(isSilent && { silent: true }) }, this.#env)
  }

  #forget(isGone: (uid: string) => boolean): void {
    for (const [uid, { stop }] of this.#of)
      if (isGone(uid)) {
        stop()
        this.#of.delete(uid)
      }
  }
}
