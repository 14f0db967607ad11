// What daemons say of their sessions, and how one configuration of FRR becomes another.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { read as readBird } from '../../core/bgp/bird/read.ts'
import { isRefusal, Replies } from '../../core/bgp/bird/replies.ts'
import { difference, otherLimits } from '../../core/bgp/frr/difference.ts'
import { read as readFrr } from '../../core/bgp/frr/read.ts'
import { sessionWord } from '../../core/bgp/names.ts'
import type { SpeakerSpec } from '../../core/bgp/speaker.ts'

const session = {
  holdSeconds: 9,
  keepaliveSeconds: 3,
  connectRetrySeconds: 1,
  import: [],
  export: [],
  external: true,
  addressFamilies: ['ipv4' as const],
  as: 1,
}
const speaker: SpeakerSpec = {
  node: 'a',
  groups: [
    {
      name: 'fabric',
      as: 64_512,
      routerID: '192.0.2.1',
      table: 5,
      addresses: {},
      sessions: [
        { ...session, name: 'up', address: '192.0.2.2' },
        { ...session, name: 'away', address: '192.0.2.3' },
        { ...session, name: 'unknown', address: '192.0.2.4' },
      ],
      advertise: [],
      imports: [],
      maximumPaths: 1,
    },
  ],
}
const [group, none] = ['fabric', { imported: 0, exported: 0 }]

test('replies of BIRD come in any pieces', () => {
  const text =
    '0001 BIRD 2.0.12 ready.\n2002-Name  Proto\n1002-m_a  BGP\n1006-  BGP state: Up\n   more\n\n0000 \n8002 bird.conf:3:1 syntax error\n'
  for (const size of [1, 7, 1000]) {
    const replies = new Replies()
    const all = (text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []).flatMap((piece) => replies.push(piece))
    assert.deepEqual(
      all.map(({ code }) => code),
      [1, 0, 8002],
    )
    assert.equal(all[1]!.text, 'Name  Proto\nm_a  BGP\n  BGP state: Up\n  more')
    assert.deepEqual(all.map(isRefusal), [false, false, true])
  }
})

test('sessions of BIRD', () => {
  const text = `Name       Proto      Table      State  Since         Info
m_devices  Device     ---        up     2026-11-29T02:20:22Z
${sessionWord('fabric', 'up')} BGP        ---        up     2026-11-29T02:20:22Z  Established
  BGP state:          Established
    Neighbor address: 192.0.2.2
  Channel ipv4
    Routes:         3 imported, 2 exported, 1 preferred
  Channel ipv6
    Routes:         4 imported, 1 filtered, 5 exported, 0 preferred

${sessionWord('fabric', 'away')} BGP        ---        start  2026-11-29T02:20:23Z  Active        Socket: No route to host
  BGP state:          OpenSent
    Last error:       Socket: No route\tto host
`
  assert.deepEqual(readBird(text, speaker), [
    { group, session: 'up', address: '192.0.2.2', state: 'established', since: '2026-11-29T02:20:22Z', imported: 7, exported: 7 },
    {
      group,
      session: 'away',
      address: '192.0.2.3',
      state: 'openSent',
      since: '2026-11-29T02:20:23Z',
      ...none,
      lastError: 'Socket: No route to host',
    },
    { group, session: 'unknown', address: '192.0.2.4', state: 'idle' },
  ])
})

test('sessions of FRR', () => {
  const text = JSON.stringify({
    '192.0.2.2': {
      bgpState: 'Established',
      bgpTimerUpEstablishedEpoch: 1_795_917_622,
      addressFamilyInfo: { ipv4Unicast: { acceptedPrefixCounter: 3, sentPrefixCounter: 2 }, ipv6Unicast: { acceptedPrefixCounter: 4 } },
    },
    '192.0.2.3': { bgpState: 'Active', lastResetDueTo: 'No AFI/SAFI\nactivated' },
  })
  assert.deepEqual(readFrr(text, speaker), [
    { group, session: 'up', address: '192.0.2.2', state: 'established', since: '2026-11-29T02:00:22.000Z', imported: 7, exported: 2 },
    { group, session: 'away', address: '192.0.2.3', state: 'active', ...none, lastError: 'No AFI/SAFI activated' },
    { group, session: 'unknown', address: '192.0.2.4', state: 'idle', ...none },
  ])
  assert.deepEqual(
    readFrr('% BGP instance not found', speaker).map(({ state }) => state),
    ['idle', 'idle', 'idle'],
  )
})

const router = (...lines: readonly string[]): string => ['router bgp 1', ...lines.map((line) => ` ${line}`), 'exit', ''].join('\n')
const cases: Readonly<Record<string, readonly [string, string, readonly string[]]>> = {
  'nothing of the same': [router('neighbor 192.0.2.2 remote-as 2'), router('neighbor 192.0.2.2 remote-as 2'), []],
  'all of it from nothing': ['', router('bgp router-id 192.0.2.1'), ['router bgp 1', 'bgp router-id 192.0.2.1', 'exit']],
  'a value takes the place of another': [
    router('neighbor 192.0.2.2 timers 3 9'),
    router('neighbor 192.0.2.2 timers 4 12'),
    ['router bgp 1', 'neighbor 192.0.2.2 timers 4 12', 'exit'],
  ],
  'a setting that goes': [router('neighbor 192.0.2.2 password a'), router(), ['router bgp 1', 'no neighbor 192.0.2.2 password a', 'exit']],
  'a neighbour that goes is told, with all that is said of it': [
    router(
      'neighbor 192.0.2.2 remote-as 2',
      'address-family ipv4 unicast',
      ' neighbor 192.0.2.2 activate',
      ' network 10.0.0.0/8',
      'exit-address-family',
    ),
    router('address-family ipv4 unicast', ' network 10.0.0.0/8', 'exit-address-family'),
    ['router bgp 1', 'neighbor 192.0.2.2 shutdown', 'no neighbor 192.0.2.2', 'exit'],
  ],
  'a prefix in a family': [
    router('address-family ipv4 unicast', ' network 10.0.0.0/8', ' network 10.1.0.0/16', 'exit-address-family'),
    router('address-family ipv4 unicast', ' network 10.1.0.0/16', ' network 10.2.0.0/16', 'exit-address-family'),
    ['router bgp 1', 'address-family ipv4 unicast', 'no network 10.0.0.0/8', 'network 10.2.0.0/16', 'exit-address-family', 'exit'],
  ],
  'an entry of a map is made anew, whatever stood at its number': [
    'route-map m permit 10\n match community c\nexit\nroute-map m deny 20\nexit\n',
    'route-map m deny 10\nexit\n',
    ['no route-map m permit 10', 'route-map m deny 10', 'exit', 'no route-map m deny 20'],
  ],
  'a line of a list likewise': [
    'ip prefix-list l seq 5 permit 10.0.0.0/8 le 32\n',
    'ip prefix-list l seq 5 permit 10.0.0.0/8\n',
    ['no ip prefix-list l seq 5 permit 10.0.0.0/8 le 32', 'ip prefix-list l seq 5 permit 10.0.0.0/8'],
  ],
  'with its AS the whole': [
    router('neighbor 192.0.2.2 remote-as 2'),
    '',
    ['router bgp 1', 'neighbor 192.0.2.2 shutdown', 'exit', 'no router bgp 1'],
  ],
}
for (const [what, [before, after, lines]] of Object.entries(cases))
  test(`the difference of two configurations of FRR: ${what}`, () => assert.deepEqual(difference(before, after), lines))

test('neighbours with another limit are known', () => {
  const limit = (most: number): string => `neighbor 192.0.2.2 maximum-prefix ${most}\nneighbor 192.0.2.3 maximum-prefix 5`
  assert.deepEqual(
    [otherLimits(limit(5), limit(6)), otherLimits(limit(5), limit(5)), otherLimits('', limit(5))],
    [['192.0.2.2'], [], ['192.0.2.2', '192.0.2.3']],
  )
})
