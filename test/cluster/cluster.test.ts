// From kubectl to packets: a real kubelet and a real runtime on two nodes, our CNI plugin, Open vSwitch and VXLAN between them.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { join } from 'node:path'
import type { Resource } from '../../core/kinds/index.ts'
import { runIn } from '../../lab/commands.ts'
import { apply, root } from '../../lab/megrez/install.ts'
import type { Outcome } from '../../platform/programs/run.ts'
import { openTestCluster, type TestCluster } from '../../lab/megrez/test-cluster.ts'
import { leftAfter, ours } from '../../lab/megrez/left.ts'
import { answering, interfacesIn, neighbourOf, unreached } from '../../lab/megrez/packets.ts'
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
import { trials } from '../setup/trials.ts'
import { until } from '../setup/until.ts'

const skip =
  process.env['MEGREZ_TEST_CLUSTER'] === undefined
    ? 'MEGREZ_TEST_CLUSTER is not set: run it by node bootstrap.mjs test/run.ts cluster'
    : false
/** So many that each node has several. */
const many = Math.max(8, trials(20))
const asking = { 'megrez.io/vpc': 'v', 'megrez.io/nics': '[{"subnet":"s"}]' }
const nodesOf = (pods: readonly PodSeen[]): readonly string[] => [...new Set(pods.map(({ node }) => node))].sort()

describe('a cluster of two nodes', { skip }, () => {
  let testCluster: TestCluster
  /** What there is before any pod asks. */
  let bare: readonly string[]
  before(
    async () => {
      const opened = await openTestCluster({ install: true, print: () => undefined, rest: { kubeTokens: true } })
      if ('missing' in opened) throw new Error(opened.missing.join('\n'))
      testCluster = opened
      bare = await ours(testCluster.cluster, testCluster.agents)
    },
    { timeout: 900_000 },
  )
  after(() => testCluster?.close(), { timeout: 400_000 })

  const kubectl = (...args: readonly string[]): Promise<string> => testCluster.cluster.kubectl(args)
  const nothingLeft = async (): Promise<void> => assert.deepEqual(await leftAfter(bare, testCluster.cluster, testCluster.agents), [])
  /** Beside the cluster's own interface one for each Nic, and each says what the others say of it. */
  const asAsked = async (pod: PodSeen, nics: number, isVM = false): Promise<void> => {
    assert.equal(pod.nics.length, nics)
    const names = pod.nics.map((_, i) => `net${i + 1}`)
    assert.deepEqual(
      pod.networkStatus.map((each) => each.default === true),
      [true, ...names.map(() => false)],
    )
    if (!isVM)
      assert.deepEqual(
        pod.networkStatus.map((each) => each.interface),
        ['eth0', ...names],
      )
    assert.deepEqual(
      pod.networkStatus.slice(1).map(({ ips, mac }) => [ips[0], mac]),
      pod.nics.map(({ address, mac }) => [address, mac]),
    )
    assert.deepEqual(pod.networkStatus[0]?.ips, [pod.podIP])
    assert.match(pod.podIP, /^10\.88\./)
    // A VM's NIC is a TAP on the node, for its hypervisor.
    assert.deepEqual(await interfacesIn(testCluster.cluster, pod), {
      eth0: [pod.podIP],
      ...(!isVM && Object.fromEntries(pod.nics.map(({ address }, i) => [names[i], [address]]))),
    })
  }

  test('the five sample pods run with exactly the NICs they ask for', async () => {
    const wanted = { pod1: [undefined], pod2: [undefined], pod3: ['192.168.0.12'], pod4: [undefined], pod5: ['192.168.0.12', undefined] }
    await Promise.all(Object.keys(wanted).map((name) => applySample(testCluster.cluster, name)))
    for (const [name, addresses] of Object.entries(wanted)) {
      const [pod] = await running(testCluster.cluster, name, 1)
      await asAsked(pod!, addresses.length, ['pod4', 'pod5'].includes(name))
      for (const [i, address] of addresses.entries()) if (address !== undefined) assert.equal(pod!.nics[i]?.address, address)
    }
    await removeNamespaces(testCluster.cluster, Object.keys(wanted))
    await nothingLeft()
  })

  test(`${many} pods on two nodes reach each other, and nobody of a tenant with the same addresses; scaled down and deleted, nothing is left`, async () => {
    const { cluster } = testCluster
    for (const namespace of ['blue', 'red']) await makeNetwork(cluster, namespace, '10.1.0.0/24')
    await apply(cluster, [deploymentOf({ namespace: 'blue', name: 'web', replicas: many, annotations: asking })])
    const blue = await running(cluster, 'blue', many)
    assert.deepEqual(nodesOf(blue), ['n1', 'n2'])
    await Promise.all(blue.map((pod) => asAsked(pod, 1)))
    assert.deepEqual(await unreached(cluster, blue), [])

    // Red has the addresses of two blue pods, one on each node, and one that blue has not.
    const taken = ['n1', 'n2'].map((node) => blue.find((pod) => pod.node === node)!.nics[0]!.address)
    const alone = [...Array(200).keys()]
      .map((i) => `10.1.0.${i + 20}`)
      .find((address) => blue.every(({ nics }) => nics[0]!.address !== address))!
    const red = { ...asking, 'megrez.io/nics': '' }
    const fixed = [...taken, alone].map((ip, i) =>
      podOf({
        namespace: 'red',
        name: `r${i}`,
        node: i === 1 ? 'n2' : 'n1',
        annotations: { ...red, 'megrez.io/nics': JSON.stringify([{ subnet: 's', ip }]) },
      }),
    )
    await accountReady(cluster, 'red')
    await apply(cluster, fixed)
    const reds = await running(cluster, 'red', 3)
    assert.deepEqual(await unreached(cluster, reds), [])
    for (const pod of [blue.find(({ node }) => node === 'n1')!, blue.find(({ node }) => node === 'n2')!])
      assert.deepEqual(await answering(cluster, pod, [alone]), [])
    const asker = blue.find((pod) => !taken.includes(pod.nics[0]!.address))!
    for (const address of taken) {
      const [here, there] = [blue, reds].map((pods) => pods.find(({ nics }) => nics[0]!.address === address)!.nics[0]!.mac)
      assert.notEqual(here, there)
      assert.equal(await neighbourOf(cluster, asker, address), here)
      if (reds[2]!.nics[0]!.address === alone) assert.equal(await neighbourOf(cluster, reds[2]!, address), there)
    }

    await kubectl('scale', 'deployment/web', '-n', 'blue', '--replicas=4')
    const four = await running(cluster, 'blue', 4)
    await until(
      async () => (await kubectl('get', 'ports', '-n', 'blue', '-o', 'name')).trim().split('\n').length === 4,
      'four Ports are left',
      60_000,
    )
    assert.deepEqual(await unreached(cluster, four), [])
    await removeNamespaces(cluster, ['blue', 'red'])
    await nothingLeft()
  })

  test("without the cluster's own NIC the first of the pod's is eth0, and its address is podIP", async () => {
    const { cluster } = testCluster
    await makeNetwork(cluster, 'own', '10.2.0.0/24')
    await apply(cluster, [
      deploymentOf({ namespace: 'own', name: 'web', replicas: 6, annotations: { ...asking, 'megrez.io/cluster-nic': 'none' } }),
    ])
    const pods = await running(cluster, 'own', 6)
    assert.deepEqual(nodesOf(pods), ['n1', 'n2'])
    for (const pod of pods) {
      assert.equal(pod.podIP, pod.nics[0]?.address)
      assert.deepEqual(
        pod.networkStatus.map((each) => [each.interface, each.ips, each.default]),
        [['eth0', [pod.podIP], true]],
      )
      assert.deepEqual(await interfacesIn(cluster, pod), { eth0: [pod.podIP] })
    }
    assert.deepEqual(await unreached(cluster, pods), [])
    await removeNamespaces(cluster, ['own'])
    await nothingLeft()
  })

  test('a node is asked with kubectl and over REST, and answers whoever may ask of a Port of his namespace', async () => {
    const { cluster, megrez } = testCluster
    await makeNetwork(cluster, 'asked', '10.3.0.0/24')
    await accountReady(cluster, 'asked')
    await apply(
      cluster,
      ['n1', 'n2'].map((node) => podOf({ namespace: 'asked', name: `on-${node}`, node, annotations: asking })),
    )
    const pods = await running(cluster, 'asked', 2)
    assert.deepEqual(await unreached(cluster, pods), [])
    const nicOn = (node: string): PodSeen['nics'][number] => pods.find((pod) => pod.node === node)!.nics[0]!
    const [here, there] = [nicOn('n1'), nicOn('n2')]
    await kubectl('create', 'namespace', 'other')
    for (const [namespace, name, role] of [
      ['asked', 'asker', 'edit'],
      ['asked', 'onlooker', 'view'],
      ['other', 'stranger', 'edit'],
    ] as const) {
      await kubectl('create', 'serviceaccount', name, '-n', namespace)
      await kubectl('create', 'rolebinding', name, '-n', namespace, `--clusterrole=${role}`, `--serviceaccount=${namespace}:${name}`)
    }
    const as = (who: string): string => `--as=system:serviceaccount:${who}`
    const ask = (name: string, spec: object, who: string, namespace = 'asked'): Promise<string> =>
      cluster.kubectl(
        ['create', '-f', '-', as(who)],
        JSON.stringify({ apiVersion: 'megrez.io/v1alpha1', kind: 'Inquiry', metadata: { namespace, name }, spec }),
      )
    type Status = NonNullable<Resource<'Inquiry'>['status']>
    const statusOf = async (namespace: string, name: string, phase: string): Promise<Status> => {
      await kubectl('wait', `--for=jsonpath={.status.phase}=${phase}`, '--timeout=60s', '-n', namespace, `inquiry/${name}`)
      return (JSON.parse(await kubectl('get', 'inquiry', name, '-n', namespace, '-o', 'json')) as Resource<'Inquiry'>).status!
    }

    const traced = async (name: string, packet: object): Promise<readonly unknown[]> => {
      await ask(name, { about: 'trace', port: here.port, packet }, 'asked:asker')
      const { node, answer } = await statusOf('asked', name, 'ready')
      return [node, answer!.trace!.verdict, answer!.trace!.to]
    }
    assert.deepEqual(await traced('way', { to: there.address }), ['n1', 'output', ['tunnel']])
    assert.deepEqual(await traced('spoofed', { to: there.address, from: '10.3.0.250' }), ['n1', 'drop', undefined])
    await ask('wired', { about: 'wiring', node: 'n2' }, 'asked:asker')
    const { answer } = await statusOf('asked', 'wired', 'ready')
    assert.deepEqual(
      answer!.ports!.map(({ port, mac }) => [port, mac]),
      [[there.port, there.mac]],
    )

    for (const who of ['asked:onlooker', 'other:stranger']) {
      await assert.rejects(ask('mine', { about: 'wiring', node: 'n1' }, who), /forbidden/i)
      await assert.rejects(kubectl('get', 'inquiries', '-n', 'asked', as(who)), /forbidden/i)
    }
    await ask('theirs', { about: 'wiring', port: here.port }, 'other:stranger', 'other')
    const theirs = await statusOf('other', 'theirs', 'error')
    assert.deepEqual([theirs.node, theirs.answer], [undefined, undefined])
    assert.match(String(theirs.message), /not found in namespace other/)

    const inspect = async (account: string, ...args: readonly string[]): Promise<Outcome> => {
      const token = (await kubectl('create', 'token', account, '-n', 'asked')).trim()
      const env = [`NODE_EXTRA_CA_CERTS=${megrez.rest.ca}`, `MEGREZ_URL=${megrez.rest.url}`, `MEGREZ_TOKEN=${token}`]
      return runIn(cluster.space, ['env', ...env, process.execPath, join(root, 'cli/main.ts'), ...args, '-n', 'asked'])
    }
    const counted = await inspect('asker', 'inspect', `port/${here.port}`, '--about', 'counters')
    assert.match(counted.stdout, /^sent [1-9]\d* packets, \d+ bytes\nreceived [1-9]/, counted.stderr)
    const explained = await inspect('asker', 'explain', `port/${there.port}`, '--live')
    assert.match(explained.stdout, /On n2, with Open vSwitch, (\d+) of \1 are there:/, explained.stderr)
    const refused = await inspect('onlooker', 'inspect', `port/${here.port}`)
    assert.deepEqual([refused.code, refused.stdout], [1, ''])
    await removeNamespaces(cluster, ['asked', 'other'])
    await nothingLeft()
  })

  test('a Deployment is started for a client of its NetworkService, whom packets reach, and stopped once that has gone', async () => {
    const { cluster } = testCluster
    const namespace = 'demand'
    await makeNetwork(cluster, namespace, '10.5.0.0/24')
    const asks = (nic: object): { annotations: Readonly<Record<string, string>> } => ({
      annotations: { 'megrez.io/vpc': 'v', 'megrez.io/nics': JSON.stringify([nic]) },
    })
    await apply(cluster, [
      {
        apiVersion: 'networkservicemesh.io/v1',
        kind: 'NetworkService',
        metadata: { name: 'echo', namespace, annotations: { 'megrez.io/subnet': 's' } },
        spec: { payload: 'IP' },
      },
      deploymentOf({ namespace, name: 'server', replicas: 0, ...asks({ serves: 'echo' }) }),
      {
        apiVersion: 'megrez.io/v1alpha1',
        kind: 'EndpointScaler',
        metadata: { name: 'echo', namespace },
        spec: { scaleTargetRef: { name: 'server' }, cooldownSeconds: 10 },
      },
    ])
    await accountReady(cluster, namespace)
    await apply(cluster, [podOf({ namespace, name: 'client', node: 'n1', ...asks({ networkService: 'echo' }) })])
    const pods = await running(cluster, namespace, 2)
    const [client, server] = [true, false].map((isClient) => pods.find(({ name }) => (name === 'client') === isClient)!)
    const address = server!.nics[0]!.address
    await until(async () => (await answering(cluster, client!, [address])).length === 1, 'the client reaches its endpoint', 30_000)
    const connection = await kubectl('get', 'connections', '-n', namespace, '-o', 'jsonpath={.items[*].status.addresses}')
    assert.deepEqual(JSON.parse(connection), [address])
    await kubectl('delete', 'pod', 'client', '-n', namespace)
    const replicas = (): Promise<string> => kubectl('get', 'deployment', 'server', '-n', namespace, '-o', 'jsonpath={.spec.replicas}')
    assert.equal(await replicas(), '1')
    await until(async () => (await replicas()) === '0', 'the Deployment is stopped', 40_000)
    await removeNamespaces(cluster, [namespace])
    await nothingLeft()
  })

  test('an agent that is killed while pods come keeps none of them from running', async () => {
    const { cluster, agents } = testCluster
    await makeNetwork(cluster, 'kill', '10.3.0.0/24')
    await apply(cluster, [deploymentOf({ namespace: 'kill', name: 'web', replicas: many, annotations: asking })])
    await someRun(cluster, 'kill')
    await agents[0]!.restart()
    const pods = await running(cluster, 'kill', many)
    await Promise.all(pods.map((pod) => asAsked(pod, 1)))
    assert.deepEqual(await unreached(cluster, pods), [])
    await removeNamespaces(cluster, ['kill'])
    await nothingLeft()
  })
})
