// Packets between two nodes over VXLAN: who reaches whom, and who does not.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { gatewayMac } from '../../core/net/gateway-mac.ts'
import { ipv6Value } from '../../core/pipeline/openflow/values.ts'
import { ovsSkip } from '../setup/ovs.ts'
import { until } from '../setup/until.ts'
import { advertisementFrame, arpFrame, ipFrame, listen, pythonSkip, sendFrames } from './raw-frames.ts'
import { reach, startTwoNodes, type Pod, type TwoNodes } from './two-nodes.ts'

const blue = { kind: 'vni', vni: 4_098 } as const
const red = { kind: 'vni', vni: 70_000 } as const
const subnets = [
  { cidr: '10.0.0.0/24', gateway: '10.0.0.1' },
  { cidr: '10.0.1.0/24', gateway: '10.0.1.1' },
  { cidr: 'fd00:0::/64', gateway: 'fd00::1' },
  { cidr: 'fd00:0:0:1::/64', gateway: 'fd00:0:0:1::1' },
]

describe('two nodes with Open vSwitch', { skip: ovsSkip }, () => {
  let lab: TwoNodes
  let a: Pod, b: Pod, c: Pod, routed: Pod, other: Pod, otherTwo: Pod
  before(async () => {
    lab = await startTwoNodes()
    const [one, two] = lab.nodes
    a = await lab.addPod(one, { name: 'a', attachment: blue, addresses: ['10.0.0.2', 'fd00::2'], gateways: ['10.0.0.1', 'fd00::1'] })
    b = await lab.addPod(two, { name: 'b', attachment: blue, addresses: ['10.0.0.3', 'fd00::3'], gateways: ['10.0.0.1', 'fd00::1'] })
    c = await lab.addPod(one, { name: 'c', attachment: blue, addresses: ['10.0.0.4'] })
    routed = await lab.addPod(two, {
      name: 'r',
      attachment: blue,
      addresses: ['10.0.1.2', 'fd00:0:0:1::2'],
      gateways: ['10.0.1.1', 'fd00:0:0:1::1'],
    })
    // The other tenant has the same addresses, and one that the first has not.
    other = await lab.addPod(one, { name: 'o', attachment: red, addresses: ['10.0.0.2', 'fd00::2'] })
    otherTwo = await lab.addPod(two, { name: 'p', attachment: red, addresses: ['10.0.0.9', 'fd00::9'] })
    await lab.converge({ [blue.vni]: { subnets }, [red.vni]: { subnets } })
  })
  after(() => lab.close())

  test('pods of one VNI reach each other, on one node and on two, by IPv4 and IPv6', async () => {
    for (const [from, to] of [
      [a, '10.0.0.3'],
      [b, '10.0.0.2'],
      [a, '10.0.0.4'],
      [c, '10.0.0.3'],
      [a, 'fd00::3'],
      [b, 'fd00::2'],
      [other, '10.0.0.9'],
      [otherTwo, '10.0.0.2'],
      [other, 'fd00::9'],
    ] as const) {
      assert.equal(await from.pings(to), true, `${from.port.of.name} → ${to}`)
    }
  })

  test('pods of another VNI are not reached, though addresses are the same', async () => {
    for (const [from, to] of [
      [a, '10.0.0.9'],
      [b, '10.0.0.9'],
      [other, '10.0.0.3'],
      [otherTwo, '10.0.0.4'],
      [a, 'fd00::9'],
      [otherTwo, 'fd00::3'],
    ] as const) {
      assert.equal(await from.pings(to), false, `${from.port.of.name} → ${to}`)
    }
  })

  test('large packets pass, as far as the MTU says', async () => {
    assert.equal(await a.pings('10.0.0.3', '-M', 'do', '-s', '1422'), true)
  })

  test('gateways answer, with one MAC on every node', async () => {
    for (const pod of [a, b]) {
      assert.equal(await pod.pings('10.0.0.1'), true)
      assert.equal(await pod.pings('fd00::1'), true)
      const neighbours = (await pod.namespace.ip('neigh')).stdout
      for (const gateway of ['10.0.0.1', 'fd00::1']) assert.match(neighbours, new RegExp(`^${gateway} .*lladdr ${gatewayMac}`, 'm'))
    }
  })

  test('subnets of one VNI reach each other through the gateway, one hop further', async () => {
    for (const [from, to] of [
      [a, '10.0.1.2'],
      [routed, '10.0.0.2'],
      [b, '10.0.1.2'],
      [a, 'fd00:0:0:1::2'],
      [routed, 'fd00::3'],
    ] as const)
      assert.equal(await from.pings(to), true, `${from.port.of.name} → ${to}`)
    const ttl = async (from: Pod, to: string): Promise<string | undefined> =>
      /ttl=(\d+)/.exec((await from.namespace.exec('ping', '-c', '2', '-i', '0.2', '-W', '1', to)).stdout)?.[1]
    assert.deepEqual([await ttl(a, '10.0.0.3'), await ttl(a, '10.0.1.2')], ['64', '63'])
    assert.equal(await a.pings('10.0.1.99'), false)
  })

  test('nobody else than its owner has an address: the MAC of each neighbour is the right one', async () => {
    const neighbours = (await a.namespace.ip('neigh')).stdout
    for (const { port } of [b, c]) assert.match(neighbours, new RegExp(`^${port.addresses[0]!} .*lladdr ${port.mac}`, 'm'))
    assert.match(neighbours, new RegExp(`^fd00::3 .*lladdr ${b.port.mac}`, 'm'))
  })

  test('spoofed sources get nowhere: MAC, IPv4, ARP and neighbour discovery; what is true does', { skip: pythonSkip }, async () => {
    const ear = await listen(b.namespace, 'eth0')
    const mac = a.port.mac
    const destination = b.port.mac
    const good = ipFrame({ source: mac, destination, from: '10.0.0.2', to: '10.0.0.3' })
    const goodArp = arpFrame({ op: 2, mac, from: '10.0.0.2', asks: '10.0.0.3', destination })
    const goodNd = advertisementFrame({
      source: mac,
      destination,
      from: ipv6Value('fd00::2'),
      to: ipv6Value('fd00::3'),
      target: ipv6Value('fd00::2'),
      mac,
    })
    const bad = [
      ipFrame({ source: '02:00:00:00:00:99', destination, from: '10.0.0.2', to: '10.0.0.3' }),
      ipFrame({ source: mac, destination, from: '10.0.0.4', to: '10.0.0.3' }),
      ipFrame({ source: mac, destination, from: '10.0.0.2', to: '10.0.0.3', tag: 5 }),
      arpFrame({ op: 2, mac, from: '10.0.0.4', asks: '10.0.0.3', destination }),
      arpFrame({ op: 2, mac: '02:00:00:00:00:99', source: mac, from: '10.0.0.2', asks: '10.0.0.3', destination }),
      advertisementFrame({
        source: mac,
        destination,
        from: ipv6Value('fd00::2'),
        to: ipv6Value('fd00::3'),
        target: ipv6Value('fd00::1'),
        mac,
      }),
      advertisementFrame({
        source: mac,
        destination,
        from: ipv6Value('fd00::1'),
        to: ipv6Value('fd00::3'),
        target: ipv6Value('fd00::2'),
        mac,
      }),
      advertisementFrame({
        source: mac,
        destination,
        from: ipv6Value('fd00::2'),
        to: ipv6Value('fd00::3'),
        target: ipv6Value('fd00::2'),
        mac: '02:00:00:00:00:99',
      }),
    ]
    // The good ones come last: once they are heard, the others would have been.
    await sendFrames(a.namespace, 'eth0', [...bad, good, goodArp, goodNd])
    await until(() => [good, goodArp, goodNd].every((frame) => ear.heard.some((each) => each.startsWith(frame))), 'what is true arrives')
    for (const frame of bad) assert.ok(!ear.heard.some((each) => each.startsWith(frame)), frame)
    await ear.close()
  })

  test('an allowed pair may speak, and a port without security may say anything', { skip: pythonSkip }, async () => {
    const pair = { ip: '10.0.7.0/24', mac: '00:00:5e:00:01:07' }
    const frame = (from: string, source: string): string => ipFrame({ source, destination: b.port.mac, from, to: '10.0.0.3' })
    const [node] = lab.nodes
    const with_ = async (more: object): Promise<void> => {
      const wanted = lab.wantedOf(node)
      await reach(node.plane, { ...wanted, ports: new Map(wanted.ports).set(a.port.uid, { ...a.port, ...more }) })
    }
    const ear = await listen(b.namespace, 'eth0')
    const came = (text: string): boolean => ear.heard.some((each) => each.startsWith(text.slice(0, 80)))
    await with_({ allowedAddressPairs: [pair] })
    await sendFrames(a.namespace, 'eth0', [frame('10.0.8.8', pair.mac), frame('10.0.7.8', pair.mac)])
    await until(() => came(frame('10.0.7.8', pair.mac)), 'the pair arrives')
    assert.ok(!came(frame('10.0.8.8', pair.mac)))
    await with_({ portSecurity: false })
    await sendFrames(a.namespace, 'eth0', [frame('10.0.8.9', '02:00:00:00:00:98')])
    await until(() => came(frame('10.0.8.9', '02:00:00:00:00:98')), 'anything arrives')
    await ear.close()
    await lab.converge()
  })

  test('gratuitous ARP and multicast are for VNIs that want them, on both nodes, and for no other VNI', { skip: pythonSkip }, async () => {
    const announce = arpFrame({ mac: a.port.mac, from: '10.0.0.2', asks: '10.0.0.2' })
    const vrrp = ipFrame({ source: a.port.mac, destination: '01:00:5e:00:00:12', from: '10.0.0.2', to: '224.0.0.18', proto: 112 })
    const unicast = ipFrame({ source: a.port.mac, destination: b.port.mac, from: '10.0.0.2', to: '10.0.0.3' })
    const ears = await Promise.all([b, c, otherTwo, a].map(({ namespace }) => listen(namespace, 'eth0')))
    const hears = (text: string): boolean[] => ears.map(({ heard }) => heard.some((each) => each.startsWith(text.slice(0, 76))))
    await sendFrames(a.namespace, 'eth0', [announce, vrrp, unicast])
    await until(() => hears(unicast)[0]!, 'the unicast arrives')
    // What a sends it hears of itself: packet sockets see both ways.
    assert.deepEqual(
      [hears(announce).slice(0, 3), hears(vrrp).slice(0, 3)],
      [
        [false, false, false],
        [false, false, false],
      ],
    )
    await lab.converge({ [blue.vni]: { subnets, flood: true }, [red.vni]: { subnets } })
    await sendFrames(a.namespace, 'eth0', [announce, vrrp])
    await until(() => [announce, vrrp].every((frame) => hears(frame)[0]! && hears(frame)[1]!), 'both are heard on both nodes')
    assert.deepEqual([hears(announce)[2], hears(vrrp)[2]], [false, false])
    // Nobody gets it twice, and nobody answers an announcement. Each ear is a process, and tells what it heard in its own time.
    const timesHeard = (): number[] => ears.map(({ heard }) => heard.filter((each) => each.startsWith(vrrp.slice(0, 76))).length)
    await until(() => timesHeard()[3]! >= 2, 'who sent it has heard it twice')
    assert.deepEqual(timesHeard(), [1, 1, 0, 2])
    for (const ear of ears) await ear.close()
    await lab.converge({ [blue.vni]: { subnets }, [red.vni]: { subnets } })
  })
})
