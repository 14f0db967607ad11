// `kubectl megrez`: the command finds REST through a real API server, by a kubeconfig alone.
import assert from 'node:assert/strict'
import { writeFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { outputOf, type CommandOutput } from '../cli/command-output.ts'
import { kubeconfigPath, kubectl, kubeSkip, newNamespace } from '../setup/kubectl.ts'
import { until } from '../setup/until.ts'
import { create, openTestCluster, type TestCluster } from './test-cluster.ts'

/** An API server reaches no Service on loopback: an address of this machine that is not. */
const here = Object.values(networkInterfaces())
  .flatMap((each) => each ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4')?.address
const skip = kubeSkip === false && here === undefined ? 'this machine has no IPv4 address but loopback' : kubeSkip
const namespace = 'megrez-system'
const service = `svc-${process.pid}`

describe('through the API server of a cluster', { skip }, () => {
  let cluster: TestCluster
  let door: Server | undefined
  let folder = ''
  let space = ''
  /** As `kubectl megrez` is called. */
  const ask = (line: string, kubeconfig = join(folder, 'kubeconfig')): Promise<CommandOutput> =>
    outputOf(line.split(' '), {
      PATH: `${dirname(process.env['MEGREZ_TEST_KUBECTL'] ?? '')}:${process.env['PATH'] ?? ''}`,
      HOME: folder,
      KUBECONFIG: kubeconfig,
      MEGREZ_CALLED_AS: 'kubectl megrez',
      MEGREZ_SERVICE: `${namespace}/${service}`,
    })

  before(
    async () => {
      cluster = await openTestCluster({
        tokenIssuer: 'https://issuer.example.org',
        tokenAudience: 'megrez',
        tokenKeysUrl: 'http://127.0.0.1:1/keys',
      })
      await cluster.startWorkers()
      const rest = await cluster.webhooks.l4PortOf('restL4Port')
      // Webhooks of a test listen on loopback alone.
      door = createServer((from) => {
        const to = connect(rest, '127.0.0.1')
        for (const [one, other] of [
          [from, to],
          [to, from],
        ] as const)
          one.on('error', () => other.destroy()).pipe(other)
      }).listen(0, here)
      await once(door, 'listening')
      const { port } = door.address() as AddressInfo
      const metadata = { namespace, name: service }
      // An API server leads to a Service only where a pod has the address.
      await create({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata,
        spec: { nodeName: 'nowhere', containers: [{ name: 'webhooks', image: 'example.org/webhooks' }] },
      })
      const status = JSON.stringify({ status: { podIP: here, podIPs: [{ ip: here }] } })
      await kubectl(['patch', 'pod', service, '-n', namespace, '--subresource=status', '-p', status])
      await create(
        { apiVersion: 'v1', kind: 'Service', metadata, spec: { ports: [{ name: 'rest', port: 8444, targetPort: port }] } },
        {
          apiVersion: 'v1',
          kind: 'Endpoints',
          metadata,
          subsets: [{ addresses: [{ ip: here, targetRef: { kind: 'Pod', ...metadata } }], ports: [{ name: 'rest', port }] }],
        },
        {
          apiVersion: 'discovery.k8s.io/v1',
          kind: 'EndpointSlice',
          metadata: { ...metadata, labels: { 'kubernetes.io/service-name': service } },
          addressType: 'IPv4',
          endpoints: [{ addresses: [here], conditions: { ready: true } }],
          ports: [{ name: 'rest', port, protocol: 'TCP' }],
        },
      )
      const raw = `/api/v1/namespaces/${namespace}/services/https:${service}:rest/proxy/openapi.json`
      await until(async () => (await kubectl(['get', '--raw', raw])) !== '', 'the API server has found the Service')
      space = await newNamespace('through')
      const at = { namespace: space }
      await create(
        { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { ...at, name: 'ops' } },
        {
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind: 'RoleBinding',
          metadata: { ...at, name: 'ops' },
          roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'admin' },
          subjects: [{ kind: 'ServiceAccount', name: 'ops', namespace: space }],
        },
        {
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind: 'Role',
          metadata: { namespace, name: service },
          rules: [
            {
              apiGroups: [''],
              resources: ['services/proxy'],
              resourceNames: [`https:${service}:rest`],
              verbs: ['get', 'create', 'update', 'patch', 'delete'],
            },
          ],
        },
        {
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind: 'RoleBinding',
          metadata: { namespace, name: service },
          roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: service },
          subjects: [{ kind: 'ServiceAccount', name: 'ops', namespace: space }],
        },
        {
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind: 'Role',
          metadata: { ...at, name: 'vpcs' },
          rules: [{ apiGroups: ['megrez.io'], resources: ['*'], verbs: ['*'] }],
        },
        {
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind: 'RoleBinding',
          metadata: { ...at, name: 'vpcs' },
          roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'vpcs' },
          subjects: [{ kind: 'ServiceAccount', name: 'ops', namespace: space }],
        },
      )
      folder = await mkdtemp(join(tmpdir(), 'megrez-through-'))
      await writeKubeconfig('kubeconfig', { token: (await kubectl(['create', 'token', 'ops', '-n', space])).trim() })
      await writeKubeconfig('by-certificate', { 'client-certificate-data': '', 'client-key-data': '' })
    },
    { timeout: 240_000 },
  )
  after(async () => {
    await kubectl([
      'delete',
      'pod,service,endpointslice,role,rolebinding',
      service,
      '-n',
      namespace,
      '--ignore-not-found',
      '--wait=false',
      '--grace-period=0',
      '--force',
    ])
    await cluster?.close()
    door?.close()
    if (folder !== '') await rm(folder, { recursive: true })
  })

  async function writeKubeconfig(name: string, user: object): Promise<void> {
    interface Kubeconfig {
      readonly contexts: readonly { readonly name: string; readonly context: object }[]
    }
    const whole = JSON.parse(await readFile(String(kubeconfigPath), 'utf8')) as Kubeconfig
    const contexts = [{ name: 'own', context: { cluster: 'test', user: 'own' } }, ...whole.contexts]
    await writeFile(join(folder, name), JSON.stringify({ ...whole, users: [{ name: 'own', user }], contexts, 'current-context': 'own' }))
  }

  test('objects are made and read with the rights of who the kubeconfig says', async () => {
    await writeFile(join(folder, 'vpc.yaml'), 'apiVersion: megrez.io/v1alpha1\nkind: Vpc\nmetadata: { name: blue }\nspec: {}\n')
    assert.deepEqual(await ask(`apply -f ${join(folder, 'vpc.yaml')} -n ${space}`), { exit: 0, out: 'vpc/blue created\n', err: '' })
    const { exit, out, err } = await ask(`get vpcs -n ${space}`)
    assert.equal(exit, 0, err)
    assert.match(out, /^blue /m)
    assert.match(await kubectl(['get', 'vpc', 'blue', '-n', space, '-o', 'name']), /blue/)
    const elsewhere = await ask(`get vpcs -n ${namespace}`)
    assert.deepEqual([elsewhere.exit, elsewhere.out], [1, ''], 'and no others')
    assert.equal((await ask(`wait vpc/blue -n ${space} --for=condition=Ready --timeout=1m`)).exit, 0, 'a stream passes too')
  })

  test('a kubeconfig without a token is told what to say in its place', async () => {
    const { exit, err } = await ask(`get vpcs -n ${space}`, join(folder, 'by-certificate'))
    assert.equal(exit, 3)
    assert.match(err, /the kubeconfig has no token.*kubectl create token/)
  })
})
