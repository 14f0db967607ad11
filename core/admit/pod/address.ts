// May this address of a Subnet be given to a Nic that asks for it by name?
import { contains, defaultGateway, parseCidr, type Cidr } from '../../net/cidr.ts'
import { parseIp, printIp, type Ip } from '../../net/ip.ts'
import type { Resource } from '../../kinds/index.ts'
import type { SubnetBlock } from '../../kinds/vpc/subnet.ts'

/**
 * Why not, or undefined. A fixed address may lie outside the pools, as Neutron has it, but not be the gateway, the first
 * address, IPv4's last one, or excluded.
 */
export function whyNotAddress(subnet: Resource<'Subnet'>, text: string): string | undefined {
  const ip = parseIp(text)
  if (ip === undefined) return `${text} is not an address`
  const { name } = subnet.metadata
  const block = blockFor(subnet, ip.family)
  // What is there already at a cloud is learned from it: until then the cloud is to judge.
  if (block === undefined && subnet.spec.existing !== undefined && subnet.status?.learned === undefined) return undefined
  const cidr = block === undefined ? undefined : parseCidr(block.cidr)
  if (block === undefined || cidr === undefined) return `Subnet ${name} has no IPv${ip.family} addresses`
  if (!contains(cidr, ip)) return `${text} is not in ${block.cidr} of Subnet ${name}`
  return whyNotInside(block, cidr, ip, name)
}

const blockFor = ({ spec, status }: Resource<'Subnet'>, family: 4 | 6): SubnetBlock | undefined =>
  family === 4 ? (spec.ipv4 ?? status?.learned?.ipv4) : (spec.ipv6 ?? status?.learned?.ipv6)

function whyNotInside(block: SubnetBlock, cidr: Cidr, ip: Ip, name: string): string | undefined {
  const text = printIp(ip)
  const gateway = block.gateway === undefined ? defaultGateway(cidr) : parseIp(block.gateway)
  if (gateway?.value === ip.value) return `${text} is the gateway of Subnet ${name}`
  const edge = edgeOf(cidr, ip)
  if (edge !== undefined) return `${text} is the ${edge} address of ${block.cidr}`
  const excluded = (block.excludes ?? []).find((entry) => covers(entry, ip))
  return excluded === undefined ? undefined : `${text} is excluded from Subnet ${name}${excluded === text ? '' : ` by ${excluded}`}`
}

function edgeOf(cidr: Cidr, ip: Ip): 'network' | 'broadcast' | undefined {
  if (cidr.last - cidr.first < 4n) return undefined
  if (ip.value === cidr.first) return 'network'
  return ip.family === 4 && ip.value === cidr.last ? 'broadcast' : undefined
}

function covers(entry: string, ip: Ip): boolean {
  const cidr = parseCidr(entry)
  return cidr === undefined ? parseIp(entry)?.value === ip.value && parseIp(entry)?.family === ip.family : contains(cidr, ip)
}
