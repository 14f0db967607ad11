// Keeps frames within the bridges of the Linux data plane out of the node's connection tracking, as a table of nftables. Where br_netfilter
// shows frames of bridges to the node's packet filter (bridge-nf-call-iptables, which Kubernetes' installers switch on), tenants with the
// same addresses would share entries, and kube-proxy would send what is for a VPC's address to the Service that has the same one. What is
// not tracked is not rewritten either (nf_nat_inet_fn, Linux 6.18). br_netfilter comes at priority 0 of a bridge's prerouting.
//
// That does not get frames past rules of the filter itself, as one verdict of theirs to drop is enough: agent/tables/passage.ts tries.
import type { RuleTable } from './rule-table.ts'

/** What is in a bridge of a VNI: interfaces of Ports, the tunnel, and the door to the gateway. */
const members = '{ "mgz*", "mgvx*", "mggw*" }'

/** @param uplinks interfaces in bridges of physical networks: tagged frames alone are those of Ports there */
export function ownConntrack(uplinks: readonly string[]): RuleTable<'first'> {
  const names = [...uplinks]
    .sort()
    .map((each) => `"${each}"`)
    .join(', ')
  return {
    family: 'bridge',
    name: 'megrez-apart',
    hooks: { first: 'prerouting priority -310' },
    rules: [
      { chain: 'first', comment: 'frames of Ports are not tracked', rule: `iifname ${members} notrack` },
      ...(names === ''
        ? []
        : [
            {
              chain: 'first',
              comment: `tagged frames from ${[...uplinks].sort().join(', ')} are not tracked`,
              rule: `iifname { ${names} } ether type { 8021q, 8021ad } notrack`,
            } as const,
          ]),
    ],
  }
}
