// Which nodes tell others by BGP that they have a service address: those that announce its block, and have somebody ready to serve it.
import type { Resource } from '../../kinds/index.ts'
import { isInBlock } from '../../net/cidr.ts'
import { parseIp } from '../../net/ip.ts'

type Address = Resource<'ServiceAddress'>
type Speaker = Resource<'BGPSpeaker'>

/** Nodes, in order, whose speaker announces a block with an address in it. */
export const blocksOf = ({ spec: { vni, addresses } }: Address, speakers: readonly Speaker[]): readonly string[] =>
  speakers
    .filter(({ spec }) => spec.groups.some(({ advertise }) => advertise.some((each) => each.vni === vni && hasOne(each.cidr, addresses))))
    .map(({ spec }) => spec.node)
    .sort()

function hasOne(cidr: string, addresses: readonly string[]): boolean {
  return addresses.some((address) => {
    const ip = parseIp(address)
    return ip !== undefined && isInBlock(cidr, ip)
  })
}

export function announcersOf(address: Address, speakers: readonly Speaker[]): readonly string[] {
  const ready = new Set(address.spec.endpoints.filter(({ state }) => state === 'ready').map(({ node }) => node))
  const saying = speakers.filter(({ spec }) => spec.serviceAddresses !== 'withheld')
  return blocksOf(address, saying).filter((node) => ready.has(node))
}
