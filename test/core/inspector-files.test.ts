// What an inspector's proxy is configured by. What HAProxy makes of it is in test/node/inspectors.test.ts.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Inspection } from '../../core/kinds/policy/compiled/inspection.ts'
import { inspectorFiles } from '../../core/node/inspectors/haproxy.ts'
import { inspectorItems, isInspectorKey, namedInspector } from '../../core/node/inspectors/item.ts'
import { normalPath, plainHex } from '../../core/node/inspectors/normal-path.ts'
import type { LocalPort, RuleSet } from '../../core/node/wanted.ts'
import { inspectorPiece } from '../../core/pieces/policy/inspector.ts'
import { portPiece } from '../../core/pieces/port.ts'
import { unifiedSet } from '../laws/unified-set.ts'

const http = [{ protocol: 6, first: 80, last: 80 }]
const entry = (action: Inspection['action'], more: Partial<Inspection>): Inspection => ({
  index: 0,
  source: '/spec/egress/0',
  direction: 'egress',
  action,
  ...more,
})
const filesOf = (...inspections: readonly Inspection[]): ReadonlyMap<string, string> =>
  inspectorFiles({ vni: 7, direction: 'egress', mtu: 1_400, policies: [{ subjects: ['10.0.0.2', 'fd00::2'], inspections }] })
const linesOf = (files: ReadonlyMap<string, string>, of: RegExp): readonly string[] =>
  files
    .get('haproxy.cfg')!
    .split('\n')
    .filter((line) => of.test(line))
    .map((line) => line.trim())

test('what a rule that denies took is refused by one without l7 that denies, and let pass by one that allows', () => {
  const asks = entry('deny', { transport: http, l7: { urls: ['bad.example.org/evil'] } })
  const becomes = (action: Inspection['action']): readonly string[] =>
    linesOf(filesOf(asks, entry(action, { transport: http })), /(content|http-request) (accept|reject|deny|allow) if p0 p0_1_ports/)
  assert.deepEqual(becomes('deny'), ['tcp-request content reject if p0 p0_1_ports', 'http-request deny if p0 p0_1_ports'])
  assert.deepEqual(becomes('allow'), [
    'tcp-request content accept if p0 p0_1_ports was_asked',
    'tcp-request content reject if p0 p0_1_ports',
    'http-request deny if p0 p0_1_ports is_connect',
    'http-request allow if p0 p0_1_ports',
  ])
})

test('rules are asked in their order: what a deny rule names is refused, an allow rule takes the connection', () => {
  const files = filesOf(
    entry('deny', { transport: http, l7: { urls: ['bad.example.org/evil', 'evil.example.org/*'] } }),
    entry('deny', { transport: http, l7: { tls: { serverNames: ['bad.example.org'] } } }),
    entry('allow', { blocks: ['10.9.0.0/16'] }),
    entry('allow', {
      blocks: ['10.1.0.0/16', 'fd01::/64'],
      transport: [...http, { protocol: 6, first: 8_000, last: 8_099 }],
      l7: { http: [{ hosts: ['*.example.org', 'example.org'], paths: ['/api/*', '/exact'], methods: ['GET'] }] },
    }),
  )
  assert.deepEqual(linesOf(files, /tcp-request content|acl p0_\d_(peers|ports)/), [
    'acl p0_0_ports dst_port 80',
    'acl p0_1_ports dst_port 80',
    'acl p0_2_peers dst -f p0_2_peers',
    'acl p0_3_peers dst -f p0_3_peers',
    'acl p0_3_ports dst_port 80 8000:8099',
    'tcp-request content accept if { var(sess.http) -m bool }',
    'tcp-request content set-var(sess.http) bool(true) if p0 p0_0_ports is_http',
    'tcp-request content switch-mode http if p0 p0_0_ports is_http',
    'tcp-request content reject if p0 p0_0_ports !has_begun',
    'tcp-request content set-var(sess.asked) bool(true) if p0 p0_0_ports',
    'tcp-request content reject if p0 p0_1_ports is_tls is_hello p0_1_sni',
    'tcp-request content reject if p0 p0_1_ports is_tls !is_hello',
    'tcp-request content reject if p0 p0_1_ports !has_begun',
    'tcp-request content set-var(sess.asked) bool(true) if p0 p0_1_ports',
    'tcp-request content accept if p0 p0_2_peers was_asked',
    'tcp-request content reject if p0 p0_2_peers',
    'tcp-request content set-var(sess.http) bool(true) if p0 p0_3_peers p0_3_ports is_http',
    'tcp-request content switch-mode http if p0 p0_3_peers p0_3_ports is_http',
    'tcp-request content reject if p0 p0_3_peers p0_3_ports',
    'tcp-request content accept if was_asked',
    'tcp-request content reject',
  ])
  assert.deepEqual(linesOf(files, /http-request (deny|allow|del-header)/).slice(1), [
    'http-request deny if p0 p0_0_ports p0_0_u_path',
    'http-request deny if p0 p0_2_peers is_connect',
    'http-request del-header upgrade if p0 p0_2_peers',
    'http-request allow if p0 p0_2_peers',
    'http-request del-header upgrade if p0 p0_3_peers p0_3_ports p0_3_0_host p0_3_0_path p0_3_0_plain p0_3_0_method',
    'http-request allow if p0 p0_3_peers p0_3_ports p0_3_0_host p0_3_0_path p0_3_0_plain p0_3_0_method !is_connect',
    'http-request deny if p0 p0_3_peers p0_3_ports',
    'http-request deny if is_connect',
    'http-request del-header upgrade',
  ])
  assert.deepEqual(Object.fromEntries([...files].filter(([name]) => name !== 'haproxy.cfg' && name !== 'ambiguous')), {
    subjects: '10.0.0.2 0\nfd00::2 0\n',
    'p0_0_u_url.whole': 'bad.example.org/evil\n',
    'p0_0_u_url.part': 'evil.example.org/\n',
    'p0_0_u_plain.whole': `${plainHex('bad.example.org/evil')}\n`,
    'p0_0_u_plain.part': `${plainHex('evil.example.org/')}\n`,
    'p0_1_sni.whole': 'bad.example.org\n',
    p0_2_peers: '10.9.0.0/16\n',
    p0_3_peers: '10.1.0.0/16\nfd01::/64\n',
    'p0_3_0_host.below': '.example.org\n',
    'p0_3_0_host.whole': 'example.org\n',
    'p0_3_0_method.whole': 'GET\n',
    'p0_3_0_path.part': '/api/\n',
    'p0_3_0_path.whole': '/exact\n',
    'p0_3_0_plain.part': '2F6170692F\n',
    'p0_3_0_plain.whole': '2F6578616374\n',
  })
})

test('a tunnel is opened by nothing but an allow rule that names CONNECT', () => {
  const l7 = { http: [{ hosts: ['a.example.org'], methods: ['CONNECT'] }] }
  const allowing = linesOf(filesOf(entry('allow', { transport: http, l7 })), /http-request allow/)
  assert.deepEqual(allowing, ['http-request allow if p0 p0_0_ports p0_0_0_host p0_0_0_method'])
  for (const action of ['allow', 'deny'] as const) {
    const lines = linesOf(filesOf(entry(action, { transport: http, l7: { urls: ['a.example.org/*'] } })), /http-request allow/)
    for (const line of lines) assert.match(line, / !is_connect$/)
  }
})

test('at a server the other end is the source, and inspections of the other direction are none', () => {
  const inspections = [
    entry('deny', { transport: http, l7: { urls: ['a/b'] } }),
    entry('allow', { direction: 'ingress', blocks: ['10.1.0.0/16'], transport: http, l7: { urls: ['c/d'] } }),
  ]
  const files = inspectorFiles({ vni: 7, direction: 'ingress', mtu: 1_400, policies: [{ subjects: ['10.0.0.2'], inspections }] })
  assert.deepEqual(linesOf(files, /map_ip|_peers (src|dst)/), [
    'acl p0_0_peers src -f p0_0_peers',
    'tcp-request connection set-var(sess.policy) dst,map_ip(subjects,none)',
  ])
  assert.equal(files.get('p0_0_u_url.whole'), 'c/d\n')
})

describe('what a tenant writes', () => {
  const evil = ['a\n  http-request allow', 'a"b', "a'b", '${HOME}', 'a\\b', 'a b', '#x', '', 'a\0b', '*', '*.', 'é.org', 'a,b', '%[env(x)]']

  test('stands in no line of the configuration, whatever it is, and matches nothing where it is no name or path', () => {
    const harmless = filesOf(entry('allow', { transport: http, l7: { http: [{ hosts: ['x'], paths: ['/x'], methods: ['GET'] }] } }))
    for (const text of evil) {
      const files = filesOf(entry('allow', { transport: http, l7: { http: [{ hosts: [text], paths: [`/${text}`], methods: [text] }] } }))
      const [wanted, got] = [harmless, files].map((each) =>
        each
          .get('haproxy.cfg')!
          .replace(/acl (\S+) always_false/g, 'acl $1')
          .replace(/acl (\S+) var\(txn.*/g, 'acl $1'),
      )
      assert.equal(got, wanted, JSON.stringify(text))
      for (const [name, list] of files) if (name.startsWith('p0_')) assert.match(list, /^[!-~]+\n$/, `${name} of ${JSON.stringify(text)}`)
      assert.equal(files.get('p0_0_0_host.whole'), undefined)
      assert.match(files.get('haproxy.cfg')!, /acl p0_0_0_host always_false/, 'and no more than nothing is allowed by it')
    }
  })

  test('is no pattern either: what it has of signs of regular expressions means itself', () => {
    const files = filesOf(entry('deny', { transport: http, l7: { urls: ["*.example.org/a.b(c)$'*"] } }))
    const sent = new RegExp(files.get('p0_0_u_url.below')!.trim())
    const resolved = new RegExp(files.get('p0_0_u_plain.below')!.trim())
    for (const [text, is] of [
      ["x.example.org/a.b(c)$'d", true],
      ["xexample.org/a.b(c)$'d", false],
      ["x.example.org/aXb(c)$'d", false],
      ["a.org/x.example.org/a.b(c)$'d", false],
    ] as const) {
      assert.equal(sent.test(text), is, text)
      assert.equal(resolved.test(plainHex(text)), is, text)
    }
  })
})

test('paths of rules are brought to the form that requests are brought to', () => {
  for (const [path, whole, beginning = whole] of [
    ['/a/../b', '/b'],
    ['/a/./b//c', '/a/b/c'],
    ['/%61%7e%2fx', '/a~%2Fx'],
    ['/a/..', '/', '/a/..'],
    ['/a/.', '/a/', '/a/.'],
    ['/../../a', '/a'],
    ['/', '/'],
    ['/%2e%2e/a', '/a'],
    ['/a/', '/a/'],
  ] as const) {
    assert.equal(normalPath(path, false), whole, path)
    assert.equal(normalPath(path, true), beginning, path)
  }
  assert.equal(plainHex('/a%2fb;x=1/c'), plainHex('/a/b/c'))
  assert.equal(plainHex('/%0a'), '2F0A')
  assert.equal(plainHex('/a%2'), plainHex('/a'), 'the beginning of an escape')
})

describe('an inspector as a piece', () => {
  const port = (uid: string, last: number, ruleSets: readonly string[], mtu = 1_400): LocalPort => ({
    uid,
    of: { kind: 'Port', namespace: 'a', name: uid },
    number: last,
    ifcName: `mgz${uid}`,
    attachment: { kind: 'vni', vni: 7 },
    mac: `02:00:00:00:00:0${last}`,
    addresses: [`10.0.0.${last}`],
    allowedAddressPairs: [{ ip: '10.9.9.9' }],
    portSecurity: true,
    type: 'kernel',
    mtu,
    policy: { identity: 1, ruleSets, isClosed: false },
  })
  const set = (inspections?: RuleSet['inspections']): RuleSet =>
    unifiedSet({ vni: 7, number: 3, rules: [], ...(inspections && { inspections }) })
  /** As agents make it of the pieces that give to it. */
  const made = (ports: readonly LocalPort[], sets: readonly RuleSet[]) => {
    const { from, make } = inspectorPiece.made!
    const all = from.flatMap(({ of, shares }) => (of.name === portPiece.name ? ports : sets).flatMap((piece) => shares(piece)))
    return [...Map.groupBy(all, ([key]) => key)].flatMap(([key, shares]) =>
      inspectorPiece.inspectors!(
        make(
          key,
          shares.map(([, share]) => share),
        ),
        {},
      ),
    )
  }
  const asks = [entry('deny', { transport: http, l7: { urls: ['a/b'] } })]

  test('is there for the Ports that its rule sets judge, by their own addresses, with the smallest of their sizes', () => {
    const [item, ...others] = made([port('a', 2, ['vni-7-3']), port('b', 3, ['vni-7-3'], 1_300), port('c', 4, [])], [set(asks)])
    assert.deepEqual(others, [])
    assert.equal(item!.key, 'inspector/ml000007e')
    assert.equal(item!.value.mtu, 1_300)
    assert.equal(item!.value.files.get('subjects'), '10.0.0.2 0\n10.0.0.3 0\n')
  })

  test('is not there without Ports that are judged, or without rules that ask', () => {
    assert.deepEqual(made([port('c', 4, [])], [set(asks)]), [])
    assert.deepEqual(made([port('a', 2, ['vni-7-3'])], [set()]), [])
    assert.deepEqual(made([], [set(asks)]), [])
  })

  test('is another one as soon as anything of it is', () => {
    const text = (...of: Parameters<typeof made>): string => made(...of)[0]!.text
    const before = text([port('a', 2, ['vni-7-3'])], [set(asks)])
    assert.equal(text([port('a', 2, ['vni-7-3'])], [set(asks)]), before)
    assert.notEqual(text([port('a', 3, ['vni-7-3'])], [set(asks)]), before)
    assert.notEqual(text([port('a', 2, ['vni-7-3'], 1_300)], [set(asks)]), before)
    assert.notEqual(text([port('a', 2, ['vni-7-3'])], [set([entry('deny', { transport: http, l7: { urls: ['a/c'] } })])]), before)
  })

  test('is known by its key when nobody wants it any more', () => {
    const inspector = { vni: 0xabc, direction: 'ingress', mtu: 1_400, policies: [{ subjects: ['10.0.0.2'], inspections: asks }] } as const
    const [item] = inspectorItems(inspector, { rule: '', of: { kind: 'Node', name: 'n' } })
    assert.ok(isInspectorKey(item!.key))
    const { vni, direction } = namedInspector(item!.key)
    assert.deepEqual([vni, direction], [0xabc, 'ingress'])
    assert.throws(() => namedInspector('inspector/x'), /no inspector/)
  })
})
