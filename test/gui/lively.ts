// A network that is worth looking at: two tenants, four nodes, a fabric, somebody who is told.
import type { Site } from './browser.ts'

const apiVersion = 'megrez.io/v1alpha1'
type Spec = Readonly<Record<string, unknown>>

export const tenants = ['billing', 'shop'] as const
const pods = [
  { namespace: 'shop', name: 'web-0', node: 'worker-1', nics: [{ subnet: 'front', ip: '10.1.0.10' }, { subnet: 'back' }] },
  { namespace: 'shop', name: 'web-1', node: 'worker-2', nics: [{ subnet: 'front', ip: '10.1.0.11' }, { subnet: 'back' }] },
  { namespace: 'shop', name: 'web-2', node: 'worker-3', nics: [{ subnet: 'front', ip: '10.1.0.12' }, { subnet: 'back' }] },
  { namespace: 'shop', name: 'cart-0', node: 'worker-1', nics: [{ subnet: 'back' }] },
  { namespace: 'shop', name: 'cart-1', node: 'worker-3', nics: [{ subnet: 'back' }] },
  { namespace: 'billing', name: 'ledger-0', node: 'worker-2', nics: [{ subnet: 'db' }] },
  { namespace: 'billing', name: 'ledger-1', node: 'worker-4', nics: [{ subnet: 'db' }] },
  { namespace: 'billing', name: 'report', node: 'worker-4', nics: [{ subnet: 'db' }] },
  { namespace: 'billing', name: 'report-late', node: 'worker-2', nics: [{ subnet: 'gone' }] },
] as const

export async function makeLively({ server: { rest } }: Site): Promise<void> {
  const make = async (path: string, kind: string, name: string, spec: Spec): Promise<void> => {
    const body = { apiVersion: kind === 'Node' ? 'v1' : apiVersion, kind, metadata: { name }, spec }
    const answer = await rest.call('POST', path, body)
    if (answer.status !== 201)
      throw new Error(`${kind} ${name}: ${answer.status} ${answer.body.detail ?? JSON.stringify(answer.body.errors)}`)
  }
  for (const n of [1, 2, 3, 4]) await make('/v1/nodes', 'Node', `worker-${n}`, {})
  await make('/v1/namespaces/shop/vpcs', 'Vpc', 'blue', { vni: 4_201 })
  await make('/v1/namespaces/billing/vpcs', 'Vpc', 'amber', { vni: 4_202 })
  await make('/v1/namespaces/shop/subnets', 'Subnet', 'front', {
    vpc: 'blue',
    ipv4: { cidr: '10.1.0.0/24', pools: [{ first: '10.1.0.8', last: '10.1.0.199' }], excludes: ['10.1.0.64/28'] },
  })
  await make('/v1/namespaces/shop/subnets', 'Subnet', 'back', {
    vpc: 'blue',
    ipv4: { cidr: '10.1.1.0/24' },
    ipv6: { cidr: '2001:db8:1::/64' },
  })
  await make('/v1/namespaces/billing/subnets', 'Subnet', 'db', { vpc: 'amber', ipv4: { cidr: '10.2.0.0/26' } })
  await make('/v1/namespaces/shop/subscriptions', 'Subscription', 'inventory', {
    sink: 'http://127.0.0.1:8089/megrez',
    filter: { kinds: ['Port'] },
  })
  await make('/v1/fabrics', 'Fabric', 'rack-1', {
    switches: [
      { name: 'leaf-1', driver: 'memory', address: 'leaf-1.example.org' },
      { name: 'leaf-2', driver: 'memory', address: 'leaf-2.example.org' },
    ],
    links: [1, 2, 3, 4].map((n) => ({
      node: `worker-${n}`,
      interface: 'eth1',
      switch: `leaf-${n < 3 ? 1 : 2}`,
      switchPort: `Ethernet${n}`,
    })),
    gateways: [
      {
        physicalNetwork: 'campus',
        switch: 'leaf-1',
        switchPort: 'Ethernet48',
        router: { switch: 'leaf-2', port: 'Ethernet49', vrfs: [{ name: 'blue', namespaces: ['shop'] }] },
      },
    ],
  })
  await make('/v1/nodepools', 'NodePool', 'racks', {
    nodes: [1, 2, 3, 4].map((n) => `worker-${n}`),
    interfaces: [{ name: 'eth1', connectionPoint: 'uplink' }],
  })
  await make('/v1/connectionpoints', 'ConnectionPoint', 'uplink', {
    nodePool: 'racks',
    physicalNet: 'campus',
    type: 'kernel',
    interfaceName: 'br1',
  })
  for (const [name, segmentationID] of Object.entries({ media: 120, printers: 130 }))
    await make('/v1/namespaces/shop/l2services', 'L2Service', name, { segmentationID, physicalNW: ['campus'] })
  await make('/v1/namespaces/shop/l2serviceattachments', 'L2ServiceAttachment', 'studio', {
    l2Services: ['media', 'printers'],
    connectionPoint: 'uplink',
    vlanType: 'selectivetrunk',
  })
  for (const { namespace, name, node, nics } of pods) {
    const annotations = { 'megrez.io/vpc': namespace === 'shop' ? 'blue' : 'amber', 'megrez.io/nics': JSON.stringify(nics) }
    const spec = { nodeName: node, containers: [{ name, image: 'example.org/app' }] }
    const answer = await rest.call('POST', `/v1/namespaces/${namespace}/pods`, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, annotations },
      spec,
    })
    if (answer.status !== 201 && name !== 'report-late') throw new Error(`${name}: ${answer.status} ${answer.body.detail ?? ''}`)
  }
}
