// The routes of all machines: each one's kernel and BGP daemon, the gateway outside, and which ways between them are open.
import type { Site } from '../../site.ts'
import { nodeAddress } from '../../layout.ts'
import type { Machine, Machines } from '../machines.ts'
import { BirdModel } from './bird.ts'
import { gatewayAddress, gatewayConfig } from './gateway.ts'
import { KernelNet } from './kernel.ts'
import { Sessions } from './sessions.ts'

export class Routing {
  readonly daemons: ReadonlyMap<string, BirdModel>
  readonly gateway: BirdModel
  readonly sessions: Sessions
  readonly #machines: Machines
  readonly #site: Site
  /** Address → when something was wrong with its daemon or its links last, or will have been. */
  readonly #troubledAt = new Map<string, number>()
  /** Two addresses → until when nothing passes between them. */
  readonly #cuts = new Map<string, number>()
  /** Called after each change of what any kernel routes. */
  onChange: () => void = () => undefined

  constructor(site: Site, machines: Machines) {
    this.#site = site
    this.#machines = machines
    const now = (): number => site.scheduler.now
    const kernel = new KernelNet()
    this.gateway = new BirdModel(gatewayAddress, kernel, now)
    this.daemons = new Map([...machines.all.values()].map(({ name, kernel: own }) => [name, new BirdModel(nodeAddress(name), own, now)]))
    for (const each of [kernel, ...[...machines.all.values()].map((machine) => machine.kernel)]) each.onChange = () => this.onChange()
    this.sessions = new Sessions([...this.daemons.values(), this.gateway], {
      scheduler: site.scheduler,
      dice: site.dice.fork('BGP sessions'),
      joined: (a, b) => this.joined(a, b),
    })
    for (const machine of machines.all.values()) machine.onSevered = () => this.#severed(machine)
    site.onMachine((name, up) => {
      if (!up) this.daemons.get(name)?.powerOff()
      this.#trouble(nodeAddress(name))
      this.sessions.linksChanged()
    })
  }

  begin(): void {
    this.gateway.configure(gatewayConfig)
    this.gateway.start()
  }

  /** BIRD of a node ends, as kill -9 does it. */
  kill(node: string): void {
    this.#trouble(nodeAddress(node))
    this.daemons.get(node)!.kill()
  }

  /** Virtual milliseconds since anything was wrong with the daemon of a node, or its links. */
  untroubledMs(node: string): number {
    const daemon = this.daemons.get(node)!
    if (daemon.text !== undefined && !daemon.running) return 0
    return Math.max(0, this.#site.scheduler.now - (this.#troubledAt.get(daemon.address) ?? 0))
  }

  #trouble(address: string, at = this.#site.scheduler.now): void {
    this.#troubledAt.set(address, Math.max(at, this.#troubledAt.get(address) ?? 0))
  }

  #severed({ name }: Machine): void {
    this.#trouble(nodeAddress(name))
    this.sessions.linksChanged()
  }

  /** Whether packets go from one address to the other. */
  joined(a: string, b: string): boolean {
    return (this.#cuts.get(cutKey(a, b)) ?? 0) <= this.#site.scheduler.now && this.#isOn(a) && this.#isOn(b)
  }

  /** Nothing passes between the two for a while. */
  cut(a: string, b: string, ms: number): void {
    const { scheduler } = this.#site
    const until = Math.max(scheduler.now + ms, this.#cuts.get(cutKey(a, b)) ?? 0)
    this.#cuts.set(cutKey(a, b), until)
    for (const end of [a, b]) this.#trouble(end, until)
    this.sessions.linksChanged()
    scheduler.after(until - scheduler.now, `${a} and ${b} are joined again`, () => this.sessions.linksChanged())
  }

  calm(): void {
    this.#cuts.clear()
    this.sessions.linksChanged()
  }

  machineAt(address: string): Machine | undefined {
    return [...this.#machines.all.values()].find(({ name }) => nodeAddress(name) === address)
  }

  #isOn(address: string): boolean {
    const machine = this.machineAt(address)
    return machine === undefined ? address === gatewayAddress : machine.up && !machine.severed
  }
}

const cutKey = (a: string, b: string): string => [a, b].sort().join(' ')
