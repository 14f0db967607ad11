// The chart as its users have it: helm installs it, and every role is a pod of our own image, on two nodes with real kubelets.
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { namespace as ourNamespace } from '../../cli/lab/megrez/chart.ts'
import { apply } from '../../cli/lab/megrez/install.ts'
import { leftAfter, ours } from '../../cli/lab/megrez/left.ts'
import { interfacesIn, unreached } from '../../cli/lab/megrez/packets.ts'
import { accountReady, deploymentOf, makeNetwork, podOf, podsIn, removeNamespaces, running, type PodSeen } from '../../cli/lab/megrez/pods.ts'
import { openPodHouse, type PodHouse } from '../../cli/lab/pods/house.ts'
import { until } from '../setup/until.ts'

const skip = process.env['MEGREZ_TEST_CLUSTER'] === undefined ? 'MEGREZ_TEST_CLUSTER is not set: run it by node bootstrap.mjs test/run.ts cluster' : false
const asking = { 'megrez.io/vpc': 'v', 'megrez.io/nics': '[{"subnet":"s"}]' }
const web = (namespace: string, replicas: number): object => deploymentOf({ namespace, name: 'web', replicas, annotations: asking })
const nodesOf = (pods: readonly PodSeen[]): readonly string[] => [...new Set(pods.map(({ node }) => node))].sort()

describe('the chart in a cluster of two nodes', { skip }, () => {
  let house: PodHouse
  before(async () => {
    const opened = await openPodHouse({ install: true, print: () => undefined })
    if ('missing' in opened) throw new Error(opened.missing.join('\n'))
    house = opened
  }, { timeout: 400_000 })
  after(() => house?.close(), { timeout: 120_000 })

  const kubectl = (...args: readonly string[]): Promise<string> => house.cluster.kubectl(args)
  const names = async (kinds: string): Promise<readonly string[]> => (await kubectl('get', kinds, '-n', ourNamespace, '-o', 'name')).split('\n').filter((line) => line !== '').sort()
  const bundle = (): Promise<string> => kubectl('get', 'mutatingwebhookconfiguration', 'megrez', '-o', 'jsonpath={.webhooks[*].clientConfig.caBundle}')
  /** Beside the cluster's own interface each has one of ours, as it says, and they reach each other. */
  const asAsked = async (pods: readonly PodSeen[]): Promise<void> => {
    assert.deepEqual(nodesOf(pods), ['n1', 'n2'])
    for (const pod of pods) assert.deepEqual(await interfacesIn(house.cluster, pod), { eth0: [pod.podIP], net1: [pod.nics[0]?.address] })
    assert.deepEqual(await unreached(house.cluster, pods), [])
  }

  test('every role runs as a pod, an agent on each node, and none had to be started twice', async () => {
    const { items } = JSON.parse(await kubectl('get', 'pods', '-n', ourNamespace, '-o', 'json')) as { items: readonly { metadata: { name: string }; spec: { nodeName: string }; status: { containerStatuses: readonly { ready: boolean; restartCount: number }[] } }[] }
    const roles = items.map(({ metadata }) => /^megrez-([a-z]+)-/.exec(metadata.name)?.[1])
    assert.deepEqual([...new Set(roles)].sort(), ['agent', 'webhooks', 'workers'])
    assert.deepEqual(items.filter(({ metadata }) => metadata.name.startsWith('megrez-agent-')).map(({ spec }) => spec.nodeName).sort(), ['n1', 'n2'])
    assert.deepEqual(items.flatMap(({ status }) => status.containerStatuses).filter(({ ready, restartCount }) => !ready || restartCount > 0), [])
  })

  test('all of it is started anew while pods come and packets go: all run with what they ask for, those that ran keep it, and deleted they leave nothing', async () => {
    const { cluster, nodes } = house
    const bare = await ours(cluster, nodes)
    await makeNetwork(cluster, 'blue', '10.1.0.0/24')
    await apply(cluster, [web('blue', 6)])
    const first = await running(cluster, 'blue', 6)
    await asAsked(first)
    const pings = await pinging(first.find(({ node }) => node === 'n1')!, first.find(({ node }) => node === 'n2')!)
    await kubectl('rollout', 'restart', '-n', ourNamespace, 'daemonset/megrez-agent', 'deployment/megrez-webhooks', 'deployment/megrez-workers')
    await kubectl('scale', 'deployment/web', '-n', 'blue', '--replicas=16')
    await house.ready()
    const all = await running(cluster, 'blue', 16)
    await asAsked(all)
    for (const { name, nics } of first) assert.deepEqual(all.find((pod) => pod.name === name)?.nics, nics)
    const { sent, received } = await pings()
    assert.ok(sent > 20 && received >= sent * 0.95, `${received} of ${sent} pings were answered`)
    assert.doesNotMatch(await kubectl('get', 'events', '-n', 'blue', '-o', 'jsonpath={.items[*].message}'), /failed calling webhook/)
    await kubectl('scale', 'deployment/web', '-n', 'blue', '--replicas=2')
    await running(cluster, 'blue', 2)
    await until(async () => (await kubectl('get', 'ports', '-n', 'blue', '-o', 'name')).trim().split('\n').length === 2, 'two Ports are left', 120_000)
    await removeNamespaces(cluster, ['blue'])
    assert.deepEqual(await leftAfter(bare, cluster, nodes), [])
  })

  /** @returns ends them, and counts */
  async function pinging(from: PodSeen, to: PodSeen): Promise<() => Promise<{ readonly sent: number; readonly received: number }>> {
    const inIt = (line: string): Promise<string> => kubectl('exec', '-n', from.namespace, from.name, '--', 'sh', '-c', line)
    const pid = (await inIt(`ping -i 0.2 ${to.nics[0]!.address} > /tmp/pings 2>&1 & echo $!`)).trim()
    return async () => {
      await inIt(`kill -INT ${pid}`)
      let said: readonly string[] | null = null
      await until(async () => (said = /(\d+) packets transmitted, (\d+) packets received/.exec(await inIt('cat /tmp/pings'))) !== null, 'ping tells what it counted')
      const [, sent, received] = said ?? []
      return { sent: Number(sent), received: Number(received) }
    }
  }

  test('an upgrade gives every role a changed value, and after a rollback the API server knows admission by what it did before', async () => {
    const { cluster, release, values } = house
    await until(async () => (await bundle()) !== '', 'workers have said what admission is judged by')
    const judged = await bundle()
    await release.apply({ ...values, settings: { logLevel: 'debug' } })
    await house.ready()
    for (const workload of ['daemonset/megrez-agent', 'deployment/megrez-webhooks', 'deployment/megrez-workers'])
      assert.match(await kubectl('get', workload, '-n', ourNamespace, '-o', 'jsonpath={.spec.template.spec.containers[0].env}'), /"MEGREZ_LOG_LEVEL","value":"debug"/)
    await release.rollback(1)
    assert.equal(await bundle(), judged)
    await makeNetwork(cluster, 'green', '10.2.0.0/24')
    await house.ready()
    await apply(cluster, [web('green', 4)])
    await asAsked(await running(cluster, 'green', 4))
    await removeNamespaces(cluster, ['green'])
  })

  test('uninstalled it leaves no Secret, no admission and the runtime as it was, so that pods start; installed again, over the Secret that an earlier version left, all is as before', async () => {
    const { cluster, nodes, release, values } = house
    await release.apply({ ...values, agents: { enabled: true, leave: true } })
    await house.ready()
    const left = JSON.parse(await kubectl('get', 'secret', 'megrez-webhooks-ca', '-n', ourNamespace, '-o', 'json')) as { readonly data: Readonly<Record<string, string>> }
    assert.deepEqual(Object.keys(left.data), ['ring.json'])
    await release.uninstall()
    await until(async () => (await names('pods')).length === 0, 'our pods have gone', 120_000)
    assert.deepEqual(await names('secrets,serviceaccounts,services'), ['serviceaccount/default'])
    assert.doesNotMatch(await kubectl('get', 'mutatingwebhookconfigurations,validatingwebhookconfigurations,validatingadmissionpolicies,clusterroles', '-o', 'name'), /megrez/)
    for (const { node } of nodes) assert.deepEqual(await readdir(node.runtime.cniConf), ['10-pods.conflist'])
    await apply(cluster, [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'red' } }])
    await accountReady(cluster, 'red')
    await apply(cluster, ['n1', 'n2'].map((node) => podOf({ namespace: 'red', name: `plain-${node}`, node, annotations: asking })))
    await until(async () => (await podsIn(cluster, 'red')).filter(({ phase }) => phase === 'Running').length === 2, 'pods start', 120_000)
    await kubectl('delete', 'pods', '--all', '-n', 'red', '--wait=true', '--timeout=60s')

    await apply(cluster, [{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'megrez-webhooks-ca', namespace: ourNamespace }, data: left.data }])
    await release.apply(values)
    await house.ready()
    await makeNetwork(cluster, 'red', '10.3.0.0/24')
    await apply(cluster, [web('red', 4)])
    await asAsked(await running(cluster, 'red', 4))
    await removeNamespaces(cluster, ['red'])
  })
})
