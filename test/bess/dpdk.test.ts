// Ports for pods with DPDK: sockets that bessd makes, also where an earlier one left them behind, and what passes through them.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { startGuest } from '../../lab/dpdk.ts'
import { must, type Namespace } from '../../lab/namespaces.ts'
import type { LocalPort } from '../../core/node/wanted.ts'
import { ipFrame, listen, pythonSkip, sendFrames } from '../node/raw-frames.ts'
import { until } from '../setup/until.ts'
import { bessSkip, openTestNodes, pings, settle, wantedOf } from './test-nodes.ts'

const port = (number: number) =>
  ({
    uid: `u${number}`,
    of: { kind: 'Port', namespace: 'a', name: `p${number}` },
    number,
    ifcName: `mgz${number}`,
    attachment: { kind: 'vni', vni: 5001 },
    mac: `02:00:00:00:00:0${number}`,
    addresses: [`10.0.0.${number}`],
    allowedAddressPairs: [],
    portSecurity: true,
    type: 'dpdk',
    mtu: 1450,
  }) as const

for (const dpdkBy of ['vhost-user', 'memif'] as const) {
  test(`${dpdkBy}: the sockets are there, and there again after the daemon was killed`, { skip: bessSkip }, async () => {
    const cluster = await openTestNodes()
    try {
      const node = await cluster.node('a', '192.168.50.1')
      const plane = await node.plane({ dpdkBy, socketFolder: cluster.folder })
      const wanted = wantedOf([port(1), port(2)])
      const sockets = [1, 2].map((number) => join(cluster.folder, `mgz${number}.sock`))
      for (let life = 0; life < 2; life++) {
        await settle(plane, wanted)
        assert.equal(await settle(plane, wanted), false)
        assert.deepEqual(
          sockets.map((path) => existsSync(path)),
          [true, true],
          `life ${life}`,
        )
        await node.daemon.restart()
        await plane.open(AbortSignal.timeout(5000))
      }
    } finally {
      await cluster.close()
    }
  })
}

const guests = 'vhost-user: what a guest sends arrives in its VNI and, with a tag, in its VLANs, and what is for it comes back'
test(guests, { skip: bessSkip || pythonSkip }, async () => {
  const cluster = await openTestNodes()
  try {
    const node = await cluster.node('a', '192.168.50.1')
    const [wire, inVpc, inVlans] = (await Promise.all(['w', 'g', 'v'].map((name) => cluster.namespace(name)))) as [
      Namespace,
      Namespace,
      Namespace,
    ]
    const peer = ['peer', 'name', 'up0', 'netns', wire.name]
    await must('ip', 'link', 'add', 'up0', 'netns', node.namespace.name, 'type', 'veth', ...peer)
    for (const each of [node.namespace, wire]) await each.ip('link', 'set', 'up0', 'up')
    const plain = await node.pod({ number: 3, vni: 5001, address: '10.0.0.3', mac: '02:00:00:00:00:03' })
    const attachment = { kind: 'vlan', physicalNetwork: 'physnet1', mode: 'selectivetrunk', vlans: [100, 200] } as const
    const socketed = (number: number): LocalPort => ({ ...port(number), socket: join(cluster.folder, `u${number}`, 'net1.sock') })
    const [first, second] = [socketed(1), { ...socketed(2), attachment, portSecurity: false }]
    const plane = await node.plane({ uplinks: { physnet1: 'up0' } })
    for (const { socket } of [first, second]) await mkdir(dirname(socket!))
    await settle(plane, wantedOf([first, second, plain.port]))
    for (const [of, namespace, ifcName] of [
      [first, inVpc, 'fast'],
      [second, inVlans, 'tagged'],
    ] as const) {
      const log = join(cluster.folder, `${ifcName}.log`)
      const guest = await startGuest({ namespace, socket: of.socket!, serves: false, ifcName, mac: of.mac, log })
      cluster.onClose(() => guest.stop())
    }
    await inVpc.ip('link', 'set', 'fast', 'mtu', '1450')
    await inVpc.ip('addr', 'add', '10.0.0.1/24', 'dev', 'fast')
    await until(() => pings(inVpc, '10.0.0.3', { count: 1 }), 'the pod with an interface of the kernel answers', 20_000)
    assert.equal(await pings(plain.namespace, '10.0.0.1'), true)

    /** Tags of what is heard of frames that are sent with these, 0 for none; 100 is the last. */
    const heard = async (from: Namespace, by: string, to: Namespace, at: string): Promise<readonly number[]> => {
      const ear = await listen(to, at)
      const all = { source: '02:00:00:00:00:02', destination: 'ff:ff:ff:ff:ff:ff', from: '10.0.0.2' }
      const frame = (tag: number): string => ipFrame({ ...all, to: `10.9.0.${tag}`, ...(tag !== 0 && { tag }) })
      const hex = (tag: number): string => tag.toString(16).padStart(2, '0')
      const found = (tag: number): string | undefined => ear.heard.find((each) => each.includes(`0a0900${hex(tag)}`))
      await sendFrames(from, by, [0, 99, 200].map(frame))
      await until(
        async () => {
          await sendFrames(from, by, [frame(100)])
          return found(100) !== undefined
        },
        'the last is heard',
        20_000,
      )
      await ear.close()
      return [0, 99, 100, 200].filter((tag) => found(tag)?.slice(24, 32) === `810000${hex(tag)}`)
    }
    assert.deepEqual(await heard(inVlans, 'tagged', wire, 'up0'), [100, 200])
    assert.deepEqual(await heard(wire, 'up0', inVlans, 'tagged'), [100, 200])
  } finally {
    await cluster.close()
  }
})
