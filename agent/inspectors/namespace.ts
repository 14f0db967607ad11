// The network that an inspector's proxy is in: what comes in by its link goes to the proxy, for whatever address and port it is, and what
// the proxy sends goes to the gateway's MAC, whoever it is for. It has no address, answers nobody, and passes nothing on.
import { gatewayMac } from '../../core/net/gateway-mac.ts'
import { inspectorL4Port } from '../../core/node/inspectors/haproxy.ts'
import { inspectorPorts, type InspectedDirection } from '../../core/node/inspectors/names.ts'

/** Of the link's inner end. */
export const innerName = 'eth0'
/** Of routes by which what comes in is ours. */
const table = 100
/** Nobody has these: the gateway of whoever has no address is anybody. */
const hops = { 4: '169.254.0.1', 6: 'fe80::1' } as const

/**
 * TPROXY: a packet belongs to the socket of its connection, or else to the one that listens. Where none does, it is refused.
 * What is no TCP does not get further.
 */
export const inspectorTable = `table inet megrez
delete table inet megrez
table inet megrez {
  chain inspected {
    type filter hook prerouting priority mangle; policy drop;
    iifname "lo" accept
    meta l4proto tcp tproxy to :${inspectorL4Port} accept
    meta l4proto tcp reject with tcp reset
  }
  chain passed {
    type filter hook forward priority filter; policy drop;
  }
}
`

const settings = (direction: InspectedDirection): Readonly<Record<string, string | number>> => ({
  'ipv4/ip_local_port_range': `${inspectorPorts[direction].first} ${inspectorPorts[direction].last}`,
  'ipv4/ip_forward': 0,
  'ipv4/conf/all/rp_filter': 0,
  [`ipv4/conf/${innerName}/rp_filter`]: 0,
  [`ipv4/conf/${innerName}/arp_ignore`]: 8,
  [`ipv4/conf/${innerName}/arp_announce`]: 2,
  // Connections of clients that have gone are not kept for two hours.
  'ipv4/tcp_keepalive_time': 300,
})

/** Of newer kernels: connections that one proxy has not accepted when another takes its place are that one's. */
const migrate = '/proc/sys/net/ipv4/tcp_migrate_req'

/** IPv6, where the kernel has it. */
const settings6: Readonly<Record<string, number>> = {
  'ipv6/conf/all/forwarding': 0,
  // No address by itself.
  [`ipv6/conf/${innerName}/addr_gen_mode`]: 1,
  [`ipv6/conf/${innerName}/accept_ra`]: 0,
  [`ipv6/conf/${innerName}/autoconf`]: 0,
  [`ipv6/conf/${innerName}/dad_transmits`]: 0,
}

const put = (all: Readonly<Record<string, string | number>>): readonly string[] =>
  Object.entries(all).map(([name, value]) => `echo ${value} >/proc/sys/net/${name}`)

const routed = (family: 4 | 6): readonly string[] => [
  `ip -${family} rule del iif ${innerName} lookup ${table} 2>/dev/null || :`,
  `ip -${family} rule add iif ${innerName} lookup ${table}`,
  `ip -${family} route replace local default dev lo table ${table}`,
  `ip -${family} neigh replace ${hops[family]} lladdr ${gatewayMac} dev ${innerName} nud permanent`,
  `ip -${family} route replace default via ${hops[family]} dev ${innerName} onlink`,
]

/** For a shell that is in the namespace, with the table of nftables as its input. May be run twice. */
export const inspectorScript = (direction: InspectedDirection): string =>
  [
    'set -e',
    'nft -f -',
    'ip link set lo up',
    ...put(settings(direction)),
    `[ ! -f ${migrate} ] || echo 1 >${migrate}`,
    'if [ -d /proc/sys/net/ipv6 ]; then',
    ...put(settings6),
    'fi',
    `ip link set ${innerName} up`,
    ...routed(4),
    'if [ -d /proc/sys/net/ipv6 ]; then',
    ...routed(6),
    'fi',
  ].join('\n')
