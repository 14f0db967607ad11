// Ports of a cloud on a Linux bridge that is somebody else's.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reaches } from '../../lab/nodes/ping.ts'
import { portPiece } from '../../core/pieces/port.ts'
import type { LocalPort } from '../../core/node/wanted.ts'
import { linux } from '../../agent/dataplanes/linux.ts'
import { makeLinks } from '../../agent/links/plumbing.ts'
import { openNetlink } from '../../agent/netlink/addon.ts'
import { realClock } from '../../platform/clock.ts'
import { ovsSkip } from '../setup/ovs.ts'
import { builtAddon, withSpaces } from './kernel.ts'
import { l4Port, tunnelAddress } from './linux-test-node.ts'

const portOf = (nth: number): LocalPort => ({
  uid: `00000000-0000-4000-8000-00000000000${nth}`,
  of: { kind: 'Port', namespace: 'blue', name: `web-${nth}` },
  number: nth,
  ifcName: `mgztest${nth}`,
  attachment: { kind: 'vif', plug: 'bridge', bridge: 'br-theirs' },
  mac: `02:00:00:00:00:0${nth}`,
  addresses: [`10.0.0.${nth}`],
  allowedAddressPairs: [],
  portSecurity: true,
  type: 'kernel',
  mtu: 1400,
})

test('ports are in the Linux bridge of their cloud, packets pass, and at the end the bridge is as it was', { skip: ovsSkip }, () =>
  withSpaces(async (spaces) => {
    const [node, ...pods] = [await spaces.make(), await spaces.make(), await spaces.make()] as const
    const addon = await builtAddon()
    const { signal } = new AbortController()
    const hand = await openNetlink(addon, node.path)
    const onProblem = (err: unknown): void => assert.fail(err as Error)
    const links = makeLinks({ clock: realClock, netlink: hand, home: node.path, reaper: await openNetlink(addon, node.path), onProblem })
    const netlink = await openNetlink(addon, node.path)
    const plane = linux({ kernel: () => Promise.resolve({ netlink, addon, netns: node.path }), tunnelAddress, l4Port })
    try {
      await node.namespace.ip('link', 'add', 'br-theirs', 'type', 'bridge')
      await node.namespace.ip('link', 'set', 'br-theirs', 'up')
      await plane.open(signal)
      const ports = [portOf(1), portOf(2)]
      for (const [nth, port] of ports.entries())
        await links.ensure(port, { netns: pods[nth]!.path, ifname: 'net1', addresses: [`10.0.0.${nth + 1}/24`], routes: [] })
      const items = ports.flatMap((port) => plane.renderer.render(portPiece, port, {}))
      for (const _ of 'twice') await plane.apply({ drop: [], put: items }, signal)
      const seen = await plane.observe(undefined, signal)
      assert.deepEqual(
        items.map(({ key }) => seen.get(key)),
        ['into br-theirs', 'into br-theirs'],
      )
      assert.ok(await reaches(pods[0].namespace, '10.0.0.2', { tries: 5 }))
      for (const _ of 'twice') await plane.apply({ drop: items.map(({ key, text }) => plane.itemOf(key, text)), put: [] }, signal)
      assert.deepEqual(
        [...(await plane.observe(undefined, signal)).keys()].filter((key) => key.startsWith('plugged/')),
        [],
      )
      const all = await hand.list('links')
      const bridge = all.find(({ ifname }) => ifname === 'br-theirs')
      assert.deepEqual([bridge?.up, all.filter(({ master }) => master === bridge?.index)], [true, []])
    } finally {
      await plane.close()
      await links.close()
    }
  }),
)
