// The promises of agent/netlink/netlink.ts, on the addon and on iproute2, in namespaces of the test's own.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { LinkOvertaken, LinkRefused, NetnsGone } from '../../core/errors.ts'
import { refusedBy } from '../../agent/dataplanes/linux/requests.ts'
import { chained } from '../../agent/netlink/chain.ts'
import { refusedAs, type Netlink } from '../../agent/netlink/netlink.ts'
import type { NetlinkAnswer, NetlinkRequest } from '../../core/wire/netlink/netlink.ts'
import type { Link } from '../../core/wire/netlink/link.ts'
import { until } from '../setup/until.ts'
import { ovsSkip } from '../setup/ovs.ts'
import { carriers, withSpaces, type Space } from './kernel.ts'

const named = (ifname: string) => ({ index: 0, ifname })
const bridge = (ifname: string): NetlinkRequest => ({
  do: 'addLink',
  link: { ifname, up: true, shape: { kind: 'bridge', ageingSeconds: 0, snooping: false } },
})
const pair = (ifname: string, peer: { readonly ifname: string; readonly netns?: string }, more = {}): NetlinkRequest => ({
  do: 'addLink',
  link: { ifname, up: true, mtu: 1400, ...more, shape: { kind: 'veth', peer: { mac: '02:00:00:00:00:01', mtu: 1400, ...peer } } },
})
const names = (answers: readonly NetlinkAnswer[]): readonly string[] =>
  answers.map(({ refusal }) => (refusal === undefined ? 'ok' : refusedAs(refusal)))

interface NetlinkTestNode {
  readonly netlink: Netlink
  readonly here: Space
  readonly there: Space
  link(ifname: string): Promise<Link>
}

for (const [carrier, open] of Object.entries(carriers)) {
  describe(`netlink over ${carrier}`, { skip: ovsSkip }, () => {
    const kernelTest = (sentence: string, run: (cluster: NetlinkTestNode) => Promise<void>): void => {
      test(sentence, () =>
        withSpaces(async (spaces) => {
          const [here, there] = [await spaces.make(), await spaces.make()]
          const netlink = await open(here.path)
          try {
            const link = async (ifname: string): Promise<Link> => (await netlink.list('links')).find((each) => each.ifname === ifname)!
            await run({ netlink, here, there, link })
          } finally {
            await netlink.close()
          }
        }),
      )
    }

    kernelTest('1 a batch is asked in order and to its end, and each request has its answer', async ({ netlink }) => {
      const answers = await netlink.request([
        bridge('br0'),
        bridge('br0'),
        { do: 'getLink', of: named('br0') },
        { do: 'getLink', of: named('none') },
        { do: 'dropLink', of: named('br0') },
        { do: 'dropLink', of: named('br0') },
      ])
      assert.deepEqual(names(answers), ['ok', 'EEXIST', 'ok', 'ENODEV', 'ok', 'ENODEV'])
      assert.equal(answers[2]?.link?.kind, 'bridge')
    })

    kernelTest('a pair is made, named, marked and placed in one request', async ({ netlink, there, link }) => {
      assert.deepEqual(names(await netlink.request([pair('host0', { ifname: 'eth0', netns: there.path }, { group: 77 })])), ['ok'])
      const [host, inner] = [await link('host0'), (await netlink.list('links', there.path)).find(({ ifname }) => ifname === 'eth0')!]
      assert.deepEqual(
        { up: host.up, mtu: host.mtu, group: host.group, kind: host.kind, peer: host.peer },
        { up: true, mtu: 1400, group: 77, kind: 'veth', peer: inner.index },
      )
      assert.deepEqual(
        { up: inner.up, mtu: inner.mtu, mac: inner.mac, peer: inner.peer },
        { up: false, mtu: 1400, mac: '02:00:00:00:00:01', peer: host.index },
      )
    })

    kernelTest(
      '5 what comes after speaks of the links that were told before, and is not asked where anything was refused',
      async ({ netlink, link }) => {
        const join = (first: readonly NetlinkRequest[]) =>
          chained(netlink, {
            first,
            then: ([host, br]) => [
              { do: 'setLink', of: host!, change: { master: br!.index, alias: `peer of ${host!.ifname}` } },
              { do: 'setLink', of: { index: host!.peer, ifname: 'inner0' }, change: { alias: 'told of' } },
            ],
          })
        const gets = ['host0', 'br0'].map((ifname): NetlinkRequest => ({ do: 'getLink', of: named(ifname) }))
        assert.deepEqual(names((await join([bridge('br0'), pair('host0', { ifname: 'inner0' }), ...gets])).then ?? []), ['ok', 'ok'])
        const [host, br, inner] = [await link('host0'), await link('br0'), await link('inner0')]
        assert.deepEqual([host.master, host.alias, inner.alias, inner.master], [br.index, 'peer of host0', 'told of', 0])
        await netlink.request([{ do: 'setLink', of: host, change: { master: 0 } }])
        const refused = await join([pair('host0', { ifname: 'inner0' }), ...gets])
        assert.deepEqual([names(refused.first ?? []), refused.then], [['EEXIST', 'ok', 'ok'], undefined])
        assert.equal((await link('host0')).master, 0)
      },
    )

    kernelTest(
      'a tap and a tun are made here and elsewhere, again without harm, and dropped as any link; a name that is taken is refused',
      async ({ netlink, there, link }) => {
        for (const times of [1, 2]) {
          await netlink.tap('tap0', 'tap')
          await netlink.tap('tun0', 'tun', there.path)
          assert.equal((await link('tap0')).kind, 'tun', `the ${times}. time`)
        }
        const [tap, tun] = [await link('tap0'), (await netlink.list('links', there.path)).find(({ ifname }) => ifname === 'tun0')]
        assert.deepEqual([tap.mac !== undefined, tun?.kind, tun?.mac], [true, 'tun', undefined])
        await netlink.request([bridge('br0')])
        await assert.rejects(netlink.tap('br0', 'tap'), LinkRefused)
        await netlink.tap('tap1', 'tap', undefined, { owner: 61_001, ownerGroup: 61_002, multiQueue: true })
        assert.deepEqual(
          [(await link('tap1')).tun, tap.tun],
          [{ owner: 61_001, ownerGroup: 61_002, multiQueue: true }, { multiQueue: false }],
        )
        assert.deepEqual(
          names(
            await netlink.request([
              { do: 'setLink', of: tap, change: { group: 77, alias: 'megrez:x' } },
              { do: 'dropLink', of: tap },
            ]),
          ),
          ['ok', 'ok'],
        )
        assert.equal(await link('tap0'), undefined)
      },
    )

    kernelTest('a link is changed in every way: MTU, MAC, group, alias, bridge, name, namespace', async ({ netlink, there, link }) => {
      await netlink.request([bridge('br0'), pair('host0', { ifname: 'eth0' })])
      const [host, br] = [await link('host0'), await link('br0')]
      const changes = [
        { mtu: 1300 },
        { mac: '02:00:00:00:00:09' },
        { group: 78 },
        { alias: 'megrez:x' },
        { master: br.index },
        { bridgePort: { learning: false, flood: 'group' as const, neighSuppress: true, isolated: true } },
      ]
      assert.deepEqual(
        names(await netlink.request(changes.map((change): NetlinkRequest => ({ do: 'setLink', of: host, change })))),
        changes.map(() => 'ok'),
      )
      const { mtu, mac, group, alias, master, bridgePort } = await link('host0')
      assert.deepEqual(
        { mtu, mac, group, alias, master, bridgePort },
        {
          mtu: 1300,
          mac: '02:00:00:00:00:09',
          group: 78,
          alias: 'megrez:x',
          master: br.index,
          bridgePort: { learning: false, flood: 'group', neighSuppress: true, isolated: true },
        },
      )
      const moves = [{ master: 0 }, { up: false }, { rename: 'host1' }, { netns: there.path }]
      assert.deepEqual(
        names(await netlink.request(moves.map((change): NetlinkRequest => ({ do: 'setLink', of: host, change })))),
        moves.map(() => 'ok'),
      )
      assert.equal(
        (await netlink.list('links', there.path)).some(
          ({ ifname, up, mac: of }) => ifname === 'host1' && !up && of === '02:00:00:00:00:09',
        ),
        true,
      )
    })

    kernelTest('addresses and routes of both families are put twice and dropped once, in another namespace', async ({ netlink, there }) => {
      await netlink.request([pair('host0', { ifname: 'eth0', netns: there.path })])
      const on = (await netlink.list('links', there.path)).find(({ ifname }) => ifname === 'eth0')!
      const routes = [
        { to: '10.9.0.0/16', on },
        { to: '0.0.0.0/0', via: '169.254.1.1', onlink: true, on },
        { to: '::/0', via: 'fe80::1', on },
        { to: '2001:db8:9::/64', via: '2001:db8::1', on },
      ]
      const puts: readonly NetlinkRequest[] = [
        { do: 'setLink', of: on, change: { up: true } },
        { do: 'putAddress', on, address: '10.0.0.5/24' },
        { do: 'putAddress', on, address: '2001:db8::5/64' },
        ...routes.map((route): NetlinkRequest => ({ do: 'putRoute', route })),
      ]
      for (let times = 0; times < 2; times++)
        assert.deepEqual(
          names(await netlink.request(puts, there.path)),
          puts.map(() => 'ok'),
        )
      const addresses = async () =>
        (await netlink.list('addresses', there.path)).filter(({ index, scope }) => index === on.index && scope === 0)
      const seen = async () =>
        (await netlink.list('routes', there.path))
          .filter(({ index, protocol }) => index === on.index && protocol === 4)
          .map(({ to, via }) => `${to} ${via ?? ''}`)
          .sort()
      assert.deepEqual(await addresses(), [
        { index: on.index, address: '10.0.0.5/24', permanent: true, scope: 0 },
        { index: on.index, address: '2001:db8::5/64', permanent: true, scope: 0 },
      ])
      assert.deepEqual(await seen(), ['0.0.0.0/0 169.254.1.1', '10.9.0.0/16 ', '2001:db8:9::/64 2001:db8::1', '::/0 fe80::1'])
      const drops: readonly NetlinkRequest[] = [
        ...routes.map((route): NetlinkRequest => ({ do: 'dropRoute', route })),
        { do: 'dropAddress', on, address: '10.0.0.5/24' },
        { do: 'dropAddress', on, address: '2001:db8::5/64' },
      ]
      assert.deepEqual(
        names(await netlink.request(drops, there.path)),
        drops.map(() => 'ok'),
      )
      assert.deepEqual([await addresses(), await seen()], [[], []])
      assert.deepEqual(names(await netlink.request(drops, there.path)), [
        'ESRCH',
        'ESRCH',
        'ESRCH',
        'ESRCH',
        'EADDRNOTAVAIL',
        'EADDRNOTAVAIL',
      ])
    })

    kernelTest('nobody on a link is asked for neighbours any more, of either family', async ({ netlink, here, link }) => {
      await netlink.request([bridge('br0')])
      const on = await link('br0')
      assert.deepEqual(
        names(
          await netlink.request(
            (['arp_cache', 'ndisc_cache'] as const).map((of): NetlinkRequest => ({ do: 'setProbes', on, of, probes: 0 })),
          ),
        ),
        ['ok', 'ok'],
      )
      const { stdout } = await here.namespace.exec('ip', 'ntable', 'show', 'dev', 'br0')
      assert.equal(stdout.match(/mcast_probes 0/g)?.length, 2, stdout)
    })

    kernelTest('a VXLAN device has static neighbours and forwarding entries', async ({ netlink, link }) => {
      await netlink.request([
        bridge('br0'),
        {
          do: 'addLink',
          link: {
            ifname: 'vx0',
            up: true,
            group: 77,
            shape: { kind: 'vxlan', vni: 5001, local: '127.0.0.1', l4Port: 14789, learning: false },
          },
        },
      ])
      const [br, vx] = [await link('br0'), await link('vx0')]
      assert.deepEqual(vx.vxlan, { vni: 5001, local: '127.0.0.1', l4Port: 14789, learning: false })
      const mac = '02:00:00:00:00:09'
      const flood = (dst: string): NetlinkRequest => ({ do: 'putFdb', append: true, fdb: { on: vx, mac: '00:00:00:00:00:00', dst } })
      const puts: readonly NetlinkRequest[] = [
        { do: 'setLink', of: vx, change: { master: br.index } },
        { do: 'putFdb', fdb: { on: vx, mac, dst: '127.0.0.2' } },
        { do: 'putFdb', fdb: { on: vx, mac: '02:00:00:00:00:0a', dst: '127.0.0.2', l4Port: 14_790 } },
        { do: 'putFdb', fdb: { on: vx, mac } },
        flood('127.0.0.2'),
        flood('127.0.0.3'),
        { do: 'putNeighbour', neighbour: { on: br, address: '10.0.0.9', mac } },
        { do: 'putNeighbour', neighbour: { on: br, address: '2001:db8::9', mac } },
      ]
      assert.deepEqual(
        names(await netlink.request(puts)),
        puts.map(() => 'ok'),
      )
      const fdb = async () =>
        (await netlink.list('fdb'))
          .filter(({ permanent }) => permanent)
          .map((each) => (each.kind === 'fdb' ? `${each.mac} ${each.dst ?? each.master} ${each.l4Port ?? ''}`.trim() : ''))
          .sort()
      assert.deepEqual(await fdb(), [
        '00:00:00:00:00:00 127.0.0.2',
        '00:00:00:00:00:00 127.0.0.3',
        `${mac} 127.0.0.2`,
        `${mac} ${br.index}`,
        '02:00:00:00:00:0a 127.0.0.2 14790',
      ])
      const neighbours = (await netlink.list('neighbours')).filter(({ index, permanent }) => index === br.index && permanent)
      assert.deepEqual(neighbours, [
        { kind: 'neighbour', index: br.index, permanent: true, address: '10.0.0.9', mac },
        { kind: 'neighbour', index: br.index, permanent: true, address: '2001:db8::9', mac },
      ])
      const drops: readonly NetlinkRequest[] = [
        { do: 'dropFdb', fdb: { on: vx, mac, dst: '127.0.0.2' } },
        { do: 'dropFdb', fdb: { on: vx, mac } },
        { do: 'dropFdb', fdb: { on: vx, mac: '02:00:00:00:00:0a', dst: '127.0.0.2', l4Port: 14_790 } },
        { do: 'dropFdb', fdb: { on: vx, mac: '00:00:00:00:00:00', dst: '127.0.0.3' } },
      ]
      assert.deepEqual(names(await netlink.request(drops)), ['ok', 'ok', 'ok', 'ok'])
      assert.deepEqual(await fdb(), ['00:00:00:00:00:00 127.0.0.2'])
    })

    kernelTest('a macvlan is born in another namespace', async ({ netlink, there, link }) => {
      await netlink.request([pair('host0', { ifname: 'up0' })])
      const parent = await link('up0')
      assert.deepEqual(
        names(
          await netlink.request([
            {
              do: 'addLink',
              link: {
                ifname: 'net1',
                netns: there.path,
                mac: '02:00:00:00:00:07',
                group: 77,
                shape: { kind: 'macvlan', on: parent.index, mode: 'bridge' },
              },
            },
          ]),
        ),
        ['ok'],
      )
      const born = (await netlink.list('links', there.path)).find(({ ifname }) => ifname === 'net1')!
      assert.deepEqual(
        { kind: born.kind, mac: born.mac, group: born.group, peer: born.peer },
        { kind: 'macvlan', mac: '02:00:00:00:00:07', group: 77, peer: parent.index },
      )
    })

    kernelTest(
      'a bridge that was found and has gone since is joined by nobody, and whoever asked is told to look again',
      async ({ netlink, link }) => {
        await netlink.request([bridge('br0'), pair('host0', { ifname: 'eth0' })])
        const { index } = await link('br0')
        const joins = { do: 'setLink', of: named('host0'), change: { up: true, master: index } } as const
        const answers = await netlink.request([{ do: 'dropLink', of: named('br0') }, joins])
        assert.equal(answers[0]?.refusal, undefined)
        assert.ok(refusedBy(joins, answers[1]!.refusal!) instanceof LinkOvertaken, names(answers).join(' '))
      },
    )

    kernelTest('many links go by their group, and others stay', async ({ netlink, link }) => {
      await netlink.request([1, 2, 3].map((n) => pair(`gone${n}`, { ifname: `peer${n}` }, { group: 79 })))
      await netlink.request([pair('stays', { ifname: 'too' })])
      assert.deepEqual(
        names(
          await netlink.request([
            { do: 'dropGroup', group: 79 },
            { do: 'dropGroup', group: 79 },
          ]),
        ),
        ['ok', 'ENODEV'],
      )
      assert.deepEqual((await netlink.list('links')).map(({ ifname }) => ifname).sort(), ['lo', 'stays', 'too'])
      assert.equal((await link('stays')).group, 0)
    })

    kernelTest('checksum offload is switched off inside', async ({ netlink, there }) => {
      await netlink.request([pair('host0', { ifname: 'eth0', netns: there.path })])
      await netlink.requestWithoutOffload([{ do: 'setLink', of: named('lo'), change: { up: true } }], there.path, 'eth0')
      assert.match((await there.namespace.exec('ethtool', '-k', 'eth0')).stdout, /^tx-checksumming: off$/m)
    })

    kernelTest('2 a list of a thousand is whole', async ({ netlink, link }) => {
      await netlink.request([bridge('br0')])
      const br = await link('br0')
      const mac = '02:00:00:00:00:09'
      // The program ip is started for each: it gets a part of them.
      const count = carrier === 'ip' ? 20 : 1_000
      const puts = Array.from({ length: count }, (_, i): NetlinkRequest => ({
        do: 'putNeighbour',
        neighbour: { on: br, address: `10.1.${i >> 8}.${i & 255}`, mac },
      }))
      assert.deepEqual(new Set(names(await netlink.request(puts))), new Set(['ok']))
      assert.equal((await netlink.list('neighbours')).filter(({ permanent }) => permanent).length, count)
    })

    kernelTest('3 whoever listens is woken, until it stops', async ({ netlink, link }) => {
      let woken = 0
      const { stop } = await netlink.listen(['links', 'addresses', 'routes', 'neighbours'], () => void woken++)
      // A program that listens needs a moment to begin: it is woken by one of several changes.
      for (let n = 0; woken === 0 && n < 100; n++) {
        await netlink.request([bridge(`br${n}`)])
        await until(() => woken > 0, 'the change is heard', 200).catch(() => undefined)
      }
      assert.ok(woken > 0)
      stop()
      assert.ok(await link('br0'))
    })

    kernelTest('4 a namespace that is gone, or is none, is said to be', async ({ netlink, here }) => {
      for (const path of ['/run/netns/mzk-none', '/etc/hostname']) {
        await assert.rejects(netlink.list('links', path), (err) => err instanceof NetnsGone && err.message.includes(path))
      }
      assert.ok(
        (await netlink.list('links')).some(({ ifname }) => ifname === 'lo'),
        here.name,
      )
    })
  })
}
