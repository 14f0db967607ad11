// The promises of agent/links/links.ts, on the addon and on iproute2.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { realClock } from '../../platform/clock.ts'
import { LinkRefused, LinkTaken, NetnsGone } from '../../core/errors.ts'
import type { LocalPort } from '../../core/node/wanted.ts'
import type { Inside, Links } from '../../agent/links/links.ts'
import { linkGroup } from '../../agent/links/pod-namespace.ts'
import { ownNamespace } from '../../agent/links/own-namespace.ts'
import { makeLinks } from '../../agent/links/plumbing.ts'
import type { Netlink } from '../../agent/netlink/netlink.ts'
import { ovsSkip } from '../setup/ovs.ts'
import { until } from '../setup/until.ts'
import { CutNetlink } from './cut-netlink.ts'
import { carriers, withSpaces, type Space } from './kernel.ts'

const port = (n = 1): LocalPort => ({
  uid: `00000000-0000-4000-8000-00000000000${n}`,
  of: { kind: 'Port', namespace: 'blue', name: `web-${n}` },
  number: n,
  ifcName: `mgztest${n}`,
  attachment: { kind: 'vni', vni: 5001 },
  mac: `02:00:00:00:00:0${n}`,
  addresses: [`10.0.0.${n}`, `2001:db8::${n}`],
  allowedAddressPairs: [],
  portSecurity: true,
  type: 'kernel',
  mtu: 1400,
})
const inside = (n: number, netns: string, more: Partial<Inside> = {}): Inside => ({
  netns,
  ifname: 'net1',
  addresses: [`10.0.0.${n}/24`, `2001:db8::${n}/64`],
  routes: [
    { to: '0.0.0.0/0', via: '169.254.1.1' },
    { to: '10.9.0.0/16', via: '10.0.0.254' },
    { to: '::/0', via: 'fe80::1' },
  ],
  ...more,
})

interface LinksTestNode {
  readonly links: Links
  readonly netlink: Netlink
  readonly node: Space
  readonly pod: Space
  readonly pod2: Space
  /** What there is of links, addresses and routes, in words. */
  seen(space: Space): Promise<readonly string[]>
  /** Instances on the same node, whose netlink is passed through `by`. */
  another(by: (netlink: Netlink) => Netlink): Promise<Links>
}

for (const [carrier, open] of Object.entries(carriers)) {
  describe(`links by ${carrier}`, { skip: ovsSkip }, () => {
    const linkTest = (sentence: string, run: (cluster: LinksTestNode) => Promise<void>): void => {
      test(sentence, () =>
        withSpaces(async (spaces) => {
          const [node, pod, pod2] = [await spaces.make(), await spaces.make(), await spaces.make()]
          const netlink = await open(node.path)
          const onProblem = (err: unknown): void => assert.fail(err as Error)
          const links = makeLinks({ clock: realClock, netlink, reaper: await open(node.path), onProblem })
          const another = async (by: (of: Netlink) => Netlink): Promise<Links> =>
            makeLinks({ clock: realClock, netlink: by(netlink), reaper: await open(node.path), onProblem })
          const seen = async ({ path }: Space): Promise<readonly string[]> => {
            const all = await netlink.list('links', path)
            const addresses = (await netlink.list('addresses', path)).filter(({ scope }) => scope === 0)
            const routes = (await netlink.list('routes', path)).filter(({ protocol }) => protocol === 4)
            const name = (of: number): string => all.find(({ index }) => index === of)?.ifname ?? '?'
            return [
              ...all.map(({ ifname, up, mtu, alias, group }) => `${ifname} ${up ? 'up' : 'down'} ${mtu} ${alias ?? ''} ${group}`),
              ...addresses.map(({ index, address }) => `${name(index)} ${address}`),
              ...routes.map(({ index, to, via }) => `${name(index)} ${to} ${via ?? ''}`),
            ].sort()
          }
          try {
            await run({ links, netlink, node, pod, pod2, seen, another })
          } finally {
            await links.close()
          }
        }),
      )
    }
    const whole = [
      'lo up 65536  0',
      'net1 ',
      'net1 0.0.0.0/0 169.254.1.1',
      'net1 10.0.0.1/24',
      'net1 10.9.0.0/16 10.0.0.254',
      'net1 2001:db8::1/64',
      'net1 ::/0 fe80::1',
      'net1 up 1400  0',
    ]
      .filter((line) => line !== 'net1 ')
      .sort()
    const hostWhole = [`lo up 65536  0`, `mgztest1 up 1400 megrez:${port().uid} ${linkGroup.ours}`].sort()

    linkTest(
      "in the node's own namespace an interface has MAC and name, and no address of anybody's making",
      async ({ links, node, netlink }) => {
        await links.ensure(port(), { ifname: 'kos1', addresses: [], routes: [] })
        const [link] = (await netlink.list('links')).filter(({ ifname }) => ifname === 'kos1')
        assert.deepEqual([link?.mac, link?.up], ['02:00:00:00:00:01', true])
        // The kernel would give it one as soon as its carrier is there.
        const addresses = (await netlink.list('addresses')).filter(({ index }) => index === link!.index)
        assert.deepEqual([addresses, (await node.namespace.ip('-6', '-o', 'addr', 'show', 'dev', 'kos1')).stdout], [[], ''])
        assert.deepEqual(await links.check(port(), { ifname: 'kos1', addresses: [], routes: [] }), [])
      },
    )

    linkTest("what we put on an interface in the node's own namespace is taken off, and nothing else", async ({ links, node, seen }) => {
      const before: Inside = {
        ifname: 'kos1',
        addresses: ['10.0.0.1/24', '2001:db8::1/64'],
        routes: [{ to: '10.9.0.0/16', via: '10.0.0.254' }],
      }
      await links.ensure(port(), before)
      await node.namespace.ip('addr', 'add', '192.0.2.7/32', 'dev', 'kos1')
      await links.strip(before)
      await links.strip(before)
      assert.deepEqual(
        (await seen(node)).filter((line) => line.startsWith('kos1')),
        ['kos1 192.0.2.7/32', 'kos1 up 1400  0'],
      )
      await links.strip({ ...before, ifname: 'gone' })
    })

    linkTest(
      'a Port has a namespace of its own, whoever makes it anew or takes it away',
      async ({ links, node, netlink, seen, another }) => {
        const one = { ...port(), ifcName: `mgz${randomBytes(5).toString('hex')}` }
        const path = ownNamespace(one.ifcName)
        const own = inside(1, path, { own: true })
        try {
          assert.equal(await links.hasOwn(one.ifcName), false)
          await links.ensure(one, own)
          const before = await seen({ path } as Space)
          assert.deepEqual(before, whole)
          await (await another((of) => of)).ensure(one, own)
          assert.deepEqual(await seen({ path } as Space), before)
          assert.equal(await links.hasOwn(one.ifcName), true)
          await links.remove(one.ifcName)
          await links.reap()
          assert.deepEqual([await links.hasOwn(one.ifcName), existsSync(path), (await netlink.list('links')).length], [false, false, 1])
          await links.remove(one.ifcName)
          // What a namespace leaves that went with its machine's memory.
          await writeFile(path, '')
          assert.equal(await links.hasOwn(one.ifcName), false)
          await links.ensure(one, own)
          assert.deepEqual(await seen({ path } as Space), whole)
          // Killed before the interface was there: the namespace is found by the Port's name all the same.
          await node.namespace.ip('link', 'del', one.ifcName)
          await links.remove(one.ifcName)
          assert.equal(existsSync(path), false)
        } finally {
          await links.remove(one.ifcName)
        }
      },
    )

    linkTest('a pod gets its interface whole: MAC, MTU, addresses, routes, loopback', async ({ links, pod, node, seen, netlink }) => {
      const made = await links.ensure(port(), inside(1, pod.path))
      assert.deepEqual(await seen(pod), whole)
      assert.deepEqual(await seen(node), hostWhole)
      const inner = (await netlink.list('links', pod.path)).find(({ ifname }) => ifname === 'net1')
      assert.equal(inner?.mac, '02:00:00:00:00:01')
      assert.equal(made.index, inner.index)
      assert.equal(made.hostIndex, inner.peer)
    })

    linkTest('the node is no neighbour of the pod: its end has no address', async ({ links, pod, node }) => {
      await links.ensure(port(), inside(1, pod.path))
      await until(async () => (await node.namespace.ip('-o', 'link', 'show', 'mgztest1')).stdout.includes('LOWER_UP'), 'both ends are up')
      await until(
        async () => (await pod.namespace.ip('-6', '-o', 'addr', 'show', 'dev', 'net1')).stdout.includes('fe80::'),
        'the kernel has given addresses to links that take them',
      )
      assert.equal((await node.namespace.ip('-o', 'addr', 'show', 'dev', 'mgztest1')).stdout, '')
    })

    // iproute2 has no words for it.
    if (carrier === 'addon')
      linkTest('the node answers no pod, and takes in nothing of it', async ({ links, netlink, pod, node }) => {
        await node.namespace.ip('addr', 'add', '192.168.9.1/32', 'dev', 'lo')
        const knock = (): Promise<unknown> => pod.namespace.exec('ping', '-c', '2', '-i', '0.2', '-W', '1', '192.168.9.1')
        const takenIn = async (): Promise<number> =>
          Number(/^Icmp: (\d+)/m.exec((await node.namespace.exec('cat', '/proc/net/snmp')).stdout.replace(/^Icmp: InMsgs.*$/m, ''))?.[1])
        await links.ensure(port(), inside(1, pod.path))
        await pod.namespace.ip('route', 'add', '192.168.9.1/32', 'dev', 'net1')
        await knock()
        assert.doesNotMatch((await pod.namespace.ip('neigh', 'show', '192.168.9.1')).stdout, /lladdr/)
        const host = (await netlink.list('links')).find(({ ifname }) => ifname === 'mgztest1')
        await pod.namespace.ip('neigh', 'replace', '192.168.9.1', 'lladdr', host?.mac ?? '', 'dev', 'net1')
        await knock()
        assert.equal(await takenIn(), 0)
      })

    linkTest('1 ensure twice is once', async ({ links, pod, node, seen }) => {
      const first = await links.ensure(port(), inside(1, pod.path))
      assert.equal(first.fresh, true)
      assert.deepEqual(await links.ensure(port(), inside(1, pod.path)), { ...first, fresh: false })
      assert.deepEqual([await seen(pod), await seen(node)], [whole, hostWhole])
    })

    linkTest('1 what differs is put right, and check says what', async ({ links, pod, seen }) => {
      await links.ensure(port(), inside(1, pod.path))
      assert.deepEqual(await links.check(port(), inside(1, pod.path)), [])
      for (const args of [
        ['addr', 'add', '10.0.0.99/24', 'dev', 'net1'],
        ['addr', 'del', '10.0.0.1/24', 'dev', 'net1'],
        ['route', 'replace', '10.8.0.0/16', 'dev', 'net1', 'proto', 'static'],
        ['link', 'set', 'net1', 'mtu', '1300'],
        ['link', 'set', 'net1', 'address', '02:00:00:00:00:77'],
      ])
        await pod.namespace.ip(...args)
      assert.deepEqual(await links.check(port(), inside(1, pod.path)), [
        'net1 has MAC 02:00:00:00:00:77, not 02:00:00:00:00:01',
        'net1 has MTU 1300, not 1400',
        'net1 has no address 10.0.0.1/24',
        'net1 has no route to 0.0.0.0/0 via 169.254.1.1',
        'net1 has no route to 10.9.0.0/16 via 10.0.0.254',
      ])
      await links.ensure(port(), inside(1, pod.path))
      assert.deepEqual(await seen(pod), whole)
      assert.deepEqual(await links.check(port(), inside(1, pod.path)), [])
      assert.deepEqual(await links.check(port(), inside(1, pod.path, { ifname: 'net2' })), ['there is no interface net2'])
    })

    linkTest('1 a second sandbox gets the interface, and the first has none', async ({ links, pod, pod2, seen }) => {
      await links.ensure(port(), inside(1, pod.path))
      await links.ensure(port(), inside(1, pod2.path))
      assert.deepEqual(await seen(pod2), whole)
      assert.deepEqual(await seen(pod), ['lo up 65536  0'])
    })

    linkTest(
      '2 cut off between any two messages and asked again, it is as if nothing had been',
      async ({ links, pod, seen, node, another }) => {
        // A program started for each message makes ip ten times slower: every third cut will do.
        const stride = carrier === 'ip' ? 3 : 1
        let cuts = 0
        for (let at = 0, cut = true; cut; at += stride) {
          let cutting!: CutNetlink
          const rival = await another((of) => (cutting = new CutNetlink(of, at)))
          cut = await rival.ensure(port(), inside(1, pod.path)).then(
            () => false,
            () => cutting.cut,
          )
          // Both ways on: a second ADD on even ones, DEL and a second ADD on odd ones.
          if (at % 2 === 1) await links.remove(port().ifcName)
          await links.ensure(port(), inside(1, pod.path))
          assert.deepEqual([await seen(pod), await seen(node)], [whole, hostWhole], `cut off at message ${at}`)
          await links.remove(port().ifcName)
          await links.reap()
          assert.deepEqual(
            [await seen(pod), await seen(node)],
            [['lo up 65536  0'], ['lo up 65536  0']],
            `cut off at message ${at}, removed`,
          )
          cuts += Number(cut)
        }
        assert.ok(cuts * stride > 5, `${cuts} messages`)
      },
    )

    linkTest('2 what an earlier process had removed is deleted by the next one', async ({ pod, seen, node, another, links }) => {
      await links.ensure(port(), inside(1, pod.path))
      let cutting!: CutNetlink
      const killed = await another((of) => (cutting = new CutNetlink(of, 2)))
      await killed.remove(port().ifcName)
      assert.equal(cutting.cut, false)
      await links.reap()
      assert.deepEqual(await seen(node), ['lo up 65536  0'])
    })

    linkTest('3 what somebody else has made is left alone: host interface, interface inside', async ({ links, pod, node, seen }) => {
      await node.namespace.ip('link', 'add', 'mgztest1', 'type', 'veth', 'peer', 'name', 'other')
      await pod.namespace.ip('link', 'add', 'net1', 'type', 'veth', 'peer', 'name', 'theirs')
      const [before, beforeInside] = [await seen(node), await seen(pod)]
      await assert.rejects(links.ensure(port(), inside(1, pod.path)), (err) => err instanceof LinkTaken && err.policy.cni === 4)
      await assert.rejects(links.ensure(port(2), inside(2, pod.path)), LinkTaken)
      await links.remove('mgztest1')
      await links.reap()
      assert.deepEqual([await seen(node), await seen(pod)], [before, beforeInside])
    })

    linkTest(
      '4 remove takes the link down at once and deletes it soon, gone already is success',
      async ({ links, pod, node, seen, netlink }) => {
        await links.ensure(port(), inside(1, pod.path))
        await links.ensure(port(2), inside(2, pod.path, { ifname: 'net2' }))
        await links.remove('mgztest1')
        const removed = (await netlink.list('links')).find(({ ifname }) => ifname === 'mgztest1')
        assert.ok(removed === undefined || (!removed.up && removed.group === linkGroup.removed))
        await links.remove('mgztest1')
        await links.remove('mgzneverthere')
        await until(async () => !(await seen(node)).some((line) => line.startsWith('mgztest1')), 'the removed link is deleted')
        assert.deepEqual(
          (await links.list()).map(({ ifcName }) => ifcName),
          ['mgztest2'],
        )
      },
    )

    linkTest('5 a name may be used again at once, here and inside', async ({ links, pod, seen, node }) => {
      for (let times = 0; times < 3; times++) {
        await links.ensure(port(), inside(1, pod.path))
        await links.remove('mgztest1')
      }
      // Another Port, the same name inside.
      await links.ensure(port(2), inside(1, pod.path))
      await links.remove('mgztest2')
      await links.ensure(port(), inside(1, pod.path))
      assert.deepEqual(await seen(pod), whole)
      assert.deepEqual(
        (await seen(node)).filter((line) => line.includes(' up ')),
        hostWhole,
      )
    })

    linkTest('6 list shows ours, by Port', async ({ links, pod, node, netlink }) => {
      await node.namespace.ip('link', 'add', 'theirs', 'type', 'veth', 'peer', 'name', 'too')
      await links.ensure(port(), inside(1, pod.path))
      await netlink.request([
        { do: 'addLink', link: { ifname: 'mgztest2', group: linkGroup.ours, shape: { kind: 'veth', peer: { ifname: 'half' } } } },
      ])
      assert.deepEqual(
        (await links.list())
          .map(({ ifcName, uid, up, mtu }) => ({ ifcName, uid, up, mtu }))
          .sort((a, b) => a.ifcName.localeCompare(b.ifcName)),
        [
          { ifcName: 'mgztest1', uid: port().uid, up: true, mtu: 1400 },
          { ifcName: 'mgztest2', uid: undefined, up: false, mtu: 1500 },
        ],
      )
    })

    linkTest("a Port without a pod has its interface in the node's own namespace", async ({ links, node, seen }) => {
      const { netns, ...outside } = inside(1, '', { ifname: 'kos020000000001', routes: [] })
      assert.equal(netns, '')
      await links.ensure(port(), outside)
      await links.ensure(port(), outside)
      assert.deepEqual(
        await seen(node),
        ['kos020000000001 10.0.0.1/24', 'kos020000000001 2001:db8::1/64', 'kos020000000001 up 1400  0', ...hostWhole].sort(),
      )
      assert.deepEqual(
        (await links.list()).map(({ ifcName }) => ifcName),
        ['mgztest1'],
      )
      await links.remove('mgztest1')
      await links.reap()
      assert.deepEqual(await seen(node), ['lo up 65536  0'])
    })

    linkTest(
      'a macvlan is put on an interface of the node, moved to another when asked, and removed',
      async ({ links, node, pod, seen, netlink }) => {
        for (const [one, other] of [
          ['up0', 'sw0'],
          ['up1', 'sw1'],
        ] as const)
          await node.namespace.ip('link', 'add', one, 'mtu', '1400', 'type', 'veth', 'peer', 'name', other)
        const wanted = inside(1, pod.path, { macvlanOn: 'up0' })
        for (let times = 0; times < 2; times++) await links.ensure(port(), wanted)
        assert.deepEqual(
          (await seen(pod)).filter((line) => line.startsWith('net1 up')),
          [`net1 up 1400 megrez:${port().uid} ${linkGroup.ours}`],
        )
        await links.ensure(port(), { ...wanted, macvlanOn: 'up1' })
        const peer = (await netlink.list('links')).find(({ ifname }) => ifname === 'up1')!.index
        assert.equal((await netlink.list('links', pod.path)).find(({ ifname }) => ifname === 'net1')?.peer, peer)
        await links.remove(port().ifcName, { netns: pod.path, ifname: 'net1' })
        await links.reap()
        assert.deepEqual(await seen(pod), ['lo up 65536  0'])
        await links.remove(port().ifcName, { netns: '/run/netns/mzk-none', ifname: 'net1' })
        await assert.rejects(links.ensure(port(), { ...wanted, macvlanOn: 'nothing' }), LinkRefused)
      },
    )

    linkTest("a namespace that is not there is refused in CNI's words", async ({ links, node, seen }) => {
      await assert.rejects(
        links.ensure(port(), inside(1, '/run/netns/mzk-none')),
        (err) => (err instanceof NetnsGone && err.policy.cni === 3) || err instanceof LinkRefused,
      )
      assert.deepEqual(await seen(node), ['lo up 65536  0'])
    })
  })
}
