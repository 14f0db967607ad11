// Packets between Vpcs that are peered, over the Linux data plane: the kernel of the sender's node leads from one VNI to the other.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { tunnelName } from '../../core/linux/linux-items.ts'
import { everywhere } from '../../core/net/cidr.ts'
import { routerName } from '../../core/net/router-name.ts'
import type { Endpoint, RoutedPeer, Segment } from '../../core/node/wanted.ts'
import { endpointPiece } from '../../core/pieces/endpoint.ts'
import { ovsSkip } from '../setup/ovs.ts'
import { inBothFamilies, tellByBgp } from './announced-pods.ts'
import { dropInvalid, ipOn, sent, withL3Nodes, type L3Nodes } from './l3-nodes.ts'
import { addPod, hostIP, mend, reaches, want, wantSegment, type Node, type Pod } from './linux-nodes.ts'
import { table } from './routed-segment.ts'

/** Red is peered with blue, and blue with green. Other has the addresses of blue, and nothing to do with it. */
const vnis = { red: 5001, blue: 5002, green: 5003, other: 5004 } as const
type Name = keyof typeof vnis
const nets: Readonly<Record<Name, number>> = { red: 0, blue: 1, green: 2, other: 1 }
const blocks = (name: Name): readonly string[] => [`10.0.${nets[name]}.0/24`, `2001:db8:a${nets[name]}::/64`]
const between = (own: Name, peer: Name): RoutedPeer => ({ vni: vnis[peer], own: blocks(own), blocks: blocks(peer) })
const peersOf: Readonly<Record<Name, readonly RoutedPeer[]>> = {
  red: [between('red', 'blue')],
  blue: [between('blue', 'red'), between('blue', 'green')],
  green: [between('green', 'blue')],
  other: [],
}

interface Peered {
  readonly peers?: readonly RoutedPeer[]
  /** Its blocks, and those of its peers, as far as a group announces them. */
  readonly announced?: readonly Name[]
}
function segment(name: Name, { peers = peersOf[name], announced = [] }: Peered = {}): Segment {
  const isAnnounced = announced.includes(name)
  const told = peers.map((peer): RoutedPeer => {
    const of = announced.find((each) => vnis[each] === peer.vni)
    return of === undefined ? peer : { ...peer, announced: blocks(of).map((cidr) => ({ cidr, table })) }
  })
  const number = 60_001 + vnis[name]
  const [four = '', six = ''] = blocks(name)
  return {
    vni: vnis[name],
    subnets: [
      { cidr: four, gateway: `10.0.${nets[name]}.1` },
      { cidr: six, gateway: `2001:db8:a${nets[name]}::1` },
    ],
    flood: false,
    hosts: [],
    peerHosts: [hostIP(1), hostIP(2)],
    numbers: [],
    ...(isAnnounced && { l3: blocks(name) }),
    ...(name !== 'other' && {
      router: {
        number,
        blocks: isAnnounced ? blocks(name).map((cidr) => ({ cidr, table, hostRoutes: true })) : [],
        ways: [],
        ...(peers.length > 0 && { peers: told }),
      },
    }),
  }
}

interface Lab extends L3Nodes {
  readonly red: Pod
  readonly blue: readonly [Pod, Pod]
  readonly green: Pod
  readonly other: Pod
}

/** Of red there is a Port on the first node alone, of blue on both, of green on the second. */
async function pods(lab: L3Nodes, { announced = [] }: Peered = {}): Promise<Lab> {
  const [one, two] = lab.nodes
  for (const { space } of lab.nodes) await dropInvalid(space.namespace)
  // A peer is there before who leads to it.
  for (const node of lab.nodes)
    for (const name of ['red', 'blue', 'green'] as const) await wantSegment(node, segment(name, { peers: [], announced }))
  const add = (name: Name, node: Node, host: number): Promise<Pod> =>
    addPod(lab.spaces, node, { vni: vnis[name], net: nets[name], host, segment: segment(name, { announced }) })
  const all: Lab = {
    ...lab,
    red: await add('red', one, 10),
    blue: [await add('blue', one, 11), await add('blue', two, 12)],
    green: await add('green', two, 13),
    other: await add('other', two, 12),
  }
  for (const pod of [all.red, ...all.blue, all.green]) await announce(pod, pod.node === one ? two : one)
  return all
}

async function announce({ port, vni, node }: Pod, other: Node): Promise<void> {
  for (const address of port.addresses) {
    const endpoint: Endpoint = { vni, address, mac: port.mac, hostIP: hostIP(node.n) }
    const items = other.plane.renderer.render(endpointPiece, endpoint, { segment: other.segments.get(vni) })
    await want(other, `endpoint ${vni} ${address}`, items)
  }
}

/** Echo requests that came to a pod. */
async function echoes({ space }: Pod): Promise<number> {
  const { stdout } = await space.namespace.exec('cat', '/proc/net/snmp')
  const [names = [], counts = []] = stdout.split('\n').flatMap((line) => (line.startsWith('Icmp:') ? [line.split(' ')] : []))
  return Number(counts[names.indexOf('InEchos')])
}

/** Each Port of blue with the one of red and the one of green, both ways where an answer is none. */
async function missing({ red, blue, green }: Lab): Promise<readonly string[]> {
  const pairs = blue.flatMap((each) => [[red, each] as const, [each, red] as const, [green, each] as const])
  const missed: string[] = []
  for (const [from, address] of pairs.flatMap(([one, { port }]) => port.addresses.map((each) => [one, each] as const)))
    if (!(await reaches(from, address))) missed.push(`${from.port.uid} to ${address}`)
  return missed
}

describe('packets between Vpcs that are peered', { skip: ovsSkip }, () => {
  test('Ports of both reach each other on one node and between two, and no further; who has the same addresses hears nothing', () =>
    withL3Nodes(async (lab) => {
      const all = async (): Promise<void> => assert.deepEqual(await missing(peered), [])
      const peered = await pods(lab)
      const { red, green, other, nodes } = peered
      const [one] = nodes
      await all()
      for (const address of [...green.port.addresses, hostIP(1), hostIP(2)])
        assert.equal(await reaches(red, address), false, `red to ${address}`)
      assert.equal(await reaches(other, red.port.addresses[0]!), false, 'from who has the addresses of blue')
      const heard = await echoes(other)
      await all()
      assert.equal(await echoes(other), heard)
      for (const meddled of [
        ['rule', 'del', 'pref', '19772'],
        ['-6', 'route', 'flush', 'table', String(0x4e_00_00_00 + vnis.red)],
        ['neigh', 'del', '10.0.1.12', 'dev', routerName(vnis.blue)],
      ]) {
        await ipOn(one, ...meddled)
        await mend(one)
        await all()
      }
    }))

  test('a source that the peer has no route to gets nowhere, and what was agreed is over when one side ends it', () =>
    withL3Nodes(async (lab) => {
      const { red, blue, spaces, nodes } = await pods(lab)
      const [one] = nodes
      const free = await addPod(spaces, one, { vni: vnis.red, host: 20, segment: segment('red'), more: { portSecurity: false } })
      await free.space.namespace.ip('addr', 'add', '10.0.9.9/24', 'dev', 'eth0')
      const send = async (source: string): Promise<number> => {
        const before = await echoes(blue[1])
        await free.space.namespace.exec('ping', '-c', '3', '-i', '0.1', '-W', '1', '-I', source, blue[1].port.addresses[0]!)
        return (await echoes(blue[1])) - before
      }
      assert.equal(await send('10.0.9.9'), 0, 'a source of nobody')
      assert.ok((await send('10.0.0.20')) > 0, 'its own')
      await wantSegment(one, segment('red', { peers: [] }))
      for (const each of blue) {
        assert.equal(await reaches(red, each.port.addresses[0]!), false)
        assert.equal(await reaches(each, red.port.addresses[0]!), false, 'its answers have no way')
      }
      assert.doesNotMatch((await one.space.namespace.ip('rule')).stdout, /19772:\tfrom 10\.0\.0/)
    }))

  test('l3 Subnets are reached by what others announce, from l2 and from l3, on one node and between two, and from peers alone', () =>
    withL3Nodes(async (lab) => {
      const announced = ['blue', 'green'] as const
      await inBothFamilies(lab)
      const peered = await pods(lab, { announced })
      const { red, blue, green, nodes, spaces } = peered
      const [one, two] = nodes
      for (const pod of [...blue, green]) await tellByBgp(pod, pod.node === one ? two : one)
      const all = async (): Promise<void> => assert.deepEqual(await missing(peered), [])
      await all()
      assert.equal(await sent(one, tunnelName(vnis.blue)), 0, 'no tunnel leads there')
      for (const address of green.port.addresses) assert.equal(await reaches(red, address), false, `a peer of a peer, ${address}`)
      // It has the addresses of red and the routes of the group, and is nobody's peer.
      const ways = everywhere.map((to) => ({ to, table }))
      const twin: Segment = { ...segment('red', { peers: [] }), vni: 5_009, router: { number: 64_000, blocks: [], ways } }
      const rival = await addPod(spaces, one, { vni: twin.vni, host: 10, segment: twin })
      const heard = await echoes(blue[1])
      for (const { port } of blue) for (const address of port.addresses) assert.equal(await reaches(rival, address), false, address)
      assert.equal(await echoes(blue[1]), heard, 'nothing of who has the same addresses has come')
      await all()
      const free = await addPod(spaces, one, {
        vni: vnis.red,
        host: 20,
        segment: segment('red', { announced }),
        more: { portSecurity: false },
      })
      for (const source of ['10.0.9.9', '10.0.1.11', '10.0.2.13']) {
        await free.space.namespace.ip('addr', 'add', `${source}/32`, 'dev', 'eth0')
        const before = await echoes(blue[1])
        await free.space.namespace.exec('ping', '-c', '3', '-i', '0.1', '-W', '1', '-I', source, '10.0.1.12')
        assert.equal(await echoes(blue[1]), before, `from ${source}`)
      }
      for (const [node, meddled] of [
        [one, ['rule', 'del', 'pref', '19770']],
        [one, ['-6', 'rule', 'del', 'pref', '19776']],
        [two, ['-6', 'rule', 'del', 'pref', '19770']],
      ] as const) {
        await ipOn(node, ...meddled)
        await mend(node)
        await all()
      }
      await wantSegment(one, segment('red', { peers: [], announced }))
      for (const { port } of blue) for (const address of port.addresses) assert.equal(await reaches(red, address), false, 'it is over')
      assert.doesNotMatch((await one.space.namespace.ip('rule')).stdout, /19776/)
    }))
})
