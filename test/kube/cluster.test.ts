// From kubectl to Ports: the webhooks and the workers as processes of their own around a real API server.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Resource } from '../../core/kinds/index.ts'
import { kubectl, kubeSkip, newNamespace, tryKubectl } from '../setup/kubectl.ts'
import { until } from '../setup/until.ts'
import { create, example, setUpOf, list, network, openTestCluster, pod, served, type TestCluster, type Manifest } from './test-cluster.ts'

type Pod = Resource<'Pod'> & Manifest
const plain = (namespace: string, name: string, annotations: Readonly<Record<string, string>> = {}): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace, annotations },
  spec: { containers: [{ name: 'c', image: 'example.org/c' }] },
})
/** No kubelet is there to end a pod that has not been scheduled: the API server itself does. */
const remove = (space: string, ...names: readonly string[]): Promise<string> =>
  kubectl(['delete', 'pod', ...names, '-n', space, '--wait=false'])
const leftIn = async (space: string): Promise<readonly string[]> =>
  (await list('ports,iplocks', '-n', space)).map(({ kind, metadata }) => `${kind} ${metadata.name}`)

describe('a cluster', { skip: kubeSkip }, () => {
  let cluster: TestCluster
  before(
    async () => {
      cluster = await openTestCluster()
      await cluster.startWorkers()
    },
    { timeout: 240_000 },
  )
  after(() => cluster.close())

  const samples: Readonly<Record<string, readonly { readonly name: string; readonly address?: string; readonly createdByUs: boolean }[]>> =
    {
      pod1: [{ name: 'eth0', createdByUs: true }],
      pod2: [{ name: 'eth0', createdByUs: true }],
      pod3: [{ name: 'eth0', address: '192.168.0.12', createdByUs: true }],
      pod4: [{ name: 'eth0', createdByUs: false }],
      pod5: [
        { name: 'eth0', address: '192.168.0.12', createdByUs: true },
        { name: 'eth1', createdByUs: false },
      ],
    }
  for (const [name, nics] of Object.entries(samples)) {
    test(`the sample ${name} gets its Ports, is told of them, and gives back what was made for it`, async () => {
      const asked = await setUpOf(name)
      const space = asked.metadata.namespace!
      const before = await leftIn(space)
      await create(asked)
      const { nics: given } = await served(space, asked.metadata.name)
      assert.deepEqual(
        given.map((nic) => ({ name: nic.name, createdByUs: nic.createdByUs })),
        nics.map((nic) => ({ name: nic.name, createdByUs: nic.createdByUs })),
      )
      for (const [i, { address }] of nics.entries()) if (address !== undefined) assert.deepEqual(given[i]?.addresses, [address])

      const ports = await list<Resource<'Port'> & Manifest>('ports', '-n', space)
      const uid = (await list<Pod>('pods', '-n', space))[0]!.metadata.uid
      for (const nic of given) {
        const port = ports.find(({ metadata }) => metadata.name === nic.port)
        assert.equal(port?.status?.phase, 'ready')
        assert.equal(port.spec.podUID, uid)
        assert.deepEqual(port.status.addresses, nic.addresses)
        const locks = await list<Resource<'IPLock'> & Manifest>('iplocks', '-n', space)
        for (const address of nic.addresses)
          assert.equal(locks.find(({ spec }) => spec.address === address)?.spec.holder?.uid, port.metadata.uid)
      }

      await remove(space, asked.metadata.name)
      await until(async () => (await leftIn(space)).join() === before.join(), `what ${name} had is given back`)
    })
  }

  test('webhooks follow what they judge pods by and what they count, and nothing else', async () => {
    const metrics = await (await fetch(`http://127.0.0.1:${await cluster.webhooks.l4PortOf('healthL4Port')}/metrics`)).text()
    const followed = [...metrics.matchAll(/^megrez_watch_last_event_age_seconds\{kind="(\w+)"\}/gm)].map(([, kind]) => kind)
    const counted = ['Inquiry', 'Namespace', 'Port']
    const judged = ['BGPSessionGroup', 'Cloud', 'NetworkService', 'Subnet', 'UnifiedNetworkPolicy', 'Vpc']
    assert.deepEqual(followed.sort(), [...counted, ...judged].sort())
  })

  test('kubectl describe shows what became of the NICs as a condition, and as Events where it was not well from the start', async () => {
    const space = await network('describe', '10.1.0.0/32')
    const describe = (name: string): Promise<string> => kubectl(['describe', 'pod', name, '-n', space])
    await create(plain(space, 'web', { 'megrez.io/vpc': 'v' }))
    await served(space, 'web')
    assert.match(await describe('web'), /megrez\.io\/NetworkReady\s+True/)
    assert.match(await kubectl(['get', 'ports', '-n', space]), /web .*eth0/)
    const { status } = (await pod(space, 'web')) as Pod
    assert.equal(status?.conditions?.find(({ type }) => type === 'megrez.io/NetworkReady')?.status, 'True')

    // The block has one address, and web has it.
    await create(plain(space, 'late', { 'megrez.io/vpc': 'v' }))
    await until(async () => /Warning\s+\w+\s.*megrez/.test(await describe('late')), 'the Event of what is wrong is shown')
    await remove(space, 'web')
    await served(space, 'late')
    await until(async () => /Normal\s+NicsReady\s.*megrez.*1 NIC ready/.test(await describe('late')), 'the Event of its end is shown')
  })

  test('a taken address is refused by kubectl with the path of the field, and nothing is left of the try', async () => {
    const first = await setUpOf('pod3')
    const space = first.metadata.namespace!
    await create(first)
    await served(space, first.metadata.name)
    const before = await leftIn(space)
    const second = { ...first, metadata: { ...first.metadata, name: 'second' } }
    const { code, stderr } = await tryKubectl(['create', '-f', '-'], { input: JSON.stringify(second) })
    assert.notEqual(code, 0)
    assert.match(stderr, /\/metadata\/annotations\/megrez\.io~1nics\/0\/ip.*192\.168\.0\.12/)
    assert.deepEqual(await leftIn(space), before)
  })

  test('an object of ours is refused by kubectl with the path of the field', async () => {
    const space = await network('objects', '10.1.0.0/24')
    const subnet = {
      apiVersion: 'megrez.io/v1alpha1',
      kind: 'Subnet',
      metadata: { name: 'beyond', namespace: space },
      spec: { vpc: 'v', ipv4: { cidr: '10.2.0.0/24', gateway: '10.9.0.1' } },
    }
    const { code, stderr } = await tryKubectl(['create', '-f', '-'], { input: JSON.stringify(subnet) })
    assert.notEqual(code, 0)
    assert.match(stderr, /spec[./]ipv4[./]gateway/)
  })

  test('a dry run reserves nothing', async () => {
    const asked = await setUpOf('pod3')
    const space = asked.metadata.namespace!
    await kubectl(['create', '--dry-run=server', '-f', '-'], { input: JSON.stringify(asked) })
    assert.deepEqual(await leftIn(space), [])
  })

  test('a pod that asks for nothing is not touched', async () => {
    const space = await newNamespace('strangers')
    await create(plain(space, 'stranger'))
    // A pod that asks, made after it, has been seen to: so the stranger has been seen too.
    const ours = await network('ours', '10.1.0.0/24')
    await create(plain(ours, 'web', { 'megrez.io/vpc': 'v' }))
    await served(ours, 'web')
    const { metadata, spec, status } = (await pod(space, 'stranger')) as Pod
    assert.deepEqual([metadata.annotations, metadata.labels, metadata.finalizers], [undefined, undefined, undefined])
    assert.doesNotMatch(JSON.stringify([spec, status]), /megrez/)
    assert.deepEqual(await leftIn(space), [])
  })

  test('a pod that slipped past admission is served all the same', async () => {
    const space = await network('slipped', '10.1.0.0/24')
    await cluster.unregister()
    try {
      await create(plain(space, 'web', { 'megrez.io/vpc': 'v', 'megrez.io/nics': '[{"subnet":"s","ip":"10.1.0.77"}]' }))
      assert.deepEqual(
        (await served(space, 'web')).nics.map(({ addresses }) => addresses),
        [['10.1.0.77']],
      )
    } finally {
      await cluster.register()
    }
  })

  test('a pod that is bound to a node takes its Ports there, with the address of the node', async () => {
    const space = await network('bound', '10.1.0.0/24')
    const node = `node-${space}`
    await create({ apiVersion: 'v1', kind: 'Node', metadata: { name: node } })
    await kubectl([
      'patch',
      'node',
      node,
      '--subresource=status',
      '--type=merge',
      '-p',
      JSON.stringify({ status: { addresses: [{ type: 'InternalIP', address: '192.0.2.7' }] } }),
    ])
    await create(plain(space, 'web', { 'megrez.io/vpc': 'v' }))
    await served(space, 'web')
    const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'web' }, target: { apiVersion: 'v1', kind: 'Node', name: node } }
    await kubectl(['create', '--raw', `/api/v1/namespaces/${space}/pods/web/binding`, '-f', '-'], { input: JSON.stringify(binding) })
    const port = async (): Promise<Resource<'Port'>> => (await list<Resource<'Port'> & Manifest>('ports', '-n', space))[0]!
    await until(async () => (await port()).status?.hostIP === '192.0.2.7', 'the Port is on the node', 60_000)
    const { spec, metadata } = await port()
    assert.equal(spec.node, node)
    // No setting says that agents are there, so nobody has to unwire it.
    assert.ok(metadata.finalizers?.includes('megrez.io/wired') !== true)
  })

  test('the samples pod3 and pod5 in one namespace want one address: the second is refused', async () => {
    const [first, other] = [await setUpOf('pod3'), await example('pod5', 'elsewhere')]
    const space = first.metadata.namespace!
    await create(first)
    await served(space, first.metadata.name)
    const premade = other
      .filter(({ kind }) => kind === 'Port' || kind === 'SecurityGroup')
      .map((each) => ({ ...each, metadata: { ...each.metadata, namespace: space } }))
    const there = (await list('ports,securitygroups', '-n', space)).map(({ metadata }) => metadata.name)
    await create(...premade.filter(({ metadata }) => !there.includes(metadata.name)))
    const second = other.find(({ kind }) => kind === 'Pod')!
    const { code, stderr } = await tryKubectl(['create', '-f', '-'], {
      input: JSON.stringify({ ...second, metadata: { ...second.metadata, namespace: space, name: 'fifth' } }),
    })
    assert.notEqual(code, 0)
    assert.match(stderr, /nics\/0\/ip.*192\.168\.0\.12/)
  })
})
