// What a node makes, or waits for, where a cloud says how a Port is plugged in: TAPs, interfaces that others make, Linux bridges.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { LinkTaken, PortNotReady } from '../../core/errors.ts'
import { hybridDevices } from '../../core/pipeline/items.ts'
import { hybridKey, hybridText } from '../../core/pipeline/ovsdb/switch.ts'
import type { LocalPort, VifAttachment } from '../../core/node/wanted.ts'
import type { Inside, Links } from '../../agent/links/links.ts'
import { linkGroup } from '../../agent/links/pod-namespace.ts'
import { makeLinks } from '../../agent/links/plumbing.ts'
import { openNetlink } from '../../agent/netlink/addon.ts'
import type { Netlink } from '../../agent/netlink/netlink.ts'
import { Hybrids } from '../../agent/links/vif/hybrids.ts'
import { realClock } from '../../platform/clock.ts'
import { ovsSkip } from '../setup/ovs.ts'
import { builtAddon, carriers, withSpaces, type Space } from './kernel.ts'

const port = (attachment: Omit<VifAttachment, 'kind'>): LocalPort => ({
  uid: '00000000-0000-4000-8000-000000000001',
  of: { kind: 'Port', namespace: 'blue', name: 'web' },
  number: 1,
  ifcName: 'mgztest1',
  attachment: { kind: 'vif', ...attachment },
  mac: '02:00:00:00:00:01',
  addresses: ['10.0.0.1'],
  allowedAddressPairs: [],
  portSecurity: true,
  type: 'kernel',
  mtu: 1400,
})
const tap = port({ plug: 'tap', bridge: 'br-int' })
const theirs = port({ plug: 'interface', interface: 'theirs0' })
const inside = (netns: string): Inside => ({ netns, ifname: 'net1', addresses: ['10.0.0.1/24'], routes: [] })
const whole = { ...hybridDevices('qbr01234567-89'), member: 'tap01234567-89', uid: tap.uid, mtu: 1400 }

/** Of somebody else's: the kernel of a test has no simpler one than a pair. */
const make = ({ namespace }: Space, name: string, ...more: readonly string[]): Promise<unknown> =>
  namespace.ip('link', 'add', name, ...more, 'type', 'veth', 'peer', 'name', `p-${name}`.slice(0, 15))

interface Node {
  readonly links: Links
  readonly netlink: Netlink
  readonly node: Space
  readonly pod: Space
}

for (const [carrier, open] of Object.entries(carriers))
  describe(`plugs of clouds by ${carrier}`, { skip: ovsSkip }, () => {
    const nodeTest = (sentence: string, run: (node: Node) => Promise<void>): void =>
      void test(sentence, () =>
        withSpaces(async (spaces) => {
          const [node, pod] = [await spaces.make(), await spaces.make()]
          const netlink = await open(node.path)
          const onProblem = (err: unknown): void => assert.fail(err as Error)
          const links = makeLinks({ clock: realClock, netlink, home: node.path, reaper: await open(node.path), onProblem })
          try {
            await run({ links, netlink, node, pod })
          } finally {
            await links.close()
          }
        }),
      )
    const named = async (netlink: Netlink, name: string, where?: string) =>
      (await netlink.list('links', where)).find(({ ifname }) => ifname === name)

    nodeTest('a TAP is made once, is ours from the beginning, is checked, and goes', async ({ links, netlink, pod }) => {
      const made = await links.ensure(tap, inside(pod.path))
      assert.deepEqual([made.fresh, made.mac, made.ifcName], [true, tap.mac, 'mgztest1'])
      assert.equal((await links.ensure(tap, inside(pod.path))).fresh, false)
      const link = await named(netlink, 'mgztest1')
      assert.deepEqual(
        [link?.kind, link?.group, link?.alias, link?.up, link?.mtu],
        ['tun', linkGroup.ours, `megrez:${tap.uid}`, true, 1400],
      )
      assert.deepEqual(
        (await links.list()).map(({ ifcName, uid }) => [ifcName, uid]),
        [['mgztest1', tap.uid]],
      )
      await netlink.request([{ do: 'setLink', of: link!, change: { mtu: 1300 } }])
      assert.deepEqual(await links.check(tap, inside(pod.path)), ['mgztest1 has MTU 1300, not 1400'])
      await links.ensure(tap, inside(pod.path))
      assert.deepEqual(await links.check(tap, inside(pod.path)), [])
      await links.remove('mgztest1')
      await links.remove('mgztest1')
      await links.reap()
      assert.deepEqual(
        [await named(netlink, 'mgztest1'), await links.check(tap, inside(pod.path))],
        [undefined, ['there is no TAP mgztest1']],
      )
    })

    nodeTest('a Port of a VM is a TAP too where its interface is ours to make', async ({ links, netlink, pod }) => {
      for (const attachment of [tap.attachment, { kind: 'vif', plug: 'bridge', bridge: 'br-int' }, { kind: 'vni', vni: 7 }] as const) {
        await links.ensure({ ...tap, attachment, type: 'tap' }, inside(pod.path))
        assert.equal((await named(netlink, 'mgztest1'))?.kind, 'tun')
        await links.remove('mgztest1')
      }
    })

    nodeTest('a TAP is for whom its Port names, else for root; one that is another is named, and given back', async (of) => {
      const { links, netlink, node, pod } = of
      const use = async (): Promise<unknown> => (await named(netlink, 'mgztest1'))?.tun
      const there = inside(pod.path)
      await links.ensure(tap, there)
      // iproute2 tells root by name.
      assert.deepEqual(await use(), { ...(carrier === 'addon' && { owner: 0 }), multiQueue: false })
      await links.remove('mgztest1')
      await links.reap()
      const ofUser = { ...tap, tap: { uid: 61_001, gid: 61_002, multiQueue: true } }
      const wanted = { owner: 61_001, ownerGroup: 61_002, multiQueue: true }
      await links.ensure(ofUser, there)
      await links.ensure(ofUser, there)
      assert.deepEqual([await use(), await links.check(ofUser, there)], [wanted, []])
      const addon = await openNetlink(await builtAddon(), node.path)
      await addon.tap('mgztest1', 'tap', undefined, { owner: 61_009, multiQueue: true })
      await addon.close()
      const differs = 'mgztest1 is for user 61009 and group 61002, not for user 61001 and group 61002'
      assert.deepEqual(await links.check(ofUser, there), [differs])
      await links.ensure(ofUser, there)
      // iproute2 changes none that is there.
      assert.deepEqual(await links.check(ofUser, there), carrier === 'addon' ? [] : [differs])
      assert.deepEqual(await links.check({ ...ofUser, tap: { uid: 61_001, gid: 61_002 } }, there), [
        ...(carrier === 'addon' ? [] : [differs]),
        'mgztest1 takes several queues',
      ])
    })

    nodeTest("a TAP of somebody else's is left alone", async ({ links, netlink, pod }) => {
      await netlink.tap('mgztest1', 'tap')
      const before = await named(netlink, 'mgztest1')
      await assert.rejects(links.ensure(tap, inside(pod.path)), LinkTaken)
      await links.remove('mgztest1')
      await links.reap()
      assert.deepEqual(await named(netlink, 'mgztest1'), before)
    })

    nodeTest('an interface that others make is waited for, moved into the pod, and given back as it was', async (of) => {
      const { links, netlink, node, pod } = of
      const adopted = links.ensure(theirs, inside(pod.path), undefined, AbortSignal.timeout(10_000))
      await make(node, 'other0')
      await make(node, 'theirs0', 'address', '02:00:00:00:00:77', 'mtu', '1450')
      await adopted
      await links.ensure(theirs, inside(pod.path))
      assert.equal(await named(netlink, 'theirs0'), undefined)
      const there = await named(netlink, 'net1', pod.path)
      assert.deepEqual([there?.mac, there?.mtu, there?.up], [theirs.mac, 1400, true])
      assert.deepEqual(await links.check(theirs, inside(pod.path)), [])
      await links.giveBack(theirs, pod.path)
      await links.giveBack(theirs, pod.path)
      const back = await named(netlink, 'theirs0')
      assert.deepEqual([back?.mac, back?.mtu, back?.up, back?.alias, back?.group], ['02:00:00:00:00:77', 1450, false, undefined, 0])
      assert.equal(await named(netlink, 'net1', pod.path), undefined)
      assert.deepEqual(
        (await netlink.list('addresses')).filter(({ index }) => index === back!.index),
        [],
      )
    })

    nodeTest('one of theirs for a VM stays on the node as they made it', async ({ links, netlink, node, pod }) => {
      await make(node, 'theirs0')
      const before = await named(netlink, 'theirs0')
      const port: LocalPort = { ...theirs, type: 'tap' }
      assert.equal((await links.ensure(port, inside(pod.path))).mac, theirs.mac)
      assert.deepEqual(await links.check(port, inside(pod.path)), [])
      assert.deepEqual(await named(netlink, 'theirs0'), before)
      assert.equal(await named(netlink, 'net1', pod.path), undefined)
    })

    nodeTest('what it was called otherwise, and that it was up, comes back too', async ({ links, netlink, node, pod }) => {
      await make(node, 'theirs0')
      await node.namespace.ip('link', 'set', 'theirs0', 'up', 'alias', 'rack 7, port 3')
      await links.ensure(theirs, inside(pod.path))
      await links.giveBack(theirs, pod.path)
      const back = await named(netlink, 'theirs0')
      assert.deepEqual([back?.alias, back?.up], ['rack 7, port 3', true])
    })

    nodeTest('one that nobody makes is told of once the time is over, and one that is not ours stays in the pod', async (of) => {
      const { links, netlink, pod } = of
      await assert.rejects(links.ensure(theirs, inside(pod.path), undefined, AbortSignal.abort()), PortNotReady)
      await make(pod, 'net1')
      await assert.rejects(links.ensure(theirs, inside(pod.path)), LinkTaken)
      await links.giveBack(theirs, pod.path)
      assert.ok(await named(netlink, 'net1', pod.path))
      await links.giveBack(theirs, '/run/netns/gone-long-ago')
    })

    nodeTest('a Linux bridge in between is made, mended and taken away, and its member stays', async ({ netlink, node }) => {
      await make(node, whole.member)
      const hybrids = new Hybrids(netlink)
      const all = [[hybridKey(whole.bridge), hybridText(whole)]]
      const mended = async (...spoil: readonly string[]): Promise<void> => {
        await node.namespace.ip(...spoil)
        assert.notDeepEqual(await hybrids.seen(), all, spoil.join(' '))
        await hybrids.put(whole)
        await hybrids.put(whole)
        assert.deepEqual(await hybrids.seen(), all, spoil.join(' '))
      }
      await mended('link', 'show')
      await mended('link', 'del', whole.outer)
      await mended('link', 'del', whole.bridge)
      await mended('link', 'set', whole.member, 'nomaster')
      await mended('link', 'set', whole.inner, 'down')
      await mended('link', 'add', 'stranger', 'master', whole.bridge, 'type', 'veth', 'peer', 'name', 'p-stranger')
      assert.ok(await named(netlink, 'stranger'), 'it is in no bridge, and stays')
      await hybrids.drop(whole.bridge)
      await hybrids.drop(whole.bridge)
      assert.deepEqual(
        (await netlink.list('links')).map(({ ifname, master }) => [ifname, master]).sort(),
        ['lo', 'stranger', 'p-stranger', whole.member, `p-${whole.member}`.slice(0, 15)].map((name) => [name, 0]).sort(),
      )
    })

    nodeTest("a Linux bridge of somebody else's, or of another Port, is left alone", async ({ netlink, node }) => {
      const hybrids = new Hybrids(netlink)
      await make(node, whole.member)
      await node.namespace.ip('link', 'add', whole.bridge, 'type', 'bridge')
      await assert.rejects(hybrids.put(whole), LinkTaken)
      await hybrids.drop(whole.bridge)
      assert.ok(await named(netlink, whole.bridge))
      await node.namespace.ip('link', 'del', whole.bridge)
      await hybrids.put(whole)
      await assert.rejects(hybrids.put({ ...whole, uid: 'another' }), LinkTaken)
    })
  })
