// All switches of all Fabrics: a session with each, made when it is first asked for and made anew when its address, driver or credentials
// change.
import { takesAway, type FabricDriver, type SwitchChange } from '../../core/contracts/fabric-driver.ts'
import type { FabricSwitch } from '../../core/kinds/l2/fabric.ts'
import type { Resource } from '../../core/kinds/index.ts'
import { messageOf } from '../../core/errors.ts'
import type { ObservedFabric, ObservedSwitch } from '../../core/plan/l2/fabric.ts'
import { sameJson } from '../../core/same-json.ts'
import type { Cache } from '../../platform/cache/cache.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { CredentialsWatch } from '../drivers/credentials.ts'
import type { FabricRegistry } from '../drivers/fabric/index.ts'
import { SwitchSession } from './switch-session.ts'

export interface SwitchSessionsDeps {
  readonly fabrics: Cache<'Fabric'>
  readonly registry: FabricRegistry
  /** Of each driver: the same, measured. */
  readonly timed?: (driver: FabricDriver) => FabricDriver
  readonly clock: Clock
  readonly log: Log
  readonly random: () => number
  readonly owner: string
  /** Folder of credentials. */
  readonly credentials: string | undefined
  /** Transactions a second, for each switch. */
  readonly rate: number
  readonly freshMs: number
  /** Something was changed on a switch of this Fabric, and not by us. */
  readonly onDrift: (fabric: string) => void
}
interface Open {
  readonly session: SwitchSession
  readonly spec: FabricSwitch
  /** Of the credentials that it was made with. */
  readonly mark: string | undefined
}

export class SwitchSessions {
  readonly #deps: SwitchSessionsDeps
  readonly #sessions = new Map<string, Open>()
  readonly #credentials: CredentialsWatch
  readonly #ports = new WeakMap<Resource<'Fabric'>, ReadonlyMap<string, readonly string[]>>()

  constructor(deps: SwitchSessionsDeps) {
    this.#deps = deps
    this.#credentials = new CredentialsWatch(deps.credentials, deps.clock)
  }

  /** What each of these switches says, as `fabric/switch`; those that no Fabric has are left out. */
  async observe(keys: readonly string[]): Promise<ObservedFabric> {
    const seen = await Promise.all(keys.map(async (key) => [key, await this.#observe(key)] as const))
    return new Map(seen.flatMap(([key, sight]) => (sight === undefined ? [] : [[key, sight]])))
  }

  /** Looks at these switches, as `fabric/switch`, that are older than that. @returns whether there were any */
  forget(keys: readonly string[], sinceMs: number): boolean {
    return keys.map((key) => this.#sessions.get(key)?.session.forget(sinceMs) === true).includes(true)
  }

  /**
   * Every switch by itself and all at once: one that fails holds no other up. Nothing is closed before all that is to be opened was
   * tried, so that what moves from one switch to another is not dark on the way.
   *
   * @throws what the first of those that failed said, once all have been tried
   */
  async setVlans(switches: ReadonlyMap<string, readonly SwitchChange[]>): Promise<void> {
    const failed = [...(await this.#submit(switches, 'open')), ...(await this.#submit(switches, 'close'))]
    if (failed.length > 0) throw failed[0]
  }

  /** Transactions sent since the start, over all switches. */
  get sent(): number {
    return [...this.#sessions.values()].reduce((sum, { session }) => sum + session.sent, 0)
  }

  async close(): Promise<void> {
    const open = [...this.#sessions.values()]
    this.#sessions.clear()
    await Promise.all(open.map(({ session }) => session.close()))
  }

  /** What went wrong. */
  async #submit(switches: ReadonlyMap<string, readonly SwitchChange[]>, what: 'open' | 'close'): Promise<unknown[]> {
    const tries = [...switches]
      .map(([key, all]) => [key, all.filter((each) => takesAway(each) === (what === 'close'))] as const)
      .filter(([, changes]) => changes.length > 0)
    const done = await Promise.allSettled(tries.map(async ([key, changes]) => (await this.#sessionOf(key))?.submit(changes)))
    return done.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []))
  }

  async #observe(key: string): Promise<ObservedSwitch | undefined> {
    try {
      const session = await this.#sessionOf(key)
      return session && { state: await session.observe() }
    } catch (err) {
      return { problem: messageOf(err instanceof Error && err.cause instanceof Error ? err.cause : err) }
    }
  }

  async #sessionOf(key: string): Promise<SwitchSession | undefined> {
    const slash = key.indexOf('/')
    const [fabricName, name] = [key.slice(0, slash), key.slice(slash + 1)]
    const fabric = this.#deps.fabrics.get(fabricName)
    const spec = fabric?.spec.switches.find((each) => each.name === name)
    if (fabric === undefined || spec === undefined) return undefined
    const { session } = this.#open(key, fabricName, spec)
    session.ports = this.#portsOf(fabric).get(name) ?? []
    return session
  }

  #open(key: string, fabric: string, spec: FabricSwitch): Open {
    const there = this.#sessions.get(key)
    const mark = this.#credentials.mark(spec.credentials)
    const same = there !== undefined && sameJson(there.spec, spec)
    // Credentials that cannot be used take nothing from a session that works.
    if (same && (mark === undefined || mark === there.mark)) return there
    const { registry, timed = (each) => each, clock, random, owner, credentials, log, rate, freshMs, onDrift } = this.#deps
    const driver = timed(registry[spec.driver](spec, { owner, credentials, clock, random, log }))
    if (same) log.info({ switch: key, credentials: spec.credentials }, 'credentials replaced: a new line to the switch')
    const after = there?.session.retire().catch((err: unknown) => log.warn({ switch: key, err }, 'a line to a switch did not close'))
    const session = new SwitchSession({ key, driver, clock, random, rate, freshMs, onDrift: () => onDrift(fabric), after })
    const open = { session, spec, mark }
    this.#sessions.set(key, open)
    return open
  }

  /** All ports of a Fabric that anything is plugged into, by switch. */
  #portsOf(fabric: Resource<'Fabric'>): ReadonlyMap<string, readonly string[]> {
    const there = this.#ports.get(fabric)
    if (there !== undefined) return there
    const found = new Map<string, Set<string>>()
    const { links = [], gateways = [] } = fabric.spec
    const routers = gateways.flatMap(({ router }) => (router === undefined ? [] : [{ switch: router.switch, switchPort: router.port }]))
    for (const { switch: name, switchPort } of [...links, ...gateways, ...routers])
      found.set(name, (found.get(name) ?? new Set()).add(switchPort))
    const ports = new Map([...found].map(([name, each]) => [name, [...each].sort()]))
    this.#ports.set(fabric, ports)
    return ports
  }
}
