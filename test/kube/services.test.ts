// A Service of our class on a real API server, from kubectl to its address, its slices and its end.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { EndpointSliceSpec, ServiceStatus } from '../../core/kinds/foreign-services.ts'
import type { SpecOf } from '../../core/kinds/index.ts'
import { kubectl, kubeSkip, tryKubectl } from '../setup/kubectl.ts'
import { until } from '../setup/until.ts'
import { create, list, network, openTestCluster, served, type Manifest, type TestCluster } from './test-cluster.ts'

type Service = Manifest & { readonly metadata: { readonly finalizers?: readonly string[] }; readonly status?: ServiceStatus }
type Slice = Manifest & EndpointSliceSpec & { readonly metadata: { readonly labels?: Readonly<Record<string, string>> } }
type Address = Manifest & { readonly spec: SpecOf<'ServiceAddress'> }

describe('Services on a real API server', { skip: kubeSkip }, () => {
  let cluster: TestCluster
  let space = ''
  before(
    async () => {
      cluster = await openTestCluster()
      await cluster.startWorkers()
      space = await network('services', '10.1.0.0/24')
      const pool = { vpc: 'v', ipv4: { cidr: '192.0.2.0/28' } }
      await create({ apiVersion: 'megrez.io/v1alpha1', kind: 'Subnet', metadata: { namespace: space, name: 'pool' }, spec: pool })
      await create({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: {
          namespace: space,
          name: 'web',
          labels: { app: 'web' },
          annotations: { 'megrez.io/vpc': 'v', 'megrez.io/nics': '[{"name":"net1","subnet":"s"}]' },
        },
        spec: { nodeName: 'n1', containers: [{ name: 'c', image: 'example.org/c' }] },
      })
      await served(space, 'web')
    },
    { timeout: 240_000 },
  )
  after(() => cluster?.close())

  const service = (name: string, more: object = {}): object => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { namespace: space, name, annotations: { 'megrez.io/subnet': 'pool' } },
    spec: {
      type: 'LoadBalancer',
      loadBalancerClass: 'megrez.io/services',
      selector: { app: 'web' },
      ports: [{ port: 80, targetPort: 8080 }],
      ...more,
    },
  })
  const serviceNow = async (name: string): Promise<Service | undefined> =>
    (await list<Service>('services', '-n', space, `--field-selector=metadata.name=${name}`))[0]
  const slicesNow = async (name: string): Promise<readonly Slice[]> =>
    list<Slice>('endpointslices', '-n', space, '-l', `kubernetes.io/service-name=${name},endpointslice.kubernetes.io/managed-by=megrez.io`)
  const addressNow = async (name: string): Promise<Address | undefined> =>
    (await list<Address>('serviceaddresses', '-n', space)).find(({ metadata }) => metadata.name === name)
  const locked = async (): Promise<readonly string[]> =>
    (await list('iplocks', '-n', space)).map(({ metadata }) => metadata.name).filter((each) => each.includes('192-0-2'))
  const podIs = (status: 'True' | 'False'): Promise<string> =>
    kubectl(['patch', 'pod', 'web', '-n', space, '--subresource=status', '--type=strategic', '-p', readiness(status)])
  const readiness = (status: string): string => JSON.stringify({ status: { phase: 'Running', conditions: [{ type: 'Ready', status }] } })
  const ingressOf = ({ status }: Service): readonly unknown[] => status?.loadBalancer?.ingress ?? []

  test('it has an address of its pool, which kube-proxy leaves alone, and its pod stands in a slice as ready as it is', async () => {
    await podIs('True')
    await create(service('web'))
    await until(async () => ingressOf((await serviceNow('web'))!).length === 1, 'the Service has an address')
    const { metadata, status } = (await serviceNow('web'))!
    const [ip] = (await addressNow('web'))!.spec.addresses
    assert.deepEqual(status?.loadBalancer?.ingress, [{ ip, ipMode: 'Proxy' }])
    assert.ok(metadata.finalizers?.includes('megrez.io/service'))
    assert.equal((await locked()).length, 1)
    await until(async () => (await slicesNow('web'))[0]?.endpoints[0]?.conditions.ready === true, 'its pod is ready')
    await podIs('False')
    await until(async () => (await slicesNow('web'))[0]?.endpoints[0]?.conditions.ready === false, 'its pod is not ready')
    await until(async () => (await addressNow('web'))?.spec.endpoints.length === 0, 'nodes are told so')
    await podIs('True')
    await until(async () => (await addressNow('web'))?.spec.endpoints.length === 1, 'nodes are told that it is ready again')
    assert.deepEqual(ingressOf((await serviceNow('web'))!), [{ ip, ipMode: 'Proxy' }])
  })

  test('its slice is labelled as ours, which kube-proxy passes over, and names the node and the port', async () => {
    const [slice] = await slicesNow('web')
    const { addressType, ports, endpoints, metadata } = slice!
    assert.deepEqual([addressType, ports], ['IPv4', [{ name: '', protocol: 'TCP', port: 8080 }]])
    assert.equal(metadata.labels!['service.kubernetes.io/service-proxy-name'], 'megrez.io')
    assert.match(endpoints[0]!.addresses[0]!, /^10\.1\.0\./)
    assert.equal(endpoints[0]!.nodeName, 'n1')
  })

  test('kubectl describe shows who has the address that a Service asks for; other classes are left alone', async () => {
    const [ip] = (await addressNow('web'))!.spec.addresses
    await create(service('rival', { loadBalancerIP: ip }), service('metal', { loadBalancerClass: 'metallb.io/metallb' }))
    const describeIt = (): Promise<string> => kubectl(['describe', 'service', 'rival', '-n', space])
    await until(async () => /Warning\s+AddressTaken/.test(await describeIt()), 'an Event says who has it')
    assert.match(await describeIt(), new RegExp(`address ${String(ip)} is taken by ServiceAddress ${space}/web`))
    const { metadata, status } = (await serviceNow('metal'))!
    assert.deepEqual([metadata.finalizers?.includes('megrez.io/service') ?? false, status?.loadBalancer], [false, {}])
  })

  test('nothing of MetalLB is written: neither its pools nor what it has told a Service, of its class or of none', async () => {
    const pools = { group: 'metallb.io', names: { plural: 'ipaddresspools', singular: 'ipaddresspool', kind: 'IPAddressPool' } }
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
    const version = { name: 'v1beta1', served: true, storage: true, schema, subresources: { status: {} } }
    await create({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'ipaddresspools.metallb.io' },
      spec: { ...pools, scope: 'Namespaced', versions: [version] },
    })
    await kubectl(['wait', '--for=condition=Established', 'crd/ipaddresspools.metallb.io', '--timeout=60s'])
    const pool = { apiVersion: 'metallb.io/v1beta1', kind: 'IPAddressPool', metadata: { namespace: space, name: 'first' } }
    // The same addresses as our pool has: whose they are is not ours to say there.
    await create({ ...pool, spec: { addresses: ['192.0.2.0/28'] } })
    const theirs = ['theirs', 'classless']
    for (const [name, loadBalancerClass] of [
      ['theirs', 'metallb.io/metallb'],
      ['classless', undefined],
    ] as const) {
      await create({ ...service(name, { loadBalancerClass }), metadata: { namespace: space, name } })
      const told = JSON.stringify({ status: { loadBalancer: { ingress: [{ ip: '192.0.2.9', ipMode: 'VIP' }] } } })
      await kubectl(['patch', 'service', name, '-n', space, '--subresource=status', '--type=merge', '-p', told])
    }
    const written = async (): Promise<readonly unknown[]> =>
      (await Promise.all([list<Service>('services', '-n', space), list('ipaddresspools.metallb.io', '-n', space)]))
        .flat()
        .filter(({ metadata: { name } }) => [...theirs, 'first'].includes(name))
        .map((each) => [each.metadata, 'status' in each ? each.status : undefined])
    const before = await written()
    assert.equal(before.length, 3)
    // Their pod comes and goes, and one of ours beside them is served by it.
    await create(service('beside'))
    await until(async () => (await addressNow('beside'))?.spec.endpoints.length === 1, 'ours is served')
    await podIs('False')
    await until(async () => (await addressNow('beside'))?.spec.endpoints.length === 0, 'and is not')
    await podIs('True')
    await kubectl(['delete', 'service', 'beside', '-n', space, '--wait=true', '--timeout=60s'])
    assert.deepEqual(await written(), before)
    for (const name of theirs) assert.deepEqual([await addressNow(name), await slicesNow(name)], [undefined, []])
  })

  test('kubectl refuses one without a pool where the pool should be named, and leaves other classes alone', async () => {
    const poolless = { ...service('bad'), metadata: { namespace: space, name: 'bad' } }
    const { code, stderr } = await tryKubectl(['create', '-f', '-'], { input: JSON.stringify(poolless) })
    assert.notEqual(code, 0)
    assert.match(stderr, /\/metadata\/annotations\/megrez\.io~1subnet: names no pool/)
    await create({ ...service('elsewhere', { loadBalancerClass: 'example.org/other' }), metadata: { namespace: space, name: 'elsewhere' } })
  })

  test('one that is deleted, and one that becomes a ClusterIP, give their addresses back', async () => {
    await kubectl(['delete', 'service', 'web', '-n', space, '--wait=true', '--timeout=60s'])
    await until(async () => ingressOf((await serviceNow('rival'))!).length === 1, 'the other has it')
    assert.deepEqual(await slicesNow('web'), [])
    const plain = JSON.stringify({ spec: { type: 'ClusterIP', loadBalancerClass: null, loadBalancerIP: null } })
    await kubectl(['patch', 'service', 'rival', '-n', space, '--type=merge', '-p', plain])
    await until(async () => (await locked()).length === 0, 'nothing is locked')
    await until(async () => (await serviceNow('rival'))?.metadata.finalizers?.includes('megrez.io/service') !== true, 'it is let go')
    assert.deepEqual([await addressNow('rival'), await slicesNow('rival'), ingressOf((await serviceNow('rival'))!)], [undefined, [], []])
  })
})
