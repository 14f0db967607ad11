// Policies of every kind, read into the one form.
import type { Resource } from '../kinds/index.ts'
import type { ReadPolicy } from './one-form.ts'
import { ofForm, Problems } from './problem.ts'
import { ofAdminPolicy, ofClusterPolicy } from './read/cluster-policies.ts'
import { ofNetworkPolicy } from './read/network-policy.ts'
import { ofSecurityGroup } from './read/security-group.ts'
import { ofUnified } from './read/unified.ts'

const readers = {
  SecurityGroup: ofSecurityGroup,
  UnifiedNetworkPolicy: ofUnified,
  NetworkPolicy: ofNetworkPolicy,
  AdminNetworkPolicy: ofAdminPolicy,
  BaselineAdminNetworkPolicy: ofAdminPolicy,
  ClusterNetworkPolicy: ofClusterPolicy,
} as const satisfies { readonly [K in string]: (policy: never) => ReadPolicy }

export type PolicyKind = keyof typeof readers
export const policyKinds = Object.keys(readers) as readonly PolicyKind[]
export const isPolicyKind = (kind: string): kind is PolicyKind => Object.hasOwn(readers, kind)

/** Never throws: what is wrong with it is among its problems. One whose form cannot be read at all judges nobody. */
export function readPolicy<K extends PolicyKind>(policy: Resource<K>): ReadPolicy {
  const problems = new Problems()
  const read = readers[policy.kind] as (policy: Resource<K>) => ReadPolicy
  return ofForm(() => read(policy), { path: '/spec', problems }) ?? { problems: problems.all }
}
