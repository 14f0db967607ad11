// Security groups by name: a Port names them, Neutron numbers them.
import type { Clock } from '../../../../platform/clock.ts'
import { untilAborted } from '../../openstack/until-aborted.ts'
import type { Caller, NeutronApi, NeutronThing } from './api.ts'
import { SharedReading } from './shared-reading.ts'

/** Somebody may have renamed one. */
const goodForMs = 30_000

export class SecurityGroups {
  readonly #api: NeutronApi
  readonly #reading: SharedReading<readonly NeutronThing[]>

  /** @param api of the project that the groups are in */
  constructor(api: NeutronApi, clock: Clock) {
    this.#api = api
    this.#reading = new SharedReading(clock, goodForMs)
  }

  /** @throws CloudRefused where there is none of a name, or more than one */
  async idsOf(names: readonly string[], caller: Caller): Promise<readonly string[]> {
    const found = (all: readonly NeutronThing[]): boolean => names.every((name) => all.some((each) => each.name === name))
    const all = await this.#all(found, caller)
    return names.map((name) => {
      const [one, another] = all.filter((each) => each.name === name)
      if (one === undefined) throw this.#api.refused('a port', `there is no security group ${name}`)
      if (another !== undefined) throw this.#api.refused('a port', `several security groups are called ${name}`)
      return one.id
    })
  }

  /** Of one that is not there for this project: its ID. */
  async namesOf(ids: readonly string[], caller: Caller): Promise<readonly string[]> {
    if (ids.length === 0) return []
    const all = await this.#all((known) => ids.every((id) => known.some((each) => each.id === id)), caller)
    return ids.map((id) => all.find((each) => each.id === id)?.name ?? id)
  }

  /** Where the last reading does not have all that is asked for, somebody may have made it since. */
  async #all(isEnough: (all: readonly NeutronThing[]) => boolean, { tenant, signal }: Caller): Promise<readonly NeutronThing[]> {
    const { recent } = this.#reading
    const all = recent && (await untilAborted(signal, recent))
    if (all !== undefined && isEnough(all)) return all
    // Of all who miss something one reads, and the others wait for that.
    const next = this.#reading.recent
    if (next !== undefined && next !== recent) return untilAborted(signal, next)
    return this.#reading.read((until) => this.#api.list<NeutronThing>('security-groups', shown, { tenant, signal: until }), signal)
  }
}

const shown = [
  ['fields', 'id'],
  ['fields', 'name'],
] as const
