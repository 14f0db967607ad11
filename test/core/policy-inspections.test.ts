// What a policy asks in connections, as it is compiled for one VNI: which rules are asked, and what those say at once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'yaml'
import { judge } from '../../core/admit/object/rules.ts'
import { check, withDefaults } from '../../core/admit/object/schema.ts'
import { vlanSegment } from '../../core/net/segment.ts'
import type { Compiled, CompileOptions } from '../../core/policy/compile.ts'
import { readPolicy } from '../../core/policy/read.ts'
import type { ChainPort } from '../../core/policy/rules/chains.ts'
import { inspectionsOf } from '../../core/policy/trace/inspections.ts'
import { verdictOn } from '../../core/policy/verdict.ts'
import { read } from '../repo/sources.ts'
import { member, resource, worldOf } from './policy-things.ts'

const web = { ports: [{ l4Port: 80 }] }
const http = { http: [{ paths: ['/api/*'] }] }
const of = (app: string) => ({ peers: [{ podSelector: { matchLabels: { app } } }] })

function compiled(spec: object, more: Partial<CompileOptions> = {}, servers = 1): Compiled & { readonly client: number } {
  const { policy, problems } = readPolicy(
    resource('UnifiedNetworkPolicy', 'a/p', { podSelector: { matchLabels: { app: 'client' } }, ...spec }),
  )
  const members = [
    member('a/client', { app: 'client' }),
    ...Array.from({ length: servers }, (_, i) => member(`a/server-${i}`, { app: 'server' })),
  ]
  const { numberOf, compile } = worldOf(members, [policy!], { subnets: new Map([['a/net', ['10.0.0.0/8']]]), families: [4] })
  const ports = members.map(({ port, labels, namespace }, i): ChainPort => ({
    ...{ port, name: port, mac: `02:00:00:00:00:0${i % 10}`, addresses: [`10.0.${i >> 8}.${i & 255}`], namespace, labels },
    ...{ identity: numberOf(port), isJudged: false, isReady: true },
  }))
  const done = compile(policy!, { chainPorts: () => ports, ...more })
  return { ...done, problems: [...problems, ...done.problems], client: numberOf('a/client') }
}
const wordsOf = ({ spec: { inspections = [] } }: Compiled): readonly string[] =>
  inspections.map(({ source, action, blocks = ['anyone'], l7 }) => `${source} ${action} ${blocks.join()}${l7 === undefined ? '' : ' asks'}`)

test('the example of docs/policy.md is taken as it stands, and all of it is done', () => {
  const [, text = ''] = /## What is asked in connections[^]*?```yaml\n([^]*?)```/.exec(read('docs/policy.md')) ?? []
  const object = withDefaults('UnifiedNetworkPolicy', parse(text) as never)
  assert.deepEqual([...check('UnifiedNetworkPolicy', object), ...judge('UnifiedNetworkPolicy', object, undefined)], [])
  const { problems, spec } = compiled((object as { readonly spec: object }).spec)
  assert.deepEqual(problems, [])
  assert.equal(spec.inspections?.filter(({ l7 }) => l7 !== undefined).length, 3)
})

test('the rules of a direction in which something is asked are there in their order, with the addresses that their peers have now', () => {
  const of2 = compiled({
    egress: [
      { action: 'allow', ...of('server'), ports: [{ l4Port: 8080 }] },
      { action: 'deny', ...web, l7: { urls: ['a.example.org/'] } },
      { action: 'allow', peers: [{ cidr: '192.0.2.0/24' }], ...web, l7: http },
      { action: 'allow' },
    ],
    ingress: [{ action: 'allow', ...of('server') }],
  })
  assert.deepEqual(of2.problems, [])
  assert.deepEqual(wordsOf(of2), [
    '/spec/egress/0 allow 10.0.0.1/32',
    '/spec/egress/1 deny anyone asks',
    '/spec/egress/2 allow 192.0.2.0/24 asks',
    '/spec/egress/3 allow anyone',
    '/spec/defaults/egress allow anyone',
  ])
  assert.deepEqual(
    of2.spec.inspections?.map(({ index, peers }) => [index, peers?.identities.length]),
    [
      [0, 1],
      [1, undefined],
      [2, 0],
      [3, undefined],
      [undefined, undefined],
    ],
  )
})

test('when a connection is begun a rule with l7 that allows lets it pass, and one that denies has no say', () => {
  const { spec, client } = compiled({
    defaults: { egress: 'deny' },
    egress: [
      { action: 'deny', ports: [{ l4Port: 80, l4PortMax: 81 }], l7: { urls: ['a.example.org/'] } },
      { action: 'allow', ...web, l7: http },
    ],
  })
  const to = (l4Port: number): boolean =>
    verdictOn([spec], {
      ...{ subject: client, direction: 'egress', peer: { identity: 0, address: '192.0.2.1' } },
      transport: { protocol: 6, l4Port },
    }).isAllowed
  assert.deepEqual([80, 81].map(to), [true, false])
})

test('a trace says which rules ask something in a connection, up to what decides it', () => {
  const { spec, client } = compiled({
    defaults: { egress: 'deny' },
    egress: [
      { action: 'allow', peers: [{ cidr: '192.0.2.8/32' }], ...web },
      { action: 'deny', ...web, l7: { urls: ['a.example.org/'] } },
      { action: 'allow', peers: [{ cidr: '192.0.2.0/24' }], ...web, l7: http },
      { action: 'deny', ...web, l7: { urls: ['b.example.org/'] } },
      { action: 'allow', ...of('server'), ...web },
    ],
  })
  const asks = (address: string, { identity = 0, l4Port = 80, protocol = 6 } = {}): readonly string[] =>
    inspectionsOf([spec], { subject: client, direction: 'egress', peer: { identity, address }, transport: { protocol, l4Port } }).map(
      ({ action, policy, rule }) => `${action} ${policy.kind} ${policy.namespace}/${policy.name} ${rule}`,
    )
  const [first, second, third] = ['deny /spec/egress/1', 'allow /spec/egress/2', 'deny /spec/egress/3'].map((each) =>
    each.replace(' ', ' UnifiedNetworkPolicy a/p '),
  )
  assert.deepEqual(asks('192.0.2.8'), [], 'decided before')
  assert.deepEqual(asks('192.0.2.9'), [first, second])
  assert.deepEqual(asks('198.51.100.1'), [first, third])
  assert.deepEqual(asks('192.0.2.9', { l4Port: 81 }), [])
  assert.deepEqual(asks('192.0.2.9', { protocol: 17 }), [])
  assert.deepEqual(
    inspectionsOf([{ ...spec, subjects: [] }], {
      ...{ subject: client, direction: 'egress', peer: { identity: 0, address: '192.0.2.9' } },
      transport: { protocol: 6, l4Port: 80 },
    }),
    [],
    'of nobody else',
  )
})

test('a policy in audit asks nothing, and nothing before a rule in audit is left out', () => {
  const rule = { action: 'allow', ...web, l7: http }
  assert.deepEqual(wordsOf(compiled({ mode: 'audit', egress: [rule] })), [])
  assert.deepEqual(wordsOf(compiled({ egress: [rule] }, { audit: true })), [])
  assert.deepEqual(wordsOf(compiled({ egress: [{ action: 'allow', audit: true }, rule] })), [
    '/spec/egress/1 allow anyone asks',
    '/spec/defaults/egress allow anyone',
  ])
})

test('in a VLAN nobody asks: it is said by name, and what is to be asked does not pass, or is left out where the policy wants that', () => {
  const vlan = { vni: vlanSegment('physnet1', 100), isOpen: true, subnets: new Map<string, readonly string[]>() }
  const egress = [
    { action: 'deny', ...web, l7: { urls: ['a.example.org/'] } },
    { action: 'allow', ports: [{ l4Port: 443 }], l7: { tls: { serverNames: ['a.example.org'] } } },
  ]
  const passes = (more: object): readonly boolean[] => {
    const { spec, problems, client } = compiled(
      { defaults: { egress: 'deny' }, egress: [...egress, { action: 'allow', ...web }], ...more },
      vlan,
    )
    assert.deepEqual(
      problems.map(({ path, message }) => `${path} ${message}`),
      ['/spec/egress/0/l7 is asked by nobody in a VLAN', '/spec/egress/1/l7 is asked by nobody in a VLAN'],
    )
    assert.equal(spec.inspections, undefined)
    return [80, 443].map(
      (l4Port) =>
        verdictOn([spec], {
          ...{ subject: client, direction: 'egress', peer: { identity: 0xffffff, address: '192.0.2.1' } },
          transport: { protocol: 6, l4Port },
        }).isAllowed,
    )
  }
  assert.deepEqual(passes({}), [false, false])
  assert.deepEqual(passes({ onUnsupported: 'allow' }), [true, true])
})

test('a rule that names too many is asked of anyone, and one without l7 that does ends no inspection; the policy says so', () => {
  const egress = [
    { action: 'allow', ...of('server'), ports: [{ l4Port: 1, l4PortMax: 9_999 }] },
    { action: 'allow', ...of('server'), ports: [{ l4Port: 1, l4PortMax: 9_999 }], l7: http },
  ]
  const many = compiled({ egress }, {}, 140)
  assert.deepEqual(wordsOf(many), ['/spec/egress/1 allow anyone asks', '/spec/defaults/egress allow anyone'])
  assert.deepEqual(
    many.problems.map(({ path }) => path),
    ['/spec/egress/0/peers', '/spec/egress/1/peers'],
  )
})

test('l7 that an API server let pass without ports denies what it should refuse, and allows nothing', () => {
  const rules = (action: string): unknown => {
    const { spec, problems } = compiled({ egress: [{ action, l7: http }] })
    assert.deepEqual([spec.inspections, problems.map(({ path }) => path)], [undefined, ['/spec/egress/0/l7']])
    return spec.rules.map(({ source, action: does }) => `${does} ${source}`)
  }
  assert.deepEqual(rules('deny'), ['allow /spec/defaults/ingress', 'deny /spec/egress/0', 'allow /spec/defaults/egress'])
  assert.deepEqual(rules('allow'), ['allow /spec/defaults/ingress', 'allow /spec/defaults/egress'])
})
