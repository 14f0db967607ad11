import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { readFileSync } from 'node:fs'
import { parseAllDocuments } from 'yaml'
import { importEno, type EnoDocument } from '../../cli/import/eno.ts'
import { judge } from '../../core/admit/object/rules.ts'
import { check, withDefaults } from '../../core/admit/object/schema.ts'
import { isOwnKind } from '../../core/kinds/index.ts'

const folder = join(import.meta.dirname, '../../examples/eno')
const documents = (file: string): EnoDocument[] =>
  (parseAllDocuments(readFileSync(join(folder, file), 'utf8')) as { toJS(): unknown }[]).map((each) => ({
    from: file,
    body: each.toJS() as EnoDocument['body'],
  }))
const all = ['objects.yaml', 'pool-conf.yaml', 'fabric-conf.yaml'].flatMap(documents)
const find = (objects: readonly Readonly<Record<string, unknown>>[], kind: string, name: string) =>
  objects.find((each) => each['kind'] === kind && (each['metadata'] as { name: string }).name === name)

test("ENO's own objects and files are taken as they are, and pass our own check", () => {
  const { objects, notes } = importEno(all, { address: 'tcp:10.0.0.1:6640' })
  assert.deepEqual(notes, [])
  for (const each of objects) {
    const kind = String(each['kind'])
    assert.ok(isOwnKind(kind))
    const object = withDefaults(kind, each)
    assert.deepEqual([...check(kind, object), ...judge(kind, object as unknown as { spec: unknown })], [], JSON.stringify(each))
  }
  assert.deepEqual(find(objects, 'Subnet', 'subnet-10'), {
    apiVersion: 'megrez.io/v1alpha1',
    kind: 'Subnet',
    metadata: { name: 'subnet-10', namespace: 'tenant' },
    spec: {
      l2Service: 'service-10',
      ipam: 'whereabouts',
      ipv4: { cidr: '10.10.10.0/24', pools: [{ first: '10.10.10.10', last: '10.10.10.255' }] },
      ipv6: { cidr: '2001:db8:10::/64' },
      routes: [{ destination: '192.0.2.0/24', nextHop: '10.10.10.1' }],
      dns: { nameservers: ['10.10.10.53'], domain: 'example.org', search: ['a.example.org'] },
    },
  })
  assert.deepEqual(find(objects, 'L2Service', 'service-10')?.['spec'], { segmentationID: 10, subnets: ['subnet-10'] })
  assert.deepEqual(find(objects, 'L2ServiceAttachment', 'ovs-selective'), {
    apiVersion: 'megrez.io/v1alpha1',
    kind: 'L2ServiceAttachment',
    metadata: { name: 'ovs-selective', namespace: 'tenant' },
    spec: { l2Services: ['service-10', 'service-11'], connectionPoint: 'cp-br-data', vlanType: 'selectivetrunk', implementation: 'ovs' },
  })
  assert.deepEqual(find(objects, 'ConnectionPoint', 'cp-br-data')?.['spec'], {
    description: 'the data bridge',
    supportedCnis: [{ name: 'ovs', supportedInterfaceTypes: ['kernel'], bridgeName: 'br-data' }],
  })
  assert.deepEqual(find(objects, 'NodePool', 'ovs-pool')?.['spec'], {
    interfaces: [
      { name: 'ens2', type: 'ethernet', state: 'up' },
      { name: 'ens27', type: 'ethernet', state: 'up', connectionPoint: 'cp-br-data' },
    ],
  })
  assert.deepEqual((find(objects, 'Fabric', 'eno-fabric')?.['spec'] as { links: unknown }).links, [
    { node: 'worker-1', interface: 'ens27', switch: 'tor1', switchPort: 'eth1' },
    { node: 'worker-2', interface: 'ens27', switch: 'tor2', switchPort: 'eth1' },
  ])
})

test('what belongs nowhere is said by file and path', () => {
  assert.deepEqual(importEno(all, { namespace: 'other' }).objects.find((each) => each['kind'] === 'L2Service')?.['metadata'], {
    name: 'service-10',
    namespace: 'other',
  })
  assert.throws(
    () => importEno([{ from: 'x.yaml', body: { apiVersion: 'eno.k8s.io/v1alpha1', kind: 'Tunnel', metadata: { name: 'x' } } }]),
    /x\.yaml: \/kind: there is no Tunnel in ENO/,
  )
  assert.throws(() => importEno([{ from: 'x.yaml', body: { kind: 'Deployment' } }]), /x\.yaml: \/kind: Deployment is neither/)
  const lone = {
    from: 's.yaml',
    body: {
      apiVersion: 'eno.k8s.io/v1alpha1',
      kind: 'Subnet',
      metadata: { name: 'lone' },
      spec: { Address: '10.0.0.0', Mask: 24, Type: 'v4' },
    },
  }
  assert.deepEqual(importEno([lone]).notes, ['s.yaml: Subnet lone is left out: no L2Service names it'])
})

const service = (name: string, spec: object): EnoDocument => ({
  from: 's.yaml',
  body: { apiVersion: 'eno.k8s.io/v1alpha1', kind: 'L2Service', metadata: { name }, spec: { SegmentationID: 10, ...spec } },
})
const links = (...names: readonly string[]): EnoDocument => ({
  from: 'f.yaml',
  body: {
    kind: 'ConfigMap',
    data: {
      links: JSON.stringify(names.map((switchName, i) => ({ hostname: `n${i}`, interfaceName: 'e', switchName, switchPort: `p${i}` }))),
    },
  },
})

test('names that are none here are made so, and the switch keeps its own', () => {
  const { objects } = importEno(
    [links('br_admin', 'br-fabric'), service('a', { PhysicalNet: ['PhysDC'] }), service('b', { PhysicalNW: 'Phys_2' })],
    { address: 'tcp:10.0.0.1:6640' },
  )
  const { switches, links: wires } = find(objects, 'Fabric', 'eno-fabric')!['spec'] as {
    switches: unknown
    links: readonly { switch: string }[]
  }
  assert.deepEqual(switches, [
    { name: 'br-admin', driver: 'ovsdb', address: 'tcp:10.0.0.1:6640', bridge: 'br_admin' },
    { name: 'br-fabric', driver: 'ovsdb', address: 'tcp:10.0.0.1:6640', bridge: 'br-fabric' },
  ])
  assert.deepEqual(
    wires.map((each) => each.switch),
    ['br-admin', 'br-fabric'],
  )
  assert.deepEqual(
    ['a', 'b'].map((name) => find(objects, 'L2Service', name)!['spec']),
    [
      { segmentationID: 10, physicalNW: ['physdc'] },
      { segmentationID: 10, physicalNW: ['phys-2'] },
    ],
  )
  assert.throws(() => importEno([links('br_a', 'br-a')]), /f\.yaml: \/links: switches br_a and br-a would both be named br-a/)
})

test('what the files do not say, and what is not taken over, is told', () => {
  assert.deepEqual(importEno([links('tor'), service('a', { PhysicalNet: ['PhysDC'], Vni: 7 })]).notes, [
    's.yaml: /spec/Vni of L2Service a is left out: it is not known',
    'Fabric eno-fabric: no file says where its switch is; say --switch tcp:HOST:6640, or change tcp:192.0.2.1:6640 in it',
    'L2Services are of physical networks physdc: a Fabric has to say in /spec/gateways which switch ports face their gateways',
  ])
})
