// What a new object of ours must find around it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusalByBroadcast, refusalByView } from '../../core/admit/object/by-view.ts'
import { refusalByBlocks, refusalOfAllowed } from '../../core/admit/pod/routed-blocks.ts'
import type { NetworkView } from '../../core/admit/network-view.ts'
import { thing } from './plan-things.ts'

const world = {} as NetworkView
const spec = { switches: [{ name: 'tor1', driver: 'ovsdb' as const, address: 'tcp:192.0.2.1:6640' }] }
const link = { node: 'n1', interface: 'ens26', switch: 'tor1', switchPort: 'eth1' }
const gateway = { physicalNetwork: 'physnet', switch: 'tor1', switchPort: 'eth48' }
const at = (more: object): string | undefined =>
  refusalByView({ kind: 'Fabric', metadata: { name: 'f' }, spec: { ...spec, ...more } }, world)?.at

test('each link and each gateway of a Fabric names one of its switches', () => {
  assert.equal(at({ links: [link], gateways: [gateway] }), undefined)
  assert.equal(at({ links: [link, { ...link, switch: 'tor2' }] }), '/spec/links/1/switch')
  assert.equal(at({ gateways: [{ ...gateway, switch: 'tor2' }] }), '/spec/gateways/0/switch')
})

test('a gateway that makes VRFs names a switch of the Fabric whose driver can, and a port of it that nothing else is plugged into', () => {
  const refusal = (router: object, driver: 'gnmi' | 'ovsdb' = 'gnmi'): string => {
    const switches = [...spec.switches, { name: 'edge', driver, address: 'a' }]
    const made = { ...gateway, router: { switch: 'edge', port: 'e1', vrfs: [{ name: 'blue', namespaces: ['a'] }], ...router } }
    const found = refusalByView({ kind: 'Fabric', metadata: { name: 'f' }, spec: { ...spec, switches, gateways: [gateway, made] } }, world)
    return found === undefined ? 'taken' : `${found.at} ${found.message}`
  }
  assert.equal(refusal({}), 'taken')
  assert.equal(refusal({ switch: 'none' }), '/spec/gateways/1/router/switch none is no switch of this Fabric')
  assert.equal(refusal({}, 'ovsdb'), '/spec/gateways/1/router/switch Unsupported: edge is of driver ovsdb, which makes no VRFs; gnmi does')
  const same = refusal({ switch: gateway.switch, port: gateway.switchPort })
  assert.match(same, /^\/spec\/gateways\/1\/router\/(port|switch) /)
})

test('a Port is in a Subnet of its own namespace or of a Vpc that is shared with it; any other is said not to be there', () => {
  const vpc = thing('Vpc', 'blue', { sharedWith: ['guest'] })
  const subnet = thing('Subnet', 'one', { vpc: 'blue', ipv4: { cidr: '10.0.0.0/24' } })
  const is = (
    of: { readonly metadata: { readonly namespace?: string; readonly name: string } },
    namespace: string,
    name: string,
  ): boolean => of.metadata.namespace === namespace && of.metadata.name === name
  const around = {
    vpc: (namespace, name) => (is(vpc, namespace, name) ? vpc : undefined),
    subnet: (namespace, name) => (is(subnet, namespace, name) ? subnet : undefined),
    portsByID: () => [],
  } as Partial<NetworkView> as NetworkView
  const said = (namespace: string, name: string, more: object = {}) =>
    refusalByView({ kind: 'Port', metadata: { namespace, name: 'p' }, spec: { subnet: name, ...more } }, around)
  assert.deepEqual([said('a', 'one'), said('a', 'a/one'), said('guest', 'a/one')], [undefined, undefined, undefined])
  for (const more of [{}, { ips: ['10.0.0.9'] }, { ips: ['192.0.2.9'] }, { portID: 'x' }]) {
    const [there, none] = [said('stranger', 'a/one', more), said('stranger', 'a/two', more)]
    assert.deepEqual([there?.at, there?.message], ['/spec/subnet', 'Subnet a/one not found'])
    assert.deepEqual({ ...none, message: none?.message.replace('two', 'one') }, there)
  }
})

test('a Subnet speaks of broadcast in a Vpc with a VNI alone: a VLAN carries it anyway, and of a cloud the cloud says it', () => {
  const vpcs = {
    ours: {},
    tagged: { vlan: { physicalNetwork: 'physnet1', id: 100 } },
    cloudy: { provider: 'memory', cloud: 'c' },
  } as const
  const view = {
    vpc: (_, name) => thing('Vpc', name, vpcs[name as keyof typeof vpcs]),
    subnetsOf: () => [],
  } as Partial<NetworkView> as NetworkView
  const made = (vpc: string, broadcast?: boolean) => ({
    kind: 'Subnet' as const,
    metadata: { namespace: 'a', name: 's' },
    spec: { vpc, ipv4: { cidr: '10.0.0.0/24' }, ...(broadcast !== undefined && { broadcast }) },
  })
  for (const judge of [
    (draft: ReturnType<typeof made>) => refusalByView(draft, view),
    (draft: ReturnType<typeof made>) => refusalByBroadcast(draft, view),
  ]) {
    assert.equal(judge(made('ours', true)), undefined)
    assert.equal(judge(made('tagged')), undefined)
    for (const says of [true, false]) {
      const tagged = judge(made('tagged', says))
      assert.deepEqual(
        [tagged?.at, /VLAN 100 of physical network physnet1.*leave it out/.test(tagged?.message ?? '')],
        ['/spec/broadcast', true],
      )
      const cloudy = judge(made('cloudy', says))
      assert.deepEqual([cloudy?.at, /of a cloud.*leave it out/.test(cloudy?.message ?? '')], ['/spec/broadcast', true])
    }
  }
})

test('a Port has behind it what its Subnet allows to its namespace, and a Subnet allows blocks in a Vpc with a VNI alone', () => {
  const vpcs = {
    ours: { sharedWith: ['guest'] },
    tagged: { vlan: { physicalNetwork: 'physnet1', id: 100 } },
    cloudy: { provider: 'memory' as const, cloud: 'c' },
  }
  const allowedRoutedBlocks = [{ cidr: '10.9.0.0/16' }, { cidr: '10.8.0.0/16', namespaces: ['guest'] }]
  const view = {
    vpc: (_, name) => thing('Vpc', name, vpcs[name as keyof typeof vpcs]),
    subnet: () => thing('Subnet', 'one', { vpc: 'ours', ipv4: { cidr: '10.0.0.0/24' }, allowedRoutedBlocks }),
    subnetsOf: () => [],
    portsByID: () => [],
  } as Partial<NetworkView> as NetworkView
  const port = (namespace: string, routedBlocks: string[]) => {
    const draft = { kind: 'Port' as const, metadata: { namespace, name: 'p' }, spec: { subnet: 'a/one', routedBlocks } }
    const [made, edited] = [refusalByView(draft, view), refusalByBlocks(draft, view)]
    assert.deepEqual(edited, made)
    return made && `${made.at} ${made.message}`
  }
  assert.deepEqual([port('a', ['10.9.1.0/24']), port('guest', ['10.8.0.0/16'])], [undefined, undefined])
  assert.equal(
    port('guest', ['10.8.0.0/24', '10.9.1.0/24']),
    '/spec/routedBlocks/1 Subnet one does not allow 10.9.1.0/24 to Ports of guest: its owner does in spec.allowedRoutedBlocks',
  )
  const subnet = (vpc: string) => ({ kind: 'Subnet' as const, metadata: { namespace: 'a', name: 's' }, spec: { vpc, allowedRoutedBlocks } })
  assert.equal(refusalByView(subnet('ours'), view), undefined)
  for (const vpc of ['tagged', 'cloudy'])
    for (const refused of [refusalByView(subnet(vpc), view), refusalOfAllowed(subnet(vpc), view)])
      assert.deepEqual(
        [refused?.at, /its own routers say, so leave it out/.test(refused?.message ?? '')],
        ['/spec/allowedRoutedBlocks', true],
      )
})
