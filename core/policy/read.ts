// Policies of every kind, read into the one form.
import type { Resource } from '../kinds/index.ts'
import type { ReadPolicy } from './one-form.ts'
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

/** Never throws: what is wrong with it is among its problems. */
export const readPolicy = <K extends PolicyKind>(policy: Resource<K>): ReadPolicy =>
  (readers[policy.kind] as (policy: Resource<K>) => ReadPolicy)(policy)
