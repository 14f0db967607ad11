// Who may send tunnel packets through a node's kernel, as a table of nftables: the node itself alone. Other nodes believe a packet by the
// tunnel address it comes from, so a node passes none on from anybody, with whatever source: not from a pod's cluster NIC, nor from an
// interface of a Port, whatever it has been rewritten to on its way. And what is for the node itself has to come in by where its source is
// (RFC 3704 section 2.2, for these packets alone): a pod is not where another node is.
//
// Both look behind the rewriting of destinations (priority -100), as a Service of Kubernetes may have such an endpoint. Fragments are whole
// there or, without connection tracking, the first one has the UDP header and is dropped, without which the others are nothing. Frames
// within the bridges of the Linux data plane are tenants', who may tunnel too: br_netfilter shows them here.
import type { RuleTable, TableRule } from './rule-table.ts'

type Chain = 'into' | 'through'

export function tunnelGuard(l4Ports: readonly number[]): RuleTable<Chain> {
  const ports = l4Ports.join(', ')
  const tunnelled = `udp dport { ${ports} }`
  return {
    family: 'inet',
    name: 'megrez-tunnels',
    hooks: { into: 'prerouting priority -90', through: 'forward priority -300' },
    rules: [
      ...['mgbr*', 'mgp*'].flatMap((bridge): TableRule<Chain>[] => {
        const comment = `frames within ${bridge} are a tenant's`
        return [
          { chain: 'into', comment, rule: `iifname "${bridge}" accept` },
          { chain: 'through', comment, rule: `iifname "${bridge}" oifname "${bridge}" accept` },
        ]
      }),
      {
        chain: 'into',
        comment: `UDP ${ports} comes in by the way back to its source`,
        rule: `${tunnelled} fib saddr . iif oif missing drop`,
      },
      { chain: 'through', comment: `UDP ${ports} is passed on from nobody`, rule: `${tunnelled} drop` },
    ],
  }
}
