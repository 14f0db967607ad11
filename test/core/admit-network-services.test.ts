// NICs that are clients and endpoints of network services: where they are, and what is refused.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { networkServiceAnnotation, nicsAnnotation, poolAnnotation, vpcAnnotation } from '../../core/kinds/annotations.ts'
import { resolveNics } from '../../core/admit/pod/nics.ts'
import type { NicResolution } from '../../core/admit/network-view.ts'
import { isRefusal } from '../../core/admit/refusal.ts'
import { mutatePod } from '../../webhooks/admission/mutate-pod.ts'
import { openAdmission, type AdmissionTestServer } from '../webhooks/admission-test-server.ts'

let cluster: AdmissionTestServer
before(async () => {
  cluster = await openAdmission()
  const { make } = cluster
  const ready = { sections: { segment: { vni: 5000, validated: true } } }
  await make('Vpc', 'a/blue', { sharedWith: ['b'] }, { sections: { segment: { vni: 5000 } } })
  await make('Subnet', 'a/one', { vpc: 'blue', ipv4: { cidr: '10.1.0.0/24' } }, ready)
  await make('Subnet', 'a/two', { vpc: 'blue', ipv4: { cidr: '10.2.0.0/24' } }, ready)
  await make('Vpc', 'a/tagged', { vlan: { physicalNetwork: 'phys', id: 7 } })
  await make('Subnet', 'a/in-vlan', { vpc: 'tagged', ipv4: { cidr: '10.3.0.0/24' } }, ready)
  const on = (subnet: string) => ({ metadata: { annotations: { [poolAnnotation]: subnet } } })
  await make('NetworkService', 'a/dns', {}, on('one'))
  await make('NetworkService', 'a/web', {}, on('a/two'))
  await make('NetworkService', 'a/tagged', {}, on('in-vlan'))
  await make('NetworkService', 'a/nowhere', {})
  await make('NetworkService', 'c/borrowed', {}, on('a/one'))
})
after(() => cluster.close())

const settings = { nicLimits: { default: 4, flavors: {} }, clusterNic: 'delegate' as const }
const pod = (annotations: Readonly<Record<string, string>>, namespace = 'a') => ({
  metadata: { name: 'p', namespace, annotations },
  spec: { hostNetwork: false },
})
const listed = (nics: readonly object[], namespace = 'a', more: Readonly<Record<string, string>> = {}): NicResolution =>
  resolveNics(pod({ [nicsAnnotation]: JSON.stringify(nics), ...more }, namespace), cluster.deps.world, settings)
const byUrl = (text: string, more: Readonly<Record<string, string>> = {}): NicResolution =>
  resolveNics(pod({ [networkServiceAnnotation]: text, ...more }), cluster.deps.world, settings)
const shown = (found: NicResolution): unknown =>
  found.kind === 'nics'
    ? found.nics.map(({ name, subnet, service }) => [name, subnet.name, service?.as, service?.name, service?.labels])
    : found.kind === 'refused'
      ? `${found.at.replace('/metadata/annotations/', '')}: ${found.message}`
      : found.kind

test('a NIC of a network service is in its Subnet, and a pod without a Vpc in the Vpc of that', () => {
  assert.deepEqual(shown(listed([{ networkService: 'dns', labels: { app: 'x' } }, { serves: 'web' }])), [
    ['eth0', 'one', 'client', 'a/dns', { app: 'x' }],
    ['eth1', 'two', 'endpoint', 'a/web', {}],
  ])
  assert.deepEqual(shown(listed([{ networkService: 'a/dns' }], 'b')), [['eth0', 'one', 'client', 'a/dns', {}]])
  assert.deepEqual(
    shown(byUrl('kernel://dns/nsm-1?app=x, a-b', { [vpcAnnotation]: 'blue' })),
    'networkservicemesh.io: NetworkService a-b not found',
  )
  assert.deepEqual(shown(byUrl('kernel://dns/nsm-1?app=x,kernel://web')), [
    ['nsm-1', 'one', 'client', 'a/dns', { app: 'x' }],
    ['eth1', 'two', 'client', 'a/web', {}],
  ])
})

test('what admission writes of it is read the same once more', () => {
  for (const annotations of [
    { [networkServiceAnnotation]: 'kernel://dns/nsm-1?app=x' },
    { [nicsAnnotation]: JSON.stringify([{ networkService: 'dns', labels: { app: 'x' } }, { serves: 'web' }]) },
  ]) {
    const once = mutatePod({ ...cluster.deps, settings: { ...cluster.deps.settings, ...settings } }, pod(annotations), 'a')
    if (isRefusal(once)) assert.fail(once.message)
    const again = mutatePod({ ...cluster.deps, settings: { ...cluster.deps.settings, ...settings } }, once.pod, 'a')
    assert.deepEqual(isRefusal(again) ? again : again.patch, [])
    const { networkService: _, ...agents } = cluster.deps.world
    assert.deepEqual(
      shown(resolveNics(once.pod, agents, settings)),
      shown(resolveNics(pod(annotations), cluster.deps.world, settings)),
      'a node, which knows no NetworkServices, sees the same',
    )
  }
})

const refusals: Readonly<Record<string, readonly [() => NicResolution, string]>> = {
  'a service that is not there': [
    () => listed([{ networkService: 'none' }], 'a', { [vpcAnnotation]: 'blue' }),
    'megrez.io~1nics/0/networkService: NetworkService none not found',
  ],
  'a service on no Subnet': [
    () => listed([{ networkService: 'nowhere' }], 'a', { [vpcAnnotation]: 'blue' }),
    'megrez.io~1nics/0/networkService: NetworkService nowhere stands on no Subnet: it needs the annotation megrez.io/subnet',
  ],
  'another Subnet than its service': [
    () => listed([{ networkService: 'dns', subnet: 'two' }]),
    'megrez.io~1nics/0/subnet: NetworkService dns stands on Subnet a/one, not on "two"',
  ],
  'a VLAN': [() => listed([{ serves: 'tagged' }]), 'megrez.io~1nics/0/serves: is not done in Vpc tagged, which is a VLAN'],
  'a Vpc that is not shared': [() => listed([{ networkService: 'a/dns' }], 'c'), 'megrez.io~1vpc: Vpc a/blue not found'],
  both: [() => listed([{ networkService: 'dns', serves: 'dns' }]), 'megrez.io~1nics/0/serves: say networkService or serves, not both'],
  'an endpoint of another namespace': [
    () => listed([{ serves: 'a/dns' }], 'b'),
    'megrez.io~1nics/0/serves: must be the name of a NetworkService of its namespace, not "a/dns"',
  ],
  SecurityGroups: [
    () => listed([{ networkService: 'dns', securityGroup: 'x' }]),
    'megrez.io~1nics/0/securityGroup: whom a NIC of a network service reaches is said by its connection',
  ],
  'labels without a service': [
    () => listed([{ labels: {} }]),
    'megrez.io~1nics/0/labels: are for a NIC with networkService, or with serves',
  ],
  'labels that are none': [
    () => listed([{ serves: 'dns', labels: { a: 1 } }]),
    'megrez.io~1nics/0/labels: the label "a" must be a text of at most 1024 characters, not 1',
  ],
  'another mechanism': [
    () => byUrl('vfio://dns/x'),
    'networkservicemesh.io: "vfio://dns/x": vfio is not done for pods: their mechanism is kernel',
  ],
}
for (const [what, [ask, expected]] of Object.entries(refusals)) test(`refused: ${what}`, () => assert.equal(shown(ask()), expected))

test('the annotation of Network Service Mesh is left to others where no service of it stands on a Subnet', () => {
  assert.equal(shown(byUrl('kernel://elsewhere')), 'none')
  assert.equal(shown(byUrl('kernel://nowhere/nsm-1')), 'none')
})
