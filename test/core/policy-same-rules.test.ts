// What is worked out of a rule that stays while its set is edited is asked for again, by object: it must be what would be worked out anew.
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import type { RuleSet } from '../../core/node/wanted.ts'
import { clausesOf } from '../../core/pipeline/policy/clauses.ts'
import { withSameRules } from '../../core/policy/rules/same-rules.ts'
import { drawRuleSets } from '../laws/rule-sets.ts'
import { seeded } from '../workers/test-cluster.ts'

const vni = 5_001
const anew = (set: RuleSet): RuleSet => structuredClone(set)

test('of an edited set the rules that stay are the objects that they were, and mean what they would anew', (t) => {
  const seed = randomInt(2 ** 32)
  t.diagnostic(`seed ${seed}`)
  const random = seeded(seed)
  for (let round = 0; round < 300; round++) {
    const [was, other] = drawRuleSets(random, vni).filter(({ rules }) => rules.length > 0)
    if (was === undefined || other === undefined) continue
    clausesOf(was)
    const edited = { ...was, ...drawnEdit(random, other), rules: was.rules.filter(() => random() < 0.7) }
    const is = withSameRules(was, anew(edited))
    assert.ok(is.rules.every((rule) => was.rules.includes(rule)))
    assert.deepEqual(is, edited)
    assert.deepEqual(clausesOf(is), clausesOf(anew(edited)))
  }
})

test('a rule with the number of another one is that other one no more', () => {
  const set = drawRuleSets(seeded(1), vni).find(({ rules }) => rules.length > 0)!
  const [first, ...rest] = set.rules
  const edited = { ...set, rules: [{ ...first!, source: '/spec/elsewhere' }, ...rest] }
  assert.deepEqual(withSameRules(set, anew(edited)), edited)
})

/** Of the set itself, on which all of its rules depend. */
function drawnEdit(random: () => number, { number, priority, subjects }: RuleSet): Partial<RuleSet> {
  const parts: readonly Partial<RuleSet>[] = [{}, { number }, { priority }, { subjects }, { audit: true }]
  return parts[Math.floor(random() * parts.length)]!
}
