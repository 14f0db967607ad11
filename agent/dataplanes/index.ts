// The data planes an agent can be told to use: one line each.
import { hostname } from 'node:os'
import type { Dataplane } from '../../core/contracts/dataplane.ts'
import type { Config } from '../../platform/config.ts'
import { realClock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { memory, memoryNode } from './memory.ts'
import { ovs } from './ovs.ts'

export interface DataplaneDeps {
  readonly config: Config
  readonly log: Log
  /** This node's address that others tunnel to. */
  readonly tunnelAddress: string
}

export type Dataplanes = Readonly<Record<string, (deps: DataplaneDeps) => Dataplane>>

export const dataplanes: Dataplanes = {
  memory: () => memory(memoryNode()),
  ovs: ({ config, log, tunnelAddress }) => ovs({
    node: config.node ?? hostname(), db: config.ovsDb, runDir: config.ovsRunDir, bridge: config.bridge, datapath: config.ovsDatapath, tunnelAddress,
    tunnelL4Port: config.tunnelL4Port, uplinks: config.uplinks, clock: realClock, random: Math.random, log,
  }),
}
