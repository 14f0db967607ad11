// Packets that the kernel of nodes routes, over the real bessd: what is for a gateway rises to the kernel, and comes back for a MAC.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { openNetlink } from '../../agent/netlink/addon.ts'
import { openRouting } from '../../agent/routing/open.ts'
import { withKernelRoutes } from '../../agent/routing/with-kernel-routes.ts'
import { nftRouterGuard } from '../../agent/tables/router-guard.ts'
import { withNodeTable } from '../../agent/tables/with-node-table.ts'
import type { Dataplane } from '../../core/contracts/dataplane.ts'
import { doorKeys } from '../../core/graph/gateway/routers.ts'
import { routerName } from '../../core/net/router-name.ts'
import type { Endpoint, Segment } from '../../core/node/wanted.ts'
import { hexOfV4 } from '../../core/graph/bytes.ts'
import { xToY } from '../laws/rule-sets.ts'
import { listen, pythonSkip } from '../node/raw-frames.ts'
import { builtAddon } from '../node/kernel.ts'
import { l2, l3, routeByBgp, segment as routed, table, vni } from '../node/routed-segment.ts'
import { until } from '../setup/until.ts'
import { bessSkip, filled, openTestNodes, pings, segment, settle, signal, wantedOf, type BessNode, type TestNodes } from './test-nodes.ts'

interface Routed {
  readonly node: BessNode
  readonly plane: Dataplane
}
interface Pod extends Awaited<ReturnType<BessNode['pod']>> {
  readonly at: Routed
  readonly address: string
}
interface PodPlace {
  readonly number: number
  readonly net: 0 | 1
  readonly of?: number
}

describe('routes over bessd', { skip: bessSkip || pythonSkip }, () => {
  let cluster: TestNodes
  let nodes: readonly [Routed, Routed]
  const pods: Pod[] = []

  beforeEach(async () => {
    cluster = await openTestNodes()
    nodes = [await routedNode('a', '192.168.50.1'), await routedNode('b', '192.168.50.2')]
    pods.length = 0
  })
  afterEach(() => cluster.close())

  async function routedNode(name: string, address: string): Promise<Routed> {
    const node = await cluster.node(name, address)
    await node.namespace.exec('sysctl', '-qw', 'net.ipv4.ip_forward=1')
    const addon = await builtAddon()
    const netns = `/run/netns/${node.namespace.name}`
    const open = async () => {
      const routing = openRouting({ addon, netlink: await openNetlink(addon, netns), netns })
      cluster.onClose(() => routing.close())
      return routing
    }
    const plane = withNodeTable(withKernelRoutes(await node.plane(), { open, doorKeys }), nftRouterGuard(netns))
    await plane.open(signal)
    return { node, plane }
  }

  async function pod(at: Routed, { number, net, of = vni }: PodPlace): Promise<Pod> {
    const address = `10.0.${net}.${number}`
    const made = await at.node.pod({ number, vni: of, address, mac: `02:00:00:00:0${net}:${number}` })
    await made.namespace.ip('route', 'add', 'default', 'via', `10.0.${net}.1`)
    pods.push({ ...made, at, address })
    return pods.at(-1)!
  }
  /** As BGP brings it there. */
  const announced = ({ at, address }: Pod): Promise<unknown> =>
    nodes[at === nodes[0] ? 1 : 0].node.namespace.ip(...routeByBgp(`${address}/32`, at.node.tunnelAddress))
  const vniOf = ({ port }: Pod): number => (port.attachment.kind === 'vni' ? port.attachment.vni : 0)
  const endpointOf = (each: Pod): Endpoint => ({
    vni: vniOf(each),
    address: each.address,
    mac: each.port.mac,
    hostIP: each.at.node.tunnelAddress,
  })
  const wantedOn = (at: Routed, segments: Readonly<Record<number, Partial<Segment>>>) =>
    wantedOf(
      pods.filter((each) => each.at === at).map(({ port }) => port),
      {
        endpoints: pods.filter((each) => each.at !== at).map(endpointOf),
        segments: Object.entries(segments).map(([of, more]) =>
          segment(Number(of), { hosts: nodes.filter((each) => each !== at).map(({ node }) => node.tunnelAddress), ...more }),
        ),
      },
    )
  async function converge(segments: Readonly<Record<number, Partial<Segment>>>): Promise<void> {
    for (const at of nodes) await settle(at.plane, wantedOn(at, segments))
    for (const at of nodes) assert.equal(await settle(at.plane, wantedOn(at, segments)), false, 'it is read back as put')
  }
  const inNode = async ({ node }: Routed, ...args: readonly string[]): Promise<string> => (await node.namespace.ip(...args)).stdout

  test('pods of l3 and l2 Subnets reach each other on one node and between two; hops are told of; what is taken away is put back', async () => {
    const [one, two] = nodes
    const hosts = [await pod(one, { number: 10, net: 0 }), await pod(one, { number: 11, net: 0 }), await pod(two, { number: 12, net: 0 })]
    const [far, near] = [await pod(two, { number: 13, net: 1 }), await pod(one, { number: 14, net: 1 })]
    for (const each of hosts) await announced(each)
    await converge({ [vni]: routed })
    for (const from of pods)
      for (const to of pods) if (from !== to) assert.ok(await pings(from.namespace, to.address), `${from.address} to ${to.address}`)
    const [first] = hosts as [Pod]
    for (const gateway of ['10.0.0.1', '10.0.1.1']) assert.ok(await pings(first.namespace, gateway), `the gateway ${gateway} answers`)
    const { stdout } = await first.namespace.exec('ping', '-c', '1', '-W', '1', '-t', '1', '10.0.0.12')
    assert.match(stdout, /Time to live exceeded/)
    assert.equal(await pings(first.namespace, one.node.tunnelAddress, { count: 1 }), false, 'the node itself is reached by nobody')
    for (const meddled of [
      ['link', 'del', routerName(vni)],
      ['rule', 'del', 'pref', '19770'],
    ]) {
      await inNode(one, ...meddled)
      const mended = async (): Promise<boolean> => {
        await settle(one.plane, wantedOn(one, { [vni]: routed }))
        return pings(first.namespace, '10.0.0.12', { count: 1 })
      }
      await until(mended, `${meddled.join(' ')} is put right`, 10_000)
    }
    await one.node.daemon.restart()
    await filled(one.node, () => settle(one.plane, wantedOn(one, { [vni]: routed })))
    // Two bessd on a busy core answer late.
    await until(() => pings(first.namespace, '10.0.0.12'), 'after bessd was killed', 10_000)
    // Not announced, the l2 Subnet is reached on all nodes by tunnels, and by l3 Ports of its own node.
    const { blocks, ...rest } = routed.router
    await converge({ [vni]: { ...routed, router: { ...rest, blocks: blocks.filter(({ cidr }) => cidr === l3) } } })
    for (const to of [hosts[2]!, near]) assert.ok(await pings(far.namespace, to.address), `an l2 Port reaches ${to.address}`)
    assert.ok(await pings(hosts[2]!.namespace, far.address), 'and is reached')
    await converge({ [vni]: { subnets: routed.subnets } })
    assert.doesNotMatch(await inNode(one, 'link'), /mgg[wx]/)
    assert.doesNotMatch(await inNode(one, 'rule'), /1977/)
  })

  test('policies judge what is routed by who it is from, and a Port without port security sends from what leads back to it alone', async () => {
    const [one, two] = nodes
    const all = [await pod(one, { number: 10, net: 0 }), await pod(two, { number: 11, net: 0 }), await pod(two, { number: 12, net: 0 })]
    const [x, y, z] = all as [Pod, Pod, Pod]
    for (const each of all) await announced(each)
    const identityOf = ({ address }: { readonly address: string }): number => all.findIndex((each) => each.address === address) + 1
    const judge = async (): Promise<void> => {
      for (const at of nodes) {
        const { ports, endpoints, ...rest } = wantedOn(at, { [vni]: { ...routed, judged: at === one ? [10] : [11, 12] } })
        const policyOf = (address: string) => ({ identity: identityOf({ address }), ruleSets: [], isClosed: false })
        await settle(at.plane, {
          ...rest,
          ports: new Map([...ports].map(([uid, port]) => [uid, { ...port, policy: policyOf(port.addresses[0]!) }])),
          endpoints: new Map([...endpoints].map(([key, each]) => [key, { ...each, identity: identityOf(each) }])),
          ruleSets: [xToY(vni)],
        })
      }
    }
    await judge()
    assert.ok(await pings(x.namespace, y.address), 'x to y')
    assert.equal(await pings(x.namespace, z.address), false, 'x to z')
    assert.equal(await pings(z.namespace, x.address), false, 'z to x')
    assert.ok(await pings(z.namespace, y.address), 'z to y, on one node')
    pods[pods.indexOf(x)] = { ...x, port: { ...x.port, portSecurity: false } }
    await converge({ [vni]: routed })
    await x.namespace.ip('addr', 'add', '10.0.0.77/32', 'dev', 'eth0')
    const ear = await listen(y.namespace, 'eth0')
    await x.namespace.exec('ping', '-c', '3', '-i', '0.2', '-W', '1', '-I', '10.0.0.77', y.address)
    assert.ok(await pings(x.namespace, y.address), 'from its own address')
    assert.deepEqual(
      ear.heard.filter((frame) => frame.includes(hexOfV4('10.0.0.77'))),
      [],
      'from another',
    )
    await ear.close()
  })

  test('Ports of Vpcs that are peered, both l2 or one l3, reach each other on one node and between two, and while both agree', async () => {
    const [one, two] = nodes
    const [red, blue] = [5001, 5002]
    const here = await pod(one, { number: 10, net: 0, of: red })
    const there = [await pod(one, { number: 11, net: 1, of: blue }), await pod(two, { number: 12, net: 1, of: blue })]
    const peered = (isAgreed: boolean, isAnnounced = false): Record<number, Partial<Segment>> =>
      Object.fromEntries(
        [
          { of: red, own: l3, gateway: '10.0.0.1', peer: blue, blocks: l2 },
          { of: blue, own: l2, gateway: '10.0.1.1', peer: red, blocks: l3 },
        ].map(({ of, own, gateway, peer, blocks }) => {
          const isL3 = (block: string): boolean => isAnnounced && block === l2
          const theirs = { vni: peer, own: [own], blocks: [blocks], ...(isL3(blocks) && { announced: [{ cidr: blocks, table }] }) }
          const announcing = isL3(own) ? [{ cidr: own, table, hostRoutes: true }] : []
          const router = { number: 55_000 + of, blocks: announcing, ways: [], peers: isAgreed ? [theirs] : [] }
          const common = { hosts: [], peerHosts: nodes.map(({ node }) => node.tunnelAddress), subnets: [{ cidr: own, gateway }], router }
          return [of, { ...common, ...(isL3(own) && { l3: [own] }) }]
        }),
      )
    const between = async (): Promise<readonly boolean[]> => {
      const all: boolean[] = []
      for (const each of there) all.push(await pings(here.namespace, each.address), await pings(each.namespace, here.address))
      return all
    }
    await converge(peered(true))
    assert.deepEqual(await between(), [true, true, true, true])
    for (const each of there) await announced(each)
    await converge(peered(true, true))
    assert.deepEqual(await between(), [true, true, true, true], 'without a tunnel')
    await converge(peered(false))
    assert.deepEqual(await between(), [false, false, false, false])
  })
})
