// How much rules let pass, as meters of a node: each rule its own, whichever others there are.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RuleSet } from '../../core/node/wanted.ts'
import { ruleMeters } from '../../core/pipeline/policy/meter-numbers.ts'
import { limitsOf, ruleRates, type LimitedRule } from '../../core/pipeline/policy/rule-rates.ts'
import { ruleFlows } from '../../core/pipeline/policy/rule.ts'
import { unifiedSet } from '../laws/unified-set.ts'
import type { PipelineSettings } from '../../core/pipeline/settings.ts'

const settings: PipelineSettings = {
  node: 'n',
  bridge: 'mgz',
  datapath: 'netdev',
  tunnelAddress: '192.0.2.1',
  tunnelL4Port: 4_789,
  uplinks: {},
}
const setOf = (number: number, rules: readonly Partial<RuleSet['rules'][number]>[], more: Partial<RuleSet> = {}): RuleSet =>
  unifiedSet({
    vni: 5_001,
    number,
    rules: rules.map((rule, index) => ({
      index,
      source: `/spec/ingress/${index}`,
      direction: 'ingress' as const,
      level: index,
      action: 'allow' as const,
      ...rule,
    })),
    ...more,
  })
/** id of the rule → its meter and rate, or `drop`. */
function ratesOf(rules: readonly LimitedRule[]): ReadonlyMap<number, string> {
  const items = ruleRates(settings, rules)
  const rates = new Map(items.map(({ key, text }) => [key.split('/').at(-1) ?? '', /rate=(\d+)/.exec(text)?.[1] ?? '']))
  const flows = items.filter(({ key }) => key.startsWith('flow/'))
  return new Map(
    flows.map(({ key, text }) => {
      const meter = /meter:(\d+)/.exec(text)?.[1]
      const [, id = ''] = /reg14=0x([0-9a-f]+)/.exec(key) ?? []
      return [Number.parseInt(id, 16), meter === undefined ? 'drop' : `${meter} ${rates.get(meter) ?? 'none'}`]
    }),
  )
}

test('a rule that allows within a rate asks for it where it allows, and has a meter of its own', () => {
  const set = setOf(3, [{ max: 2_000_000 }, {}, { max: 64_000 }])
  const rates = ratesOf(limitsOf(set))
  assert.deepEqual([...rates.keys()], [768, 770])
  assert.deepEqual(
    [...rates.values()].map((each) => each.split(' ')[1]),
    ['2000', '64'],
  )
  const does = ruleFlows(settings, set).map(({ text }) => text.split(' ').at(-1) ?? '')
  assert.match(does[0] ?? '', /^load:0x300->reg14\[0\.\.31\],resubmit\(,21\),goto_table/)
  assert.doesNotMatch(does[1] ?? '', /reg14/)
})

test('what is in audit, or lets nothing pass, limits nothing', () => {
  assert.deepEqual(
    limitsOf(
      setOf(3, [
        { max: 1, action: 'deny' },
        { max: 1, audit: true },
      ]),
    ),
    [],
  )
  assert.deepEqual(limitsOf(setOf(3, [{ max: 1 }], { audit: true })), [])
})

test('no two rules have one meter, and a rule keeps its own while others come and go, but for those whose numbers meet', () => {
  const all = Array.from({ length: 300 }, (_, i): LimitedRule => ({ vni: 5_001 + (i % 3), id: i * 256, max: 1_000_000 }))
  const meters = (rules: readonly LimitedRule[]): ReadonlyMap<number, string> => ratesOf(rules)
  const before = meters(all)
  assert.equal(new Set(before.values()).size, all.length)
  const after = meters(all.filter((_, i) => i !== 7))
  const moved = [...after].filter(([id, meter]) => before.get(id) !== meter)
  assert.ok(moved.length < 5, `${moved.length} have moved`)
  assert.deepEqual(meters(all.toReversed()), before, 'the order that they are told of in is no matter')
})

test('rules for whom there is no meter left let nothing pass', () => {
  const all = Array.from({ length: ruleMeters + 2 }, (_, i): LimitedRule => ({ vni: 5_001, id: i, max: 1_000_000 }))
  assert.equal([...ratesOf(all).values()].filter((each) => each === 'drop').length, 2)
  assert.deepEqual(ruleRates({ ...settings, meters: false }, all), [], 'without meters the rule is told of as not done')
})
