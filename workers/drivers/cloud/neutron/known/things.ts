// Things of a project that are few and change seldom, such as its security groups: all are read at once, for all who ask.
import type { Clock } from '../../../../../platform/clock.ts'
import { untilAborted } from '../../../openstack/until-aborted.ts'
import type { Caller, NeutronApi, NeutronThing, Plural } from '../api.ts'
import { SharedReading } from './reading.ts'

/** Somebody may have renamed one. */
const goodForMs = 30_000

export class KnownThings {
  readonly api: NeutronApi
  readonly #plural: Plural
  readonly #reading: SharedReading<readonly NeutronThing[]>

  /** @param api of the project that they are in */
  constructor(api: NeutronApi, plural: Plural, clock: Clock) {
    this.api = api
    this.#plural = plural
    this.#reading = new SharedReading(clock, goodForMs)
  }

  /** Where the last reading does not have all that is asked for, somebody may have made it since. */
  async all(isEnough: (all: readonly NeutronThing[]) => boolean, { tenant, signal }: Caller): Promise<readonly NeutronThing[]> {
    const { recent } = this.#reading
    const all = recent && (await untilAborted(signal, recent))
    if (all !== undefined && isEnough(all)) return all
    // Of all who miss something one reads, and the others wait for that.
    const next = this.#reading.recent
    if (next !== undefined && next !== recent) return untilAborted(signal, next)
    return this.#reading.read((until) => this.api.list<NeutronThing>(this.#plural, shown, { tenant, signal: until }), signal)
  }

  /** @throws CloudRefused where there is none of that name, or more than one */
  theOne(found: readonly NeutronThing[], what: string): string {
    const [one, another] = found
    if (one === undefined) throw this.api.refused('a port', `there is no ${what}`)
    if (another !== undefined) throw this.api.refused('a port', `there is more than one ${what}`)
    return one.id
  }
}

const shown = [
  ['fields', 'id'],
  ['fields', 'name'],
  ['fields', 'description'],
] as const
