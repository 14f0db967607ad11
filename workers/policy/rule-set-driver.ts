// Rule sets are objects of ours: written as they were read, or not at all.
import type { Driver } from '../../core/contracts/driver.ts'
import type { Store, Write } from '../../core/contracts/store.ts'
import { refOf } from '../../core/kinds/index.ts'
import type { RuleSetAction } from '../../core/plan/policy/rule-sets.ts'
import { objects } from '../drivers/store-objects.ts'

export const ruleSetDriver = (store: Store): Driver<undefined, undefined, RuleSetAction> =>
  objects<undefined, undefined, RuleSetAction>(store, 'objects', { observe: () => undefined, writesOf })

function writesOf(action: RuleSetAction): readonly Write[] {
  if (action.do === 'makeRuleSet') return [{ do: 'create', draft: action.draft }]
  if (action.do === 'changeRuleSet') return [{ do: 'update', item: action.item }]
  const { uid, resourceVersion } = action.item.metadata
  return [{ do: 'delete', ref: refOf(action.item), preconditions: { uid, resourceVersion } }]
}
