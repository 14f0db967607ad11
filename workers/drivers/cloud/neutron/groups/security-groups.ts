// Security groups of the project by name: a Port names them, Neutron numbers them. Those that we have made of SecurityGroups are known by
// their IDs alone: by a name a tenant's Port would take another tenant's.
import type { PortSettings } from '../../../../../core/contracts/cloud.ts'
import type { Clock } from '../../../../../platform/clock.ts'
import { untilAborted } from '../../../openstack/until-aborted.ts'
import type { Caller, NeutronApi, NeutronThing } from '../api.ts'
import { ownerOf } from '../owner.ts'
import { SharedReading } from '../reading.ts'

/** Of this installation or of another. */
const isMegrez = (group: NeutronThing): boolean => ownerOf(group) !== undefined
export type GroupsOfPort = Pick<PortSettings, 'securityGroups' | 'groups'>

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
    if (names.length === 0) return []
    const isCalled = (group: NeutronThing, name: string): boolean => group.name === name && !isMegrez(group)
    const found = (all: readonly NeutronThing[]): boolean => names.every((name) => all.some((each) => isCalled(each, name)))
    const all = await this.#all(found, caller)
    return names.map((name) => {
      const [one, another] = all.filter((each) => isCalled(each, name))
      if (one === undefined) throw this.#api.refused('a port', `there is no security group ${name}`)
      if (another !== undefined) throw this.#api.refused('a port', `several security groups are called ${name}`)
      return one.id
    })
  }

  /** Of one that is not there for this project: its ID, in place of its name. */
  async among(ids: readonly string[], caller: Caller): Promise<GroupsOfPort> {
    if (ids.length === 0) return { securityGroups: [], groups: [] }
    const all = await this.#all((known) => ids.every((id) => known.some((each) => each.id === id)), caller)
    const ours = new Set(all.filter(isMegrez).map(({ id }) => id))
    return {
      securityGroups: ids.filter((id) => !ours.has(id)).map((id) => all.find((each) => each.id === id)?.name ?? id),
      groups: ids.filter((id) => ours.has(id)),
    }
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
  ['fields', 'description'],
] as const
