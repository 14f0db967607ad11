// Which rules decide, where connections are not followed: what elements of nftables say is what verdicts say, for whoever the other end is.
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { describe, test } from 'node:test'
import { accessOf } from '../../core/policy/rules/stateless.ts'
import { linuxRenderer } from '../../core/linux/render.ts'
import { ruleSetPiece } from '../../core/pieces/policy/rule-set.ts'
import { decisionsOf } from '../../core/policy/rules/decided.ts'
import { verdictOn } from '../../core/policy/verdict.ts'
import type { RuleSet } from '../../core/node/wanted.ts'
import { anyoneElse } from '../../core/kinds/policy/access.ts'
import { ownerText, type PeerDecision } from '../../core/kinds/policy/peer-decision.ts'
import type { CompiledRule } from '../../core/kinds/policy/policy-rule-set.ts'
import { unknown, world } from '../../core/kinds/policy/tiers.ts'
import { parseIp } from '../../core/net/ip.ts'
import { drawRuleSets, identities, mirrored, mirroredWith } from '../laws/rule-sets.ts'
import { unifiedSet } from '../laws/unified-set.ts'
import { trials } from '../setup/trials.ts'
import { seeded } from '../workers/test-cluster.ts'

const addresses = ['10.0.0.3', '10.0.0.4', '10.0.1.1', '192.0.2.7', '198.51.100.1', '2001:db8::1', '2001:db8:1::1']

/** As the table finds it: an identity that is not named is anyone else's. */
function found(all: readonly PeerDecision[], asked: Pick<PeerDecision, 'direction' | 'identity'>, address: string) {
  const { family, value } = parseIp(address)!
  const identity = all.some((each) => each.identity === asked.identity) ? asked.identity : anyoneElse
  const at = all.filter(
    ({ direction, identity: is, range }) =>
      direction === asked.direction && is === identity && range.family === family && range.first <= value && value <= range.last,
  )
  assert.equal(at.length, 1, 'one element, and not two')
  return at[0]!
}
const ends = (['ingress', 'egress'] as const).flatMap((direction) =>
  [world, unknown, ...identities, 77].flatMap((identity) => addresses.map((address) => ({ direction, identity, address }))),
)

describe('what rules decide without connections', () => {
  test('is by the rules that the verdict names, in its order, what audit would deny by among them', () => {
    const first = randomInt(2 ** 40)
    let audited = 0
    for (let seed = first; seed < first + trials(200); seed++) {
      const random = seeded(seed)
      const sets = drawRuleSets(random, 5001, 5).map((set) => mirroredWith(set, ({ dscp: _, max: __, ...rule }) => rule))
      for (const subject of identities) {
        const all = decisionsOf(sets, subject)
        for (const { direction, identity, address } of ends) {
          const verdict = verdictOn(sets, { subject, direction, peer: { identity, address }, transport: { protocol: 17, l4Port: 9 } })
          const by = verdict.tiers.map(({ reason: { set, rule } }) => ({ set: set.number, ...(rule && { rule: rule.index }) }))
          const logging = by[verdict.tiers.findIndex(({ reason: { rule } }) => rule?.log === true)]
          audited += verdict.audited.length
          const { isAllowed, by: is, log } = found(all, { direction, identity }, address)
          assert.deepEqual(
            { isAllowed, by: is, logs: log && ownerText(log) },
            { isAllowed: verdict.isAllowed, by, logs: logging && ownerText(logging) },
            `seed ${seed}: ${direction} ${subject} ${identity} ${address}`,
          )
        }
      }
    }
    assert.ok(audited > 0)
  })

  test('lets pass what data planes that count nothing let pass', () => {
    const sets = drawRuleSets(seeded(4), 5001, 5)
      .map(mirrored)
      .filter(({ audit }) => audit !== true)
    for (const subject of identities) {
      const all = decisionsOf(sets, subject)
      for (const { identity, ranges } of accessOf(sets, subject))
        for (const address of addresses) {
          const { family, value } = parseIp(address)!
          const isIn = ranges.some((range) => range.family === family && range.first <= value && value <= range.last)
          assert.equal(found(all, { direction: 'egress', identity }, address).isAllowed, isIn, `${subject} ${identity} ${address}`)
        }
    }
  })

  test('counts no rule in audit that answers would be counted of too, and changes no verdict by it', () => {
    const rule = (direction: CompiledRule['direction'], index: number): CompiledRule => ({
      index,
      source: `/spec/${direction}/0`,
      direction,
      level: 0,
      action: 'deny',
      audit: true,
    })
    const of = (rules: readonly CompiledRule[]): readonly string[] => {
      const set = unifiedSet({ vni: 5001, subjects: [1], rules: [...rules] })
      return decisionsOf([set], 1).map(({ isAllowed, by }) => `${isAllowed} ${by.length}`)
    }
    const [both, one] = [of([rule('ingress', 0), rule('egress', 1)]), of([rule('ingress', 0)])]
    assert.deepEqual([new Set(both), new Set(one)], [new Set(['true 1']), new Set(['true 0'])])
    const carried = [rule('ingress', 0), rule('egress', 1)].map((each) => ({ ...each, transport: [{ protocol: 6 }] }))
    assert.deepEqual(of(carried), one)
  })

  test('is not logged where the kernel logs nothing: the rule is named', () => {
    const rules = (['ingress', 'egress'] as const).map((direction, index): CompiledRule => ({
      index,
      source: `/spec/${direction}/0`,
      direction,
      level: 0,
      action: 'deny',
      ...(direction === 'egress' && { log: true }),
    }))
    const set = unifiedSet({ vni: 5001, rules })
    const of = (options: { readonly noLog?: string }) =>
      linuxRenderer({ tunnelAddress: '192.0.2.1', l4Port: 4789, ...options }).unsupported(ruleSetPiece, set)
    assert.deepEqual(of({}), [])
    assert.deepEqual(of({ noLog: 'the kernel does not' }), [{ name: 'policy', why: '/spec/egress/0 logs, and the kernel does not' }])
  })

  test('is limited and marked by rules that are alike both ways, and else the rule is named', () => {
    const allow = (direction: CompiledRule['direction'], more: Partial<CompiledRule>): CompiledRule => ({
      index: direction === 'ingress' ? 4 : 3,
      source: `/spec/${direction}/0`,
      direction,
      level: 0,
      action: 'allow',
      ...more,
    })
    const set = (one: Partial<CompiledRule>, other: Partial<CompiledRule>): RuleSet =>
      unifiedSet({ vni: 5001, number: 7, subjects: [1], rules: [allow('ingress', one), allow('egress', other)] })
    const wanted = { max: 8_000, dscp: 10 }
    const both = decisionsOf([set(wanted, wanted)], 1).map(
      ({ max, dscp }) => `${max?.by.set}/${max?.by.rule} ${max?.bitsPerSecond} ${dscp}`,
    )
    assert.deepEqual(new Set(both), new Set(['7/3 8000 10']), 'one limit of both')
    const audited = decisionsOf([set({ ...wanted, audit: true }, { ...wanted, audit: true })], 1)
    assert.ok(audited.every(({ max, dscp }) => max === undefined && dscp === undefined))
    const of = (each: RuleSet, options: { readonly noTraffic?: string } = {}): readonly string[] =>
      linuxRenderer({ tunnelAddress: '192.0.2.1', l4Port: 4789, ...options })
        .unsupported(ruleSetPiece, each)
        .map(({ why }) => why)
    assert.deepEqual(of(set(wanted, wanted)), [])
    assert.deepEqual(of(set(wanted, wanted), { noTraffic: 'it does not' }), ['it does not'])
    for (const other of [{}, { max: 8_000 }, { max: 9_000, dscp: 10 }])
      assert.match(of(set(wanted, other))[0]!, /^\/spec\/ingress\/0 limits or marks otherwise than a rule that is alike/)
    const behind = (more: Partial<CompiledRule>, other: Partial<CompiledRule>): RuleSet => {
      const first = { ...allow('ingress', { action: 'deny', ...more }), index: 9, source: '/spec/ingress/9' }
      return { ...set(wanted, other), rules: [first, allow('ingress', { ...wanted, level: 1 }), allow('egress', other)] }
    }
    for (const first of [{ frame: { etherType: 0x88cc } }, { audit: true }]) {
      const limits = decisionsOf([behind(first, wanted)], 1).flatMap(({ max }) => (max === undefined ? [] : [max.by.rule]))
      assert.deepEqual(new Set(limits), new Set([3]), 'one limit of both, behind what one direction alone has')
      assert.equal(of(behind(first, {})).length, 1, 'and it is said where the other has none')
    }
  })
})
