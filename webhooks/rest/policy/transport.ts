// Which first packet a question about policies is about: `protocol=tcp&port=443`, `protocol=icmp&icmpType=8`; or which frame that is no IP:
// `etherType=35020`.
import { etherTypeLeast, etherTypes, isNoIP, isTagType } from '../../../core/kinds/policy/ether-types.ts'
import type { Carried, Transport } from '../../../core/policy/verdict.ts'
import { hasPorts, isProtocolName, protocolNames, protocolNumbers, protocolsWithPorts } from '../../../core/kinds/policy/protocols.ts'
import { BadParameter } from '../invalid-object.ts'
import { wholeIn, type Parameters } from '../query.ts'

export const transportParameters = ['protocol', 'port', 'icmpType', 'icmpCode'] as const

/** @throws BadParameter */
export function carriedIn(parameters: Parameters): Carried {
  const etherType = wholeIn(parameters, 'etherType', { max: 0xffff })
  if (etherType === undefined) return transportIn(parameters)
  for (const name of transportParameters)
    if (parameters[name] !== undefined) throw new BadParameter(name, 'is of packets of IP, and etherType of frames that are none')
  const why = whyNoFrame(etherType)
  if (why !== undefined) throw new BadParameter('etherType', why)
  return { etherType }
}

function whyNoFrame(etherType: number): string | undefined {
  if (etherType < etherTypeLeast) return `must be from ${etherTypeLeast} on: what is below is a length`
  if (!isNoIP(etherType)) return 'must not be that of IP: say protocol and port'
  if (etherType === etherTypes.arp) return 'must not be that of ARP, which is never judged'
  return isTagType(etherType) ? 'must not be that of a tag, but of what is behind it' : undefined
}

/** @throws BadParameter */
export function transportIn(parameters: Parameters): Transport {
  const name = parameters['protocol'] ?? 'tcp'
  if (!isProtocolName(name)) throw new BadParameter('protocol', `must be one of ${protocolNames.join(', ')}`)
  return { protocol: protocolNumbers[name], ...(hasPorts(name) ? { l4Port: l4PortIn(parameters, name) } : icmpIn(parameters, name)) }
}

function l4PortIn(parameters: Parameters, protocol: string): number {
  for (const name of ['icmpType', 'icmpCode'])
    if (parameters[name] !== undefined) throw new BadParameter(name, `is of icmp and icmpv6; ${protocol} has none`)
  const l4Port = wholeIn(parameters, 'port', { max: 65_535 })
  if (l4Port === undefined) throw new BadParameter('port', `is missing: ${protocol} goes to one`)
  return l4Port
}

/** An echo request, unless another is meant. */
function icmpIn(parameters: Parameters, protocol: string): Omit<Transport, 'protocol'> {
  if (parameters['port'] !== undefined) throw new BadParameter('port', `is of ${protocolsWithPorts.join(', ')}; ${protocol} has none`)
  const echo = protocol === 'icmp' ? 8 : 128
  return { icmpType: byteIn(parameters, 'icmpType') ?? echo, icmpCode: byteIn(parameters, 'icmpCode') ?? 0 }
}

function byteIn(parameters: Parameters, name: string): number | undefined {
  const given = parameters[name]
  if (given === undefined) return undefined
  if (/^\d{1,3}$/.test(given) && Number(given) <= 255) return Number(given)
  throw new BadParameter(name, 'must be a whole number from 0 to 255')
}
