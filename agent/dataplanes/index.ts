// The data planes an agent can be told to use: one line each.
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import type { Dataplane } from '../../core/contracts/dataplane.ts'
import type { NoUplink, Uplink } from '../../core/node/booking/booking.ts'
import type { Config } from '../../platform/config.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { doorKeys as graphDoorKeys } from '../../core/graph/gateway/routers.ts'
import { doorKeys as switchDoorKeys } from '../../core/pipeline/features/segment.ts'
import { Inspectors } from '../inspectors/inspectors.ts'
import { NodeInspectors } from '../inspectors/node-host.ts'
import { withInspectors } from '../inspectors/with-inspectors.ts'
import { loadAddon } from '../native/addon.ts'
import { openKernel } from '../netlink/open.ts'
import type { KernelRouting } from '../routing/kernel-routing.ts'
import { openRouting } from '../routing/open.ts'
import { withKernelRoutes, type DoorKeys } from '../routing/with-kernel-routes.ts'
import { ownConntrackTable } from '../tables/own-conntrack.ts'
import { nftRouterGuard } from '../tables/router-guard.ts'
import { withNodeTable } from '../tables/with-node-table.ts'
import { UplinkClasses } from '../uplink/uplink-classes.ts'
import { tunnelOf } from '../uplink/uplink-here.ts'
import { withHeldMinimums } from '../uplink/with-held-minimums.ts'
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
  /** Where minimums are held; absent, or without a rate: nowhere. */
  readonly uplink?: Uplink | NoUplink
}

export type Dataplanes = Readonly<Record<string, (deps: DataplaneDeps) => Dataplane | Promise<Dataplane>>>

export const dataplanes: Dataplanes = {
  // Its gRPC is in no other agent's memory.
  async bess({ config, clock, log, tunnelAddress }) {
    const [{ bess }, { kernelUnderlay, ownUplink }] = await Promise.all([import('./bess.ts'), import('./bess/underlay.ts')])
    const plane = bess({
      target: config.bessTarget,
      underlay: kernelUnderlay(ownUplink(tunnelAddress, config.tunnelL4Port), clock),
      uplinks: config.uplinks,
      dpdkBy: config.bessDpdk,
      socketFolder: config.dpdkSockets,
      besideOthers: config.bessBesideOthers,
    })
    return routed(plane, log, graphDoorKeys)
  },
  async linux({ config, clock, log, tunnelAddress }) {
    await refuseOvs(config, { clock, log })
    const plane = linux({ tunnelAddress, l4Port: config.tunnelL4Port, uplinks: config.uplinks, kernel: () => openKernelOf() })
    return withNodeTable(
      routed(plane, log),
      ownConntrackTable({ uplinks: Object.values(config.uplinks), netlink: async () => (await openKernelOf()).netlink, clock }),
    )
  },
  memory: () => memory(memoryNode()),
  async ovs({ config, clock, random, log, tunnelAddress, uplink }) {
    const folder = join(dirname(config.cniSocket), 'inspectors')
    const host = new NodeInspectors({ netlink: await openKernel({ log }), clock, folder })
    const inspectors = new Inspectors({ host, clock, random, log })
    const plane = routed(
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
        inspects: async () => (await inspectors.missing()) === undefined,
      }),
      log,
      switchDoorKeys,
    )
    const inspecting = withInspectors(plane, inspectors)
    if (uplink === undefined || !('rate' in uplink)) return inspecting
    return withHeldMinimums(inspecting, async () => new UplinkClasses(await openKernelOf(), uplink, tunnelOf(tunnelAddress, config)))
  },
}

/** The node's kernel routes for VNIs: for those that have to do with BGP, or are peered. @param doorKeys as of withKernelRoutes */
function routed(plane: Dataplane, log: Log, doorKeys?: DoorKeys): Dataplane {
  const open = async (): Promise<KernelRouting> => {
    const addon = loadAddon()
    return openRouting({ netlink: await openKernel({ log }), ...(!('missing' in addon) && { addon }) })
  }
  return withNodeTable(withKernelRoutes(plane, { open, ...(doorKeys && { doorKeys }) }), nftRouterGuard())
}
