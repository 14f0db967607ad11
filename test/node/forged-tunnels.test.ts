// Tunnel packets that nobody should believe, sent as packets: by strangers on the underlay, for a VNI that their sender is not in, and from
// the cluster NIC of a pod, with sources of its choice.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { nftTunnelGuard } from '../../agent/tables/tunnel-guard.ts'
import { ovsSkip } from '../setup/ovs.ts'
import { until } from '../setup/until.ts'
import { macIn, plugClusterNic } from './cluster-nic.ts'
import { addPod, hostIP, setPieces, withNodes, type Pod } from './linux-nodes.ts'
import { ipFrame, listen, pythonSkip, sendFrames, tunnelFrame, type Ear } from './raw-frames.ts'
import { startTwoNodes } from './two-nodes.ts'

interface Wired {
  readonly port: { readonly mac: string; readonly addresses: readonly string[] }
}
/** Each says by its source address which it is. */
const innerOf = (n: number, from: Wired, to: Wired): string =>
  ipFrame({ source: from.port.mac, destination: to.port.mac, from: `10.9.0.${n}`, to: to.port.addresses[0]! })
const heardOf = ({ heard }: Ear, inner: string): boolean => heard.some((each) => each.startsWith(inner.slice(0, 76)))

async function onlyHears(
  ear: Ear,
  { good, bad }: { readonly good: string; readonly bad: Readonly<Record<string, string>> },
): Promise<void> {
  await until(() => heardOf(ear, good), 'what is true arrives')
  assert.deepEqual(
    Object.entries(bad)
      .filter(([, inner]) => heardOf(ear, inner))
      .map(([name]) => name),
    [],
  )
}

describe('forged tunnel packets', { skip: ovsSkip || pythonSkip }, () => {
  test('on the Linux data plane: taken from nodes that have an address in the VNI alone', () =>
    withNodes(async (spaces, [one, two]) => {
      const victim = await addPod(spaces, two, { vni: 5001, host: 10, more: { portSecurity: false } })
      const other = await addPod(spaces, two, { vni: 5002, host: 10, more: { portSecurity: false } })
      const near = await addPod(spaces, one, { vni: 5001, host: 11 })
      await setPieces([victim, near], [one, two])
      const [ear, otherEar] = [await listen(victim.space.namespace, 'eth0'), await listen(other.space.namespace, 'eth0')]
      const [source, destination] = [await macIn(one.space.namespace, 'under'), await macIn(two.space.namespace, 'under')]
      const sent = (n: number, to: Pod, from: string): string =>
        tunnelFrame(innerOf(n, near, to), { vni: to.vni, source, destination, from, to: hostIP(2) })
      await sendFrames(one.space.namespace, 'under', [
        sent(1, victim, '192.0.2.9'),
        sent(2, victim, hostIP(2)),
        sent(3, other, hostIP(1)),
        sent(4, victim, hostIP(1)),
      ])
      await onlyHears(ear, {
        good: innerOf(4, near, victim),
        bad: { 'a stranger': innerOf(1, near, victim), 'its own address': innerOf(2, near, victim) },
      })
      // From a node that is known, for a VNI that it is not in.
      assert.equal(heardOf(otherEar, innerOf(3, near, other)), false)
      for (const each of [ear, otherEar]) await each.close()
    }))

  test("on the Linux data plane: a pod's cluster NIC sends none, neither to another node nor to its own, whatever source it writes", () =>
    withNodes(async (spaces, [one, two]) => {
      const victim = await addPod(spaces, two, { vni: 5001, host: 10, more: { portSecurity: false } })
      const near = await addPod(spaces, one, { vni: 5001, host: 11, more: { portSecurity: false } })
      await setPieces([victim, near], [one, two])
      const stranger = await spaces.make()
      const {
        address,
        mac: source,
        gatewayMac: destination,
      } = await plugClusterNic(one.space.namespace, stranger.namespace, { uplink: 'under', masquerade: true })
      const ears = [await listen(victim.space.namespace, 'eth0'), await listen(near.space.namespace, 'eth0')] as const
      const forge = (n: number, from: string, to: string): string =>
        tunnelFrame(innerOf(n, victim, n % 2 === 0 ? near : victim), { vni: 5001, source, destination, from, to })
      const send = (n: number): Promise<void> =>
        sendFrames(stranger.namespace, 'eth0', [
          forge(n + 1, address, hostIP(2)), // becomes its node's address on the way
          forge(n + 3, hostIP(1), hostIP(2)),
          forge(n + 2, hostIP(2), hostIP(1)),
        ])
      const arrived = (n: number): boolean[] => [
        heardOf(ears[0], innerOf(n + 1, victim, victim)),
        heardOf(ears[1], innerOf(n + 2, victim, near)),
      ]
      await send(0)
      await until(() => arrived(0).every(Boolean), 'without the guard both nodes believe it')
      const guard = nftTunnelGuard([4789], one.space.path)
      await guard.put()
      assert.equal(await guard.seen(), guard.text)
      await send(10)
      // Tunnels of the node itself go on, both ways.
      const good = ipFrame({ source: near.port.mac, destination: victim.port.mac, from: '10.0.0.11', to: '10.0.0.10' })
      const back = ipFrame({ source: victim.port.mac, destination: near.port.mac, from: '10.0.0.10', to: '10.0.0.11' })
      await sendFrames(near.space.namespace, 'eth0', [good])
      await sendFrames(victim.space.namespace, 'eth0', [back])
      await until(() => heardOf(ears[0], good) && heardOf(ears[1], back), 'tunnels go on')
      assert.deepEqual([...arrived(10), heardOf(ears[0], innerOf(13, victim, victim))], [false, false, false])
      await guard.drop()
      assert.equal(await guard.seen(), undefined)
      for (const each of ears) await each.close()
    }))

  test('on Open vSwitch: the same, from the underlay and from a cluster NIC', async () => {
    const lab = await startTwoNodes()
    try {
      const [one, two] = lab.nodes
      const vni = (n: number) => ({ kind: 'vni', vni: n }) as const
      const victim = await lab.addPod(two, { name: 'v', attachment: vni(5001), addresses: ['10.0.0.2'], more: { portSecurity: false } })
      const other = await lab.addPod(two, { name: 'o', attachment: vni(5002), addresses: ['10.0.0.2'], more: { portSecurity: false } })
      const near = await lab.addPod(one, { name: 'n', attachment: vni(5001), addresses: ['10.0.0.3'] })
      await lab.converge()
      assert.equal(await near.pings('10.0.0.2'), true)
      const stranger = await lab.stranger('s')
      const [home, far] = [one.ovs.namespace, two.ovs.namespace]
      const { address, mac: source, gatewayMac: destination } = await plugClusterNic(home, stranger, { uplink: 'br-phy', masquerade: true })
      const ears = [await listen(victim.namespace, 'eth0'), await listen(other.namespace, 'eth0')] as const
      const under = { source: await macIn(home, 'br-phy'), destination: await macIn(far, 'br-phy') }
      const sent = (n: number, from: string, to = 5001): string =>
        tunnelFrame(innerOf(n, near, victim), { vni: to, ...under, from, to: two.tunnelAddress })
      const forge = (n: number, from: string): string =>
        tunnelFrame(innerOf(n, near, victim), { vni: 5001, source, destination, from, to: two.tunnelAddress })
      await sendFrames(stranger, 'eth0', [forge(1, address)])
      await until(() => heardOf(ears[0], innerOf(1, near, victim)), 'without the guard a cluster NIC is believed')
      await nftTunnelGuard([4789], `/run/netns/${home.name}`).put()
      await sendFrames(stranger, 'eth0', [forge(2, address), forge(3, one.tunnelAddress), forge(4, '192.168.50.9')])
      await sendFrames(home, 'br-phy', [
        sent(5, '192.168.50.9'),
        sent(6, two.tunnelAddress),
        sent(7, one.tunnelAddress, 5002),
        sent(8, one.tunnelAddress),
      ])
      const bad = {
        "behind its node's address": 2,
        'as its node': 3,
        'as a stranger': 4,
        'a stranger on the underlay': 5,
        'as the receiver': 6,
        'for a VNI that its node is not in': 7,
      }
      await onlyHears(ears[0], {
        good: innerOf(8, near, victim),
        bad: Object.fromEntries(Object.entries(bad).map(([name, n]) => [name, innerOf(n, near, victim)])),
      })
      assert.equal(heardOf(ears[1], innerOf(7, near, victim)), false)
      assert.equal(await near.pings('10.0.0.2'), true, 'tunnels go on')
      for (const each of ears) await each.close()
    } finally {
      await lab.close()
    }
  })
})
