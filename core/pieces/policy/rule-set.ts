// The rules of one policy in one VNI, of those that judge a Port here. A Port that is judged is put after them, and they are dropped after
// it: at no moment is it open without them. In Open vSwitch what many rules ask for is one flow (rule-dimension.ts), and several sets may
// isolate one address (isolation.ts): a set's own is what happens where a rule of it matches.
import { policyText, ruleSetName, type CompiledRule } from '../../kinds/policy/policy-rule-set.ts'
import type { Item } from '../../node/item.ts'
import type { Unsupported } from '../../node/unsupported.ts'
import type { RuleSet } from '../../node/wanted.ts'
import { statefulParts } from '../../policy/rules/stateless.ts'
import { isClosingFlow, ruleFlows } from '../../pipeline/policy/rule.ts'
import { unsupportedTraffic } from '../../pipeline/unsupported.ts'
import type { PieceKind } from '../kind.ts'
import { memoryItem } from '../memory-item.ts'

export const ruleSetPiece: PieceKind<RuleSet> = {
  name: 'RuleSet',
  key: ruleSetName,
  sources: ['rules'],
  isKept: isRuleSet,
  failsClosed: true,
  planes: {
    ovs: {
      items: (set, _, { bridge }) => ruleFlows(bridge, set),
      closes: isClosingFlow,
      unsupported: (set, _, settings) => unsupportedTraffic(set, settings),
    },
    bess: 'BESS has no stateful rules',
    // Judgements have them there.
    linux: { items: () => [], unsupported: unsupportedWithoutConnections, closes: () => false },
    memory: { items: inMemory, closes: (key) => key.startsWith('rules/') },
  },
}

/** Of a data plane that follows no connections, and limits and marks nothing. */
function unsupportedWithoutConnections(set: RuleSet): readonly Unsupported[] {
  const traffic = Object.keys(set.traffic ?? {}).map((name) => `${name} is not done here`)
  return [...statefulParts(set), ...traffic].map((why) => ({ name: 'policy', why }))
}

/** As far as an agent relies on it. */
function isRuleSet(value: unknown): value is RuleSet {
  const { vni, number, policy, subjects, isolates, rules } = (value ?? {}) as Partial<RuleSet>
  const areNumbers = typeof vni === 'number' && typeof number === 'number'
  return areNumbers && typeof policy?.name === 'string' && [subjects, isolates, rules].every((each) => Array.isArray(each))
}

function inMemory(set: RuleSet): readonly Item<string>[] {
  const { namespace, tier, priority, subjects, isolates, rules, audit, traffic } = set
  const name = ruleSetName(set)
  const words = [
    `${tier} ${priority}`,
    `judges ${subjects.join(' ')}`,
    `isolates ${isolates.join(' ')}`,
    ...rules.map(ruleText),
    ...(traffic === undefined ? [] : [JSON.stringify(traffic)]),
  ]
  return [
    memoryItem(`rules/${name}`, [...words, ...(audit === true ? ['audit'] : [])].join('; '), {
      rule: policyText(set),
      of: { kind: 'PolicyRuleSet', namespace, name },
    }),
  ]
}

const ruleText = ({ index, source: _, ...rule }: CompiledRule): string => `${index} ${JSON.stringify(rule)}`
