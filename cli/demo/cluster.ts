// The demo of a cluster: two real nodes, the five samples, two tenants with the same addresses, and what our NICs cost in time.
import type { TestCluster } from '../../lab/megrez/test-cluster.ts'
import { openTestCluster } from '../../lab/megrez/test-cluster.ts'
import { apply } from '../../lab/megrez/install.ts'
import { leftAfter, ours } from '../../lab/megrez/left.ts'
import { answering, unreached } from '../../lab/megrez/packets.ts'
import {
  accountReady,
  applySample,
  deploymentOf,
  makeNetwork,
  podOf,
  removeNamespaces,
  running,
  someRun,
  type PodSeen,
} from '../../lab/megrez/pods.ts'
import { median, timeRollout, type Rollout } from '../../lab/megrez/times.ts'
import type { ClusterDemo, PodLine, Times } from './cluster-shown.ts'
import { printCluster } from './print-cluster.ts'

const asking = { 'megrez.io/vpc': 'v', 'megrez.io/nics': '[{"subnet":"s"}]' }
const samples = ['pod1', 'pod2', 'pod3', 'pod4', 'pod5']
const count = 20
const rounds = 3

/** @returns what was not as it should be */
export async function demoCluster({ json, install }: { readonly json: boolean; readonly install: boolean }): Promise<readonly string[]> {
  const print = (line: string): void => void process.stderr.write(`${line}\n`)
  const bare: Rollout[] = []
  const testCluster = await openTestCluster({
    install,
    print,
    async bare(cluster) {
      print('pods without us are timed')
      await apply(cluster, [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'bare' } }])
      for (let i = 0; i <= rounds; i++) bare.push(await timeRollout(cluster, { namespace: 'bare', name: 'web', replicas: count }))
    },
  })
  if ('missing' in testCluster) return testCluster.missing
  try {
    // The first round brings the images and the controllers in.
    const demo = await play(testCluster, bare.slice(1), print)
    process.stdout.write(json ? `${JSON.stringify(demo)}\n` : printCluster(demo))
    return wrongWith(demo)
  } finally {
    await testCluster.close()
  }
}

async function play(testCluster: TestCluster, bare: readonly Rollout[], print: (line: string) => void): Promise<ClusterDemo> {
  const { cluster, agents } = testCluster
  const before = await ours(cluster, agents)
  print('the five samples')
  await Promise.all(samples.map((name) => applySample(cluster, name)))
  const sampled = (await Promise.all(samples.map((name) => running(cluster, name, 1)))).flat()
  print('two tenants with the same addresses')
  const tenants = await playTenants(testCluster)
  print('pods whose only NIC is ours')
  await makeNetwork(cluster, 'own', '10.2.0.0/24')
  await apply(cluster, [
    deploymentOf({ namespace: 'own', name: 'web', replicas: 4, annotations: { ...asking, 'megrez.io/cluster-nic': 'none' } }),
  ])
  const own = await running(cluster, 'own', 4)
  print('an agent is killed while pods come')
  const killed = await playKill(testCluster)
  await removeNamespaces(cluster, [...samples, 'blue', 'red', 'own', 'kill'])
  print('pods are timed, without and with our NICs')
  const times = await playTimes(testCluster, bare)
  await removeNamespaces(cluster, ['times'])
  const left = await leftAfter(before, cluster, agents)
  return { samples: sampled.map(lineOf), ...tenants, own: own.map(lineOf), killed, times, left }
}

async function playTenants({ cluster }: TestCluster): Promise<Pick<ClusterDemo, 'blue' | 'red' | 'pings'>> {
  for (const namespace of ['blue', 'red']) await makeNetwork(cluster, namespace, '10.1.0.0/24')
  await apply(cluster, [deploymentOf({ namespace: 'blue', name: 'web', replicas: count, annotations: asking })])
  const blue = await running(cluster, 'blue', count)
  const taken = ['n1', 'n2'].flatMap((node) => blue.find((pod) => pod.node === node)?.nics[0]?.address ?? [])
  const alone =
    Array.from({ length: 200 }, (_, i) => `10.1.0.${i + 20}`).find((address) => blue.every(({ nics }) => nics[0]?.address !== address)) ??
    ''
  const fixed = [...taken, alone].map((ip, i) =>
    podOf({
      namespace: 'red',
      name: `r${i + 1}`,
      node: i === 1 ? 'n2' : 'n1',
      annotations: { ...asking, 'megrez.io/nics': JSON.stringify([{ subnet: 's', ip }]) },
    }),
  )
  await accountReady(cluster, 'red')
  await apply(cluster, fixed)
  const red = await running(cluster, 'red', fixed.length)
  const failed = [...(await unreached(cluster, blue)), ...(await unreached(cluster, red))]
  const crossed = (
    await Promise.all(
      blue.map(async (pod) => ((await answering(cluster, pod, [alone])).length > 0 ? [`${pod.name} of blue reaches ${alone} of red`] : [])),
    )
  ).flat()
  return { blue: blue.map(lineOf), red: red.map(lineOf), pings: { tried: blue.length ** 2 + red.length ** 2, failed, crossed } }
}

async function playKill({ cluster, agents }: TestCluster): Promise<ClusterDemo['killed']> {
  await makeNetwork(cluster, 'kill', '10.3.0.0/24')
  await apply(cluster, [deploymentOf({ namespace: 'kill', name: 'web', replicas: count, annotations: asking })])
  await someRun(cluster, 'kill')
  await agents[0]?.restart()
  const pods = await running(cluster, 'kill', count)
  return { running: pods.length, failed: await unreached(cluster, pods) }
}

/** In turns, so that whatever else the machine does is in both. */
async function playTimes({ cluster }: TestCluster, bare: readonly Rollout[]): Promise<Times> {
  await makeNetwork(cluster, 'times', '10.4.0.0/16')
  const [without, withNics]: [Rollout[], Rollout[]] = [[], []]
  for (let i = 0; i < rounds; i++) {
    without.push(await timeRollout(cluster, { namespace: 'times', name: `plain${i}`, replicas: count }))
    withNics.push(await timeRollout(cluster, { namespace: 'times', name: `asking${i}`, replicas: count, annotations: asking }))
  }
  const all = (rollouts: readonly Rollout[]): number => median(rollouts.map(({ allMs }) => allMs))
  return { bare, without, withNics, ratio: Number((all(withNics) / all(without)).toFixed(3)) }
}

const lineOf = ({ namespace, name, node, podIP, networkStatus }: PodSeen): PodLine => ({
  pod: `${namespace}/${name}`,
  node,
  podIP,
  interfaces: networkStatus.map((each) => ({ name: each.interface, address: each.ips[0] ?? '' })),
})

/** The time is told, and is no fault: on a machine that is busy it says little. */
function wrongWith({ samples: sampled, blue, red, pings, killed, own, left }: ClusterDemo): string[] {
  const nics = (lines: readonly PodLine[]): number =>
    lines.reduce((sum, { interfaces }) => sum + interfaces.filter(({ name }) => name !== 'eth0').length, 0)
  const rules: readonly (readonly [boolean, string])[] = [
    [nics(sampled) === samples.length + 1, `the samples have ${nics(sampled)} NICs beside their cluster's, not ${samples.length + 1}`],
    [nics(blue) === count, `blue has ${nics(blue)} NICs beside its cluster's, not ${count}`],
    [nics(red) === 3, `red has ${nics(red)} NICs beside its cluster's, not 3`],
    [new Set(blue.map(({ node }) => node)).size === 2, 'blue is on one node alone'],
    [killed.running === count, `${killed.running} pods run although an agent was killed, not ${count}`],
    [
      own.every(({ podIP, interfaces }) => interfaces.length === 1 && interfaces[0]?.address === podIP),
      "a pod without the cluster's NIC has another address than its own",
    ],
  ]
  return [
    ...rules.flatMap(([holds, sentence]) => (holds ? [] : [sentence])),
    ...pings.failed,
    ...pings.crossed,
    ...killed.failed,
    ...left.map((each) => `afterwards there is ${each}`),
  ]
}
