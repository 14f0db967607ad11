// The data planes an agent can be told to use: one line each.
import type { Dataplane } from '../../core/contracts/dataplane.ts'
import type { Config } from '../../platform/config.ts'
import type { Log } from '../../platform/log.ts'
import { memory, memoryNode } from './memory.ts'

export interface DataplaneDeps {
  readonly config: Config
  readonly log: Log
  /** This node's address that others tunnel to. */
  readonly tunnelAddress: string
}

export type Dataplanes = Readonly<Record<string, (deps: DataplaneDeps) => Dataplane>>

export const dataplanes: Dataplanes = {
  memory: () => memory(memoryNode()),
}
