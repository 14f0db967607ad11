// Routes of all tables and the rules that choose one: the promises of agent/netlink/netlink.ts for them, on the addon and on iproute2.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { refusedAs } from '../../agent/netlink/netlink.ts'
import type { NetlinkAnswer, NetlinkRequest } from '../../core/wire/netlink/netlink.ts'
import { routeProtocol, type NewRoute } from '../../core/wire/netlink/route.ts'
import type { Rule } from '../../core/wire/netlink/rule.ts'
import { ovsSkip } from '../setup/ovs.ts'
import { carriers, withSpaces } from './kernel.ts'

const names = (answers: readonly NetlinkAnswer[]): readonly string[] =>
  answers.map(({ refusal }) => (refusal === undefined ? 'ok' : refusedAs(refusal)))

for (const [carrier, open] of Object.entries(carriers)) {
  describe(`routes over ${carrier}`, { skip: ovsSkip }, () => {
    test('routes of other tables, several ways and dead ends are listed, and rules that choose a table', () =>
      withSpaces(async (spaces) => {
        const [here, there] = [await spaces.make(), await spaces.make()]
        const netlink = await open(here.path)
        try {
          await netlink.request([
            { do: 'addLink', link: { ifname: 'e0', up: true, shape: { kind: 'veth', peer: { ifname: 'e0', netns: there.path } } } },
          ])
          await here.namespace.ip('address', 'add', '192.0.2.1/24', 'dev', 'e0')
          const { index } = (await netlink.list('links')).find(({ ifname }) => ifname === 'e0')!
          const on = { ifname: 'e0', index }
          const table = 0x4d_00_00_07
          const [own, dead, six]: readonly NewRoute[] = [
            { to: '10.1.0.0/24', on: on, via: '192.0.2.9', table, protocol: routeProtocol.megrez, metric: 5 },
            { to: '10.1.0.0/16', table, protocol: routeProtocol.megrez, metric: 4_000_000 },
            { to: '2001:db8:7::/64', on: on, table, protocol: routeProtocol.megrez, metric: 5 },
          ]
          const rules: readonly Rule[] = [
            { family: 4, priority: 7_700, iif: 'e0', from: '10.9.0.0/16', to: '10.0.0.0/8', table, protocol: routeProtocol.megrez },
            {
              family: 4,
              priority: 7_703,
              mark: { value: 0x1387_0000, mask: 0xffff_0000 },
              table,
              protocol: routeProtocol.megrez,
            },
            { family: 6, priority: 7_701, iif: 'e0', protocol: routeProtocol.megrez },
            { family: 6, priority: 7_702, from: '2001:db8:8::/48', to: '2001:db8:7::/64', table: 200, protocol: routeProtocol.megrez },
          ]
          const put: readonly NetlinkRequest[] = [
            ...[own!, dead!, six!].map((route): NetlinkRequest => ({ do: 'putRoute', route })),
            ...rules.map((rule): NetlinkRequest => ({ do: 'putRule', rule })),
          ]
          assert.deepEqual(
            names(await netlink.request(put)),
            put.map(() => 'ok'),
          )
          assert.deepEqual(
            names(await netlink.request(put)),
            put.map(({ do: does }) => (does === 'putRule' ? 'EEXIST' : 'ok')),
          )
          await here.namespace.ip(
            ...['route', 'add', '10.2.0.0/24', 'table', String(table), 'proto', 'bird'],
            ...['nexthop', 'via', '192.0.2.7', 'dev', 'e0', 'nexthop', 'via', 'inet6', 'fe80::7', 'dev', 'e0'],
          )
          const of = async () =>
            (await netlink.list('tableRoutes')).filter((each) => each.table === table).sort((a, b) => (a.to < b.to ? -1 : 1))
          assert.deepEqual(await of(), [
            { table, to: '10.1.0.0/16', hops: [], protocol: 77, metric: 4_000_000 },
            { table, to: '10.1.0.0/24', hops: [{ index, via: '192.0.2.9' }], protocol: 77, metric: 5 },
            {
              table,
              to: '10.2.0.0/24',
              hops: [
                { index, via: '192.0.2.7' },
                { index, via: 'fe80::7' },
              ],
              protocol: 12,
            },
            { table, to: '2001:db8:7::/64', hops: [{ index }], protocol: 77, metric: 5 },
          ])
          const ours = async () => (await netlink.list('rules')).filter(({ protocol }) => protocol === routeProtocol.megrez)
          assert.deepEqual(await ours(), rules)
          const drop: readonly NetlinkRequest[] = [
            ...[own!, dead!, six!].map((route): NetlinkRequest => ({ do: 'dropRoute', route })),
            ...rules.map((rule): NetlinkRequest => ({ do: 'dropRule', rule })),
          ]
          assert.deepEqual(
            names(await netlink.request(drop)),
            drop.map(() => 'ok'),
          )
          assert.deepEqual(await ours(), [])
          assert.deepEqual(
            (await of()).map(({ to }) => to),
            ['10.2.0.0/24'],
          )
        } finally {
          await netlink.close()
        }
      }))
  })
}
