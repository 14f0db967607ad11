// How much the rules of all sets of a node let pass: their meters are the node's, numbered all together.
import { limitsOf, ruleRates, type LimitedRule } from '../../pipeline/policy/rule-rates.ts'
import { gives, madeOf, type PieceKind } from '../kind.ts'
import { ruleSetPiece } from './rule-set.ts'

export interface RuleRates {
  readonly rules: readonly LimitedRule[]
}

const key = 'node'
const why = 'no rule has a meter there'

export const ruleRatesPiece: PieceKind<RuleRates> = {
  name: 'RuleRates',
  key: () => key,
  sources: [],
  made: madeOf([gives(ruleSetPiece, (set) => limitsOf(set).map((rule) => [key, rule] as const))], (_, rules: readonly LimitedRule[]) => ({
    rules,
  })),
  planes: {
    ovs: { items: ({ rules }, _, settings) => ruleRates(settings, rules) },
    bess: why,
    linux: why,
    memory: 'it is in the item of its rules',
  },
}
