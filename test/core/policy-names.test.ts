// Names outside that policies are about: what is kept of answers, how long, and what rules are of them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Resource } from '../../core/kinds/index.ts'
import type { UnifiedSpec } from '../../core/kinds/policy/unified-network-policy.ts'
import { Directory } from '../../core/policy/directory.ts'
import { UnifiedChoice } from '../../core/policy/choose-unified.ts'
import { Ties } from '../../core/policy/rules/ties.ts'
import { compile } from '../../core/policy/compile.ts'
import { readPolicy } from '../../core/policy/read.ts'
import { addressesMost, askAgainMs, namesAfter, namesDueInMs, namesIn, namesMost, type NameAnswer } from '../../core/policy/read/names.ts'

type Policy = Resource<'UnifiedNetworkPolicy'>
const [start, minute] = [Date.parse('2026-11-27T12:00:00Z'), 60_000]
const to = (action: 'allow' | 'deny', ...names: readonly string[]): UnifiedSpec => ({
  podSelector: {},
  defaults: { egress: 'deny' },
  egress: [{ action, peers: names.map((fqdn) => ({ fqdn })) }],
})
const policyOf = (spec: UnifiedSpec, names?: NonNullable<Policy['status']>['names']): Policy =>
  ({
    kind: 'UnifiedNetworkPolicy',
    metadata: { namespace: 'a', name: 'p', uid: 'u', generation: 1, resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' },
    spec,
    status: { ...(names && { names }) },
  }) as unknown as Policy
const answer = (at: number, ttlSeconds: number, ...addresses: readonly string[]): NameAnswer => ({
  at: new Date(at).toISOString(),
  addresses: addresses.map((address) => ({ address, ttlSeconds })),
})
/** Whatever was known before, and what is after an answer. */
function known(before: Policy, said: NameAnswer, now: number): Policy {
  return policyOf(before.spec, [...namesAfter(before, new Map([['api.example', said]]), { now })])
}
const addressesIn = ({ status }: Policy): readonly string[] =>
  status?.names?.flatMap(({ addresses }) => addresses.map(({ address }) => address)) ?? []

test('names are asked for as they are spelled in DNS, each once, and no more than one policy may have', () => {
  assert.deepEqual(namesIn(to('allow', 'API.example.', 'api.example', 'b.example')), ['api.example', 'b.example'])
  assert.equal(namesIn(to('allow', ...Array.from({ length: namesMost + 5 }, (_, i) => `n${i}.example`))).length, namesMost)
})

test('an address counts as long as its answer says, a minute at least and an hour at most, and one minute more', () => {
  const first = known(policyOf(to('allow', 'api.example')), answer(start, 300, '198.51.100.1'), start)
  assert.deepEqual(first.status?.names, [
    { name: 'api.example', addresses: [{ address: '198.51.100.1', keptUntil: '2026-11-27T12:06:00.000Z' }] },
  ])
  const short = known(policyOf(to('allow', 'api.example')), answer(start, 1, '198.51.100.1'), start)
  assert.equal(short.status?.names?.[0]?.addresses[0]?.keptUntil, '2026-11-27T12:02:00.000Z')
  assert.equal(askAgainMs(answer(start, 86_400, '198.51.100.1')), 60 * minute)
  assert.equal(askAgainMs(answer(start, 1)), minute, 'none')
  const moved = known(first, answer(start + 5 * minute, 300, '198.51.100.2'), start + 5 * minute)
  assert.deepEqual(addressesIn(moved), ['198.51.100.1', '198.51.100.2'], 'who has been answered the first may still use it')
  const said = answer(start + 5 * minute, 300, '198.51.100.2')
  assert.equal(namesDueInMs(moved.status?.names ?? [], 5 * minute, { now: start + 5 * minute }), minute, 'the first ends')
  assert.deepEqual(addressesIn(known(moved, said, start + 6 * minute)), ['198.51.100.2'])
})

test('while nobody answers what was known is kept, for a day', () => {
  const first = known(policyOf(to('allow', 'api.example')), answer(start, 60, '198.51.100.1'), start)
  const away = { ...answer(start + 60 * minute, 0), problem: 'queryA ETIMEOUT api.example' }
  const kept = known(first, away, start + 60 * minute)
  assert.deepEqual(addressesIn(kept), ['198.51.100.1'])
  assert.equal(kept.status?.names?.[0]?.problem, away.problem)
  assert.deepEqual(addressesIn(known(kept, away, start + 25 * 60 * minute)), [])
  assert.deepEqual(addressesIn(known(kept, answer(start + 61 * minute, 0), start + 61 * minute)), [], 'it has none any more')
  assert.deepEqual(
    namesAfter(first, new Map(), { now: start + 60 * minute }),
    first.status?.names,
    'a worker that has just begun knows nothing better',
  )
})

test('an answer brings no more addresses than may be, and none that is nowhere', () => {
  const many = Array.from({ length: 200 }, (_, i) => `198.51.100.${i}`)
  assert.equal(addressesIn(known(policyOf(to('allow', 'api.example')), answer(start, 60, ...many), start)).length, addressesMost)
  const odd = [
    '127.0.0.1',
    '0.0.0.0',
    '169.254.169.254',
    '224.0.0.1',
    '::1',
    'fe80::1',
    'ff02::1',
    '::ffff:10.0.0.1',
    'no address',
    '10.1.1.1',
  ]
  assert.deepEqual(addressesIn(known(policyOf(to('allow', 'api.example')), answer(start, 60, ...odd), start)), ['10.1.1.1'])
})

function compiled(policy: Policy): { readonly rules: readonly (readonly unknown[])[]; readonly problems: readonly string[] } {
  const { policy: common, problems } = readPolicy(policy)
  const directory = new Directory([{ number: 1, facts: { namespace: 'a' } }], () => ({}))
  const options = {
    vni: 1,
    families: [4, 6] as const,
    directory,
    subnets: new Map([['a/s', ['10.0.0.0/24']]]),
    unified: new UnifiedChoice(common === undefined ? [] : [common]),
    ties: new Ties([]),
    audit: false,
  }
  const { spec } = compile(common!, 1, options)
  return {
    rules: spec.rules.filter(({ direction }) => direction === 'egress').map(({ index, action, peers }) => [index, action, peers?.blocks]),
    problems: problems.map(({ path, message }) => `${path} ${message}`),
  }
}

test('a rule about a name is one about its addresses, those of the network itself left out, and the same rule whichever they are', () => {
  const first = compiled(known(policyOf(to('allow', 'api.example')), answer(start, 60, '198.51.100.1', '10.0.0.9', '2001:db8::1'), start))
  const [rule] = first.rules
  assert.deepEqual([rule?.slice(1), first.problems], [['allow', ['198.51.100.1/32', '2001:db8::1/128']], []])
  const next = compiled(known(policyOf(to('allow', 'api.example')), answer(start, 60, '198.51.100.7'), start))
  assert.deepEqual([next.rules[0]?.[0], next.rules[0]?.[2]], [rule?.[0], ['198.51.100.7/32']])
})

test('of a name without an address nothing is allowed, and all is denied, and it is said', () => {
  const allowing = compiled(policyOf(to('allow', 'api.example')))
  assert.deepEqual(
    allowing.rules.map(([, action]) => action),
    ['deny'],
  )
  assert.deepEqual(allowing.problems, ['/spec/egress/0/peers/0/fqdn has no address'])
  const denying = compiled(policyOf({ ...to('deny', 'api.example'), defaults: {} }, [{ name: 'api.example', addresses: [], problem: 'x' }]))
  assert.deepEqual(
    denying.rules.map(([, action, blocks]) => [action, blocks]),
    [
      ['deny', undefined],
      ['allow', undefined],
    ],
  )
  assert.deepEqual(denying.problems, ['/spec/egress/0/peers/0/fqdn has no address (x)'])
})
