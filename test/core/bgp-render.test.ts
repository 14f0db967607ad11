// Speakers as configuration: what is said in both languages, and that nothing an object says becomes syntax.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bird } from '../../core/bgp/bird/bird.ts'
import { frr } from '../../core/bgp/frr/frr.ts'
import type { Renderer, Surroundings } from '../../core/bgp/renderer.ts'
import type { SpeakerGroup, SpeakerSession, SpeakerSpec } from '../../core/bgp/speaker.ts'
import { startAfterMs } from '../../core/bgp/start-after.ts'
import { Invalid } from '../../core/errors.ts'

const renderers: Readonly<Record<string, Renderer>> = { bird, frr }
const around: Surroundings = {
  password: ({ name }) => ({ peers: 's3cret', quoted: 'a"b', long: 'x'.repeat(81), line: 'a\nb' })[name],
  links: ['192.0.2.0/24'],
  underlay: [{ prefix: '0.0.0.0/0', via: '192.0.2.254' }],
  hostRoutes: () => ['10.9.0.5/32', '10.99.0.5/32'],
  leavingRoutes: () => ['10.9.0.6/32', '10.99.0.6/32'],
  missedAfterMs: () => 0,
}
const session: SpeakerSession = {
  name: 'gateway',
  address: '192.0.2.9',
  as: 64_600,
  holdSeconds: 90,
  keepaliveSeconds: 30,
  connectRetrySeconds: 5,
  import: [{ prefix: '198.51.100.0/24', le: 32, action: 'accept', communities: ['64512:1'] }],
  export: [],
  external: true,
  addressFamilies: ['ipv4'],
}
const group: SpeakerGroup = {
  name: 'fabric',
  as: 64_512,
  routerID: '192.0.2.1',
  table: 0x4d00_0001,
  addresses: { ipv4: '192.0.2.1' },
  sessions: [session],
  advertise: [{ cidr: '10.9.0.0/24', hostRoutes: true, vni: 5 }],
  imports: [],
  maximumPaths: 4,
}
const speaker = (more: Partial<SpeakerGroup> = {}, ofSession: Partial<SpeakerSession> = {}): SpeakerSpec => ({
  node: 'a',
  groups: [{ ...group, sessions: [{ ...session, ...ofSession }], ...more }],
})
/** The lines from that one on to the next at the left that begins a thing of its own. */
const part = (text: string, head: string): string => {
  const lines = text.split('\n')
  const from = lines.findIndex((line) => line.startsWith(head))
  const to = lines.findIndex((line, i) => i > from && /^(\}|exit$)/.test(line))
  return lines.slice(from, to).join('\n')
}

test('what is behind a Port is told of as its host route is, by both', () => {
  const behind = { ...around, hostRoutes: () => ['10.9.0.128/25', '10.9.0.5/32', '10.99.0.0/24'] }
  assert.match(bird.render(speaker(), behind).text, /ifname = ifname;\n\s+if net ~ \[ 10\.9\.0\.0\/24\{24,32\} \] then accept;/)
  const networks = [...frr.render(speaker(), behind).text.matchAll(/^ +network (\S+)$/gm)].map(([, prefix]) => prefix)
  assert.deepEqual(networks, ['10.9.0.128/25', '10.9.0.5/32'])
})

test('a session of an external peer in BIRD', () => {
  const { text, leftOut } = bird.render(speaker(), around)
  assert.deepEqual(leftOut, [])
  assert.equal(
    part(text, 'protocol bgp'),
    `protocol bgp m_fabric_gateway_s95lselq {
  router id 192.0.2.1;
  local 192.0.2.1 as 64512;
  neighbor 192.0.2.9 as 64600;
  direct;
  hold time 90;
  keepalive time 30;
  connect retry time 5;
  connect delay time 1;
  error wait time 1,5;
  graceful restart aware;
  ipv4 {
    table m_fabric_uibs5lc9_ipv4;
    next hop self ebgp;
    import filter {
      if net ~ [ 0.0.0.0/8{8,32}, 127.0.0.0/8{8,32}, 169.254.0.0/16{16,32}, 224.0.0.0/4{4,32}, 240.0.0.0/4{4,32} ] then reject;
      if net ~ [ 10.9.0.0/24{24,32} ] then reject;
      bgp_large_community.add((64512,77,1));
      if (65535,0) ~ bgp_community then bgp_local_pref = 0;
      if net ~ [ 198.51.100.0/24{24,32} ] then { bgp_community.add((64512,1)); accept; }
      reject;
    };
    export filter {
      if net ~ [ 0.0.0.0/8{8,32}, 127.0.0.0/8{8,32}, 169.254.0.0/16{16,32}, 224.0.0.0/4{4,32}, 240.0.0.0/4{4,32} ] then reject;
      if (64512,77,1) ~ bgp_large_community then reject;
      accept;
    };
  };`,
  )
})

test('the same session in FRR', () => {
  const { text } = frr.render(speaker(), around)
  assert.equal(
    part(text, 'router bgp'),
    `router bgp 64512
 bgp router-id 192.0.2.1
 no bgp default ipv4-unicast
 no bgp network import-check
 bgp bestpath as-path multipath-relax
 coalesce-time 0
 neighbor 192.0.2.9 remote-as 64600
 neighbor 192.0.2.9 update-source 192.0.2.1
 neighbor 192.0.2.9 timers 30 90
 neighbor 192.0.2.9 timers connect 5
 neighbor 192.0.2.9 advertisement-interval 0
 address-family ipv4 unicast
  network 10.9.0.5/32
  network 10.9.0.6/32 route-map m_leaving
  table-map m_fabric_uibs5lc9_kernel_ipv4
  maximum-paths 4
  maximum-paths ibgp 4
  neighbor 192.0.2.9 activate
  neighbor 192.0.2.9 next-hop-self
  neighbor 192.0.2.9 route-map m_fabric_gateway_s95lselq_in_ipv4 in
  neighbor 192.0.2.9 route-map m_fabric_gateway_s95lselq_out_ipv4 out
 exit-address-family
 address-family ipv6 unicast
  table-map m_fabric_uibs5lc9_kernel_ipv6
  maximum-paths 4
  maximum-paths ibgp 4
 exit-address-family`,
  )
})

for (const [name, { render }] of Object.entries(renderers)) {
  const wrong: Readonly<Record<string, readonly [SpeakerSpec, string]>> = {
    'a name of a group that ends a line': [speaker({ name: 'a\nb' }), '/spec/groups/0/name'],
    'a name of a session in quotes': [speaker({}, { name: 'a"; }' }), '/spec/groups/0/sessions/0/name'],
    'an address with more behind it': [speaker({}, { address: '192.0.2.9 as 1' }), '/spec/groups/0/sessions/0/address'],
    'an address of a link alone': [speaker({}, { address: 'fe80::1' }), '/spec/groups/0/sessions/0/address'],
    'a community that is a command': [speaker({}, { communities: ['1:1)); accept; #'] }), '/spec/groups/0/sessions/0/communities/0'],
    'a community that does not fit': [speaker({}, { communities: ['64512:65536'] }), '/spec/groups/0/sessions/0/communities/0'],
    'a prefix with host bits': [
      speaker({}, { export: [{ prefix: '10.0.0.1/8', action: 'accept' }] }),
      '/spec/groups/0/sessions/0/export/0/prefix',
    ],
    'lengths the wrong way round': [
      speaker({ imports: [{ vpc: 'a/b', vni: 1, gateways: [], allow: [{ prefix: '10.0.0.0/8', ge: 24, le: 16 }] }] }),
      '/spec/groups/0/imports/0/allow/0/le',
    ],
    'an AS of nobody': [speaker({ as: 0 }), '/spec/groups/0/as'],
    'an AS that is no number': [speaker({}, { as: '1; }' as unknown as number }), '/spec/groups/0/sessions/0/as'],
    "the kernel's main table": [speaker({ table: 254 }), '/spec/groups/0/table'],
    'a router without a name': [speaker({ routerID: '0.0.0.0' }), '/spec/groups/0/routerID'],
    'a default route as a block of ours': [
      speaker({ advertise: [{ cidr: '0.0.0.0/0', hostRoutes: false, vni: 5 }] }),
      '/spec/groups/0/advertise/0/cidr',
    ],
    'two groups of one table': [{ node: 'a', groups: [group, { ...group, name: 'other' }] }, '/spec/groups/1/table'],
    'two sessions of one name': [{ node: 'a', groups: [{ ...group, sessions: [session, session] }] }, '/spec/groups/0/sessions/1/name'],
  }
  for (const [what, [spec, at]] of Object.entries(wrong))
    test(`${name}: refuses ${what}, by its path`, () => {
      assert.throws(
        () => render(spec, around),
        (err) => err instanceof Invalid && err.at === at && err.message.startsWith(`${at} must be `),
      )
    })

  test(`${name}: a session whose password cannot be had, or said, is left out`, () => {
    for (const secret of ['away', 'quoted', 'long', 'line']) {
      const { text, leftOut } = render(speaker({}, { passwordSecret: { name: secret, key: 'password' } }), around)
      assert.doesNotMatch(text, /192\.0\.2\.9/, secret)
      assert.deepEqual(
        leftOut.map(({ at }) => at),
        ['/spec/groups/0/sessions/0'],
      )
      assert.ok(leftOut[0]!.reason.includes(secret) && !leftOut[0]!.reason.includes(around.password({ name: secret, key: '' }) ?? '\0'))
    }
    assert.match(render(speaker({}, { passwordSecret: { name: 'peers', key: 'password' } }), around).text, /s3cret/)
  })

  test(`${name}: the default route passes by its own name alone`, () => {
    const passes = (more: object): boolean => {
      const { text } = render(speaker({}, { import: [{ prefix: '0.0.0.0/0', action: 'accept', ...more }] }), around)
      return /0\.0\.0\.0\/0\{0,|_in_ipv4_1 seq 5 permit 0\.0\.0\.0\/0$/m.test(text)
    }
    assert.deepEqual([passes({}), passes({ le: 32 }), passes({ ge: 0, le: 32 }), passes({ ge: 8 })], [true, false, false, false])
  })

  test(`${name}: what changes of one session changes no line of another`, () => {
    const other = { ...session, name: 'other', address: '192.0.2.8' }
    const of = (holdSeconds: number): readonly string[] =>
      render({ node: 'a', groups: [{ ...group, sessions: [other, { ...session, holdSeconds }] }] }, around).text.split('\n')
    const [before, after] = [of(90), of(120)]
    assert.equal(before.filter((line, i) => line !== after[i]).length, 1)
  })
}

test('of two groups that have a session with one neighbour the first by name keeps it', () => {
  const twice = { node: 'a', groups: [{ ...group, name: 'z', table: 7 }, group] }
  assert.deepEqual(
    bird.render(twice, around).leftOut.map(({ at }) => at),
    ['/spec/groups/0/sessions/0'],
  )
  assert.deepEqual(
    frr.render(twice, around).leftOut.map(({ at }) => at),
    ['/spec/groups/0'],
  )
})

test('BIRD: no table is that of two groups, and no protocol speaks of two', () => {
  const other = { ...group, name: 'other', table: 7, sessions: [{ ...session, address: '192.0.2.8' }] }
  const { text } = bird.render({ node: 'a', groups: [group, other] }, around)
  const protocols = text.split(/^(?=protocol |ipv. table )/m).filter((each) => each.startsWith('protocol'))
  assert.ok(protocols.length > 8)
  for (const each of protocols) assert.ok(!(each.includes('m_fabric_') && each.includes('m_other_')), each)
  assert.deepEqual(
    [...text.matchAll(/kernel table (\d+);/g)].map((each) => Number(each[1])),
    [0x4d00_0001, 0x4d00_0001, 7, 7],
  )
})

test('a configuration says how long BFD of neighbours that keep its routes needs to miss who was killed', () => {
  const mesh = { ...session, name: 'b', external: false, bfd: { intervalMilliseconds: 300, multiplier: 4 } }
  const gateway = { ...session, bfd: { intervalMilliseconds: 900, multiplier: 9 } }
  const saidBy = (more: Partial<SpeakerGroup>): number[] =>
    [bird, frr].map((renderer) => startAfterMs(renderer.render(speaker(more), around).text))
  assert.deepEqual(saidBy({ gracefulRestartSeconds: 20, sessions: [mesh, gateway] }), [1_400, 1_400])
  for (const more of [{ sessions: [mesh] }, { gracefulRestartSeconds: 20, sessions: [gateway] }]) assert.deepEqual(saidBy(more), [0, 0])
})

test('a configuration says to wait as long as a neighbour of ours needs that was told of other times, or of none', () => {
  const mesh = { ...session, name: 'b', external: false, bfd: { intervalMilliseconds: 100, multiplier: 3 } }
  const { bfd: _, ...without } = mesh
  const saidBy = (sessions: SpeakerGroup['sessions'], missedAfterMs: (neighbour: string) => number): number[] =>
    [bird, frr].map((renderer) =>
      startAfterMs(renderer.render(speaker({ gracefulRestartSeconds: 20, sessions }), { ...around, missedAfterMs }).text),
    )
  const slow = (neighbour: string): number => (neighbour === mesh.address ? 3_000 : 9_000)
  assert.deepEqual(saidBy([mesh], slow), [3_200, 3_200])
  assert.deepEqual(saidBy([without], slow), [3_200, 3_200])
  assert.deepEqual(
    saidBy([mesh], () => 150),
    [500, 500],
  )
  assert.deepEqual(saidBy([{ ...mesh, external: true }], slow), [0, 0])
})
