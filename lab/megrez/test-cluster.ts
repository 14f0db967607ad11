// A whole installation: a cluster of two nodes, Megrez in it, Open vSwitch and an agent on each node.
import { startCluster, type Cluster } from '../cluster.ts'
import { openLabSetup, type Closable, type LabSetupOptions } from '../setup.ts'
import { buildShim, startNodeAgent, type NodeAgent } from './agents.ts'
import { installMegrez, type Megrez } from './install.ts'

export interface TestCluster extends Closable {
  readonly cluster: Cluster
  readonly megrez: Megrez
  readonly agents: readonly NodeAgent[]
}
export interface TestClusterOptions extends LabSetupOptions {
  /** With the cluster as it is before there is anything of ours. */
  readonly bare?: (cluster: Cluster) => Promise<void>
  /** Of the chart: who is known to REST. Absent: there is none. */
  readonly rest?: Readonly<Record<string, unknown>>
}

export async function openTestCluster({
  install,
  print,
  bare,
  rest,
}: TestClusterOptions): Promise<TestCluster | { readonly missing: readonly string[] }> {
  return openLabSetup({ install, print }, async ({ programs, lab, stops }) => {
    print('a cluster of two nodes starts')
    const cluster = await startCluster(lab, programs)
    await bare?.(cluster)
    print('Megrez is installed')
    const megrez = await installMegrez(cluster, { programs, values: { agents: { enabled: true }, ...(rest && { rest }) } })
    stops.push(() => megrez.stop())
    print('Open vSwitch and an agent start on each node')
    const shim = await buildShim()
    const agents: NodeAgent[] = []
    stops.push(async () => void (await Promise.all(agents.map((agent) => agent.stop()))))
    for (const started of await Promise.allSettled(cluster.nodes.map((node) => startNodeAgent(cluster, megrez, node, shim)))) {
      if (started.status === 'rejected') throw started.reason
      agents.push(started.value)
    }
    return { cluster, megrez, agents }
  })
}
