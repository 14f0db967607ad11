import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { readFileSync } from 'node:fs'
import { parseAllDocuments } from 'yaml'
import { importEno, type EnoDocument } from '../../cli/import/eno.ts'
import { judge } from '../../core/admit/rules.ts'
import { check, withDefaults } from '../../core/admit/schema.ts'
import { isOwnKind } from '../../core/kinds/index.ts'

const folder = join(import.meta.dirname, '../../examples/eno')
const documents = (file: string): EnoDocument[] => (parseAllDocuments(readFileSync(join(folder, file), 'utf8')) as { toJS(): unknown }[]).map((each) => ({ from: file, body: each.toJS() as EnoDocument['body'] }))
const all = ['objects.yaml', 'pool-conf.yaml', 'fabric-conf.yaml'].flatMap(documents)
const find = (objects: readonly Readonly<Record<string, unknown>>[], kind: string, name: string) => objects.find((each) => each['kind'] === kind && (each['metadata'] as { name: string }).name === name)

test('ENO\'s own objects and files are taken as they are, and pass our own check', () => {
  const { objects, notes } = importEno(all)
  assert.deepEqual(notes, [])
  for (const each of objects) {
    const kind = String(each['kind'])
    assert.ok(isOwnKind(kind))
    const object = withDefaults(kind, each)
    assert.deepEqual([...check(kind, object), ...judge(kind, object as unknown as { spec: unknown })], [], JSON.stringify(each))
  }
  assert.deepEqual(find(objects, 'Subnet', 'subnet-10'), {
    apiVersion: 'megrez.io/v1alpha1', kind: 'Subnet', metadata: { name: 'subnet-10', namespace: 'tenant' },
    spec: {
      l2Service: 'service-10', ipam: 'whereabouts', ipv4: { cidr: '10.10.10.0/24', pools: [{ first: '10.10.10.10', last: '10.10.10.255' }] }, ipv6: { cidr: '2001:db8:10::/64' },
      routes: [{ destination: '192.0.2.0/24', nextHop: '10.10.10.1' }], dns: { nameservers: ['10.10.10.53'], domain: 'example.org', search: ['a.example.org'] },
    },
  })
  assert.deepEqual(find(objects, 'L2Service', 'service-10')?.['spec'], { segmentationID: 10, subnets: ['subnet-10'] })
  assert.deepEqual(find(objects, 'L2ServiceAttachment', 'ovs-selective'), { apiVersion: 'megrez.io/v1alpha1', kind: 'L2ServiceAttachment', metadata: { name: 'ovs-selective', namespace: 'tenant' }, spec: { l2Services: ['service-10', 'service-11'], connectionPoint: 'cp-br-data', vlanType: 'selectivetrunk', implementation: 'ovs' } })
  assert.deepEqual(find(objects, 'ConnectionPoint', 'cp-br-data')?.['spec'], { description: 'the data bridge', supportedCnis: [{ name: 'ovs', supportedInterfaceTypes: ['kernel'], bridgeName: 'br-data' }] })
  assert.deepEqual(find(objects, 'NodePool', 'ovs-pool')?.['spec'], { interfaces: [{ name: 'ens2', type: 'ethernet', state: 'up' }, { name: 'ens27', type: 'ethernet', state: 'up', connectionPoint: 'cp-br-data' }] })
  assert.deepEqual((find(objects, 'Fabric', 'eno-fabric')?.['spec'] as { links: unknown }).links, [{ node: 'worker-1', interface: 'ens27', switch: 'tor1', switchPort: 'eth1' }, { node: 'worker-2', interface: 'ens27', switch: 'tor2', switchPort: 'eth1' }])
})

test('what belongs nowhere is said by file and path', () => {
  assert.deepEqual(importEno(all, 'other').objects.find((each) => each['kind'] === 'L2Service')?.['metadata'], { name: 'service-10', namespace: 'other' })
  assert.throws(() => importEno([{ from: 'x.yaml', body: { apiVersion: 'eno.k8s.io/v1alpha1', kind: 'Tunnel', metadata: { name: 'x' } } }]), /x\.yaml: \/kind: there is no Tunnel in ENO/)
  assert.throws(() => importEno([{ from: 'x.yaml', body: { kind: 'Deployment' } }]), /x\.yaml: \/kind: Deployment is neither/)
  const lone = { from: 's.yaml', body: { apiVersion: 'eno.k8s.io/v1alpha1', kind: 'Subnet', metadata: { name: 'lone' }, spec: { Address: '10.0.0.0', Mask: 24, Type: 'v4' } } }
  assert.deepEqual(importEno([lone]).notes, ['s.yaml: Subnet lone is left out: no L2Service names it'])
})
