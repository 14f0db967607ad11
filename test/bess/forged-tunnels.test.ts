// Tunnel packets that nobody should believe, sent as packets to the real bessd: by strangers on the underlay, for a VNI that their sender
// is not in, and from the cluster NIC of a pod beside it (docs/security.md, "The wire").
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nftTunnelGuard } from '../../agent/tables/tunnel-guard.ts'
import { macIn, plugClusterNic } from '../node/cluster-nic.ts'
import { ipFrame, listen, pythonSkip, sendFrames, tunnelFrame } from '../node/raw-frames.ts'
import { until } from '../setup/until.ts'
import { bessSkip, openTestNodes, segment, settle, wantedOf } from './test-nodes.ts'

const [home, far] = ['192.168.50.1', '192.168.50.2']
const [nearMac, victimMac] = ['02:00:00:00:00:01', '02:00:00:00:00:02']

test(
  "tunnel packets are taken from nodes that have an address in their VNI alone, and a pod's cluster NIC sends none",
  { skip: bessSkip || pythonSkip },
  async () => {
    const cluster = await openTestNodes()
    try {
      const [one, two] = [await cluster.node('a', home), await cluster.node('b', far)]
      const near = { vni: 5001, address: '10.0.0.1', mac: nearMac, hostIP: home }
      const victim = await two.pod({ number: 1, vni: 5001, address: '10.0.0.2', mac: victimMac, more: { portSecurity: false } })
      const other = await two.pod({ number: 2, vni: 5002, address: '10.0.0.2', mac: victimMac, more: { portSecurity: false } })
      await settle(
        await two.plane(),
        wantedOf([victim.port, other.port], { endpoints: [near], segments: [segment(5001, { hosts: [home] }), segment(5002)] }),
      )
      const stranger = await cluster.namespace('s')
      const {
        address,
        mac: source,
        gatewayMac: destination,
      } = await plugClusterNic(one.namespace, stranger, { uplink: 'phy0', masquerade: true })
      const under = { source: await macIn(one.namespace, 'phy0'), destination: await macIn(two.namespace, 'phy0') }
      const ears = [await listen(victim.namespace, 'eth0'), await listen(other.namespace, 'eth0')] as const
      /** Each says by its source address which it is. */
      const inner = (n: number): string => ipFrame({ source: nearMac, destination: victimMac, from: `10.9.0.${n}`, to: '10.0.0.2' })
      const heard = (n: number): boolean => ears.some((ear) => ear.heard.some((each) => each.startsWith(inner(n).slice(0, 76))))
      const sent = (n: number, from: string, vni = 5001): string => tunnelFrame(inner(n), { vni, ...under, from, to: far })
      const forge = (n: number, from: string): string => tunnelFrame(inner(n), { vni: 5001, source, destination, from, to: far })
      await until(async () => {
        await sendFrames(stranger, 'eth0', [forge(1, address)])
        return heard(1)
      }, "without the guard a cluster NIC is believed behind its node's address")
      await nftTunnelGuard([4789], `/run/netns/${one.namespace.name}`).put()
      await sendFrames(stranger, 'eth0', [forge(2, address), forge(3, home), forge(4, '192.168.50.9')])
      await sendFrames(one.namespace, 'phy0', [sent(5, '192.168.50.9'), sent(6, far), sent(7, home, 5002), sent(8, home)])
      await until(() => heard(8), 'what is true arrives')
      const bad = {
        "behind its node's address": 2,
        'as its node': 3,
        'as a stranger': 4,
        'a stranger on the underlay': 5,
        'as the receiver': 6,
        'for a VNI that its node is not in': 7,
      }
      assert.deepEqual(
        Object.entries(bad)
          .filter(([, n]) => heard(n))
          .map(([name]) => name),
        [],
      )
      for (const ear of ears) await ear.close()
    } finally {
      await cluster.close()
    }
  },
)
