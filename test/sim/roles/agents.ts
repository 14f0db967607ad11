// A node's agent, on a model of its data plane; what it has wired outlives it.
import { Ledger } from '../../../agent/ledger/ledger.ts'
import type { Machine as NodeMachine } from '../../../agent/machine/machine.ts'
import { noAgentMeter } from '../../../agent/metrics.ts'
import type { Netlink } from '../../../agent/netlink/netlink.ts'
import { KernelRouting } from '../../../agent/routing/kernel-routing.ts'
import { withKernelRoutes, type DoorKeys } from '../../../agent/routing/with-kernel-routes.ts'
import { startAgent } from '../../../agent/start.ts'
import type { Dataplane } from '../../../core/contracts/dataplane.ts'
import { doorKeys as graphDoorKeys } from '../../../core/graph/gateway/routers.ts'
import { doorKeys as switchDoorKeys } from '../../../core/pipeline/features/segment.ts'
import type { Uplink } from '../../../core/node/booking/booking.ts'
import { nodeAddress } from '../layout.ts'
import type { Process } from '../process.ts'
import type { Role, Site } from '../site.ts'
import { delegateConf } from '../world/delegate.ts'
import type { World } from '../happening.ts'
import type { Machine } from '../world/machines.ts'
import { daemonOf, SimulatedHost } from '../world/routing/daemon.ts'
import { netlinkOf, translationsOf } from '../world/routing/netlink.ts'
import { dataplaneOf } from '../world/planes/index.ts'

const mtuMost = 1_450
/** Some of what policies book fits in it, and some does not. */
export const uplinkOf = (node: string): Uplink => ({ ifname: `up-${node}`, rate: 10_000_000 })

export const agents = (node: string, { machines, routing }: Pick<World, 'machines' | 'routing'>): Role => ({
  name: `agent-${node}`,
  async start(process, site) {
    const machine = machines.of(node)
    if (!machine.up) return
    const { config, log } = site
    const { clock } = process
    process.onEnd(() => machine.hangUp(process))
    const disk = machine.diskFor(process, () => site.kill(process.name))
    const ledger = await Ledger.open({ disk, folder: '/var/lib/megrez', node, log, now: () => clock.now(), boot: `boot ${machine.boot}` })
    const links = machines.linksFor(machine, process)
    const plane = routedBy(dataplaneOf(machine.plane, node, process), machine, process, site)
    const netlink = (): Promise<Netlink> => Promise.resolve(netlinkOf(machine.kernel, process, nodeAddress(node)))
    const bgp = { host: new SimulatedHost(), daemon: daemonOf(routing.daemons.get(node)!, process, site), netlink }
    const agent = await startAgent({
      store: site.storeFor(process),
      config,
      clock,
      random: () => process.dice.next(),
      log,
      node,
      here: nodeAddress(node),
      mtuMost,
      uplink: uplinkOf(node),
      plane,
      links,
      machine: machineOf(machine, process),
      ledger,
      meter: noAgentMeter,
      bgp,
    })
    process.gently = () => agent.stop()
  },
})

/** As agent/dataplanes/index.ts has it. */
function routedBy(plane: Dataplane, machine: Machine, process: Process, { config }: Site): Dataplane {
  if (config.bgp === 'off') return plane
  return withKernelRoutes(plane, {
    open: () =>
      Promise.resolve(
        new KernelRouting(netlinkOf(machine.kernel, process, nodeAddress(machine.name)), translationsOf(machine.kernel, process)),
      ),
    ...doorsOf(plane),
  })
}

function doorsOf({ name }: Dataplane): { readonly doorKeys?: DoorKeys } {
  if (name === 'linux') return {}
  return { doorKeys: name === 'bess' ? graphDoorKeys : switchDoorKeys }
}

function machineOf(machine: Machine, process: Process): NodeMachine {
  return {
    listen(_path, answer) {
      if (process.alive) machine.listen(answer, process)
      return Promise.resolve({ close: () => Promise.resolve(machine.hangUp(process)) })
    },
    install: () => Promise.resolve(),
    refreshConf: () => Promise.resolve(),
    multusAway: () => Promise.resolve(undefined),
    watchFolder: () => () => undefined,
    leave: () => Promise.resolve(),
    delegateConf: () => Promise.resolve(delegateConf),
    plugin: (command, type, _stdin, call) => machine.delegate.call(command, type, call, process),
    run: () => Promise.resolve({ exitStatus: 0, stdOut: '', stdErr: '' }),
    // Its switch has no DPDK.
    makeSocketFolder: () => Promise.resolve(),
    hasSocketFolder: () => Promise.resolve(true),
    dropSocket: () => Promise.resolve(),
    hasInterface: () => Promise.resolve(false),
  }
}
