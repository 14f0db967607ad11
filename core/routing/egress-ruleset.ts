// What leaves a VNI by the node itself, as a table of nftables. What comes from a router (kernel-routes.ts) for a block that is let out
// gets a mark, and the mark a way (rules of routing): without this table nothing leaves. It leaves from the address of its node, or one of
// a pool, and its answers, which come in by whatever interface the node has, find the way back by the mark of their connection.
//
// A mark has two halves: the number of the router, which routes go by, and the number of the Port (LocalPort.number), by which connections
// of one that is gone are ended. Only what is from an address of a Port here gets one. Two VNIs with the same addresses are two zones of
// connection tracking, for what comes from them; their answers are told apart by their tuples, which translation keeps unique.
//
// The mark of a packet is there until routes have been asked; then it is nobody's: others, such as Calico, use these bits behind that.
import { routerMask } from './egress-things.ts'

export const egressTable = 'inet megrez-egress'
/** Of one Vpc on one node at a time: a node's address has some 64,000 ports towards one port outside, for all of its tenants. */
export const connectionsMost = 8_192
/** The name of what counts those that are refused for that. */
export const egressRefused = 'refused'

const family = {
  4: { ip: 'ip', protocol: 'ipv4' },
  6: { ip: 'ip6', protocol: 'ipv6' },
} as const
const both = [4, 6] as const
const half = `0x${routerMask.toString(16)}`
/** What nobody but us has: the zone of a router, and a mark of one of its Ports. */
const ours = 'ct original zone 60001-64999 ct mark 0x00010000-0x1387ffff'
const isLetOut = (of: 4 | 6): string => {
  const place = `iifname . ${family[of].ip} daddr`
  return `${place} @leaves${of} ${place} != @except${of}`
}

const sets = both.flatMap((of) => {
  const { ip } = family[of]
  return [
    `map apart${of} { typeof iifname : ct zone; }`,
    `map sender${of} { typeof iifname . ${ip} saddr : ct mark; }`,
    `set leaves${of} { typeof iifname . ${ip} daddr; flags interval; }`,
    `set except${of} { typeof iifname . ${ip} daddr; flags interval; }`,
    `map source${of} { typeof iifname : ${ip} saddr; }`,
    `set left${of} { typeof oifname . ${ip} daddr; }`,
  ]
})

const lines = [
  ...sets,
  `counter ${egressRefused} { }`,
  'set open { typeof iifname; size 65535; flags dynamic; }',
  'chain apart {',
  '  type filter hook prerouting priority -310; policy accept;',
  ...both.map((of) => `  meta nfproto ${family[of].protocol} ct original zone set iifname map @apart${of}`),
  '}',
  // Behind the translation of destinations: who was led to a Service of the cluster does not leave.
  'chain lead {',
  '  type filter hook prerouting priority -90; policy accept;',
  `  iifname != "mggx*" ct direction reply ${ours} meta mark set ct mark & ${half} accept`,
  '  iifname != "mggx*" accept',
  '  ct direction reply accept',
  '  ct status & dnat != 0 accept',
  ...both.map((of) => `  ct state new ct mark set iifname . ${family[of].ip} saddr map @sender${of}`),
  ...both.map((of) => `  ${ours} ${isLetOut(of)} goto leave`),
  '}',
  'chain leave {',
  `  ct state new add @open { iifname ct count over ${connectionsMost} } counter name ${egressRefused} reject with icmpx admin-prohibited`,
  `  meta mark set ct mark & ${half}`,
  '}',
  // Behind the guard of routers, which asks where a source leads back to.
  'chain unmark {',
  '  type filter hook forward priority -9; policy accept;',
  `  ${ours} meta mark set 0`,
  '}',
  'chain translate {',
  '  type nat hook postrouting priority 90; policy accept;',
  '  oifname "mggx*" return',
  ...both.map((of) => `  ${ours} ${isLetOut(of)} snat ${family[of].ip} to iifname map @source${of}`),
  '}',
  // An address of a pool is nobody's but for answers: what else comes for it, whatever listens on the node, goes no further.
  'chain refuse {',
  '  type filter hook forward priority -20; policy accept;',
  ...both.map((of) => `  oifname . ${family[of].ip} daddr @left${of} goto nobody`),
  '}',
  'chain nobody {',
  '  meta l4proto tcp reject with tcp reset',
  '  reject with icmpx port-unreachable',
  '}',
  // What the kernel tells of a packet that it could not pass on: it is of the packet's connection.
  'chain told {',
  '  type route hook output priority -150; policy accept;',
  `  ct direction reply ${ours} meta mark set ct mark & ${half}`,
  '}',
]

/** As nft reads it: whole. */
export const egressRuleset = `table ${egressTable} {\n${lines.map((line) => `  ${line}\n`).join('')}}\n`
