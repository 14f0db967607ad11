// The whole table of roles, written out once more from the other side: per kind, who may.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { rightVerbs, fieldRights, roles, type RightVerb, type Role } from '../../core/admit/rest/rights.ts'
import { allows, grantOf } from '../../core/admit/rest/roles.ts'
import { allKinds } from '../../core/kinds/index.ts'

type Row = Partial<Readonly<Record<RightVerb, readonly Role[]>>>
const readers: readonly Role[] = ['viewer', 'operator', 'owner', 'admin']
const workload: Row = { read: readers, write: ['operator', 'owner', 'admin'] }
const network: Row = { read: [...readers, 'provider'], write: ['provider', 'admin'] }
const readersOnly: Row = { read: [...readers, 'provider'], write: ['admin'] }
const expected: Readonly<Record<string, Row>> = {
  Pod: { read: [...readers, 'agent'], write: ['operator', 'owner', 'admin'], report: ['operator', 'owner', 'admin'] },
  Port: { read: [...readers, 'provider', 'agent'], write: ['operator', 'owner', 'admin'], report: ['admin', 'agent'] },
  SecurityGroup: workload,
  Subscription: workload,
  UnifiedNetworkPolicy: workload,
  NetworkAttachmentDefinition: workload,
  NetworkPolicy: workload,
  AdminNetworkPolicy: network,
  BaselineAdminNetworkPolicy: network,
  ClusterNetworkPolicy: network,
  NetworkService: workload,
  NetworkServiceEndpoint: workload,
  EndpointScaler: workload,
  L2ServiceAttachment: { ...workload, read: [...readers, 'agent'] },
  Vpc: { read: [...readers, 'provider', 'agent'], write: ['owner', 'provider', 'admin'] },
  Subnet: { read: [...readers, 'provider', 'agent'], write: ['owner', 'provider', 'admin'] },
  VpcPeering: { read: [...readers, 'provider', 'agent'], write: ['owner', 'provider', 'admin'] },
  IPLock: { ...network, read: [...readers, 'provider', 'agent'] },
  SegmentLock: { ...network, read: [...readers, 'provider', 'agent'] },
  L2Service: network,
  ConnectionPoint: network,
  NodePool: network,
  Fabric: network,
  Cloud: network,
  Audit: { read: ['provider', 'admin'], write: ['provider', 'admin'] },
  L2BridgeDomain: network,
  BGPSessionGroup: network,
  EgressClass: network,
  EgressAddress: network,
  Connection: network,
  BGPSpeaker: { ...network, read: [...readers, 'provider', 'agent'], report: ['agent'] },
  PrefixLock: network,
  ServiceAddress: { ...network, read: [...readers, 'provider', 'agent'] },
  Node: { read: [...readers, 'provider', 'agent'], write: ['admin'], report: ['admin'] },
  Namespace: { ...readersOnly, read: [...readers, 'provider', 'agent'] },
  CloudSecurityGroup: { read: readers, write: ['admin'] },
  PolicyIdentity: { read: ['admin'], write: ['admin'] },
  PolicyRuleSet: { read: ['admin', 'agent'], write: ['admin'] },
  Inquiry: { read: ['operator', 'owner', 'admin', 'agent'], write: ['operator', 'owner', 'admin'], report: ['agent'] },
  Event: readersOnly,
  Notice: { read: ['admin'], write: ['admin'] },
  Secret: {},
}

describe('the table of roles', () => {
  test('names every kind there is', () =>
    assert.deepEqual(
      allKinds.filter((kind) => !Object.hasOwn(expected, kind)),
      [],
    ))

  for (const [kind, row] of Object.entries(expected)) {
    test(`of ${kind} says who may do what, in which namespaces, and nobody else may`, () => {
      for (const role of roles)
        for (const act of rightVerbs) {
          const may = row[act]?.includes(role) === true
          const ask = (given: readonly string[] | undefined, namespace: string | undefined): boolean =>
            allows([{ role, namespaces: given && new Set(given) }], { act, kind, namespace })
          const what = `${role} ${act} ${kind}`
          assert.equal(ask(undefined, 'blue'), may, what)
          assert.equal(ask(undefined, undefined), may, `${what} across namespaces`)
          assert.equal(ask(['blue', 'red'], 'red'), may, `${what} in a namespace of his`)
          assert.equal(ask(['blue'], 'red'), false, `${what} in a namespace of somebody else`)
          assert.equal(ask(['blue'], undefined), false, `${what} of the cluster, with a role of one namespace`)
        }
    })
  }

  test('of single fields says whom they are left to; nobody writes what is ours', () => {
    const owners = ['owner', 'provider', 'admin']
    const fields = fieldRights.map(({ kind, field, question: asks, roles: holders }) => [
      `${kind}.${field}`,
      asks === undefined ? undefined : `${asks.verb} of the ${asks.of}`,
      holders,
    ])
    assert.deepEqual(fields, [
      ['Vpc.vni', 'assign-vni of the Vpc', ['provider', 'admin']],
      ['Vpc.vlan', 'assign-vlan of the Vpc', ['provider', 'admin']],
      ['Port.portSecurity', 'disable-port-security of the Subnet', owners],
      ['Port.allowedAddressPairs', 'allow-address-pairs of the Subnet', owners],
      ['Port.claim', undefined, []],
      ['Port.podUID', undefined, []],
      ['Port.warm', undefined, []],
      ['Port.networkService', undefined, []],
      ['Port.node', undefined, []],
      ['Inquiry.about', undefined, []],
      ['EndpointScaler.scaleTargetRef', 'scale of the Deployment', ['operator', 'owner', 'admin']],
    ])
    for (const { question: asks, roles: holders } of fieldRights)
      for (const role of asks === undefined ? [] : roles) {
        assert.equal(
          allows([{ role, namespaces: new Set(['blue']) }], { act: asks!.verb, kind: asks!.of, namespace: 'blue' }),
          holders.includes(role),
          `${role} ${asks!.verb}`,
        )
        assert.equal(
          allows([{ role, namespaces: new Set(['blue']) }], { act: asks!.verb, kind: asks!.of, namespace: 'red' }),
          false,
          `${role} ${asks!.verb} elsewhere`,
        )
      }
  })

  test('adds up over what one caller was granted, and no further', () => {
    const grants = [
      { role: 'viewer', namespaces: undefined },
      { role: 'operator', namespaces: new Set(['blue']) },
    ] as const
    assert.equal(allows(grants, { act: 'write', kind: 'Port', namespace: 'blue' }), true)
    assert.equal(allows(grants, { act: 'read', kind: 'Port', namespace: 'red' }), true)
    assert.equal(allows(grants, { act: 'write', kind: 'Port', namespace: 'red' }), false)
    assert.equal(allows(grants, { act: 'write', kind: 'Vpc', namespace: 'blue' }), false)
    assert.equal(allows([], { act: 'read', kind: 'Port', namespace: 'blue' }), false)
  })
})

describe('a role as a word', () => {
  test('may name one namespace, and where it is meant for us', () => {
    assert.deepEqual(grantOf('viewer'), { role: 'viewer', namespaces: undefined })
    assert.deepEqual(grantOf('megrez:operator:blue'), { role: 'operator', namespaces: new Set(['blue']) })
  })
  for (const text of [
    '',
    'root',
    'Admin',
    'admin:',
    'admin:*',
    'admin:Blue',
    'admin:a/b',
    'admin:a:b',
    ' admin',
    'megrez:',
    'other:admin',
    `admin:${'a'.repeat(64)}`,
    'toString',
    '__proto__',
  ]) {
    test(`is none: ${JSON.stringify(text)}`, () => assert.equal(grantOf(text), undefined))
  }
})
