// Lists of the kernel's that are followed are as those that are taken anew, whatever happens to routes, and however much at once.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, test } from 'node:test'
import { FollowedLists } from '../../agent/netlink/followed-lists.ts'
import type { Netlink } from '../../agent/netlink/netlink.ts'
import { realClock } from '../../platform/clock.ts'
import { ovsSkip } from '../setup/ovs.ts'
import { until } from '../setup/until.ts'
import { carriers, withSpaces, type Space } from './kernel.ts'

/** More than the kernel keeps for whoever does not read, and the addon beside that. */
const flood = 60_000

interface Followed {
  readonly here: Space
  readonly lists: FollowedLists
  /** How often something was lost, or not told, and how often routes were listed. */
  readonly counts: { lost: number; listed: number }
  /** Once what is followed is what the kernel has. */
  same(what: string): Promise<void>
}

/** Nothing is told of what a link counts. */
const texts = (all: Iterable<object>): string =>
  JSON.stringify([...all].map((each) => JSON.stringify({ ...each, counters: undefined })).sort())

const withLists = (open: (netns: string) => Promise<Netlink>, run: (followed: Followed) => Promise<void>): Promise<void> =>
  withSpaces(async (spaces) => {
    const [here, there] = [await spaces.make(), await spaces.make()]
    for (const [i, ifname] of ['e0', 'e1'].entries()) {
      await here.namespace.ip('link', 'add', ifname, 'type', 'veth', 'peer', 'name', ifname, 'netns', there.name)
      await there.namespace.ip('link', 'set', ifname, 'up')
      await here.namespace.ip('link', 'set', ifname, 'up')
      await here.namespace.ip('address', 'add', `192.0.2.${1 + 128 * i}/25`, 'dev', ifname)
      await here.namespace.ip('address', 'add', `2001:db8:${i}::1/64`, 'dev', ifname, 'nodad')
    }
    const netlink = await open(here.path)
    const counts = { lost: 0, listed: 0 }
    const counted = {
      ...methodsOf(netlink),
      list: ((what, where) => {
        if (what === 'tableRoutes') counts.listed++
        return netlink.list(what, where)
      }) as Netlink['list'],
    }
    const lists = new FollowedLists({
      open: () => Promise.resolve(counted),
      clock: realClock,
      onChange: (event) => void (counts.lost += event === undefined ? 1 : 0),
    })
    const same = async (what: string): Promise<void> => {
      for (const list of ['links', 'addresses', 'tableRoutes'] as const)
        await until(async () => texts(await lists.of(list)) === texts(await netlink.list(list)), `${list}: ${what}`)
    }
    try {
      await run({ here, lists, counts, same })
    } finally {
      await lists.stop()
    }
  })

const methodsOf = (netlink: Netlink): Netlink => ({
  carrier: netlink.carrier,
  request: netlink.request.bind(netlink),
  requestWithoutOffload: netlink.requestWithoutOffload.bind(netlink),
  list: netlink.list.bind(netlink),
  listen: netlink.listen.bind(netlink),
  frame: netlink.frame.bind(netlink),
  tap: netlink.tap.bind(netlink),
  close: netlink.close.bind(netlink),
})

const changes: readonly string[] = [
  'route add 10.1.0.0/24 via 192.0.2.9 table 77 proto bird metric 32',
  'route replace 10.1.0.0/24 via 192.0.2.10 table 77 proto bird metric 32',
  'route append 10.1.0.0/24 via 192.0.2.11 table 77 proto bird metric 32',
  'route del 10.1.0.0/24 via 192.0.2.10 table 77 proto bird metric 32',
  'route add 10.2.0.0/24 table 77 proto bird nexthop via 192.0.2.9 nexthop via 192.0.2.199',
  'route add 2001:db8:7::/64 table 77 proto bird nexthop via 2001:db8:0::9 nexthop via 2001:db8:1::9',
  'route del 2001:db8:7::/64 table 77 proto bird via 2001:db8:1::9',
  'route append 2001:db8:7::/64 table 77 proto bird via 2001:db8:1::10',
  'route add blackhole 10.3.0.0/24 table 77 proto bird',
  'route add 10.4.0.0/24 via 192.0.2.200 table 77 proto bird',
  // Routes of IPv4 go with these without a word.
  'address del 192.0.2.129/25 dev e1',
  'link set e0 down',
  'link set e0 up',
  'link del e1',
]

for (const [carrier, open] of Object.entries(carriers)) {
  describe(`lists that are followed over ${carrier}`, { skip: ovsSkip }, () => {
    test('are what the kernel has, after each change', () =>
      withLists(open, async ({ here, same }) => {
        await same('at first')
        for (const change of changes) {
          await here.namespace.ip(...change.split(' '))
          await same(change)
        }
      }))
  })
}

describe('lists that are followed', { skip: ovsSkip }, () => {
  test('change with what is told, and are not taken for it; what was lost in a flood is taken anew', () =>
    withLists(carriers['addon']!, async ({ here, lists, counts, same }) => {
      const batch = (does: string, count: number): void => {
        const lines = Array.from(
          { length: count },
          (_, i) => `route ${does} 10.${i >> 16}.${(i >> 8) & 255}.${i & 255}/32 via 192.0.2.9 table 77`,
        )
        const { status, stderr } = spawnSync('ip', ['-n', here.name, '-batch', '-'], { input: lines.join('\n') })
        assert.equal(status, 0, String(stderr))
      }
      await same('at first')
      const before = counts.listed
      batch('add', 500)
      const found = async (): Promise<number> => [...(await lists.of('tableRoutes'))].filter(({ table }) => table === 77).length
      await until(async () => (await found()) === 500, 'as many as were told of')
      assert.deepEqual(counts, { lost: 0, listed: before })
      // Nothing is read meanwhile: this process waits for the program.
      batch('replace', flood)
      await until(async () => (await found()) === flood, 'all of the flood', 30_000)
      assert.ok(counts.lost > 0, 'some was lost')
      await same('after the flood')
    }))
})
