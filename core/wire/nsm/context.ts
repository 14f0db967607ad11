// What a connection of NSM is made of beside its mechanism: addresses, routes, names, MACs.
// Source: github.com/networkservicemesh/api (Apache-2.0), pkg/api/networkservice/connectioncontext.proto (2026-11).
import { bool, define, enumeration, int32, map, message, repeated, string, uint32, type ReadOf } from '../protobuf/protobuf.ts'

const named = <T extends string>(name: T): `connectioncontext.${T}` => `connectioncontext.${name}`

export const IpNeighbor = define(named('IpNeighbor'), { ip: string(1), hardwareAddress: string(2) })
/** `prefix` is address/length; no `nextHop`: the address at the other end. */
export const Route = define(named('Route'), { prefix: string(1), nextHop: string(2) })
/** 0 is IPv4, 1 IPv6. */
export const IpFamily = define(named('IpFamily'), { family: enumeration(1) })
export const ExtraPrefixRequest = define(named('ExtraPrefixRequest'), {
  addrFamily: message(1, IpFamily),
  prefixLen: uint32(2),
  requiredNumber: uint32(3),
  requestedNumber: uint32(4),
})
/** Routes for what comes from an address, with a protocol and ranges of ports as text; no `routes`: a default route. */
export const PolicyRoute = define(named('PolicyRoute'), {
  from: string(1),
  proto: string(2),
  dstPort: string(3),
  srcPort: string(4),
  routes: repeated(message(5, Route)),
})
/** Addresses with their lengths; source is the client's end. */
export const IpContext = define(named('IPContext'), {
  srcIpAddrs: repeated(string(1)),
  dstIpAddrs: repeated(string(2)),
  srcIpRequired: bool(3),
  dstIpRequired: bool(4),
  srcRoutes: repeated(message(5, Route)),
  dstRoutes: repeated(message(6, Route)),
  excludedPrefixes: repeated(string(7)),
  ipNeighbors: repeated(message(8, IpNeighbor)),
  extraPrefixRequest: repeated(message(9, ExtraPrefixRequest)),
  extraPrefixes: repeated(string(10)),
  policies: repeated(message(11, PolicyRoute)),
})
export type IpContext = ReadOf<typeof IpContext>

export const DnsConfig = define(named('DNSConfig'), { dnsServerIps: repeated(string(1)), searchDomains: repeated(string(2)) })
export const DnsContext = define(named('DNSContext'), { configs: repeated(message(1, DnsConfig)) })
export const EthernetContext = define(named('EthernetContext'), { srcMac: string(1), dstMac: string(2), vlanTag: int32(3) })

export const ConnectionContext = define(named('ConnectionContext'), {
  ipContext: message(1, IpContext),
  dnsContext: message(2, DnsContext),
  ethernetContext: message(3, EthernetContext),
  extraContext: map<string, string, string, false>('string', string(4)),
  /** Bytes; 0: none said. */
  mtu: uint32(5),
})
export type ConnectionContext = ReadOf<typeof ConnectionContext>
