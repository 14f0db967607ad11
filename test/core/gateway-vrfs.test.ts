// Which router's VRF an L2BridgeDomain is in, and who says no.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SwitchState } from '../../core/contracts/fabric-driver.ts'
import type { Resource, SpecOf } from '../../core/kinds/index.ts'
import { parseVlan } from '../../core/net/segment.ts'
import { planDomain, tokenOf } from '../../core/plan/l2/fabric.ts'
import { routesOfDomain } from '../../core/plan/l2/gateway-vrfs.ts'
import { thing } from './plan-things.ts'

type Gateway = NonNullable<SpecOf<'Fabric'>['gateways']>[number]
const gateway = (physicalNetwork: string, router?: Partial<NonNullable<Gateway['router']>>): Gateway => ({
  physicalNetwork,
  switch: 'leaf',
  switchPort: '48',
  ...(router && { router: { switch: 'edge', port: 'e1', vrfs: [{ name: 'blue', namespaces: ['a'] }], ...router } }),
})
const fabric = (name: string, gateways: Gateway[], driver: 'gnmi' | 'ovsdb' | 'neutron-trunk' = 'gnmi'): Resource<'Fabric'> =>
  thing('Fabric', name, {
    switches: [
      { name: 'leaf', driver: 'ovsdb', address: 'x' },
      { name: 'edge', driver, address: 'x' },
    ],
    gateways,
  })
const domain = (namespace: string, physicalNW: string[]): Resource<'L2BridgeDomain'> =>
  thing('L2BridgeDomain', 'd', {
    vlan: 100,
    connectionPoints: ['cp'],
    physicalNW,
    vrf: 'blue',
    holder: { kind: 'L2Service', namespace, name: 's', uid: 'u' },
  })
const untouched = { hasFabric: true, dryRun: new Set<string>(), refusing: new Set<string>() }

function routed(fabrics: readonly Resource<'Fabric'>[], { namespace = 'a', networks = ['dc'] } = {}): unknown {
  const { ports, refused } = routesOfDomain(domain(namespace, networks).spec, fabrics)
  return [
    ...[...ports].map(([key, names]) => `${key} ${[...names].join()}`),
    ...refused.map(({ reason, message }) => `${reason}: ${message}`),
  ]
}

test('a VRF is made on every gateway that offers it to the namespace, and one of a physical network is enough', () => {
  const other = { vrfs: [{ name: 'blue', namespaces: ['b'] }] }
  const one = fabric('one', [gateway('dc', {}), gateway('dc', { port: 'e2' }), gateway('dc'), gateway('dc', { port: 'e3', ...other })])
  assert.deepEqual(routed([one, fabric('two', [gateway('dc', {})])]), ['one/edge e1,e2', 'two/edge e1'])
})

test('what is offered to others, or by the gateway of another network, is not offered', () => {
  const refusal = (network: string, namespace = 'a'): string =>
    `VrfNotOffered: no gateway of physical network ${network} offers VRF blue to namespace ${namespace}`
  assert.deepEqual(routed([fabric('one', [gateway('dc', {})])], { namespace: 'b' }), [refusal('dc', 'b')])
  assert.deepEqual(routed([fabric('one', [gateway('dc', {}), gateway('wan')])], { networks: ['dc', 'wan'] }), [
    'one/edge e1',
    refusal('wan'),
  ])
  assert.deepEqual(routed([]), [refusal('dc')])
})

for (const driver of ['ovsdb', 'neutron-trunk'] as const)
  test(`a router of driver ${driver} makes no VRFs, and says so by name`, () => {
    const edge = fabric('one', [gateway('dc', {})], driver)
    const unsupported = `VRF blue: one/edge is of driver ${driver}, which makes no VRFs`
    assert.deepEqual(routed([edge]), [`Unsupported: ${unsupported}`])
    const wanted = domain('a', ['dc'])
    const routes = routesOfDomain(wanted.spec, [edge])
    const { phase, reason, message } = planDomain({ domain: wanted, ports: new Map(), unmatched: [], routes, ...untouched }, new Map())
    assert.deepEqual([phase, reason, message], ['error', 'Unsupported', `0 of 0 switch ports; ${unsupported}`])
  })

test('an L2BridgeDomain that is going waits until a router shows that its VLAN has left its VRF, and does not touch what has another token', () => {
  const going = { ...domain('a', ['dc']), metadata: { ...domain('a', ['dc']).metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } }
  const routed = new Map([
    [parseVlan(100)!, { of: tokenOf(going), vrf: 'blue' }],
    [parseVlan(200)!, { of: 'other', vrf: 'blue' }],
  ])
  const plan = (left: typeof routed): unknown => {
    const state: SwitchState = new Map([['e1', { ours: new Map(), others: new Set(), mode: 'closed', routed: left }]])
    const desired = { domain: going, ports: new Map(), unmatched: [], routes: { ports: new Map(), refused: [] }, ...untouched }
    const { steps, phase } = planDomain(desired, new Map([['one/edge', { state }]]))
    return [phase, steps.flatMap(({ action }) => (action.do === 'setVlans' ? [...action.switches.values()].flat() : []))]
  }
  assert.deepEqual(plan(routed), ['terminating', [{ do: 'leave', on: 'e1', vlan: 100, of: tokenOf(going) }]])
  routed.delete(parseVlan(100)!)
  assert.deepEqual(plan(routed), ['deleted', []])
})
