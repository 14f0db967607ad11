// What the guest behind a TAP of ours is told: its Port's addresses, and what its Subnet says of routes and names.
import type { Resource } from '../../kinds/index.ts'
import { parseCidr } from '../../net/cidr.ts'
import type { Guest, GuestAddress } from '../../node/guest.ts'
import type { LocalPort } from '../../node/wanted.ts'
import { blockOf, blocksAnswered, dnsOf, routesOf } from './pieces.ts'

/** A cloud answers its own; who is in several VLANs has no address of any. */
export const isGuest = ({ type, attachment }: Pick<LocalPort, 'type' | 'attachment'>): boolean =>
  type === 'tap' && (attachment.kind === 'vni' || (attachment.kind === 'vlan' && attachment.mode === 'access'))

export function guestOf(port: LocalPort, subnet: Resource<'Subnet'>, defaultRoute: boolean): Guest {
  const { mac, mtu, addresses, attachment } = port
  const { nameservers = [], domain, search } = dnsOf(subnet)
  const inFamily = (family: 'ipv4' | 'ipv6'): GuestAddress | undefined => {
    const address = addresses.find((each) => each.includes(':') === (family === 'ipv6'))
    return address === undefined ? undefined : addressIn(subnet, family, address)
  }
  const [v4, v6] = [inFamily('ipv4'), inFamily('ipv6')]
  return {
    mac,
    mtu,
    ...(v4 && { v4 }),
    ...(v6 && { v6 }),
    routes: routesOf(subnet),
    defaultRoute,
    routed: attachment.kind === 'vni',
    dns: { nameservers, search: search ?? (domain === undefined ? [] : [domain]), ...(domain !== undefined && { domain }) },
  }
}

function addressIn(subnet: Resource<'Subnet'>, family: 'ipv4' | 'ipv6', address: string): GuestAddress {
  const most = family === 'ipv4' ? 32 : 128
  const gateway = blocksAnswered(subnet).find(({ cidr }) => cidr.includes(':') === (family === 'ipv6'))?.gateway
  const length = parseCidr(blockOf(subnet, family)?.cidr ?? '')?.length ?? most
  return { address, length, ...(gateway !== undefined && { gateway }) }
}
