// The cloud in memory, as cases of clouds see it.
import type { CloudDriver, CloudKind, CloudRule } from '../../../core/contracts/cloud.ts'
import { memory } from '../../../workers/drivers/cloud/memory.ts'
import { MemoryCloud } from '../../../workers/drivers/cloud/memory-cloud.ts'
import { epochMs, type Process } from '../process.ts'
import type { Scheduler } from '../scheduler.ts'
import type { Resource } from '../../../core/kinds/index.ts'
import type { CloudWay, ThingAtCloud, CloudModel } from './cloud-model.ts'

/** Longest that a request is under way. */
const landsWithinMs = 5_000

export class MemoryCloudModel implements CloudModel {
  readonly #cloud: MemoryCloud

  constructor(scheduler: Scheduler) {
    this.#cloud = new MemoryCloud({ now: () => epochMs + scheduler.now, takesMs: 700 })
  }

  all(kind: CloudKind): readonly ThingAtCloud[] {
    return this.#cloud.all(kind)
  }

  get(kind: CloudKind, id: string): ThingAtCloud | undefined {
    return this.#cloud.get(kind, id)
  }

  groupsOf(port: string): readonly string[] {
    return this.#cloud.get('port', port)?.port?.groups ?? []
  }

  rulesOf(group: string): readonly CloudRule[] {
    return this.#cloud.get('group', group)?.rules ?? []
  }

  hostsOf(port: string): readonly string[] {
    const { host, second } = this.#cloud.get('port', port) ?? {}
    return [host, second].filter((each) => each !== undefined)
  }

  isClosed(port: string): boolean {
    return this.#cloud.get('port', port)?.port?.closed === true
  }

  removePort(id: string): void {
    this.#cloud.remove('port', id)
  }

  editPort(id: string): void {
    const port = this.#cloud.get('port', id)?.port
    if (port !== undefined) this.#cloud.change('port', id, { port: { ...port, portSecurity: !port.portSecurity } })
  }

  putNetwork(name: string, owner: { readonly uid: string; readonly installation: string } | undefined): ThingAtCloud {
    return this.#cloud.put('network', name, owner === undefined ? {} : { owner: owner.uid, installation: owner.installation, isMade: true })
  }

  driver(_cloud: Resource<'Cloud'>, _process: Process, way: CloudWay): CloudDriver {
    return memory(this.#cloud, { landsWithinMs, way: (leg) => way[leg]() })
  }
}
