// Packets for service addresses, over the Linux data plane: translated by the kernel of a node that has endpoints, and led to such a node
// from others.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { NodeServiceAddress, NodeServiceEndpoint } from '../../core/node/wanted.ts'
import { serviceAddressPiece } from '../../core/pieces/service-address.ts'
import { until } from '../setup/until.ts'
import { ovsSkip } from '../setup/ovs.ts'
import type { Running } from './conversations.ts'
import { segment, twoPods } from './announced-pods.ts'
import { ipOn, withL3Nodes, type L3Nodes } from './l3-nodes.ts'
import { addPod, hostIP, mend, want, type Node, type Pod } from './linux-nodes.ts'
import { answers, startFlow, startNamed, tally } from './named-servers.ts'
import { routeByBgp, table, vni } from './routed-segment.ts'

const [four, six] = ['10.0.0.100', '2001:db8:a0::100']
const ports: NodeServiceAddress['ports'] = [
  { protocol: 'TCP', l4Port: 80 },
  { protocol: 'UDP', l4Port: 53 },
]
const [own, ownUDP] = [8080, 5353]

const service = (endpoints: readonly NodeServiceEndpoint[], more: Partial<NodeServiceAddress> = {}): NodeServiceAddress => ({
  namespace: 'a',
  name: 'web',
  vni,
  addresses: [four, six],
  ports,
  byClient: false,
  endpoints,
  ...more,
})
const endpoint = ({ port }: Pod, state: NodeServiceEndpoint['state'] = 'ready'): NodeServiceEndpoint => ({
  port: port.uid,
  addresses: port.addresses,
  l4Ports: [own, ownUDP],
  state,
})

const carry = (node: Node, of: NodeServiceAddress): Promise<void> =>
  want(node, 'service', node.plane.renderer.render(serviceAddressPiece, of, { segment: { ...segment } }))

interface Lab extends L3Nodes {
  readonly pods: readonly [Pod, Pod, Pod]
}
async function withServers(run: (lab: Lab) => Promise<void>): Promise<void> {
  await withL3Nodes(async (lab) => {
    const pods = await twoPods(lab)
    const servers: Running[] = []
    try {
      for (const { space, port } of pods) servers.push(await startNamed(space.namespace, port.uid, [own, ownUDP]))
      await run({ ...lab, pods })
    } finally {
      for (const each of servers) await each.close()
    }
  })
}

const tcp = { kind: 'tcp', l4Port: 80, times: 40 } as const
const udp = { kind: 'udp', l4Port: 53, times: 40 } as const

describe('service addresses', { skip: ovsSkip }, () => {
  test('are answered by the endpoints of the node, of both families, TCP and UDP; another port is refused; what is meddled with is mended', () =>
    withServers(async ({ nodes: [one, two], pods: [first, second, third] }) => {
      await carry(one, service([endpoint(first), endpoint(second)]))
      const both = [first.port.uid, second.port.uid].sort()
      const all = async (): Promise<void> => {
        for (const to of [four, six])
          for (const each of [tcp, udp]) {
            const said = await answers(first.space.namespace, { ...each, to })
            const counts = tally(said)
            assert.deepEqual(Object.keys(counts).sort(), both, `${to} ${each.kind}: ${JSON.stringify(counts)}`)
          }
      }
      await all()
      const refused = await answers(second.space.namespace, { ...tcp, to: four, l4Port: 81, times: 1 })
      assert.deepEqual(refused, ['refused'])
      assert.deepEqual(await answers(second.space.namespace, { ...udp, to: six, l4Port: 54, times: 1 }), ['refused'])
      for (const meddled of [
        ['delete', 'table', 'inet', 'megrez-services'],
        ['flush', 'map', 'inet', 'megrez-services', 'flow4'],
        ['flush', 'map', 'inet', 'megrez-services', 'endpoint6'],
        ['flush', 'chain', 'inet', 'megrez-services', 'translate'],
      ]) {
        const { code, stderr } = await one.space.namespace.exec('nft', ...meddled)
        assert.equal(code, 0, stderr)
        await mend(one)
        await all()
      }
      // From another node, by the route of the one that has endpoints: the source is the client's own.
      await carry(two, service([]))
      for (const [to, via] of [
        [`${four}/32`, hostIP(1)],
        [`${six}/128`, '2001:db8:bb::1'],
      ] as const)
        await ipOn(two, ...routeByBgp(to, via))
      for (const to of [four, six]) {
        const said = await answers(third.space.namespace, { ...tcp, to })
        assert.deepEqual(Object.keys(tally(said)).sort(), both)
        assert.ok(
          said.every((each) => third.port.addresses.includes(each.split(' ')[1]!)),
          said[0],
        )
      }
    }))

  test('an endpoint that drains keeps its connections and gets no more; of one that is gone UDP goes on to another', () =>
    withServers(async ({ nodes: [one], pods: [first, second] }) => {
      await carry(one, service([endpoint(first), endpoint(second)]))
      const flows = await Promise.all(Array.from({ length: 14 }, () => startFlow(first.space.namespace, four, 80)))
      try {
        const names = (): readonly string[] => flows.map((each) => [...new Set(each.printed().split('\n').filter(Boolean))].join('+'))
        await until(() => Promise.resolve(names().every((each) => each !== '')), 'every connection is answered')
        const before = names()
        assert.deepEqual([...new Set(before)].sort(), [first.port.uid, second.port.uid].sort())
        const fixed = { ...udp, to: four, times: 1, ownL4Port: 40_000 }
        const [was] = await answers(first.space.namespace, fixed)
        const [gone, stays] = was!.startsWith(first.port.uid) ? [first, second] : [second, first]
        await carry(one, service([endpoint(gone, 'draining'), endpoint(stays)]))
        assert.deepEqual(tally(await answers(first.space.namespace, { ...tcp, to: four })), { [stays.port.uid]: tcp.times })
        assert.deepEqual(await answers(first.space.namespace, fixed), [was], 'one that is known goes on')
        assert.deepEqual(names(), before)
        await carry(one, service([endpoint(stays)]))
        const [now] = await answers(first.space.namespace, fixed)
        assert.ok(now!.startsWith(stays.port.uid), now)
        // Its last connections lead nowhere, or are ended; those of the other one know nothing of it.
        const survivors = before.flatMap((name, i) => (name === stays.port.uid ? [i] : []))
        assert.deepEqual(
          survivors.map((i) => names()[i]),
          survivors.map(() => stays.port.uid),
        )
      } finally {
        for (const each of flows) await each.close()
      }
    }))

  test('very many are put and listed as they are; two VNIs with the same addresses share no connection', () =>
    withServers(async ({ spaces, nodes: [one], pods: [first, second] }) => {
      const many = Array.from({ length: 40 }, (_, i) =>
        service([endpoint(first), endpoint(second)], { name: `many-${i}`, addresses: [`10.0.0.${110 + i}`] }),
      )
      const renderer = one.plane.renderer
      await want(
        one,
        'many',
        many.flatMap((each) => renderer.render(serviceAddressPiece, each, { segment })),
      )
      const wanted = [...one.items.values()].flat()
      const seen = await one.plane.observe(undefined, new AbortController().signal)
      assert.deepEqual(
        wanted.filter(({ key, text }) => key.startsWith('kernel/') && seen.get(key) !== text).map(({ key }) => key),
        [],
      )

      const other = { ...segment, l3: [], router: { ...segment.router, number: 60_002, blocks: [], ways: [] } }
      const stranger = await addPod(spaces, one, { vni: vni + 1, host: 10, segment: other })
      const theirs = await startNamed(stranger.space.namespace, 'stranger', [own, ownUDP])
      try {
        await carry(one, service([endpoint(first)]))
        const same = service([endpoint(stranger)], { name: 'theirs', vni: vni + 1 })
        await want(one, 'theirs', renderer.render(serviceAddressPiece, same, { segment: other }))
        const fixed = { ...udp, to: four, times: 3, ownL4Port: 41_000 }
        for (const [from, name] of [
          [first, first.port.uid],
          [stranger, 'stranger'],
          [first, first.port.uid],
        ] as const)
          assert.deepEqual(tally(await answers(from.space.namespace, fixed)), { [name]: 3 })
      } finally {
        await theirs.close()
      }
    }))

  test('by its client each goes to one endpoint; when the service goes, nothing of it is left', () =>
    withServers(async ({ nodes: [one], pods: [first, second] }) => {
      await carry(one, service([endpoint(first), endpoint(second)], { byClient: true }))
      for (const from of [first, second])
        assert.equal(Object.keys(tally(await answers(from.space.namespace, { ...tcp, to: six }))).length, 1)
      await want(one, 'service', [])
      assert.deepEqual(await answers(first.space.namespace, { ...tcp, to: four, times: 1 }), ['silent'])
      const { stdout } = await one.space.namespace.exec('nft', 'list', 'table', 'inet', 'megrez-services')
      assert.doesNotMatch(stdout, /elements/)
      assert.doesNotMatch((await one.space.namespace.ip('route', 'show', 'table', String(table))).stdout, /10\.0\.0\.100/)
    }))

  test('one that is spread over all nodes goes on to endpoints of another as from the address of this node, also of who is led back nowhere', () =>
    withServers(async ({ spaces, nodes: [one, two], pods: [first, second, third] }) => {
      const [from4, from6] = ['10.0.0.99', '2001:db8:a0::99']
      const wider = {
        ...segment,
        subnets: [
          ...segment.subnets,
          { cidr: '10.0.1.0/24', gateway: '10.0.1.1' },
          { cidr: '2001:db8:a1::/64', gateway: '2001:db8:a1::1' },
        ],
      }
      const inner = await addPod(spaces, one, { vni, host: 20, net: 1, segment: wider })
      const source = service([], { name: 'pool.n1', addresses: [from4, from6], ports: [], isSource: true })
      await want(one, 'source', one.plane.renderer.render(serviceAddressPiece, source, { segment: wider }))
      await want(two, 'source', two.plane.renderer.render(serviceAddressPiece, { ...source, isSource: false }, { segment: wider }))
      const routes = (await one.space.namespace.ip('route', 'show', 'table', String(table), 'proto', '77')).stdout
      assert.match(routes, /^10\.0\.0\.99 dev mggx/m, 'others are told where it is')
      for (const [to, via] of [
        [`${from4}/32`, hostIP(1)],
        [`${from6}/128`, '2001:db8:bb::1'],
      ] as const)
        await ipOn(two, ...routeByBgp(to, via))
      const spread = (elsewhere: readonly NodeServiceEndpoint[], of: readonly string[] = [from4, from6]): Promise<void> => {
        const piece = service([endpoint(first)], { elsewhere, source: 'a/pool.n1' })
        return want(one, 'service', one.plane.renderer.render(serviceAddressPiece, piece, { segment: wider, source: of }))
      }
      await spread([endpoint(third)])
      const [here, there] = [first.port.uid, third.port.uid]
      for (const client of [second, inner])
        for (const to of [four, six])
          for (const each of [tcp, udp]) {
            const said = await answers(client.space.namespace, { ...each, to })
            assert.deepEqual(Object.keys(tally(said)).sort(), [here, there].sort(), `${client.port.uid} ${to} ${each.kind}: ${said.join()}`)
            const seen = new Set(said.filter((one) => one.startsWith(there)).map((one) => one.split(' ')[1]))
            assert.deepEqual([...seen], [to === four ? from4 : from6], 'seen there as from the address of the node')
          }

      const flows = await Promise.all(Array.from({ length: 8 }, () => startFlow(inner.space.namespace, four, 80)))
      try {
        const names = (): readonly string[] => flows.map((each) => [...new Set(each.printed().split('\n').filter(Boolean))].join('+'))
        await until(() => Promise.resolve(names().every((each) => each !== '')), 'every connection is answered')
        const before = names()
        assert.ok(before.includes(there), before.join())
        await spread([endpoint(third, 'draining')])
        assert.deepEqual(tally(await answers(second.space.namespace, { ...tcp, to: four })), { [here]: tcp.times })
        assert.deepEqual(names(), before, 'who drains on another node keeps its connections')
      } finally {
        for (const each of flows) await each.close()
      }

      await spread([endpoint(third)], [])
      assert.deepEqual(tally(await answers(second.space.namespace, { ...tcp, to: four })), { [here]: tcp.times }, 'without such an address')
      await spread([endpoint(third)])
      const { code, stderr } = await one.space.namespace.exec('nft', 'flush', 'map', 'inet', 'megrez-services', 'from4')
      assert.equal(code, 0, stderr)
      await mend(one)
      assert.deepEqual(Object.keys(tally(await answers(second.space.namespace, { ...tcp, to: four }))).sort(), [here, there].sort())
    }))
})
