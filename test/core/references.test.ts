// What refers to what, as the table of kinds says it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allKinds, isOwnKind, definitionOf } from '../../core/kinds/index.ts'
import { referenceFields, referencesOf } from '../../core/kinds/references.ts'
import { thing } from './plan-things.ts'

type Node = Readonly<Record<string, unknown>>
/** Fields of specs whose schema is that of a name, with their paths. */
function named(schema: Node, path: string): string[] {
  const { items, properties, pattern } = schema as { readonly items?: Node; readonly properties?: Node; readonly pattern?: string }
  if (schema['x-refers-to'] !== undefined && properties !== undefined) return []
  if (items !== undefined) return named(items, `${path}/[]`)
  if (properties !== undefined) return Object.entries(properties).flatMap(([name, each]) => named(each as Node, `${path}/${name}`))
  return pattern?.startsWith('^[a-z0-9]([-a-z0-9.]*') === true || pattern?.startsWith('^([a-z0-9]([-a-z0-9]*[a-z0-9])?/)?') === true
    ? [path]
    : []
}

test('every field that is the name of something says of what, but for those that name no object', () => {
  const noObjects = [
    'L2Service/physicalNW/[]',
    'ConnectionPoint/physicalNet',
    'Fabric/switches/[]/name',
    'Fabric/switches/[]/credentials',
    'Fabric/links/[]/switch',
    'Fabric/gateways/[]/physicalNetwork',
    'Fabric/gateways/[]/switch',
    'Fabric/gateways/[]/router/switch',
    'L2BridgeDomain/physicalNW/[]',
    'Cloud/bindingCredentials',
    'Cloud/credentials',
    'Vpc/vlan/physicalNetwork',
    'Subnet/allowedRoutedBlocks/[]/namespaces/[]',
    'BGPSessionGroup/mesh/passwordSecret/name',
    'BGPSessionGroup/peers/[]/passwordSecret/name',
    'BGPSpeaker/groups/[]/sessions/[]/passwordSecret/name',
    'EndpointScaler/scaleTargetRef/name',
    'UnifiedNetworkPolicy/chains/[]/name',
    'UnifiedNetworkPolicy/chains/[]/functions/[]/name',
    'UnifiedNetworkPolicy/chains/[]/functions/[]/nic',
  ]
  const unsaid = allKinds.filter(isOwnKind).flatMap((kind) => {
    const said = new Set(referenceFields.get(kind)?.map(({ path }) => `${kind}/${path.join('/')}`))
    return named(definitionOf(kind).spec as unknown as Node, kind).filter((path) => !said.has(path))
  })
  assert.deepEqual(unsaid.filter((path) => !path.startsWith('Subscription/')).sort(), noObjects.sort())
})

test('holders and owners are references too, and what is no kind of ours is none', () => {
  const lock = thing(
    'IPLock',
    'l',
    {
      vni: 7,
      subnet: 's',
      holder: { kind: 'Port', namespace: 'b', name: 'p', uid: 'u' },
      shared: [{ kind: 'Widget', name: 'w', uid: 'x' }],
    },
    {
      ownerReferences: [
        { apiVersion: 'v1', kind: 'Pod', name: 'web', uid: 'y' },
        { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'r', uid: 'z' },
      ],
    },
  )
  assert.deepEqual(
    referencesOf(lock).map(({ to, at }) => `${to.kind} ${to.namespace}/${to.name} ${at}`),
    ['Subnet a/s /spec/subnet', 'Port b/p /spec/holder', 'Pod a/web /metadata/ownerReferences/0'],
  )
})

test('a name with its namespace is one of an object', () => {
  const group = thing('BGPSessionGroup', 'g', {
    as: 64512,
    advertise: { subnets: [{ namespace: 'b', name: 's' }] },
    imports: [{ vpc: 'b/v' }],
  })
  assert.deepEqual(
    referencesOf(group).map(({ to, at }) => `${to.kind} ${to.namespace}/${to.name} ${at}`),
    ['Subnet b/s /spec/advertise/subnets/0', 'Vpc b/v /spec/imports/0/vpc'],
  )
})
