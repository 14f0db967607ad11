// QoS policies that a project may use, its own and those that are shared with it: a Port names one, Neutron numbers them.
import type { PortSettings } from '../../../../../core/contracts/cloud.ts'
import type { Clock } from '../../../../../platform/clock.ts'
import type { Caller, NeutronApi } from '../api.ts'
import { KnownThings } from './things.ts'

export class QosPolicies {
  readonly #known: KnownThings

  constructor(api: NeutronApi, clock: Clock) {
    this.#known = new KnownThings(api, 'qos/policies', clock)
  }

  /** @param text an ID, else a name. @throws CloudRefused where there is none, or more than one */
  async idOf(text: string, caller: Caller): Promise<string> {
    const all = await this.#known.all((known) => known.some(({ id, name }) => id === text || name === text), caller)
    const byId = all.filter(({ id }) => id === text)
    return this.#known.theOne(byId.length > 0 ? byId : all.filter(({ name }) => name === text), `QoS policy ${text}`)
  }

  /** Of one that is not there for this project: its ID, in place of its name. */
  async among(id: string | null | undefined, caller: Caller): Promise<PortSettings['qosPolicy']> {
    if (id === null || id === undefined) return undefined
    const all = await this.#known.all((known) => known.some((each) => each.id === id), caller)
    return { id, name: all.find((each) => each.id === id)?.name ?? id }
  }
}
