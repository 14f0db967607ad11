// An address that nothing reaches, or that reaches nothing, but by a rule of a tier: of all sets that isolate it together.
import { isolationFlow, isolationsOf, type Isolates } from '../../pipeline/policy/isolation.ts'
import { isClosingFlow } from '../../pipeline/policy/rule.ts'
import { gives, madeOf, type PieceKind } from '../kind.ts'
import { ruleSetPiece } from './rule-set.ts'

export interface Isolation {
  /** Of the flow. */
  readonly key: string
  /** In whose name. */
  readonly by: Isolates
}

const why = 'a part of policies, which are not rendered there yet'

export const isolationPiece: PieceKind<Isolation> = {
  name: 'Isolation',
  key: ({ key }) => key,
  sources: [],
  made: madeOf([gives(ruleSetPiece, isolationsOf)], (key, all: readonly Isolates[]) => ({
    key,
    by: all[0]!,
  })),
  failsClosed: true,
  planes: {
    ovs: { items: (isolation, _, { bridge }) => [isolationFlow(bridge, isolation)], closes: isClosingFlow },
    bess: why,
    linux: why,
    memory: 'it is in the item of its rules',
  },
}
