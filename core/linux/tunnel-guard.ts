// Who may send tunnel packets through a node's kernel, as a table of nftables: the node itself alone. Other nodes believe a packet by the
// tunnel address it comes from, so a node passes none on from anybody, with whatever source: not from a pod's cluster NIC, nor from an
// interface of a Port, whatever it has been rewritten to on its way. And what is for the node itself has to come in by where its source is
// (RFC 3704 section 2.2, for these packets alone): a pod is not where another node is.
//
// Both look behind the rewriting of destinations (priority -100), as a Service of Kubernetes may have such an endpoint. Fragments are whole
// there or, without connection tracking, the first one has the UDP header and is dropped, without which the others are nothing. Frames
// within the bridges of the Linux data plane are tenants', who may tunnel too: br_netfilter shows them here.

/** One rule, told apart by what it says of itself. */
export interface GuardRule {
  readonly chain: 'into' | 'through'
  readonly says: string
  readonly rule: string
}

export const guardTable = 'megrez-tunnels'

export function guardRules(l4Port: number): readonly GuardRule[] {
  const tunnelled = `udp dport ${l4Port}`
  return [
    ...['mgbr*', 'mgp*'].flatMap((bridge): GuardRule[] => {
      const says = `frames within ${bridge} are a tenant's`
      return [{ chain: 'into', says, rule: `iifname "${bridge}" accept` }, { chain: 'through', says, rule: `iifname "${bridge}" oifname "${bridge}" accept` }]
    }),
    { chain: 'into', says: `UDP ${l4Port} comes in by the way back to its source`, rule: `${tunnelled} fib saddr . iif oif missing drop` },
    { chain: 'through', says: `UDP ${l4Port} is passed on from nobody`, rule: `${tunnelled} drop` },
  ]
}

/** What the table is like, in one spelling: the rules that say something of themselves, in their order. */
export const guardText = (rules: readonly Pick<GuardRule, 'chain' | 'says'>[]): string =>
  (['into', 'through'] as const).map((chain) => `${chain}: ${rules.filter((each) => each.chain === chain).map(({ says }) => says).join('; ')}`).join(' | ')

/** As nft reads it: whole, in place of what is there. */
export function guardRuleset(rules: readonly GuardRule[]): string {
  const of = (chain: GuardRule['chain']): string => rules.filter((each) => each.chain === chain).map(({ rule, says }) => `    ${rule} comment "${says}"`).join('\n')
  return `table inet ${guardTable}
delete table inet ${guardTable}
table inet ${guardTable} {
  chain into {
    type filter hook prerouting priority -90; policy accept;
${of('into')}
  }
  chain through {
    type filter hook forward priority -300; policy accept;
${of('through')}
  }
}
`
}
