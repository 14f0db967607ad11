// Multus as its users have it, thick and by its own manifest, beside the chart: whoever comes first, a pod has its NICs of a Vpc, those of
// definitions of ours and those of others', and says all of them in one annotation.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { mustIn } from '../../lab/commands.ts'
import { apply } from '../../lab/megrez/install.ts'
import { leftAfter, ours } from '../../lab/megrez/left.ts'
import { interfacesIn, unreached } from '../../lab/megrez/packets.ts'
import {
  accountReady,
  deploymentOf,
  makeNetwork,
  podOf,
  podsIn,
  removeNamespaces,
  running,
  settled,
  someRun,
  type PodSeen,
} from '../../lab/megrez/pods.ts'
import { multusConf, multusOf, type Multus } from '../../lab/programs/multus.ts'
import type { ChartCluster } from '../../lab/pods/chart-cluster.ts'
import { makeBridge, plugIn } from '../../lab/wires.ts'
import { trials } from '../setup/trials.ts'
import { until } from '../setup/until.ts'

const { MEGREZ_TEST_MULTUS: folder, MEGREZ_TEST_MULTUS_MANIFEST: manifest } = process.env
export const multusSkip =
  folder === undefined || manifest === undefined
    ? 'MEGREZ_TEST_MULTUS is not set: run it by node bootstrap.mjs test/run.ts cluster, where MEGREZ_PEERS names the peers'
    : false
/** So many that they still come while agents and Multus are started anew. */
const many = Math.max(8, trials(20))
const apiVersion = 'megrez.io/v1alpha1'
const networks = 'k8s.v1.cni.cncf.io/networks'
/** One NIC of a Vpc; Multus makes net1 by the standard plugin bridge, and net2 by ours. */
const asking = { 'megrez.io/vpc': 'v', 'megrez.io/nics': '[{"subnet":"s","name":"vpc0"}]', [networks]: 'others,vlan-100' }
const web = (namespace: string, replicas: number): object => deploymentOf({ namespace, name: 'web', replicas, annotations: asking })

/** They begin and end where the chart is installed, with nothing of its pods' left. */
export function multusTests(clusterOf: () => ChartCluster): void {
  let multus: Multus
  let testCluster: ChartCluster
  before(() => {
    multus = multusOf({ folder: folder!, manifest: manifest! })
    testCluster = clusterOf()
  })

  const kubectl = (...args: readonly string[]): Promise<string> => testCluster.cluster.kubectl(args)
  const confs = (file: string): Promise<readonly string[]> =>
    Promise.all(testCluster.nodes.map(({ node }) => readFile(join(node.runtime.cniConf, file), 'utf8')))
  const callsUs = (conf: string): boolean => conf.includes('"type": "megrez"')

  /** A Vpc's Subnet, a VLAN of ours, and a definition of the standard plugin bridge. */
  async function network(namespace: string, cidr: string): Promise<void> {
    await makeNetwork(testCluster.cluster, namespace, cidr)
    await apply(testCluster.cluster, [
      { apiVersion, kind: 'L2Service', metadata: { name: 's100', namespace }, spec: { segmentationID: 100 } },
    ])
    await apply(testCluster.cluster, [
      {
        apiVersion,
        kind: 'L2ServiceAttachment',
        metadata: { name: 'vlan-100', namespace },
        spec: { l2Services: ['s100'], connectionPoint: 'cp', vlanType: 'access' },
      },
      {
        apiVersion: 'k8s.cni.cncf.io/v1',
        kind: 'NetworkAttachmentDefinition',
        metadata: { name: 'others', namespace },
        spec: {
          config: JSON.stringify({
            cniVersion: '1.0.0',
            name: 'others',
            type: 'bridge',
            bridge: 'br-others',
            ipam: { type: 'host-local', subnet: '10.9.0.0/24' },
          }),
        },
      },
    ])
    await until(
      async () => (await kubectl('get', 'net-attach-def', '-n', namespace, '-o', 'name')).includes('vlan-100'),
      'the definition of our VLAN is there',
    )
  }

  async function asAsked(namespace: string, count: number): Promise<readonly PodSeen[]> {
    const pods = await running(testCluster.cluster, namespace, count)
    const names = ['megrez/cluster-nic eth0', `megrez/${namespace}/s vpc0`, `${namespace}/others net1`, `${namespace}/vlan-100 net2`]
    let told = new Map<string, PodSeen['networkStatus']>()
    const others = (): readonly string[] =>
      pods.flatMap(({ name }) => {
        const says = (told.get(name) ?? []).map((each) => `${each.name} ${each.interface}`).join()
        return says === names.join() ? [] : [`${name} says ${says}`]
      })
    // Multus writes all of it anew; what it says in other words is ours to say again.
    await until(async () => {
      told = new Map((await podsIn(testCluster.cluster, namespace)).map(({ name, networkStatus }) => [name, networkStatus]))
      return others().length === 0
    }, `each says ${names.join()}`).catch((err: Error) => {
      throw new Error(`${err.message}: ${others().join('; ')}`)
    })
    for (const pod of pods) {
      const [[nic], [eth0, vpc0, net1]] = [pod.nics, told.get(pod.name)!]
      assert.deepEqual([eth0?.ips, eth0?.default, vpc0?.ips, vpc0?.mac], [[pod.podIP], true, [nic?.address], nic?.mac])
      assert.deepEqual(await interfacesIn(testCluster.cluster, pod), { eth0: [pod.podIP], vpc0: [nic?.address], net1: net1?.ips })
      assert.match(await kubectl('exec', '-n', namespace, pod.name, '--', 'ip', '-o', 'link', 'show', 'net2'), /state UP|LOWER_UP/)
    }
    assert.deepEqual(await unreached(testCluster.cluster, pods), [])
    return pods
  }

  test(`after us it calls us: ${many} pods come while agents and Multus are started anew, each with all of its interfaces, and deleted they leave nothing`, async () => {
    const { cluster, nodes, release, values } = testCluster
    await makeBridge(cluster.space, { name: 'data', mtuBytes: 1500 })
    for (const { name, space } of cluster.nodes)
      await plugIn(space, { bridge: { name: 'data', mtuBytes: 1500 }, at: cluster.space, far: `${name}d`, near: 'eth1' })
    await release.apply({ ...values, settings: { uplinks: { physnet1: 'eth1' } } })
    await multus.install(cluster)
    await testCluster.ready()
    await apply(cluster, [
      {
        apiVersion,
        kind: 'ConnectionPoint',
        metadata: { name: 'cp' },
        spec: { physicalNet: 'physnet1', supportedCnis: [{ name: 'megrez', supportedInterfaceTypes: ['kernel'] }] },
      },
      {
        apiVersion,
        kind: 'NodePool',
        metadata: { name: 'pool' },
        spec: { nodes: ['n1', 'n2'], interfaces: [{ name: 'eth1', connectionPoint: 'cp' }] },
      },
    ])
    for (const conf of await confs(multusConf)) assert.match(conf, /"clusterNetwork":"[^"]*\/01-megrez\.conflist"/)
    // The standard plugin leaves it behind.
    for (const { space } of cluster.nodes) await mustIn(space, ['ip', 'link', 'add', 'br-others', 'type', 'bridge'])
    const bare = await ours(cluster, nodes)
    await network('blue', '10.1.0.0/24')
    await apply(cluster, [web('blue', many)])
    await someRun(cluster, 'blue')
    await kubectl('rollout', 'restart', '-n', 'megrez-system', 'daemonset/megrez-agent')
    await multus.restart(cluster)
    await testCluster.ready()
    const pods = await asAsked('blue', many)
    assert.deepEqual([...new Set(pods.map(({ node }) => node))].sort(), ['n1', 'n2'])
    await removeNamespaces(cluster, ['blue'])
    assert.deepEqual(await leftAfter(bare, cluster, nodes), [])
  })

  test("where we leave, it calls the cluster's own once it is started anew; where we come after it, it calls us by the file that it has chosen", async () => {
    const { cluster, nodes, release, values } = testCluster
    await release.uninstall()
    await until(
      async () => (await kubectl('get', 'pods', '-n', 'megrez-system', '-o', 'name')).trim() === '',
      'our pods have gone',
      120_000,
    )
    await multus.restart(cluster)
    for (const conf of await confs(multusConf)) assert.match(conf, /"clusterNetwork":"[^"]*\/10-pods\.conflist"/)
    await apply(cluster, [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'plain' } }])
    await accountReady(cluster, 'plain')
    await apply(
      cluster,
      ['n1', 'n2'].map((node) => podOf({ namespace: 'plain', name: `on-${node}`, node })),
    )
    await running(cluster, 'plain', 2)
    await removeNamespaces(cluster, ['plain'])

    await release.apply({ ...values, settings: { uplinks: { physnet1: 'eth1' } } })
    await testCluster.ready()
    for (const conf of await confs('10-pods.conflist')) assert.ok(callsUs(conf), conf)
    const bare = await ours(cluster, nodes)
    await network('green', '10.2.0.0/24')
    await settled(cluster, 'green')
    await apply(cluster, [web('green', 4)])
    await asAsked('green', 4)
    // Its daemon takes its configuration away when it ends: who comes meanwhile waits, and has all of its interfaces then.
    await multus.remove(cluster)
    await kubectl('scale', 'deployment/web', '-n', 'green', '--replicas=6')
    const whys = (): Promise<string> => kubectl('get', 'events', '-n', 'green', '-o', 'jsonpath={.items[*].message}')
    await until(async () => /asks for networks that Multus makes/.test(await whys()), 'a pod says what it waits for', 60_000)
    await multus.install(cluster)
    await asAsked('green', 6)
    await removeNamespaces(cluster, ['green'])
    assert.deepEqual(await leftAfter(bare, cluster, nodes), [])
    await release.uninstall()
    for (const { node } of nodes)
      assert.ok(
        !callsUs(await readFile(join(node.runtime.cniConf, '10-pods.conflist'), 'utf8')) &&
          !existsSync(join(node.runtime.cniConf, '01-megrez.conflist')),
      )
  })
}
