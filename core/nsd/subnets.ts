// The Subnets of a virtual link: its entries for IPv4 and IPv6 (L3ProtocolData).
import { parsePlainCidr } from '../net/cidr.ts'
import { fieldsOf, type DescriptorProblems, type Fields } from './problems.ts'
import type { Listed, Manifest } from './manifest.ts'

const apiVersion = 'megrez.io/v1alpha1'

export function subnetsOf(service: string, listed: readonly Listed[], problems: DescriptorProblems): Manifest[] {
  return listed.flatMap(
    ({ at, protocol: { associated_layer_protocol: layer, l2_protocol_data: l2, l3_protocol_data: l3, ...more } }): Manifest[] => {
      problems.only(more, [], at)
      if (layer === 'ethernet') {
        if (l3 !== undefined) problems.add(`${at}/l3_protocol_data`, 'has no place beside ethernet')
        return []
      }
      if (layer !== 'ipv4' && layer !== 'ipv6') {
        problems.add(`${at}/associated_layer_protocol`, 'must be ethernet, ipv4 or ipv6')
        return []
      }
      if (l2 !== undefined) problems.add(`${at}/l2_protocol_data`, `has no place beside ${layer}`)
      const name = `${service}-${layer}`
      problems.one('Subnet', name, at)
      return [
        {
          apiVersion,
          kind: 'Subnet',
          metadata: { name },
          spec: { l2Service: service, [layer]: blockOf(layer, fieldsOf(l3), { at: `${at}/l3_protocol_data`, problems }) },
        },
      ]
    },
  )
}

function blockOf(
  layer: 'ipv4' | 'ipv6',
  { cidr, gateway_ip: gateway, ip_allocation_pools: pools, ip_version: version, ...others }: Fields,
  { at, problems }: { readonly at: string; readonly problems: DescriptorProblems },
): object {
  problems.only(others, ['name', 'dhcp_enabled', 'ipv6_address_mode'], at)
  if (version !== layer) problems.add(`${at}/ip_version`, `must be ${layer}`)
  if (typeof cidr !== 'string' || parsePlainCidr(cidr) === undefined)
    problems.add(`${at}/cidr`, 'must be a block of addresses whose host bits are zero')
  const taken = (Array.isArray(pools) ? (pools as unknown[]) : []).map((each) => {
    const { start_ip_address: first, end_ip_address: last } = fieldsOf(each)
    return { first, last }
  })
  return { cidr, ...(gateway !== undefined && { gateway }), ...(taken.length > 0 && { pools: taken }) }
}
