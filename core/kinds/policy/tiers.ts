// The tiers in the order in which they judge a connection: the only list. Anti-spoofing comes before all of them, and is no tier: nothing
// opens what it closes. docs/policy.md draws it.

export const tiers = {
  /** Of whoever runs the cluster: cluster-wide policies of the admin tier. In order: the first rule that matches decides. */
  admin: { isOrdered: true, says: 'cluster-wide policies of the provider: the first rule that matches allows, denies or passes on' },
  /** At most one in force on a pod. What it allows goes on to the next tier, unless it says `final`. */
  unified: { isOrdered: true, says: 'the one UnifiedNetworkPolicy of the pod: the first rule that matches, else its default' },
  /** What selects a pod lets nothing pass but what one of those that select it allows. */
  networkPolicy: { isOrdered: false, says: 'NetworkPolicies: where one selects the pod, one of them has to allow it' },
  /** The same of a Port's groups. Where both apply, both must allow. */
  securityGroup: { isOrdered: false, says: 'SecurityGroups: where the Port has one, one of them has to allow it' },
  /** Asked where neither of the two before had a say. */
  baseline: { isOrdered: true, says: 'cluster-wide policies of the baseline tier, where no NetworkPolicy and no SecurityGroup has a say' },
} as const satisfies Readonly<Record<string, { readonly isOrdered: boolean; readonly says: string }>>

export type Tier = keyof typeof tiers
export const tierNames = ['admin', 'unified', 'networkPolicy', 'securityGroup', 'baseline'] as const satisfies readonly Tier[]

/** Numbers of identities that are none: who is outside of all Subnets of the VNI, and who is inside and not known (yet). */
export const world = 0
export const unknown = 0xffffff
