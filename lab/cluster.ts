// A real cluster of two nodes on one machine: each in namespaces of its own, with its own containerd and kubelet.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { until } from '../platform/programs/until.ts'
import { kubectlOf, startControlPlane, type ControlPlane } from './cluster/control-plane.ts'
import { startContainerd, type Runtime } from './cluster/containerd.ts'
import { startKubelet } from './cluster/kubelet.ts'
import { installPodNetwork, routePods } from './cluster/pod-network.ts'
import type { ClusterPrograms } from './cluster/programs.ts'
import { kubeconfigOf, makeKubelet, type Who } from './cluster/who.ts'
import { makeImages } from './images.ts'
import type { Lab, Space } from './lab.ts'
import { openSpace } from './space.ts'
import { makeBridge, plugIn } from './wires.ts'

export interface ClusterNode {
  /** Of the Node. */
  readonly name: string
  readonly space: Space
  readonly folder: string
  /** Its InternalIP. */
  readonly address: string
  /** The link that its tunnels are to go over: up, without an address. */
  readonly underlay: { readonly link: string; readonly cidr: string; readonly mtuBytes: number }
  readonly runtime: Runtime
}
export interface Cluster {
  readonly lab: Lab
  readonly space: Space
  readonly controlPlane: ControlPlane
  readonly nodes: readonly ClusterNode[]
  /** As administrator; throws what kubectl complained of. */
  kubectl(args: readonly string[], input?: string): Promise<string>
}

const main = { name: 'main', cidr: '192.168.77.1/24', mtuBytes: 1500 }
const tunnels = { name: 'tunnels', mtuBytes: 1600 }
const address = '192.168.77.1'

/** Plan of one node: all that differs between them. */
const nodePlan = (n: number) =>
  ({ name: `n${n}`, address: `192.168.77.${10 + n}`, tunnelCidr: `192.168.50.${n}/24`, podCidr: `10.88.${n}.0/24` }) as const
type NodePlan = ReturnType<typeof nodePlan>

/** Up when every Node is Ready, in some 10 s. Closing the lab ends it. */
export const startCluster = (lab: Lab, programs: ClusterPrograms, count = 2): Promise<Cluster> =>
  Promise.race([lab.fallen, start(lab, programs, count)])

async function start(lab: Lab, programs: ClusterPrograms, count: number): Promise<Cluster> {
  const plans = Array.from({ length: count }, (_, i) => nodePlan(i + 1))
  const users = plans.map((plan) => makeKubelet(plan.name))
  const space = await openSpace(lab, 'cp')
  await makeBridge(space, main)
  await makeBridge(space, tunnels)
  const images = await imagesOf(lab, programs.busybox)
  const [controlPlane, ...nodes] = await Promise.all([
    startControlPlane(lab, { programs, space, address, users }),
    ...plans.map((plan) => startNode(lab, plan, { space, images, programs, plans })),
  ])
  for (const [i, node] of nodes.entries()) await enlist(lab, node, { program: programs.kubelet, controlPlane, user: users[i]! })
  const kubectl = (args: readonly string[], input?: string): Promise<string> => kubectlOf(controlPlane, args, input)
  const there = async (): Promise<number> =>
    (await kubectl(['get', 'nodes', '-o', 'name']))
      .trim()
      .split('\n')
      .filter((line) => line !== '').length
  await until(async () => (await there()) === count, 'all Nodes are there', 60_000)
  await kubectl(['wait', '--for=condition=Ready', 'node', '--all', '--timeout=60s'])
  return { lab, space, controlPlane, nodes, kubectl }
}

async function imagesOf(lab: Lab, busybox: string): Promise<readonly string[]> {
  const folder = join(lab.folder, 'images')
  await mkdir(folder)
  return makeImages(folder, busybox)
}

interface Around {
  /** Where the bridges are. */
  readonly space: Space
  readonly images: readonly string[]
  readonly programs: ClusterPrograms
  readonly plans: readonly NodePlan[]
}

async function startNode(lab: Lab, plan: NodePlan, { space: at, images, programs, plans }: Around): Promise<ClusterNode> {
  const folder = join(lab.folder, plan.name)
  await mkdir(folder)
  const space = await openSpace(lab, plan.name)
  await plugIn(space, { bridge: main, at, far: plan.name, near: 'up0', cidr: `${plan.address}/24` })
  const underlay = { link: 'under0', cidr: plan.tunnelCidr, mtuBytes: tunnels.mtuBytes }
  await plugIn(space, { bridge: tunnels, at, far: `${plan.name}t`, near: underlay.link })
  const runtime = await startContainerd(lab, space, { folder, images })
  await installPodNetwork(runtime, { cidr: plan.podCidr, from: programs.cniPlugins, folder })
  await routePods(
    space,
    plans.filter((each) => each !== plan).map(({ podCidr, address: via }) => ({ cidr: podCidr, address: via })),
  )
  return { name: plan.name, space, folder, address: plan.address, underlay, runtime }
}

async function enlist(
  lab: Lab,
  { name, space, folder, address: own, runtime }: ClusterNode,
  { program, controlPlane, user }: { readonly program: string; readonly controlPlane: ControlPlane; readonly user: Who },
): Promise<void> {
  const kubeconfig = join(folder, 'kubelet.kubeconfig')
  await writeFile(kubeconfig, kubeconfigOf(controlPlane.url, controlPlane.ca, user.token), { mode: 0o600 })
  await startKubelet(lab, space, { program, folder, node: name, address: own, socket: runtime.socket, kubeconfig })
}
