// The data planes an agent can be told to use: one line each.
import { hostname } from 'node:os'
import type { Dataplane } from '../../core/contracts/dataplane.ts'
import type { Config } from '../../platform/config.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { openKernel } from '../netlink/open.ts'
import { ownConntrackTable } from '../tables/own-conntrack.ts'
import { withNodeTable } from '../tables/with-node-table.ts'
import { linux, openKernelOf } from './linux.ts'
import { memory, memoryNode } from './memory.ts'
import { ovs } from './ovs.ts'
import { refuseOvs } from './not-beside-ovs.ts'

export interface DataplaneDeps {
  readonly config: Config
  readonly clock: Clock
  /** In [0, 1). */
  readonly random: () => number
  readonly log: Log
  /** This node's address that others tunnel to. */
  readonly tunnelAddress: string
}

export type Dataplanes = Readonly<Record<string, (deps: DataplaneDeps) => Dataplane | Promise<Dataplane>>>

export const dataplanes: Dataplanes = {
  // Its gRPC is in no other agent's memory.
  async bess({ config, clock, tunnelAddress }) {
    const [{ bess }, { kernelUnderlay, ownUplink }] = await Promise.all([import('./bess.ts'), import('./bess/underlay.ts')])
    return bess({
      target: config.bessTarget,
      underlay: kernelUnderlay(ownUplink(tunnelAddress, config.tunnelL4Port), clock),
      uplinks: config.uplinks,
      dpdkBy: config.bessDpdk,
      socketFolder: config.dpdkSockets,
      besideOthers: config.bessBesideOthers,
    })
  },
  async linux({ config, clock, log, tunnelAddress }) {
    await refuseOvs(config, { clock, log })
    const plane = linux({ tunnelAddress, l4Port: config.tunnelL4Port, uplinks: config.uplinks, kernel: () => openKernelOf() })
    return withNodeTable(
      plane,
      ownConntrackTable({ uplinks: Object.values(config.uplinks), netlink: async () => (await openKernelOf()).netlink, clock }),
    )
  },
  memory: () => memory(memoryNode()),
  ovs: ({ config, clock, random, log, tunnelAddress }) =>
    ovs({
      node: config.node ?? hostname(),
      db: config.ovsDb,
      runDir: config.ovsRunDir,
      bridge: config.bridge,
      datapath: config.ovsDatapath,
      tunnelAddress,
      tunnelL4Port: config.tunnelL4Port,
      tunnelDscp: config.tunnelDscp,
      uplinks: config.uplinks,
      clock,
      random,
      log,
      netlink: () => openKernel({ log }),
    }),
}
