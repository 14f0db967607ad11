// Service addresses as a table of nftables. What comes to such an address at a router (kernel-routes.ts) goes to an endpoint: which of them
// says a table of slots (maglev.ts) by a hash of where it comes from. Each end that a connection has got it keeps by connection tracking,
// so that tables may change under it.
//
// A VNI is a number of 16 bits in marks of connections (SegmentRouter.number), and behind it an endpoint has 16 bits of its own: by that
// mark the connections of one that is gone are ended. Two VNIs with the same addresses are two zones of connection tracking, for packets
// that come from them; what comes from elsewhere is for addresses that are announced, and those are nobody else's.
//
// What a Port sends to such an address would be answered past the router, where both ends are on one node or in one l2 Subnet. It goes on
// as from the service address itself, which leads to the router of every node; so does what an endpoint sends to itself.
//
// What is for an endpoint of another node goes there as from an address that leads to this node alone: its answer is for whoever has the
// connection.
//
// A slot is in the packet's priority on its way to a key: nft 1.0.6 has no length for a hash in one. The kernel sets the priority of what
// it passes on anew by its TOS (ip_forward).
import { slotCount } from './maglev.ts'

export const serviceTable = 'inet megrez-services'

/** Seed of both hashes: any number would do, as long as it stays. */
const hash = `mod ${slotCount} seed 0x4d`
const family = {
  4: { ip: 'ip', protocol: 'ipv4' },
  6: { ip: 'ip6', protocol: 'ipv6' },
} as const
const both = [4, 6] as const
const l4 = 'meta l4proto { tcp, udp, sctp }'
const fromRouter = 'iifname "mggx*"'
/** No connection of egress is like it: marks of those are of lower numbers. */
const ours = 'ct mark 0xea610000-0xffffffff ct status & dnat != 0'
const ledAs = [`${fromRouter} ct direction original ${ours}`, `iifname != "mggx*" ct direction reply ${ours}`]

const sets = both.flatMap((of) => {
  const { ip } = family[of]
  const place = `ct mark . ${ip} daddr . meta l4proto . th dport`
  return [
    `map zone${of} { typeof iifname . ${ip} daddr : ct zone; }`,
    `map inner${of} { typeof iifname . ${ip} daddr : ct mark; }`,
    `map outer${of} { typeof ${ip} daddr : ct mark; }`,
    `set served${of} { typeof oifname . ${ip} daddr; }`,
    `set inside${of} { typeof oifname . ct original ${ip} daddr . ${ip} saddr; flags interval; }`,
    `map flow${of} { typeof meta priority . ${place} : ct mark; }`,
    `map client${of} { typeof meta priority . ${place} : ct mark; }`,
    `map endpoint${of} { typeof ${place} : ${ip} daddr . th dport; }`,
    `map from${of} { typeof ct mark . ct original ${ip} daddr : ${ip} saddr; }`,
  ]
})

const chosen = both.flatMap((of) => {
  const { ip } = family[of]
  const place = `ct mark . ${ip} daddr . meta l4proto . th dport`
  return [
    `chain choose${of} {`,
    `  meta priority set jhash ${ip} saddr . th sport ${hash}`,
    `  ct mark set meta priority . ${place} map @flow${of} goto to${of}`,
    `  meta priority set jhash ${ip} saddr ${hash}`,
    `  ct mark set meta priority . ${place} map @client${of} goto to${of}`,
    '}',
    `chain to${of} {`,
    `  ${l4} dnat ${ip} to ${place} map @endpoint${of}`,
    '}',
  ]
})

const lines = [
  ...sets,
  'chain apart {',
  '  type filter hook prerouting priority -310; policy accept;',
  ...both.map((of) => `  ct original zone set iifname . ${family[of].ip} daddr map @zone${of}`),
  '}',
  ...chosen,
  'chain translate {',
  '  type nat hook prerouting priority -110; policy accept;',
  // Frames within bridges, which br_netfilter shows here, have not come to a router yet.
  '  iifname { "mgbr*", "mgp*" } return',
  ...both.flatMap((of) => [
    `  ${l4} ${fromRouter} ct mark set iifname . ${family[of].ip} daddr map @inner${of} goto choose${of}`,
    `  ${l4} iifname != "mggx*" ct mark set ${family[of].ip} daddr map @outer${of} goto choose${of}`,
  ]),
  '}',
  // Behind the translation of destinations: what a Port asks is from who leads back to it, for the guard of routers, and an answer that
  // comes in from another node is for whoever the VNI reaches, whatever the node itself reaches and others have for addresses.
  'chain lead {',
  '  type filter hook prerouting priority -90; policy accept;',
  ...ledAs.map((each) => `  ${each} meta mark set ct mark & 0xffff0000`),
  '}',
  'chain unmark {',
  '  type filter hook forward priority -9; policy accept;',
  ...ledAs.map((each) => `  ${each} meta mark set 0`),
  '}',
  'chain back {',
  '  type nat hook postrouting priority 90; policy accept;',
  '  ct status & dnat == 0 return',
  '  ct mark & 0xffff0000 == 0 return',
  ...both.map((of) => {
    const { ip, protocol } = family[of]
    return `  meta nfproto ${protocol} snat ${ip} to ct mark . ct original ${ip} daddr map @from${of}`
  }),
  '  oifname != "mggx*" return',
  ...both.flatMap((of) => {
    const { ip, protocol } = family[of]
    return [
      `  ${fromRouter} meta nfproto ${protocol} snat ${ip} to ct original ${ip} daddr`,
      `  oifname . ct original ${ip} daddr . ${ip} saddr @inside${of} snat ${ip} to ct original ${ip} daddr`,
    ]
  }),
  '}',
  // Behind the translation: what still goes to such an address is for a port that it has not.
  'chain refuse {',
  '  type filter hook forward priority -20; policy accept;',
  ...both.map((of) => `  oifname . ${family[of].ip} daddr @served${of} goto told`),
  '}',
  'chain told {',
  '  meta l4proto tcp reject with tcp reset',
  '  reject with icmpx port-unreachable',
  '}',
]

/** As nft reads it: whole. */
export const serviceRuleset = `table ${serviceTable} {\n${lines.map((line) => `  ${line}\n`).join('')}}\n`
