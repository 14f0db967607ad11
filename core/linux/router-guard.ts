// What comes from the devices that route for VNIs (core/routing), as a table of nftables. What Ports send is for others, not for the node:
// its own services are no tenant's to reach by its own interface. What leaves the node is from whom it says it is: only what a route leads
// back to, by the same device, goes on (RFC 3704 section 2.2): by a route for everybody, or by one for answers of a peer alone, whose rule
// has a mark (core/net/router-name.ts): packets have it for this question alone, as their own way is found by then. And a Port is never
// told of a shorter way (RFC 1812 section 5.2.7.2): the gateway is one on every node.
import { guardMark } from '../net/router-name.ts'
import type { RuleTable } from './rule-table.ts'

type Chain = 'into' | 'through' | 'out'

const lower = '0x0000ffff'
const hex = (mark: number): string => `0x${mark.toString(16)}`

export const routerGuard: RuleTable<Chain> = {
  family: 'inet',
  name: 'megrez-routers',
  hooks: { into: 'input priority -10', through: 'forward priority -10', out: 'output priority -10' },
  rules: [
    { chain: 'into', comment: 'the node itself is not for Ports', rule: 'iifname "mggx*" drop' },
    { chain: 'through', comment: 'between Ports of this node rules say who is reached', rule: 'iifname "mggx*" oifname "mggx*" accept' },
    {
      chain: 'through',
      comment: 'a Port sends from what leads back to it, by its mark',
      rule: 'iifname "mggx*" fib saddr . mark . iif oif exists accept',
    },
    {
      chain: 'through',
      comment: 'what is for a peer is asked once more',
      rule: `iifname "mggx*" meta mark set mark & ${lower} | ${hex(guardMark)}`,
    },
    {
      chain: 'through',
      comment: 'or from what answers of a peer lead back to',
      rule: 'iifname "mggx*" fib saddr . mark . iif oif missing drop',
    },
    { chain: 'through', comment: 'nobody else sees that mark', rule: `iifname "mggx*" meta mark set mark & ${lower}` },
    { chain: 'out', comment: 'no shorter way is told, IPv4', rule: 'oifname "mggx*" icmp type redirect drop' },
    { chain: 'out', comment: 'no shorter way is told, IPv6', rule: 'oifname "mggx*" icmpv6 type nd-redirect drop' },
  ],
}
