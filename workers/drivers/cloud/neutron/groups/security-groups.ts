// Security groups of the project by name: a Port names them, Neutron numbers them. Those that we have made of SecurityGroups are known by
// their IDs alone: by a name a tenant's Port would take another tenant's.
import type { PortSettings } from '../../../../../core/contracts/cloud.ts'
import type { Clock } from '../../../../../platform/clock.ts'
import type { Caller, NeutronApi, NeutronThing } from '../api.ts'
import { KnownThings } from '../known/things.ts'
import { ownerOf } from '../owner.ts'

/** Of this installation or of another. */
const isMegrez = (group: NeutronThing): boolean => ownerOf(group) !== undefined
export type GroupsOfPort = Pick<PortSettings, 'securityGroups' | 'groups'>

export class SecurityGroups {
  readonly #known: KnownThings

  /** @param api of the project that the groups are in */
  constructor(api: NeutronApi, clock: Clock) {
    this.#known = new KnownThings(api, 'security-groups', clock)
  }

  /** @throws CloudRefused where there is none of a name, or more than one */
  async idsOf(names: readonly string[], caller: Caller): Promise<readonly string[]> {
    if (names.length === 0) return []
    const isCalled = (group: NeutronThing, name: string): boolean => group.name === name && !isMegrez(group)
    const found = (all: readonly NeutronThing[]): boolean => names.every((name) => all.some((each) => isCalled(each, name)))
    const all = await this.#known.all(found, caller)
    return names.map((name) =>
      this.#known.theOne(
        all.filter((each) => isCalled(each, name)),
        `security group ${name}`,
      ),
    )
  }

  /** Of one that is not there for this project: its ID, in place of its name. */
  async among(ids: readonly string[], caller: Caller): Promise<GroupsOfPort> {
    if (ids.length === 0) return { securityGroups: [], groups: [] }
    const all = await this.#known.all((known) => ids.every((id) => known.some((each) => each.id === id)), caller)
    const ours = new Set(all.filter(isMegrez).map(({ id }) => id))
    return {
      securityGroups: ids.filter((id) => !ours.has(id)).map((id) => all.find((each) => each.id === id)?.name ?? id),
      groups: ids.filter((id) => ours.has(id)),
    }
  }
}
