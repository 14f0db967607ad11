// The kinds that say who may talk to whom, and how each is read: the table that all else here goes by.
import type { Resource } from '../../core/kinds/index.ts'
import type { ReadPolicy } from '../../core/policy/one-form.ts'
import { ofSecurityGroup } from '../../core/policy/read/security-group.ts'

export interface PolicyKindRow<K extends PolicyKind> {
  readonly read: (policy: Resource<K>) => ReadPolicy
  /** On whom it may be in force: Ports that name it, Ports of its namespace, or anybody's. */
  readonly reaches: 'whoever names it' | 'its namespace' | 'everybody'
}

export const policyKindNames = ['SecurityGroup'] as const
export type PolicyKind = (typeof policyKindNames)[number]

export const policyKinds: { readonly [K in PolicyKind]: PolicyKindRow<K> } = {
  SecurityGroup: { read: ofSecurityGroup, reaches: 'whoever names it' },
}

/** `Kind namespace/name`: also of one that is not there (yet, or any more). */
export type PolicyKey = `${string} ${string}`
export const policyKey = ({
  kind,
  namespace,
  name,
}: {
  readonly kind: string
  readonly namespace?: string | undefined
  readonly name: string
}): PolicyKey => `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`
