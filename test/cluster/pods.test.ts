// The chart as its users have it: helm installs it, and every role is a pod of our own image, on two nodes with real kubelets. The image is
// the Dockerfile's, built by buildah, where that is there.
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { mustIn } from '../../lab/commands.ts'
import { buildImage } from '../../lab/image/buildah.ts'
import { namespace as ourNamespace } from '../../lab/megrez/chart.ts'
import { apply } from '../../lab/megrez/install.ts'
import { leftAfter, ours } from '../../lab/megrez/left.ts'
import { interfacesIn, unreached } from '../../lab/megrez/packets.ts'
import { accountReady, deploymentOf, makeNetwork, podOf, podsIn, removeNamespaces, running, type PodSeen } from '../../lab/megrez/pods.ts'
import { openChartCluster, type ChartCluster } from '../../lab/pods/chart-cluster.ts'
import type { Component } from '../../platform/programs/sbom.ts'
import { until } from '../setup/until.ts'
import { multusSkip, multusTests } from './multus.ts'

const skip =
  process.env['MEGREZ_TEST_CLUSTER'] === undefined
    ? 'MEGREZ_TEST_CLUSTER is not set: run it by node bootstrap.mjs test/run.ts cluster'
    : false
const built = process.env['MEGREZ_TEST_BUILDAH'] !== undefined
const asking = { 'megrez.io/vpc': 'v', 'megrez.io/nics': '[{"subnet":"s"}]' }
/** Prints each package below node_modules as the SBOM names it. */
const packagesHeld = `const { globSync, readFileSync } = require('fs'); for (const path of globSync('node_modules/**/package.json')) { if (!/node_modules\\/(@[^/]+\\/)?[^/]+\\/package.json$/.test(path)) continue
  const { name, version } = JSON.parse(readFileSync(path)); if (version !== undefined) console.log('pkg:npm/' + name.replace('@', '%40') + '@' + version) }`
const web = (namespace: string, replicas: number, name = 'web'): object => deploymentOf({ namespace, name, replicas, annotations: asking })
/** Each node with each. */
const speaking = {
  apiVersion: 'megrez.io/v1alpha1',
  kind: 'BGPSessionGroup',
  metadata: { name: 'nodes' },
  spec: {
    as: 64512,
    mesh: { mode: 'full', timers: { holdSeconds: 9, keepaliveSeconds: 3, connectRetrySeconds: 1 } },
    gracefulRestart: { seconds: 60 },
    advertise: { subnets: [{ namespace: 'gold', name: 's' }] },
  },
}
const nodesOf = (pods: readonly PodSeen[]): readonly string[] => [...new Set(pods.map(({ node }) => node))].sort()

describe('the chart in a cluster of two nodes', { skip }, () => {
  let testCluster: ChartCluster
  /** What there is on the nodes before any pod. */
  let bare: readonly string[] = []
  before(
    async () => {
      const opened = await openChartCluster({ install: true, print: () => undefined, ...(built && { makeImage: buildImage }) })
      if ('missing' in opened) throw new Error(opened.missing.join('\n'))
      testCluster = opened
    },
    { timeout: 1_200_000 },
  )
  after(() => testCluster?.close(), { timeout: 400_000 })

  const kubectl = (...args: readonly string[]): Promise<string> => testCluster.cluster.kubectl(args)
  const names = async (kinds: string): Promise<readonly string[]> =>
    (await kubectl('get', kinds, '-n', ourNamespace, '-o', 'name'))
      .split('\n')
      .filter((line) => line !== '')
      .sort()
  const bundle = (): Promise<string> =>
    kubectl('get', 'mutatingwebhookconfiguration', 'megrez', '-o', 'jsonpath={.webhooks[*].clientConfig.caBundle}')
  /** Beside the cluster's own interface each has one of ours, as it says, and they reach each other. */
  const asAsked = async (pods: readonly PodSeen[]): Promise<void> => {
    assert.deepEqual(nodesOf(pods), ['n1', 'n2'])
    for (const pod of pods)
      assert.deepEqual(await interfacesIn(testCluster.cluster, pod), { eth0: [pod.podIP], net1: [pod.nics[0]?.address] })
    assert.deepEqual(await unreached(testCluster.cluster, pods), [])
  }

  test('every role runs as a pod, an agent on each node, and none had to be started twice', async () => {
    const { items } = JSON.parse(await kubectl('get', 'pods', '-n', ourNamespace, '-o', 'json')) as {
      items: readonly {
        metadata: { name: string }
        spec: { nodeName: string }
        status: { containerStatuses: readonly { ready: boolean; restartCount: number }[] }
      }[]
    }
    const roles = items.map(({ metadata }) => /^megrez-([a-z]+)-/.exec(metadata.name)?.[1])
    assert.deepEqual([...new Set(roles)].sort(), ['agent', 'webhooks', 'workers'])
    assert.deepEqual(
      items
        .filter(({ metadata }) => metadata.name.startsWith('megrez-agent-'))
        .map(({ spec }) => spec.nodeName)
        .sort(),
      ['n1', 'n2'],
    )
    assert.deepEqual(
      items.flatMap(({ status }) => status.containerStatuses).filter(({ ready, restartCount }) => !ready || restartCount > 0),
      [],
    )
  })

  test(
    'the image is what buildah makes of the Dockerfile: nobody with rights, and of npm it holds exactly what its SBOM names',
    { skip: built ? false : 'MEGREZ_TEST_BUILDAH is not set: the image is laid out by our own script' },
    async () => {
      const inWorkers = (...command: readonly string[]): Promise<string> =>
        kubectl('exec', '-n', ourNamespace, 'deployment/megrez-workers', '--', ...command)
      assert.match(await inWorkers('cat', '/etc/os-release'), /^VERSION_CODENAME=bookworm$/m)
      assert.match(await inWorkers('id', '-u'), /^[1-9]\d+$/m)
      const { components } = JSON.parse(await inWorkers('cat', 'sbom.cdx.json')) as { components: readonly Component[] }
      const held = (await inWorkers('node', '-e', packagesHeld)).trim().split('\n')
      assert.deepEqual(
        components.map(({ purl }) => purl),
        [...new Set(held)].sort(),
      )
      // What is mounted while it is built leaves an empty file where it was.
      assert.equal(await inWorkers('sh', '-c', 'find /usr/local/etc /etc/ssl -type f -size +0'), '', 'nothing of the machine that built it')
    },
  )

  test('agents are started anew: of packets between nodes, and on each, none is lost', async () => {
    const { cluster, nodes } = testCluster
    bare = await ours(cluster, nodes)
    await makeNetwork(cluster, 'blue', '10.1.0.0/24')
    await apply(cluster, [web('blue', 6)])
    const pods = await running(cluster, 'blue', 6)
    await asAsked(pods)
    const [one, two] = [pods.filter(({ node }) => node === 'n1'), pods.filter(({ node }) => node === 'n2')]
    const pings = await pinging([[one[0]!, two[0]!], [two[0]!, one[0]!], ...near(pods)])
    await kubectl('rollout', 'restart', '-n', ourNamespace, 'daemonset/megrez-agent')
    await testCluster.ready()
    assert.deepEqual(await pings(), [])
  })

  test('all of it is started anew while pods come and packets go: all run with what they ask for, those that ran keep it and lose nothing, and deleted they leave nothing', async () => {
    const { cluster } = testCluster
    const first = await running(cluster, 'blue', 6)
    const pings = await pinging(near(first))
    await kubectl(
      'rollout',
      'restart',
      '-n',
      ourNamespace,
      'daemonset/megrez-agent',
      'deployment/megrez-webhooks',
      'deployment/megrez-workers',
    )
    await apply(cluster, [web('blue', 10, 'more')])
    await testCluster.ready()
    const all = await running(cluster, 'blue', 16)
    await asAsked(all)
    for (const { name, nics } of first) assert.deepEqual(all.find((pod) => pod.name === name)?.nics, nics)
    assert.deepEqual(await pings(), [])
    assert.doesNotMatch(await kubectl('get', 'events', '-n', 'blue', '-o', 'jsonpath={.items[*].message}'), /failed calling webhook/)
    await kubectl('delete', 'deployment/more', '-n', 'blue')
    await running(cluster, 'blue', 6)
    await until(
      async () => (await kubectl('get', 'ports', '-n', 'blue', '-o', 'name')).trim().split('\n').length === 6,
      'the Ports of those that stay are left',
      120_000,
    )
  })

  test('a URL that a policy refuses is refused by the HAProxy of its node, and by nobody once the policy is gone', async () => {
    const { cluster } = testCluster
    const pods = await running(cluster, 'blue', 6)
    const [client, server] = ['n1', 'n2'].map((name) => pods.find(({ node }) => node === name)!) as [PodSeen, PodSeen]
    const inPod = ({ namespace, name }: PodSeen, line: string): Promise<string> =>
      kubectl('exec', '-n', namespace, name, '--', 'sh', '-c', line)
    await inPod(
      server,
      'busybox mkdir /tmp/www; for each in good evil; do echo $each > /tmp/www/$each; done; busybox httpd -p 80 -h /tmp/www',
    )
    await kubectl('label', 'pod', '-n', 'blue', client.name, 'asks=urls')
    const { address } = server.nics[0]!
    // Debian's busybox asks no names as wget does: it is linked statically, and dies of that.
    const answers = async (): Promise<string> => {
      const ask = `(printf "GET /$each HTTP/1.1\\r\\nHost: ${address}\\r\\nConnection: close\\r\\n\\r\\n"; sleep 1) | timeout 5 nc ${address} 80`
      const said = await inPod(client, `for each in good evil; do ${ask} || true; done`)
      return [...said.matchAll(/^HTTP\/1\.\d (\d+)/gm)].map(([, status]) => status).join(' ')
    }
    assert.equal(await answers(), '200 200')
    const [podSelector, l7] = [{ matchLabels: { asks: 'urls' } }, { urls: [`${address}/evil`] }]
    await apply(cluster, [
      {
        apiVersion: 'megrez.io/v1alpha1',
        kind: 'UnifiedNetworkPolicy',
        metadata: { name: 'urls', namespace: 'blue' },
        spec: { podSelector, egress: [{ action: 'deny', ports: [{ l4Port: 80 }], l7 }] },
      },
    ])
    let last = ''
    const becomes = async (expected: string): Promise<void> => {
      await until(async () => (last = await answers()) === expected, expected, 60_000).catch((err: unknown) => {
        throw new Error(`the answers are ${last}`, { cause: err })
      })
    }
    await becomes('200 403')
    await kubectl('delete', 'unifiednetworkpolicy', 'urls', '-n', 'blue')
    await becomes('200 200')
  })

  /**
   * Two on each node. What Open vSwitch's own datapath sends through a tunnel it loses for moments whenever links of the node come or go,
   * as with each pod of whomever (docs/operations.md); so packets between nodes are counted where none comes or goes.
   */
  function near(pods: readonly PodSeen[]): readonly (readonly [PodSeen, PodSeen])[] {
    return ['n1', 'n2'].map((name) => {
      const [from, to] = pods.filter(({ node }) => node === name)
      return [from!, to!]
    })
  }

  /** @returns ends them, and tells what was not answered. Late is not lost: each has ten seconds. */
  async function pinging(pairs: readonly (readonly [PodSeen, PodSeen])[]): Promise<() => Promise<readonly string[]>> {
    const ends = await Promise.all(
      pairs.map(async ([from, to]) => {
        const inIt = (line: string): Promise<string> => kubectl('exec', '-n', from.namespace, from.name, '--', 'sh', '-c', line)
        const { address } = to.nics[0]!
        const said = `/tmp/pings-${address}`
        const pid = (await inIt(`ping -i 0.1 ${address} > ${said} 2>&1 & echo $!`)).trim()
        const answered = async (): Promise<readonly number[]> =>
          [...(await inIt(`cat ${said}`)).matchAll(/ seq=(\d+) /g)].map(([, number]) => Number(number))
        return async (): Promise<readonly string[]> => {
          const before = (await answered()).length
          let there: readonly number[] = []
          await until(async () => (there = await answered()).length > Math.max(before, 20), `${from.name} is still answered by ${address}`)
          const last = Math.max(...there)
          const missing = (): readonly number[] =>
            Array.from({ length: last }, (_, number) => number).filter((number) => !there.includes(number))
          await until(
            async () => missing().length === 0 || ((there = await answered()), missing().length === 0),
            'late ones come',
            10_000,
          ).catch(() => undefined)
          await inIt(`kill ${pid}; rm ${said}`)
          return missing().map((number) => `${from.node} to ${to.node}: ${number} of ${last + 1}`)
        }
      }),
    )
    return async () => (await Promise.all(ends.map((end) => end()))).flat()
  }

  test('an upgrade that has nodes speak BGP brings a daemon to each; of what is routed nothing is lost while agents and daemons are started anew', async () => {
    const { cluster, release, values } = testCluster
    await release.apply({ ...values, settings: { bgp: 'bird' } })
    await testCluster.ready()
    const daemonsReady = (): Promise<string> => kubectl('rollout', 'status', 'daemonset/megrez-bgp', '-n', ourNamespace, '--timeout=120s')
    await daemonsReady()
    await apply(cluster, [speaking])
    await makeNetwork(cluster, 'gold', '10.5.0.0/24', { vpc: { bgpSessionGroups: ['nodes'] }, subnet: { mode: 'l3' } })
    const sessions = async (): Promise<readonly string[]> =>
      (await kubectl('get', 'bgpspeakers', '-o', 'jsonpath={.items[*].status.sessions[*].state}')).split(' ')
    await until(async () => (await sessions()).join() === 'established,established', 'both nodes have a session', 60_000)
    await apply(cluster, [web('gold', 2)])
    const pods = await running(cluster, 'gold', 2)
    await asAsked(pods)
    const pings = await pinging([
      [pods[0]!, pods[1]!],
      [pods[1]!, pods[0]!],
    ])
    for (const each of ['megrez-agent', 'megrez-bgp']) await kubectl('rollout', 'restart', '-n', ourNamespace, `daemonset/${each}`)
    await testCluster.ready()
    await daemonsReady()
    await until(async () => (await sessions()).join() === 'established,established', 'both have one again', 60_000)
    assert.deepEqual(await pings(), [])
    await removeNamespaces(cluster, ['gold'])
    await kubectl('delete', 'bgpsessiongroup', 'nodes', '--wait=true', '--timeout=60s')
    for (const { node } of testCluster.nodes)
      await until(
        async () => !(await mustIn(node.space, ['ip', 'route', 'show', 'table', 'all', 'proto', 'bird'])).includes('10.5.0.'),
        'its routes are gone',
      )
  })

  test('an upgrade gives every role a changed value, and after a rollback the API server knows admission by what it did before; packets on each node go on', async () => {
    const { cluster, nodes, release, values } = testCluster
    await until(async () => (await bundle()) !== '', 'workers have said what admission is judged by')
    const judged = await bundle()
    const pings = await pinging(near(await running(cluster, 'blue', 6)))
    await release.apply({ ...values, settings: { logLevel: 'debug' } })
    await testCluster.ready()
    for (const workload of ['daemonset/megrez-agent', 'deployment/megrez-webhooks', 'deployment/megrez-workers'])
      assert.match(
        await kubectl('get', workload, '-n', ourNamespace, '-o', 'jsonpath={.spec.template.spec.containers[0].env}'),
        /"MEGREZ_LOG_LEVEL","value":"debug"/,
      )
    await release.rollback(1)
    assert.equal(await bundle(), judged)
    await makeNetwork(cluster, 'green', '10.2.0.0/24')
    await testCluster.ready()
    await apply(cluster, [web('green', 4)])
    await asAsked(await running(cluster, 'green', 4))
    assert.deepEqual(await pings(), [])
    await removeNamespaces(cluster, ['green', 'blue'])
    assert.deepEqual(await leftAfter(bare, cluster, nodes), [])
  })

  test('uninstalled it leaves no Secret, no admission, and of a node nothing of ours but what others made, also where a pod still has an interface, so that pods start; installed again, over the Secret that an earlier version left, all is as before', async () => {
    const { cluster, nodes, release, values } = testCluster
    await makeNetwork(cluster, 'amber', '10.4.0.0/24')
    await apply(
      cluster,
      ['n1', 'n2'].map((node) => podOf({ namespace: 'amber', name: `stays-${node}`, node, annotations: asking })),
    )
    await running(cluster, 'amber', 2)
    const left = JSON.parse(await kubectl('get', 'secret', 'megrez-webhooks-ca', '-n', ourNamespace, '-o', 'json')) as {
      readonly data: Readonly<Record<string, string>>
    }
    assert.deepEqual(Object.keys(left.data), ['ring.json'])
    await release.uninstall()
    await until(async () => (await names('pods')).length === 0, 'our pods have gone', 120_000)
    assert.deepEqual(await names('secrets,serviceaccounts,services'), ['serviceaccount/default'])
    assert.doesNotMatch(
      await kubectl(
        'get',
        'mutatingwebhookconfigurations,validatingwebhookconfigurations,validatingadmissionpolicies,clusterroles',
        '-o',
        'name',
      ),
      /megrez/,
    )
    for (const { node, ovs } of nodes) {
      assert.deepEqual(await readdir(node.runtime.cniConf), ['10-pods.conflist'])
      assert.deepEqual(
        (await readdir(node.runtime.cniBin)).filter((name) => name.includes('megrez')),
        [],
      )
      assert.equal((await ovs.vsctl('list-br')).trim(), 'br-phy')
      assert.doesNotMatch(await mustIn(node.space, ['ip', '-o', 'link']), / mgz/)
      assert.doesNotMatch(await mustIn(node.space, ['ls', '/var/lib/megrez']), /ledger/)
    }
    await apply(cluster, [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'red' } }])
    await accountReady(cluster, 'red')
    await apply(
      cluster,
      ['n1', 'n2'].map((node) => podOf({ namespace: 'red', name: `plain-${node}`, node, annotations: asking })),
    )
    await until(async () => (await podsIn(cluster, 'red')).filter(({ phase }) => phase === 'Running').length === 2, 'pods start', 120_000)
    for (const each of ['red', 'amber']) await kubectl('delete', 'pods', '--all', '-n', each, '--wait=true', '--timeout=60s')

    await apply(cluster, [
      { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'megrez-webhooks-ca', namespace: ourNamespace }, data: left.data },
    ])
    await release.apply(values)
    await testCluster.ready()
    await makeNetwork(cluster, 'red', '10.3.0.0/24')
    await apply(cluster, [web('red', 4)])
    await asAsked(await running(cluster, 'red', 4))
    await removeNamespaces(cluster, ['red', 'amber'])
    assert.deepEqual(await leftAfter(bare, cluster, nodes), [])
  })

  describe('Multus beside it', { skip: multusSkip }, () => multusTests(() => testCluster))
})
