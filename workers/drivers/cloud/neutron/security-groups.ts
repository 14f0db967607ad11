// Security groups by name: a Port names them, Neutron numbers them.
import { limited, type Clock } from '../../../../platform/clock.ts'
import type { Caller, NeutronApi, NeutronThing } from './api.ts'

/** Somebody may have renamed one. */
const goodForMs = 30_000

export class SecurityGroups {
  readonly #api: NeutronApi
  readonly #clock: Clock
  #known: { readonly at: number; readonly all: Promise<readonly NeutronThing[]> } | undefined

  /** @param api of the project that the groups are in */
  constructor(api: NeutronApi, clock: Clock) {
    this.#api = api
    this.#clock = clock
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

  async #all(isEnough: (all: readonly NeutronThing[]) => boolean, caller: Caller): Promise<readonly NeutronThing[]> {
    const known = this.#known
    if (known !== undefined && this.#clock.elapsed() - known.at < goodForMs) {
      const all = await known.all
      if (isEnough(all) || this.#known !== known) return this.#known === known ? all : this.#known!.all
    }
    return this.#read(caller)
  }

  /** For all who ask: nobody's end is the end of it. */
  #read({ tenant }: Caller): Promise<readonly NeutronThing[]> {
    const all = limited(readMs, this.#clock, (signal) =>
      this.#api.list<NeutronThing>(
        'security-groups',
        [
          ['fields', 'id'],
          ['fields', 'name'],
        ],
        { tenant, signal },
      ),
    )
    const known = { at: this.#clock.elapsed(), all }
    this.#known = known
    all.catch(() => {
      if (this.#known === known) this.#known = undefined
    })
    return all
  }
}

const readMs = 50_000
