// What stands at a cloud, however that keeps it: what others do there, and what invariants ask.
import type { CloudDriver, CloudKind, CloudRule } from '../../../core/contracts/cloud.ts'
import type { Resource } from '../../../core/kinds/index.ts'
import type { Process } from '../process.ts'

export interface ThingAtCloud {
  readonly id: string
  /** UID of an object of ours. */
  readonly owner: string | undefined
}
/** A request's way there, and its answer's way back: each takes its time, and may throw. */
export interface CloudWay {
  there(): Promise<void>
  /** @param isChange it has changed something there, and its sender has yet to hear so */
  back(isChange?: boolean): Promise<void>
}
export interface CloudModel {
  all(kind: CloudKind): readonly ThingAtCloud[]
  get(kind: CloudKind, id: string): ThingAtCloud | undefined
  /** IDs of the groups that a port has of those that ours have made. */
  groupsOf(port: string): readonly string[]
  rulesOf(group: string): readonly CloudRule[]
  /** Nodes that a port is bound to: the one that has it, and the one that its VM may move to. */
  hostsOf(port: string): readonly string[]
  /** Whether nothing passes a port, whatever its groups say. */
  isClosed(port: string): boolean
  /** By others, as `edit` and `putNetwork`. */
  removePort(id: string): void
  /** Its port security is turned over. */
  editPort(id: string): void
  /** @param owner with its installation: `here` is the workers' own */
  putNetwork(name: string, owner: { readonly uid: string; readonly installation: string } | undefined): ThingAtCloud
  driver(cloud: Resource<'Cloud'>, process: Process, way: CloudWay): CloudDriver
}
