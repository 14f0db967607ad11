// More ports than DPDK has devices: the first are its own, the others by libpcap, and packets pass between both kinds.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daemonOn } from '../../agent/dataplanes/bess/daemon.ts'
import { isDpdk } from '../../agent/dataplanes/bess/devices.ts'
import type { LocalPort } from '../../core/node/wanted.ts'
import { openChannel } from '../../platform/grpc/channel.ts'
import { bessSkip, openTestNodes, pings, settle, signal, wantedOf } from './test-nodes.ts'

const count = 100
/** Pods at both ends; the ports between them have interfaces that nobody uses. */
const inhabited = [1, 99, 100]
const macOf = (n: number): string => `02:00:00:00:02:${n.toString(16).padStart(2, '0')}`

test(`${count} ports are carried, and dpdk ports besides`, { skip: bessSkip }, async (t) => {
  const cluster = await openTestNodes()
  try {
    const node = await cluster.node('a', '192.168.50.1')
    const plane = await node.plane({ socketFolder: cluster.folder })
    const pods = new Map(
      await Promise.all(
        inhabited.map(
          async (number) => [number, await node.pod({ number, vni: 5001, address: `10.0.0.${number}`, mac: macOf(number) })] as const,
        ),
      ),
    )
    const first = pods.get(1)!
    const ports = Array.from({ length: count }, (_, i): LocalPort => {
      const number = i + 1
      return (
        pods.get(number)?.port ?? {
          ...first.port,
          uid: `a-${number}`,
          of: { ...first.port.of, name: `port-${number}` },
          number,
          ifcName: `mgz${number}`,
          mac: macOf(number),
          addresses: [`10.0.0.${number}`],
        }
      )
    })
    for (const { number, ifcName } of ports)
      if (!pods.has(number)) await node.namespace.ip('link', 'add', ifcName, 'up', 'type', 'veth', 'peer', 'name', `x${number}`)
    const sockets = [101, 102, 103].map((number): LocalPort => ({
      ...first.port,
      uid: `a-${number}`,
      number,
      ifcName: `mgz${number}`,
      mac: macOf(number),
      addresses: [`10.0.0.${number}`],
      type: 'dpdk',
    }))
    const wanted = wantedOf([...ports, ...sockets])
    const began = performance.now()
    await settle(plane, wanted)
    t.diagnostic(`${Math.round(performance.now() - began)} ms for ${count} ports at once`)
    assert.equal(await settle(plane, wanted), false)

    const channel = openChannel({ target: node.daemon.target })
    cluster.onClose(() => Promise.resolve(channel.close()))
    await channel.ready(5_000)
    const drivers = (await daemonOn(channel, signal).ports()).map((port) => isDpdk(port))
    assert.equal(drivers.length, count + sockets.length + 1)
    assert.ok(drivers.filter(Boolean).length <= 32 && drivers.includes(false), 'both kinds are there')
    const means = await plane.means!(signal)
    assert.deepEqual([means.size, [...new Set(means.values())].sort()], [count, ["DPDK's net_af_packet", 'libpcap']])
    // One of each kind, and two by libpcap.
    assert.equal(await pings(first.namespace, '10.0.0.100', { count: 5 }), true)
    assert.equal(await pings(pods.get(99)!.namespace, '10.0.0.100', { count: 5 }), true)

    // Those for DPDK go, and one of the others.
    const later = wantedOf(ports.filter(({ number }) => number !== 50))
    await settle(plane, later)
    assert.equal(await settle(plane, later), false)
    assert.equal(await pings(first.namespace, '10.0.0.100', { count: 5 }), true)
  } finally {
    await cluster.close()
  }
})
