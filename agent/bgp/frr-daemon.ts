// FRR's zebra, bfdd and bgpd, in a folder of their own, by vtysh.
import { join } from 'node:path'
import { difference, otherLimits } from '../../core/bgp/frr/difference.ts'
import { frr } from '../../core/bgp/frr/frr.ts'
import { parseNeighbours, stateOfNeighbour } from '../../core/bgp/frr/read.ts'
import { BGPRefused } from '../../core/errors.ts'
import { pause, type Clock } from '../../platform/clock.ts'
import type { Outcome } from '../../platform/programs/run.ts'
import type { Daemon } from './daemon.ts'
import type { BGPHost } from './host.ts'

const startMs = 15_000
const startPollMs = 100
/** Seconds that zebra keeps the routes of a bgpd, or of a zebra before it, that has gone. */
const keptSeconds = 120
/** In the order that they are started in: a later one looks for those before it. */
const parts = ['zebra', 'bfdd', 'bgpd'] as const

interface Options {
  /** Folder of the daemons; vtysh is on PATH. */
  readonly programs: string
  readonly folder: string
  readonly host: BGPHost
  readonly clock: Clock
}

export class FrrDaemon implements Daemon {
  readonly program = 'frr'
  readonly renderer = frr
  readonly pollMs = 2_000
  readonly needsHostRoutes = true
  readonly #options: Options
  #version: string | undefined

  constructor(options: Options) {
    this.#options = options
  }

  #path(name: string): string {
    return join(this.#options.folder, name)
  }

  async version(): Promise<string | undefined> {
    const running = await this.#running()
    if (!parts.every((part) => running.includes(part))) return undefined
    this.#version ??= /FRRouting (\S+)/.exec((await this.#vtysh('-d', 'bgpd', '-c', 'show version')).stdout)?.[1] ?? 'unknown'
    return this.#version
  }

  async #running(): Promise<readonly string[]> {
    const { code, stdout } = await this.#vtysh('-c', 'show daemons')
    return code === 0 ? stdout.split(/\s+/) : []
  }

  /** bgpd listens from its start on. */
  listens(): boolean {
    return true
  }

  inForce(): Promise<string | undefined> {
    return this.#options.host.read(this.#path('bgpd.conf'))
  }

  async apply(text: string): Promise<void> {
    const { host } = this.#options
    await host.makeFolder(this.#options.folder)
    await this.#fed(text, '-C')
    const before = await this.inForce()
    const lines = difference(before ?? '', text)
    if ((await this.version()) !== undefined && lines.length > 0) {
      await this.#fed(`${lines.join('\n')}\n`)
      await this.#reopen(otherLimits(before ?? '', text))
    }
    await host.replace(this.#path('bgpd.conf'), text)
    await this.#giveFolder()
  }

  async #reopen(addresses: readonly string[]): Promise<void> {
    if (addresses.length === 0) return
    const states = parseNeighbours(await this.show())
    for (const address of addresses)
      if (stateOfNeighbour(states, address) === 'idle') await this.#vtysh('-d', 'bgpd', '-c', `clear bgp ${address}`)
  }

  /** @throws BGPRefused with the first words that it says */
  async #fed(text: string, ...how: readonly string[]): Promise<void> {
    const file = this.#path('next.conf')
    await this.#options.host.write(file, text)
    const { code, stdout, stderr } = await this.#vtysh(...how, '-f', file)
    await this.#options.host.remove(file)
    if (code !== 0) throw refused(`${stderr}${stdout}`)
  }

  async start(): Promise<void> {
    const { host, folder, clock, programs } = this.#options
    for (const part of parts) {
      if ((await this.#running()).includes(part)) continue
      const config = this.#path(`${part}.conf`)
      if ((await host.read(config)) === undefined) await host.write(config, '')
      await this.#giveFolder()
      const own = part === 'zebra' ? ['-K', String(keptSeconds)] : part === 'bfdd' ? ['--bfdctl', this.#path('bfdd.sock')] : []
      const sockets = ['--vty_socket', folder, '-z', this.#path('zserv.api'), '-P', '0', '--log', `file:${this.#path(`${part}.log`)}`]
      const started = await host.run(join(programs, part), '-d', '-f', config, '-i', this.#path(`${part}.pid`), ...sockets, ...own)
      if (started.code !== 0) throw refused(`${started.stderr}${started.stdout}`)
      for (const end = clock.elapsed() + startMs; !(await this.#running()).includes(part); await pause(startPollMs, clock))
        if (clock.elapsed() > end) throw refused(`${part} does not answer`)
    }
  }

  async show(): Promise<string> {
    return (await this.#vtysh('-d', 'bgpd', '-c', 'show bgp neighbors json')).stdout
  }

  async showBfd(): Promise<string> {
    return (await this.#vtysh('-d', 'bfdd', '-c', 'show bfd peers json')).stdout
  }

  #vtysh(...args: readonly string[]): Promise<Outcome> {
    return this.#options.host.run('vtysh', '--vty_socket', this.#options.folder, ...args)
  }

  /** Its daemons run as a user of their own. */
  async #giveFolder(): Promise<void> {
    const { code, stderr } = await this.#options.host.run('chown', '-R', 'frr:frr', this.#options.folder)
    if (code !== 0) throw refused(stderr)
  }
}

const refused = (output: string): Error => new BGPRefused({ program: 'FRR', reason: output.trim().slice(0, 400) })
