// A node with Open vSwitch and its agent: what the chart's DaemonSet would be, as processes in the node's space.
import { join } from 'node:path'
import { until } from '../../platform/programs/until.ts'
import type { KeptServer } from '../../platform/redis-server/keep.ts'
import type { Cluster, ClusterNode } from '../cluster.ts'
import { must, mustIn, runIn } from '../commands.ts'
import type { Namespace } from '../namespaces.ts'
import { startOvsNode, type OvsNode } from '../programs/ovs.ts'
import { layUnder } from '../underlay.ts'
import { accountOf, ready, root, startMain, type Megrez } from './install.ts'
import { settingsOf } from './chart.ts'

export interface NodeAgent {
  readonly node: ClusterNode
  readonly ovs: OvsNode
  /** Where others tunnel to. */
  readonly tunnelAddress: string
  /** Of the agent, while it runs. */
  readonly pid: number
  /** Where it remembers what it wired. */
  readonly ledger: string
  /** kill -9, then a new one, which is ready when this resolves. */
  restart(): Promise<void>
  /** kill -9. */
  kill(): Promise<void>
  /** A new one after `kill`. */
  start(): Promise<void>
  /** Ends what is not the lab's to end. */
  stop(): Promise<void>
}

const healthL4Port = 8080
const readyMs = 60_000

/** @param megrez says what the chart gives an agent */
export async function startNodeAgent(
  cluster: Cluster,
  megrez: Pick<Megrez, 'manifests'>,
  node: ClusterNode,
  shim: string,
): Promise<NodeAgent> {
  const { space } = node
  const { ovs, tunnelAddress } = await startNodeOvs(cluster, node)
  const ledger = join(node.folder, 'ledger')
  const { cniBin, cniConf } = node.runtime
  const env = {
    ...settingsOf(megrez.manifests, 'agent'),
    MEGREZ_NODE: node.name,
    MEGREZ_KUBECONFIG: await accountOf(cluster, 'agent', node.name),
    MEGREZ_LISTEN_HOST: '127.0.0.1',
    MEGREZ_HEALTH_L4PORT: String(healthL4Port),
    MEGREZ_OVS_DB: ovs.db,
    MEGREZ_OVS_RUN_DIR: ovs.folder,
    MEGREZ_LEDGER: ledger,
    // As the chart has one on each node; that of the tests has what other agents have compiled.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(node.folder, 'modules'),
    MEGREZ_CNI_BIN: cniBin,
    MEGREZ_CNI_CONF: cniConf,
    MEGREZ_CNI_DELEGATE: join(node.folder, 'cni/delegate'),
    MEGREZ_CNI_SHIM: shim,
  }
  let running: KeptServer
  const start = async (): Promise<void> => {
    running = await startMain(cluster, space, { main: 'agent/main.ts', log: `${node.name}-agent`, env })
    const started = running
    const ended = started.ended.then((code) =>
      Promise.reject(new Error(`the agent of ${node.name} ended with ${code}: see ${cluster.lab.folder}/${node.name}-agent.log`)),
    )
    ended.catch(() => undefined)
    await Promise.race([ended, until(() => ready(space, healthL4Port), `the agent of ${node.name} is ready`, readyMs)])
  }
  const kill = async (): Promise<void> => {
    process.kill(running.pid, 'SIGKILL')
    await running.ended
  }
  try {
    await start()
  } catch (err) {
    await ovs.stop()
    throw err
  }
  return {
    node,
    ovs,
    tunnelAddress,
    ledger,
    kill,
    start,
    get pid() {
      return running.pid
    },
    async restart() {
      await kill()
      await start()
    },
    stop: () => ovs.stop(),
  }
}

/** The node's Open vSwitch, over which its tunnels go, as its Node says. */
export async function startNodeOvs(cluster: Cluster, node: ClusterNode): Promise<Pick<NodeAgent, 'ovs' | 'tunnelAddress'>> {
  const ovs = await startOvsNode({ name: node.space.name, folder: join(node.folder, 'ovs'), inside: namespaceOf(node) })
  await layUnder(ovs, node.underlay)
  const tunnelAddress = node.underlay.cidr.replace(/\/.*/, '')
  await cluster.kubectl(['annotate', 'node', node.name, `megrez.io/tunnel-address=${tunnelAddress}`])
  return { ovs, tunnelAddress }
}

/** The shim that kubelet's runtime starts, built where it is not there yet. */
export async function buildShim(): Promise<string> {
  const built = await must(process.execPath, ['--disable-warning=ExperimentalWarning', join(root, 'agent/native/build.ts')])
  const shim = built.trim().split('\n').at(-1) ?? ''
  if (!shim.startsWith('/')) throw new Error(shim)
  return shim
}

/** The space is the lab's to remove. */
function namespaceOf({ space }: ClusterNode): Namespace {
  return {
    name: space.name,
    ip: async (...args) => ({ code: 0, stderr: '', stdout: await mustIn(space, ['ip', ...args]) }),
    exec: (program, ...args) => runIn(space, [program, ...args]),
    remove: () => Promise.resolve(),
  }
}
