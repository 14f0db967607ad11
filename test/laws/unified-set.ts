// The rule set of one UnifiedNetworkPolicy, as tests begin with it: nothing is in audit, and nobody is isolated.
import type { RuleSet } from '../../core/node/wanted.ts'

export const unifiedSet = (of: Pick<RuleSet, 'vni' | 'rules'> & Partial<RuleSet>): RuleSet => ({
  namespace: 'net',
  number: 1,
  tier: 'unified',
  policy: { kind: 'UnifiedNetworkPolicy', namespace: 'a', name: 'p', uid: 'u' },
  priority: 0,
  subjects: [1],
  isolates: [],
  ...of,
})
