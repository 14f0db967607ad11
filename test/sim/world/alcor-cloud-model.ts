// Alcor, as cases of clouds see it: the driver of Alcor on a double of its managers, which change nothing on a condition, make no groups,
// answer late, break once they have done what they were asked, and list what was there a while ago.
import type { CloudDriver, CloudKind, CloudRule } from '../../../core/contracts/cloud.ts'
import type { Resource } from '../../../core/kinds/index.ts'
import { alcor } from '../../../workers/drivers/cloud/alcor/alcor.ts'
import { nameOf } from '../../../workers/drivers/cloud/alcor/entities.ts'
import { ownerIn, tagsOf } from '../../../workers/drivers/cloud/alcor/tags.ts'
import { AlcorDouble, type Stored } from '../../drivers/alcor-double.ts'
import type { Process } from '../process.ts'
import type { CloudModel, CloudWay, ThingAtCloud } from './cloud-model.ts'

/** Of lists: in changes, and how long. */
export const [lagMost, lagMostMs] = [4, 10_000]
/** Longest that a request is under way, and that no list tells that it has been done. */
const landsWithinMs = 5_000 + lagMostMs
const plurals = { network: 'vpcs', subnet: 'subnets', port: 'ports' } as const

export class AlcorCloudModel implements CloudModel {
  readonly #double = new AlcorDouble()
  #installation = ''
  #strewn = 0

  /** Lists are as they were so many changes ago. @param changes at most `lagMost` */
  lag(changes: number): void {
    this.#double.faults.listsLag = changes
  }

  /** So many of the next requests that change something are answered with 500: done before, or not. */
  breaks(when: 'breaksBefore' | 'breaksAfter', times: number): void {
    this.#double.faults[when] = (this.#double.faults[when] ?? 0) + times
  }

  calm(): void {
    Object.assign(this.#double.faults, { listsLag: 0, breaksBefore: 0, breaksAfter: 0 })
  }

  all(kind: CloudKind): readonly ThingAtCloud[] {
    return kind === 'group' ? [] : this.#double.all(plurals[kind]).map(thingOf)
  }

  get(kind: CloudKind, id: string): ThingAtCloud | undefined {
    return this.all(kind).find((each) => each.id === id)
  }

  /** None of ours are made there. */
  groupsOf(): readonly string[] {
    return []
  }
  rulesOf(): readonly CloudRule[] {
    return []
  }

  hostsOf(port: string): readonly string[] {
    const host = this.#double.all('ports').find(({ id }) => id === port)?.['binding:host_id']
    return typeof host === 'string' && host !== '' ? [host] : []
  }

  isClosed(port: string): boolean {
    return this.#double.all('ports').find(({ id }) => id === port)?.['admin_state_up'] === false
  }

  removePort(id: string): void {
    this.#double.remove('ports', id)
  }

  editPort(id: string): void {
    const port = this.#double.all('ports').find((each) => each.id === id)
    if (port !== undefined) this.#double.put('ports', { ...port, port_security_enabled: port['port_security_enabled'] !== true })
  }

  putNetwork(name: string, owner: { readonly uid: string; readonly installation: string } | undefined): ThingAtCloud {
    const installation = owner?.installation === 'here' ? this.#installation : 'elsewhere'
    const owned = owner && { name: nameOf(owner.uid), tags: tagsOf(owner.uid, installation, { isMade: true }) }
    const stored = { id: owner?.uid ?? `strewn-${++this.#strewn}`, name, ...owned }
    this.#double.put('vpcs', stored)
    return thingOf(stored)
  }

  driver(cloud: Resource<'Cloud'>, { clock }: Process, way: CloudWay): CloudDriver {
    this.#installation = cloud.metadata.uid
    const at = { ...cloud, spec: { ...cloud.spec, endpoint: 'http://alcor.example/project/p' } }
    const driver = alcor(at, { credentials: {}, clock }, async (request) => {
      await way.there()
      const { status, body } = this.#double.ask(request)
      await way.back(request.method !== 'GET' && status < 300)
      return { status, body: structuredClone(body) }
    })
    return { ...driver, landsWithinMs }
  }
}

const thingOf = (stored: Stored): ThingAtCloud => ({ id: stored.id, owner: ownerIn(stored as Parameters<typeof ownerIn>[0]) })
