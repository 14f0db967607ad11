// Packets over the Linux data plane: two nodes of the test's own with VXLAN between them, pods wired as the agent wires them.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Segment } from '../../core/node/wanted.ts'
import { run } from '../../platform/programs/run.ts'
import { ovsSkip } from '../setup/ovs.ts'
import { until } from '../setup/until.ts'
import { addPod, hostIP, mend, reaches, setPieces, want, withNodes, type Node, type Pod } from './linux-nodes.ts'

describe('packets over the Linux data plane', { skip: ovsSkip }, () => {
  test('pods of one VPC reach each other on one node and between two, those of another with the same addresses never', () =>
    withNodes(async (spaces, nodes) => {
      const [one, two] = nodes
      const blue = [
        await addPod(spaces, one, { vni: 5001, host: 10 }),
        await addPod(spaces, one, { vni: 5001, host: 11 }),
        await addPod(spaces, two, { vni: 5001, host: 12 }),
      ]
      const red = [await addPod(spaces, one, { vni: 5002, host: 10 }), await addPod(spaces, two, { vni: 5002, host: 13 })]
      await setPieces([...blue, ...red], nodes)
      for (const from of blue)
        for (const to of blue)
          for (const address of to.port.addresses) assert.ok(await reaches(from, address), `${from.port.uid} to ${address}`)
      for (const address of red[1]!.port.addresses) assert.ok(await reaches(red[0]!, address), address)
      assert.equal(await reaches(blue[0]!, '10.0.0.13'), false, 'another VPC')
      assert.equal(await reaches(red[0]!, '10.0.0.11'), false, 'another VPC')
    }))

  test('the gateway is answered with one MAC, and answers pings; a request for an unknown address does not leave the node', () =>
    withNodes(async (spaces, nodes) => {
      const pods = [
        await addPod(spaces, nodes[0], { vni: 5001, host: 10 }),
        await addPod(spaces, nodes[1], { vni: 5001, host: 11 }),
      ] as const
      await setPieces(pods, nodes)
      for (const pod of pods) await gatewaysAnswer(pod)
      // What is no ping goes nowhere, and not in circles.
      assert.equal((await pods[0].space.namespace.exec('ping', '-c', '1', '-W', '1', '-s', '3000', '10.0.0.1')).code, 1, 'in fragments')
      assert.match((await pods[0].space.namespace.ip('neigh', 'show', '10.0.0.1')).stdout, /lladdr 02:4d:65:67:72:65/)
      await countArp(pods[1])
      await reaches(pods[0], '10.0.0.77')
      assert.equal(await arps(pods[1]), 0, 'the request reached a pod of another node')
    }))

  test('Subnets of one VPC are routed between on one node and between two, with a hop less, and not those of another VPC', () =>
    withNodes(async (spaces, nodes) => {
      const [one, two] = nodes
      const from = await addPod(spaces, one, { vni: 5001, host: 10 })
      const others = [
        await addPod(spaces, one, { vni: 5001, net: 1, host: 11 }),
        await addPod(spaces, two, { vni: 5001, net: 1, host: 12 }),
      ]
      const strangers = [await addPod(spaces, one, { vni: 5002, host: 10 }), await addPod(spaces, two, { vni: 5002, net: 1, host: 13 })]
      await setPieces([from, ...others, ...strangers], nodes)
      const allRouted = async (): Promise<void> => {
        for (const to of others) for (const address of to.port.addresses) await routed(from, address)
      }
      await allRouted()
      assert.ok(await reaches(strangers[0]!, '10.0.1.13'), 'the other VPC has routes as well')
      const unreached = ['10.0.1.13', '10.0.1.77', '2001:db8:a1::13']
      for (const address of unreached)
        assert.equal(await reaches(from, address), false, `to ${address}, which is of another VPC or of nobody`)
      assert.equal(
        (await from.space.namespace.exec('ping', '-c', '1', '-W', '1', '-t', '1', '10.0.1.11')).code,
        1,
        'a packet without a hop left',
      )
      // Whoever tries addresses that nobody has leaves nothing that is waited for, and no neighbour that cannot go at once.
      assert.doesNotMatch((await one.space.namespace.ip('neigh', 'show', 'nud', 'incomplete')).stdout, /10\.0\.1/)
      for (const taken of [/^mg/, /^mgvx/]) {
        for (const node of nodes) await mend(await without(node, taken))
        await allRouted()
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

  test("where broadcast is replicated, Subnets are routed between and gateways answer, each node's its own pods", () =>
    withNodes(async (spaces, nodes) => {
      const [one, two] = nodes
      const segment = (other: number): Partial<Segment> => ({ flood: true, hosts: [hostIP(other)], numbers: [1] })
      const from = await addPod(spaces, one, { vni: 6000, host: 10, segment: segment(2) })
      const others = [
        await addPod(spaces, one, { vni: 6000, net: 1, host: 11, segment: segment(2) }),
        await addPod(spaces, two, { vni: 6000, net: 1, host: 12, segment: segment(1) }),
      ]
      await setPieces([from, ...others], nodes)
      const allWell = async (): Promise<void> => {
        for (const pod of [from, ...others]) await gatewaysAnswer(pod)
        for (const to of others) for (const address of to.port.addresses) await routed(from, address)
      }
      await allWell()
      const { asked, answered } = await answersOf(from, '10.0.0.1')
      assert.ok(answered > 0 && answered <= asked, `${answered} answers to ${asked} requests: the other node answers as well`)
      for (const taken of [/^mggw/, /^mgvx/, /^mg/]) {
        for (const node of nodes) await mend(await without(node, taken))
        await allWell()
      }
      // An announcement of a new owner is for everybody, as VRRP has it.
      await countArp(others[1]!)
      await from.space.namespace.exec('arping', '-c', '1', '-w', '1', '-U', '-I', 'eth0', '-s', '10.0.0.10', '10.0.0.10')
      await until(async () => (await arps(others[1]!)) > 0, 'the announcement is heard on the other node')
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
      await setPieces([watcher, moved], nodes)
      await two.links.announce(moved.port, {
        netns: moved.space.path,
        ifname: 'eth0',
        addresses: ['10.0.0.11/24', '2001:db8:a0::11/64'],
        routes: [],
      })
      await until(() => reaches(watcher, '10.0.0.11'), 'the pod is reached where it is now')
    }))
})

/** With a hop less. */
async function routed(from: Pod, address: string): Promise<void> {
  assert.match(
    (await from.space.namespace.exec('ping', '-c', '1', '-W', '2', address)).stdout,
    / ttl=63 /,
    `${from.port.uid} to ${address}`,
  )
}

/** Of all Subnets of its VNI, in both families. */
async function gatewaysAnswer(pod: Pod): Promise<void> {
  for (const address of ['10.0.0.1', '10.0.1.1', '2001:db8:a0::1', '2001:db8:a1::1']) {
    assert.match(
      (await pod.space.namespace.exec('ping', '-c', '1', '-W', '2', address)).stdout,
      / ttl=64 /,
      `${pod.port.uid} to ${address}`,
    )
  }
}

/** How often somebody is asked whose an address is, and how many answers come. */
async function answersOf({ space }: Pod, address: string): Promise<{ readonly asked: number; readonly answered: number }> {
  const { stdout } = await space.namespace.exec('arping', '-b', '-w', '2', '-I', 'eth0', address)
  return { asked: Number(/Sent (\d+) probes/.exec(stdout)?.[1]), answered: Number(/Received (\d+) response/.exec(stdout)?.[1]) }
}

const devicesIn = (links: string): string[] => [...links.matchAll(/^\d+: (mg(?:br|vx|gw)[0-9a-f]{6})[:@]/gm)].map(([, name = '']) => name)

/** An operator takes devices of ours away. */
async function without(node: Node, names: RegExp): Promise<Node> {
  const { stdout } = await node.space.namespace.ip('-o', 'link')
  for (const name of devicesIn(stdout).filter((each) => names.test(each))) await node.space.namespace.ip('link', 'del', name)
  return node
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
  await run('nsenter', [`--net=${space.path}`, '--', 'nft', '-f', '-'], {
    input: 'table arp heard {\n chain in {\n  type filter hook input priority 0;\n  counter\n }\n}\n',
  })
}

async function arps({ space }: Pod): Promise<number> {
  return Number(/counter packets (\d+)/.exec((await space.namespace.exec('nft', 'list', 'table', 'arp', 'heard')).stdout)?.[1])
}
