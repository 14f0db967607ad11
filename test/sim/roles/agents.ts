// A node's agent, on a model of its data plane; what it has wired outlives it.
import { Ledger } from '../../../agent/ledger/ledger.ts'
import type { Machine as NodeMachine } from '../../../agent/machine/machine.ts'
import { noAgentMeter } from '../../../agent/metrics.ts'
import { startAgent } from '../../../agent/start.ts'
import { nodeAddress } from '../layout.ts'
import type { Process } from '../process.ts'
import type { Role } from '../site.ts'
import { delegateConf } from '../world/delegate.ts'
import type { Machine, Machines } from '../world/machines.ts'
import { dataplaneOf } from '../world/planes/index.ts'

const mtuMost = 1_450

export const agents = (node: string, machines: Machines): Role => ({
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
    const plane = dataplaneOf(machine.plane, node, process)
    const agent = await startAgent({
      store: site.storeFor(process),
      config,
      clock,
      random: () => process.dice.next(),
      log,
      node,
      here: nodeAddress(node),
      mtuMost,
      plane,
      links,
      machine: machineOf(machine, process),
      ledger,
      meter: noAgentMeter,
    })
    process.gently = () => agent.stop()
  },
})

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
