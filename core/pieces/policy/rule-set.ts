// The rules of one policy in one VNI, of those that judge a Port here. A Port that is judged is put after them, and they are dropped after
// it: at no moment is it open without them. In Open vSwitch what many rules ask for is one flow (rule-dimension.ts), and several sets may
// isolate one address (isolation.ts): a set's own is what happens where a rule of it matches.
import { policyText, ruleSetName, type CompiledRule } from '../../kinds/policy/policy-rule-set.ts'
import type { Item } from '../../node/item.ts'
import type { RuleSet } from '../../node/wanted.ts'
import { chainFlows } from '../../pipeline/chains/chain.ts'
import { isClosingFlow, ruleFlows } from '../../pipeline/policy/rule.ts'
import { unsupportedSet } from '../../pipeline/unsupported.ts'
import type { PieceKind } from '../kind.ts'
import { memoryItem } from '../memory-item.ts'
import { notDone } from './not-done.ts'

export const ruleSetPiece: PieceKind<RuleSet> = {
  name: 'RuleSet',
  key: ruleSetName,
  sources: ['rules'],
  isKept: isRuleSet,
  failsClosed: true,
  planes: {
    ovs: {
      items: (set, _, settings) => [...ruleFlows(settings, set), ...chainFlows(settings.bridge, set)],
      closes: isClosingFlow,
      unsupported: (set, _, settings) => unsupportedSet(set, settings),
    },
    // Judgements have them there.
    bess: { items: () => [], unsupported: notDone.bess, closes: () => false },
    linux: { items: () => [], unsupported: (set, _, options) => notDone.linux(set, options), closes: () => false },
    memory: { items: inMemory, closes: (key) => key.startsWith('rules/') },
  },
}

/** As far as an agent relies on it. */
function isRuleSet(value: unknown): value is RuleSet {
  const { vni, number, policy, subjects, isolates, rules } = (value ?? {}) as Partial<RuleSet>
  const areNumbers = typeof vni === 'number' && typeof number === 'number'
  return areNumbers && typeof policy?.name === 'string' && [subjects, isolates, rules].every((each) => Array.isArray(each))
}

function inMemory(set: RuleSet): readonly Item<string>[] {
  const { namespace, tier, priority, subjects, isolates, rules, audit, traffic, chains, inspections } = set
  const name = ruleSetName(set)
  const words = [
    `${tier} ${priority}`,
    `judges ${subjects.join(' ')}`,
    `isolates ${isolates.join(' ')}`,
    ...rules.map(ruleText),
    ...(traffic === undefined ? [] : [JSON.stringify(traffic)]),
    ...[chains, inspections].flatMap((each) => (each === undefined ? [] : [JSON.stringify(each)])),
  ]
  return [
    memoryItem(`rules/${name}`, [...words, ...(audit === true ? ['audit'] : [])].join('; '), {
      rule: policyText(set),
      of: { kind: 'PolicyRuleSet', namespace, name },
    }),
  ]
}

const ruleText = ({ index, source: _, ...rule }: CompiledRule): string => `${index} ${JSON.stringify(rule)}`
