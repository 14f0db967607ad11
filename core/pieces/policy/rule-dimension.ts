// One thing that rules ask for in Open vSwitch: a flow that all of them share, or several where they are thousands, so that a rule that
// comes or goes touches nothing else.
import type { Conjunction } from '../../pipeline/openflow/actions.ts'
import { clausesOf } from '../../pipeline/policy/clauses.ts'
import { dimensionFlows } from '../../pipeline/policy/rule.ts'
import { gives, madeOf, type PieceKind } from '../kind.ts'
import { ruleSetPiece } from './rule-set.ts'

export interface RuleDimension {
  /** Of the flow. */
  readonly key: string
  readonly clauses: readonly Conjunction[]
}

const why = 'a part of rules of policies, which are not rendered there yet'

export const ruleDimensionPiece: PieceKind<RuleDimension> = {
  name: 'RuleDimension',
  key: ({ key }) => key,
  sources: [],
  made: madeOf([gives(ruleSetPiece, clausesOf)], (key, clauses: readonly Conjunction[]) => ({ key, clauses })),
  planes: {
    ovs: { items: ({ key, clauses }, _, { bridge, node }) => dimensionFlows(bridge, { node, key, clauses }) },
    bess: why,
    linux: why,
    memory: 'it is in the item of its rules',
  },
}
