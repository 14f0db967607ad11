// A service address as what the kernel of a node has of it.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { NodeServiceAddress, NodeServiceEndpoint } from '../../core/node/wanted.ts'
import { keyOf, kernelRouteOf, textOf, type KernelRoute } from '../../core/routing/kernel-routes.ts'
import { serviceRoutes, type ServiceSegment } from '../../core/routing/service-items.ts'
import type { ServicePort } from '../../core/routing/service-things.ts'

const [table, vni, number] = [0x4d_00_00_01, 5001, 60_001]
const segment: ServiceSegment = {
  subnets: [{ cidr: '10.1.0.0/24' }, { cidr: '10.2.0.0/24' }, { cidr: '2001:db8::/64' }],
  l3: ['10.1.0.0/24'],
  router: { number, ways: [], blocks: [{ cidr: '10.1.0.0/24', table, hostRoutes: true }] },
}
const at = (port: string, address: string, more: Partial<NodeServiceEndpoint> = {}): NodeServiceEndpoint => ({
  port,
  addresses: [address],
  l4Ports: [8080, 0],
  state: 'ready',
  ...more,
})
const service = (endpoints: readonly NodeServiceEndpoint[], more: Partial<NodeServiceAddress> = {}): NodeServiceAddress => ({
  namespace: 'a',
  name: 'web',
  vni,
  addresses: ['10.1.0.100'],
  ports: [
    { protocol: 'TCP', l4Port: 80 },
    { protocol: 'UDP', l4Port: 53 },
  ],
  byClient: false,
  endpoints,
  ...more,
})
const things = (of: NodeServiceAddress, within: ServiceSegment | undefined = segment): readonly KernelRoute[] =>
  serviceRoutes(of, within).map(({ value }) => value)
const portsOf = (all: readonly KernelRoute[]): readonly ServicePort[] => all.filter((each) => each.kind === 'service')
const routeOf = (all: readonly KernelRoute[]): KernelRoute | undefined => all.find(({ kind }) => kind === 'route')

describe('a service address on a node', () => {
  test('with endpoints is translated and has a host route; a port that no pod has is none', () => {
    const all = things(service([at('p', '10.1.0.5'), at('q', '10.1.0.6')]))
    assert.deepEqual(all[0], { kind: 'vip', vni, address: '10.1.0.100', number, outside: true, inside: ['10.2.0.0/24'] })
    const [port, ...others] = portsOf(all)
    assert.equal(others.length, 0)
    assert.deepEqual([port!.protocol, port!.l4Port, port!.spread], ['TCP', 80, 'flow'])
    assert.equal(
      port!.endpoints.reduce((sum, { slots }) => sum + slots.length, 0),
      251,
    )
    assert.deepEqual(routeOf(all), { kind: 'route', table, to: '10.1.0.100/32', vni })
  })

  test('without endpoints here, without a router, or of another family than its endpoints is nothing', () => {
    assert.deepEqual(things(service([])), [])
    assert.deepEqual(things(service([at('p', '10.1.0.5')]), { subnets: [] }), [])
    assert.deepEqual(things(service([at('p', '10.1.0.5')], { addresses: ['2001:db8::100'] })), [])
  })

  test('one that drains gets no slot while another is ready, and all of them, with a route that is leaving, where none is', () => {
    const draining = at('p', '10.1.0.5', { state: 'draining' })
    const [port] = portsOf(things(service([draining, at('q', '10.1.0.6')])))
    assert.deepEqual(port!.endpoints.map(({ address, slots }) => [address, slots.length]).sort(), [
      ['10.1.0.5', 0],
      ['10.1.0.6', 251],
    ])
    const last = things(service([draining]))
    assert.equal(portsOf(last)[0]!.endpoints[0]!.slots.length, 251)
    assert.deepEqual(routeOf(last), { kind: 'route', table, to: '10.1.0.100/32', vni, leaving: true })
  })

  test('a key and a text say all of it', () => {
    const six = { ...segment, router: { ...segment.router!, blocks: [{ cidr: '2001:db8::/64', table, hostRoutes: true }] } }
    const all = [
      ...things(service([at('p', '10.1.0.5'), at('q', '10.1.0.6', { state: 'draining' })], { byClient: true })),
      ...things(service([at('p', '2001:db8::5', { state: 'draining' })], { addresses: ['2001:DB8::100'] }), six),
    ]
    assert.ok(all.length > 5)
    for (const thing of all) {
      const back = kernelRouteOf(keyOf(thing), textOf(thing))
      assert.deepEqual([keyOf(back), textOf(back)], [keyOf(thing), textOf(thing)])
    }
  })

  test('the number of an endpoint stays while others come and go', () => {
    const indexes = (names: readonly string[]): ReadonlyMap<string, number> => {
      const [port] = portsOf(things(service(names.map((name, i) => at(name, `10.1.0.${i + 5}`)))))
      return new Map(names.map((name, i) => [name, port!.endpoints.find(({ address }) => address === `10.1.0.${i + 5}`)!.index]))
    }
    const [before, after] = [indexes(['p', 'q', 'r']), indexes(['q', 's', 'r'])]
    for (const name of ['q', 'r']) assert.equal(before.get(name), after.get(name))
    assert.equal(new Set(before.values()).size, 3)
  })

  test('spread over all nodes it has slots for endpoints elsewhere too, as from an address of this node; where none leads here, for its own alone', () => {
    const here = at('p', '10.1.0.5')
    const spread = service([here], { elsewhere: [at('q', '10.1.0.6'), at('l2', '10.2.0.6')], source: 'a/pool.n1' })
    const all = serviceRoutes(spread, segment, ['10.1.0.99']).map(({ value }) => value)
    const [port] = portsOf(all)
    assert.deepEqual(
      port!.endpoints.map(({ address, slots }) => [address, slots.length > 100]),
      [
        ['10.1.0.5', true],
        ['10.1.0.6', true],
      ],
      'who is in a Subnet that nobody announces would not be reached from outside',
    )
    const from = all.filter((each) => each.kind === 'from')
    const index = port!.endpoints.find(({ address }) => address === '10.1.0.6')!.index
    assert.deepEqual(from, [{ kind: 'from', number, address: '10.1.0.100', index, source: '10.1.0.99' }])
    assert.ok(all.indexOf(from[0]!) < all.indexOf(port!), 'before a connection may go there')
    for (const source of [[], ['10.2.0.99'], ['2001:db8::99']])
      assert.deepEqual(
        serviceRoutes(spread, segment, source),
        serviceRoutes(service([here]), segment),
        `as from ${source.join() || 'nowhere'}`,
      )
    const leaving = service([{ ...here, state: 'draining' }], { elsewhere: [at('q', '10.1.0.6')], source: 'a/pool.n1' })
    const last = serviceRoutes(leaving, segment, ['10.1.0.99']).map(({ value }) => value)
    assert.deepEqual(
      portsOf(last)[0]!.endpoints.map(({ address, slots }) => [address, slots.length]),
      [
        ['10.1.0.5', 0],
        ['10.1.0.6', 251],
      ],
    )
    assert.deepEqual(routeOf(last), { kind: 'route', table, to: '10.1.0.100/32', vni, leaving: true })
    for (const thing of [...all, ...last]) {
      const back = kernelRouteOf(keyOf(thing), textOf(thing))
      assert.deepEqual([keyOf(back), textOf(back)], [keyOf(thing), textOf(thing)])
    }
  })

  test('what a node sends from leads to it, and answers to Ports that nobody announces, and where the VNI has a way', () => {
    const source = service([], { name: 'pool.n1', addresses: ['10.1.0.99'], ports: [], isSource: true })
    const way = { to: '198.51.100.0/24', table }
    const six = { to: '2001:db8:ff::/64', table }
    const router = { ...segment.router!, ways: [way, six] }
    const [own, ...others] = [
      { kind: 'rule', priority: 19_776, to: '0.0.0.0/0', mark: number, table: 0x4e_00_00_00 + vni },
      { kind: 'rule', priority: 19_779, mark: number, ...way },
      { kind: 'rule', priority: 19_780, to: '0.0.0.0/0', mark: number, table: undefined },
    ]
    const route = { kind: 'route', table, to: '10.1.0.99/32', vni }
    assert.deepEqual(things(source, { ...segment, router }), [route, own, ...others])
    assert.deepEqual(things(source, { ...segment, router, subnets: [{ cidr: '10.1.0.0/24' }] }), [route, ...others])
    assert.deepEqual(things({ ...source, isSource: false }), [], 'on other nodes nothing')
  })

  test('a node that is about to go says so of each, and one that is not to have any tells nobody, and serves its own Ports', () => {
    const going = (serviceAddresses: 'leaving' | 'withheld') =>
      things(service([at('p', '10.1.0.5')]), { ...segment, router: { ...segment.router!, serviceAddresses } })
    assert.deepEqual(routeOf(going('leaving')), { kind: 'route', table, to: '10.1.0.100/32', vni, leaving: true })
    const withheld = going('withheld')
    assert.equal(routeOf(withheld), undefined)
    assert.deepEqual(withheld[0], { kind: 'vip', vni, address: '10.1.0.100', number, outside: false, inside: ['10.2.0.0/24'] })
    assert.equal(portsOf(withheld).length, 1)
  })
})
