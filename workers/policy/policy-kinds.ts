// The kinds that say who may talk to whom, and whom each may be about.
import type { PolicyKind } from '../../core/policy/read.ts'

/** On whom policies of a kind may be in force: Ports that name one, Ports of its namespace, or anybody's. */
export const reachOf: { readonly [K in PolicyKind]: 'whoever names it' | 'its namespace' | 'everybody' } = {
  SecurityGroup: 'whoever names it',
  UnifiedNetworkPolicy: 'its namespace',
  NetworkPolicy: 'its namespace',
  AdminNetworkPolicy: 'everybody',
  BaselineAdminNetworkPolicy: 'everybody',
  ClusterNetworkPolicy: 'everybody',
}

export const policyKinds = Object.keys(reachOf) as readonly PolicyKind[]

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
