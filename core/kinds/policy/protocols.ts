// Protocols by the names that rules have for them, and IP's numbers of them (IANA, Assigned Internet Protocol Numbers).

export const protocolNumbers = { icmp: 1, tcp: 6, udp: 17, icmpv6: 58, sctp: 132 } as const
export type ProtocolName = keyof typeof protocolNumbers
export const protocolNames = Object.keys(protocolNumbers) as readonly ProtocolName[]

/** Those whose packets go to a port. */
export const protocolsWithPorts = ['tcp', 'udp', 'sctp'] as const satisfies readonly ProtocolName[]

export const isProtocolName = (text: string): text is ProtocolName => Object.hasOwn(protocolNumbers, text)
export const hasPorts = (protocol: string): protocol is (typeof protocolsWithPorts)[number] =>
  protocolsWithPorts.some((each) => each === protocol)

const byNumber: ReadonlyMap<number, ProtocolName> = new Map(protocolNames.map((name) => [protocolNumbers[name], name]))
/** Its name, or the number where rules have no name for it. */
export const protocolName = (number: number): string => byNumber.get(number) ?? `protocol ${number}`
