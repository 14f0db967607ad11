// Kubernetes' own Services beside our NICs, with the real kube-proxy in both of its modes: pods with NICs serve them, use them and are
// probed, and what is of a VPC is no Service's, whatever address it has.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startKubeProxy } from '../../lab/cluster/kube-proxy.ts'
import { openTestCluster, type TestCluster } from '../../lab/megrez/test-cluster.ts'
import { apply } from '../../lab/megrez/install.ts'
import { answering, neighbourOf, unreached } from '../../lab/megrez/packets.ts'
import { accountReady, deploymentOf, makeNetwork, podOf, removeNamespaces, running, type PodSeen } from '../../lab/megrez/pods.ts'
import { until } from '../setup/until.ts'

const program = process.env['MEGREZ_TEST_KUBE_PROXY']
const skip =
  process.env['MEGREZ_TEST_CLUSTER'] === undefined || program === undefined
    ? 'MEGREZ_TEST_KUBE_PROXY is not set: run it by node bootstrap.mjs test/run.ts cluster'
    : false
/** Of the block of Services, and of the Vpc's Subnet as well. */
const serviceIP = '10.0.0.50'
const dnsIP = '10.0.0.10'
const dnsL4Port = 5353
const name = 'web.example.org'
/** Answers each question with one address (RFC 1035): names are copied, all else is constant. */
const dns = (
  address: string,
): string => `const s = require('dgram').createSocket('udp4'); s.on('message', (m, from) => { let end = 12; while (m[end] !== 0) end += m[end] + 1
  const question = m.subarray(12, end + 5), four = m[end + 2] === 1
  const head = Buffer.from([m[0], m[1], 0x81, 0x80, 0, 1, 0, four ? 1 : 0, 0, 0, 0, 0])
  s.send(Buffer.concat([head, question, ...(four ? [Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 80])] : [])]), from.port, from.address) }); s.bind(${dnsL4Port}, "${address}")`

/** Its page says which pod it is; kubelet asks for it by the pod's first interface. */
function serving(deployment: object): object {
  const { spec, ...rest } = deployment as {
    readonly spec: { readonly template: { readonly spec: { readonly containers: readonly object[] } } }
  }
  const { template } = spec
  const probed = {
    command: ['/bin/sh', '-c', 'echo $HOSTNAME > /tmp/index.html; exec httpd -f -p 8080 -h /tmp'],
    readinessProbe: { httpGet: { path: '/', port: 8080 }, periodSeconds: 1 },
  }
  return {
    ...rest,
    spec: {
      ...spec,
      template: { ...template, spec: { ...template.spec, containers: template.spec.containers.map((each) => ({ ...each, ...probed })) } },
    },
  }
}

describe('Services of Kubernetes beside NICs of a VPC', { skip }, () => {
  let testCluster: TestCluster
  before(
    async () => {
      const opened = await openTestCluster({ install: true, print: () => undefined })
      if ('missing' in opened) throw new Error(opened.missing.join('\n'))
      testCluster = opened
      const modes = ['nftables', 'iptables'] as const
      await Promise.all(
        testCluster.cluster.nodes.map((node, n) => startKubeProxy(testCluster.cluster, node, { program: program!, mode: modes[n]! })),
      )
    },
    { timeout: 900_000 },
  )
  after(() => testCluster?.close(), { timeout: 400_000 })

  const inPod = ({ namespace, name: pod }: PodSeen, line: string): Promise<string> =>
    testCluster.cluster.kubectl(['exec', '-n', namespace, pod, '--', 'sh', '-c', line])
  /** Who serves it; empty where nobody answers. By nc: wget of a static busybox does not live without a C library's files. */
  const served = async (pod: PodSeen): Promise<string> =>
    (await inPod(pod, `printf 'GET / HTTP/1.0\\r\\n\\r\\n' | nc -w 2 ${serviceIP} 80`).catch(() => '')).trim().split('\n').at(-1) ?? ''

  test('pods with NICs are behind a Service, reach it and DNS, and are probed, on a node with nftables and on one with iptables', async () => {
    const { cluster } = testCluster
    const [one] = cluster.nodes
    await cluster.lab.start(process.execPath, ['-e', dns(one!.address)], { space: one!.space, log: 'dns' })
    await makeNetwork(cluster, 'blue', '10.1.0.0/24')
    const asking = { 'megrez.io/vpc': 'v', 'megrez.io/nics': '[{"subnet":"s"}]' }
    await apply(cluster, [
      serving(deploymentOf({ namespace: 'blue', name: 'web', replicas: 4, annotations: asking })),
      {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'web', namespace: 'blue' },
        spec: { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 8080 }], clusterIP: serviceIP },
      },
      {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'dns', namespace: 'blue' },
        spec: { ports: [{ port: 53, targetPort: dnsL4Port, protocol: 'UDP' }], clusterIP: dnsIP },
      },
      {
        apiVersion: 'discovery.k8s.io/v1',
        kind: 'EndpointSlice',
        metadata: { name: 'dns', namespace: 'blue', labels: { 'kubernetes.io/service-name': 'dns' } },
        addressType: 'IPv4',
        ports: [{ name: '', port: dnsL4Port, protocol: 'UDP' }],
        endpoints: [{ addresses: [one!.address] }],
      },
    ])
    const pods = await running(cluster, 'blue', 4)
    assert.deepEqual([...new Set(pods.map(({ node }) => node))].sort(), ['n1', 'n2'])
    await cluster.kubectl(['rollout', 'status', 'deployment/web', '-n', 'blue', '--timeout=60s'])
    for (const node of ['n1', 'n2']) {
      const asker = pods.find((pod) => pod.node === node)!
      const by = new Set<string>()
      await until(
        async () => {
          by.add(await served(asker))
          return pods.every((pod) => by.has(pod.name))
        },
        `from ${node} the Service leads to each of its pods`,
        30_000,
      )
      assert.match(await inPod(asker, `nslookup ${name} ${dnsIP}`), /192\.0\.2\.80/)
    }
    assert.deepEqual(await unreached(cluster, pods), [], 'and by their NICs they reach each other')
  })

  test("an address of a VPC that a Service has too is the VPC's in the pods that are in it, on either node, and the Service's in all others", async () => {
    const { cluster } = testCluster
    await makeNetwork(cluster, 'twin', '10.0.0.0/24')
    await accountReady(cluster, 'twin')
    const asking = (ip: string): Readonly<Record<string, string>> => ({
      'megrez.io/vpc': 'v',
      'megrez.io/nics': JSON.stringify([{ subnet: 's', ip }]),
    })
    await apply(cluster, [
      podOf({ namespace: 'twin', name: 'twin', node: 'n2', annotations: asking(serviceIP) }),
      ...['n1', 'n2'].map((node, n) =>
        podOf({ namespace: 'twin', name: `asks-on-${node}`, node, annotations: asking(`10.0.0.${60 + n}`) }),
      ),
      ...['n1', 'n2'].map((node) => podOf({ namespace: 'blue', name: `plain-on-${node}`, node })),
    ])
    const twins = await running(cluster, 'twin', 3)
    const twin = twins.find((pod) => pod.name === 'twin')!
    for (const asker of twins.filter((pod) => pod.name.startsWith('asks'))) {
      assert.deepEqual(await answering(cluster, asker, [serviceIP]), [serviceIP], asker.name)
      assert.equal(await neighbourOf(cluster, asker, serviceIP), twin.nics[0]?.mac)
    }
    const plain = (await running(cluster, 'blue', 6)).filter((pod) => pod.name.startsWith('plain'))
    for (const pod of plain) await until(async () => /^web-/.test(await served(pod)), `${pod.name} reaches the Service`, 20_000)
    await removeNamespaces(cluster, ['twin', 'blue'])
  })
})
