// A whole installation: a cluster of two nodes, Megrez in it, Open vSwitch and an agent on each node.
import { startCluster, type Cluster } from '../cluster.ts'
import { clusterPrograms } from '../cluster/programs.ts'
import { openLab } from '../lab.ts'
import { ovsMissing } from '../ovs.ts'
import { buildShim, startNodeAgent, type NodeAgent } from './agents.ts'
import { installMegrez, type Megrez } from './install.ts'

export interface ClusterHouse {
  readonly cluster: Cluster
  readonly megrez: Megrez
  readonly agents: readonly NodeAgent[]
  /** All of it goes; throws what stayed. */
  close(): Promise<void>
}
export interface HouseOptions {
  readonly install: boolean
  readonly print: (line: string) => void
  /** With the cluster as it is before there is anything of ours. */
  readonly bare?: (cluster: Cluster) => Promise<void>
}

export async function openClusterHouse({ install, print, bare }: HouseOptions): Promise<ClusterHouse | { readonly missing: readonly string[] }> {
  const programs = await clusterPrograms({ install, print })
  if ('missing' in programs) return programs
  const missing = await ovsMissing({ install, print })
  if (missing !== undefined) return { missing: [missing] }
  const lab = await openLab()
  const stops: (() => Promise<void>)[] = [() => lab.close()]
  const close = async (): Promise<void> => {
    for (const stop of stops.splice(0).reverse()) await stop()
  }
  try {
    print('a cluster of two nodes starts')
    const cluster = await startCluster(lab, programs)
    await bare?.(cluster)
    print('Megrez is installed')
    const megrez = await installMegrez(cluster, { programs, values: { agents: { enabled: true } } })
    stops.push(() => megrez.stop())
    print('Open vSwitch and an agent start on each node')
    const shim = await buildShim()
    const agents: NodeAgent[] = []
    stops.push(async () => void (await Promise.all(agents.map((agent) => agent.stop()))))
    for (const started of await Promise.allSettled(cluster.nodes.map((node) => startNodeAgent(cluster, megrez, node, shim)))) {
      if (started.status === 'rejected') throw started.reason
      agents.push(started.value)
    }
    return { cluster, megrez, agents, close }
  } catch (problem) {
    await close().catch((more: unknown) => print(String(more)))
    throw problem
  }
}
