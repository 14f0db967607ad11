// A SecurityGroup holds nothing of its own: it is in force wherever a Port names it.
import type { Resource } from '../kinds/index.ts'
import { inPlace, type Plan } from './plan.ts'

export function planSecurityGroup({ metadata, spec }: Resource<'SecurityGroup'>): Plan<never> {
  if (metadata.deletionTimestamp !== undefined) return { steps: [], phase: 'deleted', reason: 'Deleted', message: 'it holds nothing' }
  const rules = spec.rules?.length ?? 0
  return inPlace('InPlace', rules === 1 ? '1 rule' : `${rules} rules`)
}
