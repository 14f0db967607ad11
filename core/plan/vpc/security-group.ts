// A SecurityGroup holds nothing of its own: it is in force wherever a Port names it, and stays as long as one does.
import type { Resource } from '../../kinds/index.ts'
import { endOf, inPlace, type Plan } from '../plan.ts'

type Group = Resource<'SecurityGroup'>

/** @param users by kind and name, where it is being deleted */
export function planSecurityGroup({ metadata, spec }: Group, users: readonly string[]): Plan<never> {
  if (metadata.deletionTimestamp !== undefined) return endOf(users, 'names')
  const rules = spec.rules?.length ?? 0
  return inPlace('InPlace', rules === 1 ? '1 rule' : `${rules} rules`)
}

/** The groups of its namespace that its rules name, each once. */
export const groupsInRules = ({ spec }: Group): readonly string[] => [
  ...new Set((spec.rules ?? []).flatMap(({ remoteGroup }) => remoteGroup ?? [])),
]
