// Where an address is, by what BGPSpeakers say.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Resource, SpecOf } from '../../core/kinds/index.ts'
import { parseIp } from '../../core/net/ip.ts'
import { waysTo } from '../../core/views/routes.ts'

type Group = SpecOf<'BGPSpeaker'>['groups'][number]
const times = { holdSeconds: 9, keepaliveSeconds: 3, connectRetrySeconds: 5, import: [], export: [], addressFamilies: ['ipv4' as const] }
const gateway = { name: 'gateway', address: '192.0.2.254', as: 65000, external: true, ...times }
const to = (n: number) => ({ name: `node-n${n}`, address: `192.0.2.${n}`, as: 64512, external: false, ...times })

function speaker(n: number, says: Partial<Group>, up: readonly string[] = []): Resource<'BGPSpeaker'> {
  const others = [1, 2, 3].filter((each) => each !== n).map(to)
  const group: Group = {
    name: 'edge',
    as: 64512,
    routerID: `192.0.2.${n}`,
    table: 1000,
    addresses: { ipv4: `192.0.2.${n}` },
    sessions: [...others, gateway],
    advertise: [],
    imports: [],
    maximumPaths: 4,
    ...says,
  }
  const sessions = up.map((address) => ({ group: 'edge', session: 's', address, state: 'established' as const }))
  return { kind: 'BGPSpeaker', metadata: { name: `n${n}` }, spec: { node: `n${n}`, groups: [group] }, status: { sessions } } as never
}
const hosts = { cidr: '10.1.0.0/24', vni: 7, hostRoutes: true }
const block = { cidr: '10.1.0.0/16', vni: 7, hostRoutes: false }
const into = { vpc: 'a/v', vni: 7, allow: [{ prefix: '0.0.0.0/0' }, { prefix: '198.51.100.0/24' }], gateways: [] }
const speakers = [
  speaker(1, { advertise: [hosts, block], imports: [into] }, ['192.0.2.2', '192.0.2.254']),
  speaker(2, { advertise: [hosts], imports: [into] }, ['192.0.2.1']),
  speaker(3, { advertise: [{ ...block, vni: 8 }] }, ['192.0.2.1']),
]
const ways = (address: string, nodes: readonly string[] = []) => waysTo(parseIp(address)!, speakers, () => nodes)

describe('where an address is', () => {
  test('of a block of host routes: on its node, whose sessions are counted', () => {
    const [way, ...more] = ways('10.1.0.7', ['n1']).filter(({ vni }) => vni === 7)
    assert.deepEqual(more, [])
    assert.deepEqual(way, {
      group: 'edge',
      vni: 7,
      prefix: '10.1.0.7/32',
      way: 'host',
      hops: [{ node: 'n1', address: '192.0.2.1', established: 2, configured: 2 }],
    })
  })

  test('of one that nobody has: nowhere, whatever block is around it', () => {
    assert.deepEqual(
      ways('10.1.0.7').map(({ vni, way, hops }) => [vni, way, hops.length]),
      [
        [7, 'nobody', 0],
        [8, 'block', 1],
      ],
    )
  })

  test('of a block: every node that announces it, in each VNI by itself', () => {
    assert.deepEqual(
      ways('10.1.9.9').map(({ vni, prefix, hops }) => [vni, prefix, ...hops.map(({ node }) => node)]),
      [
        [7, '10.1.0.0/16', 'n1'],
        [8, '10.1.0.0/16', 'n3'],
      ],
    )
  })

  test('of no block: whoever outside may send a route, inside of the longest prefix that is let in', () => {
    assert.deepEqual(ways('198.51.100.9'), [
      {
        group: 'edge',
        vni: 7,
        prefix: '198.51.100.0/24',
        way: 'outside',
        hops: [{ session: 'gateway', address: '192.0.2.254', established: 1, configured: 3 }],
      },
    ])
    assert.deepEqual(ways('2001:db8::7'), [])
  })
})
