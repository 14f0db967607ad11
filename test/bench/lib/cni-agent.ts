// An agent for the cni benchmark: its own namespace as node, a data plane as it is given, workers on a store in memory, pods that wait.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { thisDisk } from '../../../agent/ledger/disk.ts'
import { Ledger } from '../../../agent/ledger/ledger.ts'
import { openLinks } from '../../../agent/links/open.ts'
import { noAgentMeter } from '../../../agent/metrics.ts'
import { startAgent } from '../../../agent/start.ts'
import { thisMachine } from '../../../agent/machine/this-machine.ts'
import type { Dataplane } from '../../../core/contracts/dataplane.ts'
import type { Resource } from '../../../core/kinds/index.ts'
import type { Item } from '../../../core/node/item.ts'
import { portPiece } from '../../../core/pieces/port.ts'
import { realClock } from '../../../platform/clock.ts'
import { readConfig } from '../../../platform/config.ts'
import { silentLog } from '../../../platform/log.ts'
import { sandboxArgs } from '../../agent/node.ts'
import { openTestCluster } from '../../workers/test-cluster.ts'
import { makePod, withNetwork } from '../../workers/network.ts'

export interface BenchAgent {
  /** Path of a CNI configuration that names its socket. */
  readonly conf: string
  /** CNI_ARGS of pods on this node, whose Ports are ready. */
  readonly args: readonly string[]
  /** Flows, links and the like that a pod's Port comes to. */
  itemsOfOne(): readonly Item[]
  /** What was removed is deleted now. */
  reap(): Promise<void>
  close(): Promise<void>
}

/** Of the node. */
export const here = '192.0.2.1'

/** @param netns path of the namespace that is the node */
export async function openBenchAgent(netns: string, pods: number, plane: Dataplane): Promise<BenchAgent> {
  const folder = await mkdtemp(join(tmpdir(), 'mz-bench-'))
  const at = (path: string): string => join(folder, path)
  const cluster = await openTestCluster()
  await cluster.store.create({ kind: 'Node', metadata: { name: 'n1' }, spec: {} })
  await cluster.store.replaceForeignStatus({ kind: 'Node', name: 'n1' }, (await cluster.get('Node', 'n1'))!.metadata.uid, {
    addresses: [{ type: 'InternalIP', address: here }],
  })
  await withNetwork(cluster)
  const made: Resource<'Pod'>[] = []
  for (let i = 0; i < pods; i++)
    made.push(await makePod(cluster, `a/web-${i}`, { node: 'n1', metadata: { annotations: { 'megrez.io/cluster-nic': 'none' } } }))
  await cluster.settle()
  const config = readConfig(
    {},
    { agents: true, cniSocket: at('cni.sock'), cniBin: at('bin'), cniConf: at('conf'), cniDelegate: at('delegate'), ledger: at('ledger') },
  )
  const ledger = await Ledger.open({
    disk: thisDisk,
    folder: config.ledger,
    node: 'n1',
    log: silentLog(),
    now: () => Date.now(),
    boot: 'bench',
  })
  const links = await openLinks({ netns, clock: realClock, log: silentLog() })
  const agent = await startAgent({
    store: cluster.store,
    config,
    clock: realClock,
    random: Math.random,
    log: silentLog(),
    node: 'n1',
    here,
    mtuMost: 1450,
    uplink: { why: 'it is of no matter here' },
    plane,
    links,
    machine: thisMachine,
    ledger,
    meter: noAgentMeter,
  })
  await agent.ready
  await writeFile(at('conf.json'), JSON.stringify({ cniVersion: '1.0.0', name: 'megrez', type: 'megrez-cni', socket: config.cniSocket }))
  return {
    conf: at('conf.json'),
    args: made.map(sandboxArgs),
    itemsOfOne() {
      const { pieces } = agent.env.loop
      const [port] = pieces.of(portPiece).values()
      return port === undefined ? [] : plane.renderer.render(portPiece, port, pieces.neededBy(portPiece, port))
    },
    reap: () => links.reap(),
    async close() {
      await agent.stop()
      await cluster.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
