// Packets through the real bessd: pods as namespaces behind AF_PACKET ports, nodes joined by an underlay.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import type { Endpoint, LocalPort } from '../../core/node/wanted.ts'
import { filled, openTestNodes, pings, segment, settle, wantedOf, bessSkip, type BessNode, type TestNodes } from './test-nodes.ts'

const macOf = (n: number): string => `02:00:00:00:00:${n.toString(16).padStart(2, '0')}`
const farOf = (port: LocalPort, hostIP: string): Endpoint => ({
  vni: port.attachment.kind === 'vni' ? port.attachment.vni : 0,
  address: port.addresses[0]!,
  mac: port.mac,
  hostIP,
})

describe('packets through bessd', { skip: bessSkip }, () => {
  let cluster: TestNodes
  beforeEach(async () => {
    cluster = await openTestNodes()
  })
  afterEach(() => cluster.close())

  test('on one node: within a VNI yes, across VNIs with the same addresses no, spoofed no', async () => {
    const node = await cluster.node('a', '192.168.50.1')
    const plane = await node.plane()
    const pod = (number: number, vni: number, last: number) => node.pod({ number, vni, address: `10.0.0.${last}`, mac: macOf(number) })
    const [a1, a2, b1] = [await pod(1, 5001, 1), await pod(2, 5001, 2), await pod(3, 5002, 1)]
    await settle(plane, wantedOf([a1.port, a2.port, b1.port]))
    assert.equal(await settle(plane, wantedOf([a1.port, a2.port, b1.port])), false)
    assert.equal(await pings(a1.namespace, '10.0.0.2'), true)
    assert.equal(await pings(b1.namespace, '10.0.0.2'), false, 'another VNI')
    const b2 = await pod(4, 5002, 2)
    await settle(plane, wantedOf([a1.port, a2.port, b1.port, b2.port]))
    assert.equal(await pings(b1.namespace, '10.0.0.2'), true, 'the same addresses in the other VNI')

    await a1.namespace.ip('addr', 'add', '10.0.0.77/24', 'dev', 'eth0')
    assert.equal(await pings(a1.namespace, '10.0.0.2', { from: '10.0.0.77' }), false, 'a source that is not its own')
    await a1.namespace.ip('link', 'set', 'eth0', 'address', '02:00:00:00:00:99')
    assert.equal(await pings(a1.namespace, '10.0.0.2'), false, 'a MAC that is not its own')
    await a2.namespace.ip('neigh', 'flush', 'all')
    const free = { ...a1.port, mac: '02:00:00:00:00:99', portSecurity: false }
    await settle(plane, wantedOf([free, a2.port, b1.port, b2.port]))
    assert.equal(await pings(a1.namespace, '10.0.0.2'), true, 'without port security')
  })

  test('a pod speaks to what it is allowed besides, and through its gateway to another subnet of the VNI', async () => {
    const node = await cluster.node('a', '192.168.50.1')
    const plane = await node.plane()
    const one = await node.pod({
      number: 1,
      vni: 5001,
      address: '10.0.0.1',
      mac: macOf(1),
      more: { allowedAddressPairs: [{ ip: '10.0.0.64/28' }] },
    })
    const two = await node.pod({ number: 2, vni: 5001, address: '10.0.1.2', mac: macOf(2) })
    const segments = [
      segment(5001, {
        subnets: [
          { cidr: '10.0.0.0/24', gateway: '10.0.0.254' },
          { cidr: '10.0.1.0/24', gateway: '10.0.1.254' },
        ],
      }),
    ]
    await one.namespace.ip('route', 'add', 'default', 'via', '10.0.0.254')
    await two.namespace.ip('route', 'add', 'default', 'via', '10.0.1.254')
    await settle(plane, wantedOf([one.port, two.port], { segments }))
    assert.equal(await pings(one.namespace, '10.0.1.2'), true)
    for (const gateway of ['10.0.0.254', '10.0.1.254']) assert.ok(await pings(one.namespace, gateway), `the gateway ${gateway} answers`)
    for (const bytes of ['0', '1', '700', '1422']) {
      // Until 20 are answered: of a burst a bessd that is not run for a moment loses one or two.
      const { stdout } = await one.namespace.exec('ping', '-c', '20', '-i', '0.002', '-w', '5', '-s', bytes, '10.0.0.254')
      const sent = Number(/^(\d+) packets transmitted, 20 received/m.exec(stdout)?.[1])
      assert.ok(sent <= 22, `pings of ${bytes} bytes: ${stdout}`)
    }
    const three = await node.pod({ number: 3, vni: 5001, address: '10.0.0.3', mac: macOf(3) })
    await settle(plane, wantedOf([one.port, two.port, three.port], { segments }))
    await one.namespace.ip('addr', 'add', '10.0.0.70/24', 'dev', 'eth0')
    await three.namespace.ip('neigh', 'replace', '10.0.0.70', 'lladdr', macOf(1), 'dev', 'eth0', 'nud', 'permanent')
    assert.equal(await pings(one.namespace, '10.0.0.3', { from: '10.0.0.70' }), true, 'an address of its pairs')
  })

  test('between two nodes over VXLAN, and after one bessd was killed and filled again', async () => {
    const [left, right] = [await cluster.node('a', '192.168.50.1'), await cluster.node('b', '192.168.50.2')]
    const [here, there] = [
      await left.pod({ number: 1, vni: 5001, address: '10.0.0.1', mac: macOf(1) }),
      await right.pod({ number: 1, vni: 5001, address: '10.0.0.2', mac: macOf(2) }),
    ]
    const toHost = (port: LocalPort, far: LocalPort, host: string) =>
      wantedOf([port], { endpoints: [farOf(far, host)], segments: [segment(5001, { hosts: [host] })] })
    const wanted = [toHost(here.port, there.port, right.tunnelAddress), toHost(there.port, here.port, left.tunnelAddress)] as const
    const planes = [await left.plane(), await right.plane()] as const
    for (const i of [0, 1] as const) await settle(planes[i], wanted[i])
    assert.equal(await pings(here.namespace, '10.0.0.2'), true)

    const drift = Promise.withResolvers<void>()
    planes[0].onDrift(() => drift.resolve())
    const began = Date.now()
    await left.daemon.restart()
    await drift.promise
    await filled(left, () => settle(planes[0], wanted[0]))
    assert.equal(await pings(here.namespace, '10.0.0.2'), true)
    console.log(`bessd killed, started and filled again in ${Date.now() - began} ms, its own start and the pings included`)
  })

  test('broadcasts and neighbour discovery reach all of a VNI that floods, on both nodes, and come back to nobody', async () => {
    const [left, right] = [await cluster.node('a', '192.168.50.1'), await cluster.node('b', '192.168.50.2')]
    const six = { addresses: ['10.0.0.1', '2001:db8::1'] }
    const one = await left.pod({ number: 1, vni: 5001, address: '10.0.0.1', mac: macOf(1), more: six })
    const two = await left.pod({
      number: 2,
      vni: 5001,
      address: '10.0.0.2',
      mac: macOf(2),
      more: { addresses: ['10.0.0.2', '2001:db8::2'] },
    })
    const far = await right.pod({
      number: 1,
      vni: 5001,
      address: '10.0.0.3',
      mac: macOf(3),
      more: { addresses: ['10.0.0.3', '2001:db8::3'] },
    })
    for (const [pod, n] of [
      [one, 1],
      [two, 2],
      [far, 3],
    ] as const)
      await pod.namespace.ip('addr', 'add', `2001:db8::${n}/64`, 'dev', 'eth0', 'nodad')
    const flooding = (host: string, numbers: readonly number[]) => [segment(5001, { flood: true, hosts: [host], numbers })]
    await settle(
      await left.plane(),
      wantedOf([one.port, two.port], {
        endpoints: [farOf(far.port, right.tunnelAddress)],
        segments: flooding(right.tunnelAddress, [1, 2]),
      }),
    )
    await settle(
      await right.plane(),
      wantedOf([far.port], {
        endpoints: [farOf(one.port, left.tunnelAddress), farOf(two.port, left.tunnelAddress)],
        segments: flooding(left.tunnelAddress, [1]),
      }),
    )
    assert.equal(await pings(one.namespace, '2001:db8::2'), true, 'IPv6 on the node')
    assert.equal(await pings(one.namespace, '2001:db8::3'), true, 'IPv6 across nodes')
    const before = await broadcastsOf(one)
    await one.namespace.exec('ping', '-b', '-c', '5', '-i', '0.2', '-W', '1', '10.0.0.255')
    assert.ok((await broadcastsOf(two)) >= 5 && (await broadcastsOf(far)) >= 5, 'all others have them')
    assert.equal((await broadcastsOf(one)) - before, 5, 'their sender hears itself only, as every IP stack does, and none comes back')
  })
})

type Pod = Awaited<ReturnType<BessNode['pod']>>

async function counter(pod: Pod, name: string): Promise<number> {
  const shown = await pod.namespace.exec('cat', '/proc/net/netstat')
  const lines = shown.stdout
    .split('\n')
    .filter((line) => line.startsWith('IpExt:'))
    .map((line) => line.split(' '))
  return Number(lines[1]![lines[0]!.indexOf(name)])
}
const broadcastsOf = (pod: Pod): Promise<number> => counter(pod, 'InBcastPkts')
