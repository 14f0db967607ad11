// What a new object of ours must find around it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusalByView } from '../../core/admit/object/by-view.ts'
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
