// Packets over the Linux data plane: two nodes of the test's own with VXLAN between them, pods wired as the agent wires them.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Dataplane } from '../../core/contracts/dataplane.ts'
import type { Item } from '../../core/node/item.ts'
import type { Endpoint, LocalPort, Segment } from '../../core/node/wanted.ts'
import { kosMac } from '../../core/net/mac.ts'
import { hostInterfaceName } from '../../core/net/names.ts'
import { linux } from '../../agent/dataplanes/linux.ts'
import type { Links } from '../../agent/links/links.ts'
import { makeLinks } from '../../agent/links/plumbing.ts'
import { openNetlink } from '../../agent/netlink/addon.ts'
import type { Thing } from '../../core/linux/things.ts'
import { run } from '../../platform/programs/run.ts'
import { ovsSkip } from '../setup/ovs.ts'
import { until } from '../setup/until.ts'
import { builtAddon, withSpaces, type Space, type Spaces } from './kernel.ts'

const signal = new AbortController().signal
const hostIP = (n: number): string => `192.0.2.${n}`

interface Pod {
  readonly space: Space
  readonly port: LocalPort
  readonly vni: number
  readonly node: Node
}
interface Node {
  readonly n: number
  readonly space: Space
  readonly plane: Dataplane<Thing>
  readonly links: Links
  readonly items: Map<string, readonly Item<Thing>[]>
}

async function openNode(spaces: Spaces, n: number): Promise<Node> {
  const space = await spaces.make()
  const addon = await builtAddon()
  const netlink = await openNetlink(addon, space.path)
  const plane = linux({ kernel: async () => ({ netlink: await openNetlink(addon, space.path), addon, netns: space.path }), tunnelAddress: hostIP(n), l4Port: 4789 })
  await plane.open(signal)
  const links = makeLinks({ netlink, reaper: await openNetlink(addon, space.path), onProblem: (problem) => assert.fail(problem as Error) })
  return { n, space, plane, links, items: new Map() }
}

/** As the agent does: what changes is worked out from the pieces. */
async function want(node: Node, piece: string, items: readonly Item<Thing>[]): Promise<void> {
  const before = node.items.get(piece) ?? []
  node.items.set(piece, items)
  const [was, is] = [new Map(before.map(({ key, text }) => [key, text])), new Map(items.map(({ key, text }) => [key, text]))]
  await node.plane.apply({ drop: before.filter(({ key, text }) => is.get(key) !== text), put: items.filter(({ key, text }) => was.get(key) !== text) }, signal)
}

async function addPod(spaces: Spaces, node: Node, { vni, host, net = 0, more = {}, segment }: { readonly vni: number; readonly host: number; readonly net?: number; readonly more?: Partial<LocalPort>; readonly segment?: Partial<Segment> }): Promise<Pod> {
  const space = await spaces.make()
  const [address, address6] = [`10.0.${net}.${host}`, `2001:db8:a${net}::${host}`]
  const uid = `${vni}-${net * 256 + host}`
  const port: LocalPort = { uid, of: { kind: 'Port', namespace: 'a', name: uid }, number: host, ifcName: hostInterfaceName(uid), attachment: { kind: 'vni', vni }, mac: kosMac(vni, address)!, addresses: [address, address6], allowedAddressPairs: [], portSecurity: true, type: 'kernel', mtu: 1450, ...more }
  const whole: Segment = { vni, subnets: [0, 1].flatMap((n) => [{ cidr: `10.0.${n}.0/24`, gateway: `10.0.${n}.1` }, { cidr: `2001:db8:a${n}::/64`, gateway: `2001:db8:a${n}::1` }]), flood: false, hosts: [], numbers: [], ...segment }
  await node.links.ensure(port, { netns: space.path, ifname: 'eth0', addresses: [`${address}/24`, `${address6}/64`], routes: [{ to: '0.0.0.0/0', via: `10.0.${net}.1` }, { to: '::/0', via: `2001:db8:a${net}::1` }] })
  await want(node, `segment ${vni}`, node.plane.renderer.segment(whole))
  await want(node, `port ${uid}`, node.plane.renderer.port(port, whole))
  return { space, port, vni, node }
}

/** Every other node learns where a pod is. */
async function tell(pods: readonly Pod[], nodes: readonly Node[]): Promise<void> {
  for (const { port, vni, node } of pods) {
    for (const other of nodes) {
      if (other === node) continue
      const endpoints: Endpoint[] = port.addresses.map((address) => ({ vni, address, mac: port.mac, hostIP: hostIP(node.n) }))
      await want(other, `endpoints ${port.uid}`, endpoints.flatMap((endpoint) => other.plane.renderer.endpoint(endpoint)))
    }
  }
}

const reaches = async (from: Pod, to: string): Promise<boolean> => (await from.space.namespace.exec('ping', '-c', '1', '-W', '1', '-i', '0.2', to)).code === 0

async function withNodes(run: (spaces: Spaces, nodes: readonly [Node, Node]) => Promise<void>): Promise<void> {
  await withSpaces(async (spaces) => {
    const nodes = [await openNode(spaces, 1), await openNode(spaces, 2)] as const
    await nodes[0].space.namespace.ip('link', 'add', 'under', 'mtu', '1600', 'type', 'veth', 'peer', 'name', 'under', 'netns', nodes[1].space.name)
    for (const { n, space } of nodes) {
      await space.namespace.ip('addr', 'add', `${hostIP(n)}/24`, 'dev', 'under')
      await space.namespace.ip('link', 'set', 'under', 'up', 'mtu', '1600')
    }
    for (const node of nodes) await want(node, 'base', node.plane.renderer.base())
    try {
      await run(spaces, nodes)
    } finally {
      for (const { plane, links } of nodes) {
        await plane.close()
        await links.close()
      }
    }
  })
}

describe('packets over the Linux data plane', { skip: ovsSkip }, () => {
  test('pods of one VPC reach each other on one node and between two, those of another with the same addresses never', () =>
    withNodes(async (spaces, nodes) => {
      const [one, two] = nodes
      const blue = [await addPod(spaces, one, { vni: 5001, host: 10 }), await addPod(spaces, one, { vni: 5001, host: 11 }), await addPod(spaces, two, { vni: 5001, host: 12 })]
      const red = [await addPod(spaces, one, { vni: 5002, host: 10 }), await addPod(spaces, two, { vni: 5002, host: 13 })]
      await tell([...blue, ...red], nodes)
      for (const from of blue) for (const to of blue) for (const address of to.port.addresses) assert.ok(await reaches(from, address), `${from.port.uid} to ${address}`)
      for (const address of red[1]!.port.addresses) assert.ok(await reaches(red[0]!, address), address)
      assert.equal(await reaches(blue[0]!, '10.0.0.13'), false, 'another VPC')
      assert.equal(await reaches(red[0]!, '10.0.0.11'), false, 'another VPC')
    }))

  test('the gateway is answered with one MAC, and a request for an unknown address does not leave the node', () =>
    withNodes(async (spaces, nodes) => {
      const pods = [await addPod(spaces, nodes[0], { vni: 5001, host: 10 }), await addPod(spaces, nodes[1], { vni: 5001, host: 11 })] as const
      await tell(pods, nodes)
      await reaches(pods[0], '10.0.0.1')
      assert.match((await pods[0].space.namespace.ip('neigh', 'show', '10.0.0.1')).stdout, /lladdr 02:4d:65:67:72:65/)
      await countArp(pods[1])
      await reaches(pods[0], '10.0.0.77')
      assert.equal(await arps(pods[1]), 0, 'the request reached a pod of another node')
    }))

  test('Subnets of one VPC are routed between on one node and between two, with a hop less, and not those of another VPC', () =>
    withNodes(async (spaces, nodes) => {
      const [one, two] = nodes
      const from = await addPod(spaces, one, { vni: 5001, host: 10 })
      const others = [await addPod(spaces, one, { vni: 5001, net: 1, host: 11 }), await addPod(spaces, two, { vni: 5001, net: 1, host: 12 })]
      const strangers = [await addPod(spaces, one, { vni: 5002, host: 10 }), await addPod(spaces, two, { vni: 5002, net: 1, host: 13 })]
      await tell([from, ...others, ...strangers], nodes)
      const routed = async (): Promise<void> => {
        for (const to of others) for (const address of to.port.addresses) {
          assert.match((await from.space.namespace.exec('ping', '-c', '1', '-W', '2', address)).stdout, / ttl=63 /, `to ${address}`)
        }
      }
      await routed()
      assert.ok(await reaches(strangers[0]!, '10.0.1.13'), 'the other VPC has routes as well')
      const unreached = ['10.0.1.13', '10.0.1.77', '2001:db8:a1::13']
      for (const address of unreached) assert.equal(await reaches(from, address), false, `to ${address}, which is of another VPC or of nobody`)
      assert.equal((await from.space.namespace.exec('ping', '-c', '1', '-W', '1', '-t', '1', '10.0.1.11')).code, 1, 'a packet without a hop left')
      // Whoever tries addresses that nobody has leaves nothing that is waited for, and no neighbour that cannot go at once.
      assert.doesNotMatch((await one.space.namespace.ip('neigh', 'show', 'nud', 'incomplete')).stdout, /10\.0\.1/)
      for (const taken of [/^mg/, /^mgvx/]) {
        for (const node of nodes) await mend(await without(node, taken))
        await routed()
      }
    }))

  test('a false source gets nowhere: MAC, IPv4, IPv6, ARP; an allowed pair and a port without security do', () =>
    withNodes(async (spaces, [one]) => {
      const target = await addPod(spaces, one, { vni: 5001, host: 10, more: { portSecurity: false } })
      const guarded = await addPod(spaces, one, { vni: 5001, host: 11, more: { allowedAddressPairs: [{ ip: '10.0.0.64/28' }] } })
      const free = await addPod(spaces, one, { vni: 5001, host: 12, more: { portSecurity: false } })
      const arrives = async (from: Pod, ip: string, prefix = '24'): Promise<boolean> => {
        const v6 = ip.includes(':')
        await from.space.namespace.ip('addr', 'add', `${ip}/${v6 ? '64' : prefix}`, 'dev', 'eth0', ...(v6 ? ['nodad'] : []))
        const before = await echoes(target)
        await from.space.namespace.exec('ping', '-c', '1', '-W', '1', '-I', ip, target.port.addresses[v6 ? 1 : 0]!)
        return (await echoes(target)) > before
      }
      assert.equal(await reaches(guarded, '10.0.0.10'), true)
      assert.equal(await arrives(guarded, '10.0.0.99'), false, 'IPv4')
      assert.equal(await arrives(guarded, '2001:db8:a0::99'), false, 'IPv6')
      assert.equal(await arrives(guarded, '10.0.0.65'), true, 'an allowed pair')
      assert.equal(await arrives(free, '10.0.0.98'), true, 'no port security')
      const arp = await guarded.space.namespace.exec('arping', '-c', '1', '-w', '1', '-U', '-I', 'eth0', '-s', '10.0.0.99', '10.0.0.99')
      assert.doesNotMatch((await target.space.namespace.ip('neigh')).stdout, /10\.0\.0\.99/, arp.stdout)
      await guarded.space.namespace.ip('link', 'set', 'eth0', 'address', '02:00:00:00:00:99')
      assert.equal(await reaches(guarded, '10.0.0.10'), false, 'MAC')
    }))

  test('where broadcast is replicated, it reaches every node of the VNI', () =>
    withNodes(async (spaces, nodes) => {
      const [one, two] = nodes
      const segment = (other: number): Partial<Segment> => ({ flood: true, hosts: [hostIP(other)], numbers: [1] })
      const near = await addPod(spaces, one, { vni: 6000, host: 10, segment: segment(2) })
      const far = await addPod(spaces, two, { vni: 6000, host: 11, segment: segment(1) })
      // No endpoint is told of: broadcast alone has to find it.
      await countArp(far)
      assert.ok(await reaches(near, '10.0.0.11'))
      assert.ok((await arps(far)) > 0)
    }))

  test('a pod that is gone is reached no more, and one that moved is reached where it is', () =>
    withNodes(async (spaces, nodes) => {
      const [one, two] = nodes
      const [watcher, mover] = [await addPod(spaces, one, { vni: 5001, host: 10 }), await addPod(spaces, one, { vni: 5001, host: 11 })]
      assert.ok(await reaches(watcher, '10.0.0.11'))
      await one.links.remove(mover.port.ifcName)
      assert.equal(await reaches(watcher, '10.0.0.11'), false)
      await want(one, `port ${mover.port.uid}`, [])
      const moved = await addPod(spaces, two, { vni: 5001, host: 11 })
      await tell([watcher, moved], nodes)
      await two.links.announce(moved.port, { netns: moved.space.path, ifname: 'eth0', addresses: ['10.0.0.11/24', '2001:db8:a0::11/64'], routes: [] })
      await until(() => reaches(watcher, '10.0.0.11'), 'the pod is reached where it is now')
    }))
})

const devicesIn = (links: string): string[] => [...links.matchAll(/^\d+: (mg(?:br|vx)[0-9a-f]{6})[:@]/gm)].map(([, name = '']) => name)

/** An operator takes devices of ours away. */
async function without(node: Node, names: RegExp): Promise<Node> {
  const { stdout } = await node.space.namespace.ip('-o', 'link')
  for (const name of devicesIn(stdout).filter((each) => names.test(each))) await node.space.namespace.ip('link', 'del', name)
  return node
}

/** As the agent's audit does it. */
async function mend({ plane, items }: Node): Promise<void> {
  const wanted = [...items.values()].flat()
  const seen = await plane.observe(undefined, signal)
  const put = wanted.filter(({ key, text }) => seen.get(key) !== text)
  await plane.apply({ drop: put.filter(({ key }) => seen.has(key)).map(({ key }) => plane.itemOf(key, seen.get(key)!)), put }, signal)
}

/** Echo requests that a pod has had, of both families. */
async function echoes({ space }: Pod): Promise<number> {
  const of = async (path: string): Promise<string> => (await space.namespace.exec('cat', path)).stdout
  const [names = '', values = ''] = (await of('/proc/net/snmp')).split('\n').filter((line) => line.startsWith('Icmp:'))
  const six = /^Icmp6InEchos\s+(\d+)$/m.exec(await of('/proc/net/snmp6'))?.[1]
  return Number(values.split(' ')[names.split(' ').indexOf('InEchos')]) + Number(six)
}

/** From now on ARP packets that come in are counted. */
async function countArp({ space }: Pod): Promise<void> {
  await run('nsenter', [`--net=${space.path}`, '--', 'nft', '-f', '-'], { input: 'table arp heard {\n chain in {\n  type filter hook input priority 0;\n  counter\n }\n}\n' })
}

async function arps({ space }: Pod): Promise<number> {
  return Number(/counter packets (\d+)/.exec((await space.namespace.exec('nft', 'list', 'table', 'arp', 'heard')).stdout)?.[1])
}
