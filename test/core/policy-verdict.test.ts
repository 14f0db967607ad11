import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { CompiledRule, RuleSetSpec } from '../../core/kinds/policy/policy-rule-set.ts'
import { unknown, world, type Tier } from '../../core/kinds/policy/tiers.ts'
import { verdictOn, type Judged } from '../../core/policy/verdict.ts'

const [web, db] = [1, 2]
const rule = (more: Partial<CompiledRule> = {}): CompiledRule => ({
  index: 0,
  source: '/spec/rules/0',
  direction: 'ingress',
  level: 0,
  action: 'allow',
  ...more,
})
function setOf(tier: Tier, rules: readonly CompiledRule[], more: Partial<RuleSetSpec> = {}): RuleSetSpec {
  const policy = { kind: 'UnifiedNetworkPolicy', name: tier, uid: tier }
  const isolates: RuleSetSpec['isolates'] = tier === 'networkPolicy' || tier === 'securityGroup' ? ['ingress'] : []
  return { vni: 7, number: 1, tier, policy, priority: 0, subjects: [web], isolates, rules: [...rules], ...more }
}
const judged = (more: Partial<Judged> = {}): Judged => ({
  subject: web,
  direction: 'ingress',
  peer: { identity: db, address: '10.0.0.2' },
  transport: { protocol: 6, l4Port: 80 },
  ...more,
})
const allowed = (sets: readonly RuleSetSpec[], more: Partial<Judged> = {}): boolean => verdictOn(sets, judged(more)).isAllowed
const fromDb = { peers: { identities: [db], blocks: [] } }

describe('the verdict of rules', () => {
  test('is that all may pass where nothing has a say', () => {
    assert.deepEqual(verdictOn([], judged()), { isAllowed: true, audited: [], tiers: [] })
    assert.equal(allowed([setOf('securityGroup', [])], { subject: db }), true)
    assert.equal(allowed([setOf('securityGroup', [])], { direction: 'egress' }), true)
  })

  test('is that nothing passes an isolated subject but what a rule allows', () => {
    assert.equal(allowed([setOf('networkPolicy', [])]), false)
    assert.equal(allowed([setOf('networkPolicy', [rule(fromDb)])]), true)
    assert.equal(allowed([setOf('networkPolicy', [rule(fromDb)])], { peer: { identity: world, address: '192.0.2.1' } }), false)
  })

  test('needs both NetworkPolicies and SecurityGroups where both apply', () => {
    const [yes, no] = [rule(fromDb), rule({ peers: { identities: [], blocks: ['192.0.2.0/24'] } })]
    assert.equal(allowed([setOf('networkPolicy', [yes]), setOf('securityGroup', [yes])]), true)
    assert.equal(allowed([setOf('networkPolicy', [no]), setOf('securityGroup', [yes])]), false)
    assert.equal(allowed([setOf('networkPolicy', [yes]), setOf('securityGroup', [no])]), false)
  })

  test('of a UnifiedNetworkPolicy allows only as far as later tiers do, unless it is final', () => {
    const closed = setOf('securityGroup', [])
    assert.equal(allowed([setOf('unified', [rule()]), closed]), false)
    assert.equal(allowed([setOf('unified', [rule({ final: true })]), closed]), true)
    assert.equal(allowed([setOf('unified', [rule({ action: 'deny' })]), setOf('securityGroup', [rule()])]), false)
  })

  test('of an ordered tier is that of its first rule', () => {
    const deny = rule({ action: 'deny', level: 1, index: 1 })
    assert.equal(allowed([setOf('admin', [rule(), deny])]), true)
    assert.equal(allowed([setOf('admin', [deny, rule({ level: 2, index: 2 })])]), false)
    assert.equal(allowed([setOf('admin', [deny], { priority: 1 }), setOf('admin', [rule({ action: 'pass' })])]), true)
    assert.equal(allowed([setOf('admin', [rule()]), setOf('networkPolicy', [])]), true)
  })

  test('of the baseline counts where neither of the two tiers before had a say', () => {
    const baseline = setOf('baseline', [rule({ action: 'deny' })])
    assert.equal(allowed([baseline]), false)
    assert.equal(allowed([baseline, setOf('networkPolicy', [rule()])]), true)
    assert.equal(allowed([baseline, setOf('unified', [rule()])]), false)
  })

  test('in audit passes, and says what would have denied it', () => {
    const verdict = verdictOn([setOf('securityGroup', [], { audit: true })], judged())
    assert.equal(verdict.isAllowed, true)
    assert.deepEqual(
      verdict.audited.map(({ set }) => set.tier),
      ['securityGroup'],
    )
  })

  test('is that of those that are enforced where others of the tier are in audit', () => {
    assert.equal(allowed([setOf('networkPolicy', [], { audit: true }), setOf('networkPolicy', [])]), false)
  })

  test('is not opened by what is in audit, wherever that stands', () => {
    const denied = rule({ action: 'deny', level: 1, index: 1 })
    for (const first of [rule({ action: 'deny', audit: true }), rule({ audit: true, final: true }), rule({ action: 'pass', audit: true })])
      assert.equal(allowed([setOf('unified', [first, denied])]), false, JSON.stringify(first))
    assert.equal(allowed([setOf('admin', [rule({ audit: true })]), setOf('networkPolicy', [])]), false)
    const baseline = setOf('baseline', [rule({ action: 'deny' })])
    for (const rules of [[], [rule()]]) assert.equal(allowed([setOf('networkPolicy', rules, { audit: true }), baseline]), false)
    assert.equal(allowed([setOf('networkPolicy', [rule()], { audit: true }), setOf('networkPolicy', [])]), false)
  })

  test('counts what audit would deny once, and not what is denied before it', () => {
    const tiersOf = (...sets: readonly RuleSetSpec[]): readonly string[] => verdictOn(sets, judged()).audited.map(({ set }) => set.tier)
    const audit = { audit: true }
    assert.deepEqual(tiersOf(setOf('networkPolicy', [], audit), setOf('securityGroup', [], audit)), ['networkPolicy'])
    assert.deepEqual(tiersOf(setOf('networkPolicy', []), setOf('securityGroup', [], audit)), [])
    assert.deepEqual(tiersOf(setOf('networkPolicy', [], audit), setOf('securityGroup', [])), ['networkPolicy'])
    assert.deepEqual(tiersOf(setOf('admin', [rule()], audit), setOf('securityGroup', [], audit)), [], 'it would have been allowed before')
    const passes = rule({ action: 'pass', audit: true })
    const ends = rule({ level: 1, index: 1 })
    assert.deepEqual(tiersOf(setOf('admin', [passes]), setOf('securityGroup', [], audit)), ['securityGroup'])
    assert.deepEqual(tiersOf(setOf('admin', [passes, ends]), setOf('securityGroup', [], audit)), [], 'it is allowed before')
  })

  test('of a rule for some of the subjects is not that of the others', () => {
    const forDb = setOf('networkPolicy', [rule({ subjects: [db] })], { subjects: [web, db] })
    assert.equal(allowed([forDb]), false)
    assert.equal(allowed([forDb], { subject: db }), true)
  })

  test('thinks the worst of who is inside and not known, and does not let him in', () => {
    const peer = { identity: unknown, address: '10.0.0.9' }
    assert.equal(allowed([setOf('admin', [rule({ action: 'deny', ...fromDb })])], { peer }), false)
    assert.equal(allowed([setOf('networkPolicy', [rule(fromDb)])], { peer }), false)
  })

  test('looks at protocol, ports, ICMP, families and blocks', () => {
    const only = (more: Partial<CompiledRule>, at: Partial<Judged>): boolean => allowed([setOf('networkPolicy', [rule(more)])], at)
    const tcp = (first: number, last?: number): Partial<CompiledRule> => ({
      transport: [{ protocol: 6, first, ...(last !== undefined && { last }) }],
    })
    assert.equal(only(tcp(80), {}), true)
    assert.equal(only(tcp(81), {}), false)
    assert.equal(only(tcp(79, 81), {}), true)
    assert.equal(only(tcp(80), { transport: { protocol: 17, l4Port: 80 } }), false)
    assert.equal(only({ transport: [{ protocol: 1, icmpType: 8 }] }, { transport: { protocol: 1, icmpType: 0 } }), false)
    assert.equal(only({ families: [6] }, {}), false)
    assert.equal(only({ peers: { identities: [], blocks: ['10.0.0.0/30'] } }, {}), true)
    assert.equal(only({ peers: { identities: [], blocks: ['10.0.0.4/30'] } }, {}), false)
  })
})
