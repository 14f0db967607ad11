// An installation as users have it: the chart by helm, every role a pod of our own image. Of a node only Open vSwitch is a process
// beside, as it is on a machine.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { onPath } from '../../platform/programs/debian.ts'
import { startCluster, type Cluster, type ClusterNode } from '../cluster.ts'
import { mustIn } from '../commands.ts'
import { openLabSetup, type Closable, type LabSetupOptions } from '../setup.ts'
import { makeMegrezImage, megrezImage } from '../image.ts'
import { startNodeOvs } from '../megrez/agents.ts'
import { namespace, renderChart } from '../megrez/chart.ts'
import { applyCrds } from '../megrez/install.ts'
import type { LookedAt } from '../megrez/left.ts'
import { releaseOf, type Release } from './helm.ts'
import { connectPods, makeMachine } from './machine.ts'

export interface ChartCluster extends Closable {
  readonly cluster: Cluster
  readonly nodes: readonly LookedAt[]
  readonly release: Release
  /** What the chart is installed with here; all else is as in its values.yaml. Admission has more time: the machine may be busy. */
  readonly values: Readonly<Record<string, unknown>>
  /** Waits until every pod of ours is as it should be, and ready. */
  ready(): Promise<void>
}

const agentHealthL4Port = 9380
/** The delegate's, of our own pods too: which is whose only it knows. */
const delegateLinks = /^veth[0-9a-f]{8}$/
const redisL4Port = 6379
const workloads = ['deployment/megrez-webhooks', 'deployment/megrez-workers', 'daemonset/megrez-agent']

export interface ChartClusterOptions extends LabSetupOptions {
  /**
   * Lays out the image that all roles run, by its name, in a folder that is not there yet; absent: the Dockerfile's files by our own
   * script, which is quick.
   */
  readonly makeImage?: (folder: string, name: string) => Promise<void>
}

/** Ready once it is returned: webhooks twice, workers twice where there is a Redis and else once, an agent on each node. */
export async function openChartCluster({
  makeImage = makeMegrezImage,
  ...options
}: ChartClusterOptions): Promise<ChartCluster | { readonly missing: readonly string[] }> {
  return openLabSetup(options, async ({ programs, lab, stops }) => {
    options.print('an image and a cluster of two nodes are made')
    const image = join(lab.folder, 'image')
    const [cluster] = await whole([startCluster(lab, programs), makeImage(image, `${megrezImage.repository}:${megrezImage.tag}`)])
    const nodes = await whole(
      cluster.nodes.map(async (node) => {
        const { ovs } = await startNodeOvs(cluster, node)
        stops.push(() => ovs.stop())
        await makeMachine(node)
        await importImage(node, image)
        return { node, ovs, healthL4Port: agentHealthL4Port, otherLinks: delegateLinks }
      }),
    )
    await connectPods(cluster)
    options.print('the chart is installed')
    const home = join(lab.folder, 'megrez')
    await mkdir(home)
    await applyCrds(cluster, await renderChart(programs.helm, { values: { crds: { render: true } }, only: 'templates/crds.yaml', home }))
    const release = await releaseOf(cluster, programs.helm)
    const values = {
      image: { ...megrezImage, pullPolicy: 'Never' },
      agents: { enabled: true },
      admission: { timeoutSeconds: 10 },
      ...(await queueOf(cluster)),
    }
    await release.apply(values)
    const ready = async (): Promise<void> => {
      for (const each of workloads) await cluster.kubectl(['rollout', 'status', each, '-n', namespace, '--timeout=600s'])
    }
    await ready()
    return { cluster, nodes, release, values, ready }
  })
}

/** All of them; where one fails, once none is under way any more: what they have started can be ended then. */
async function whole<const T extends readonly unknown[]>(begun: T): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(begun)
  return Promise.all(begun)
}

async function importImage({ space, runtime }: ClusterNode, image: string): Promise<void> {
  await mustIn(space, ['sh', '-c', `tar -C ${join(image, 'layout')} -cf - . | ctr -a ${runtime.socket} -n k8s.io images import -`])
}

/** A Redis on the address of the control plane, which pods reach. */
async function queueOf({ lab, space, controlPlane }: Cluster): Promise<object> {
  if (onPath('redis-server') === undefined) return {}
  const { hostname } = new URL(controlPlane.url)
  await lab.start(
    'redis-server',
    ['--bind', hostname, '--port', String(redisL4Port), '--protected-mode', 'no', '--save', '', '--maxmemory-policy', 'noeviction'],
    { space, log: 'redis', vital: true },
  )
  return { redis: { url: `redis://${hostname}:${redisL4Port}` }, workers: { replicas: 2 } }
}
