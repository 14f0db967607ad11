// What compiling depends on beside policies: the Subnets of a VNI, and the addresses that members of a SecurityGroup have beside their own.
import { keyOfItem, type Resource } from '../kinds/index.ts'
import { isVlanSegment } from '../net/segment.ts'
import type { Around } from './rules/resolve.ts'

/** Around a VLAN: others than pods are there, and nobody says which address is whose. */
export const openVlan: Pick<Around, 'families' | 'subnets' | 'isOpen'> = { families: [4, 6], subnets: new Map(), isOpen: true }

function subnetsAround(subnets: readonly Resource<'Subnet'>[]): Pick<Around, 'families' | 'subnets'> {
  return {
    families: ([4, 6] as const).filter((family) => subnets.some(({ spec }) => spec[family === 4 ? 'ipv4' : 'ipv6'] !== undefined)),
    subnets: new Map(subnets.map((subnet) => [keyOfItem(subnet), blocksOf(subnet)])),
  }
}

/** @param subnets those in it */
export const segmentAround = (segment: number, subnets: readonly Resource<'Subnet'>[]): typeof openVlan =>
  isVlanSegment(segment) ? openVlan : subnetsAround(subnets)

const blocksOf = ({ spec }: Resource<'Subnet'>): readonly string[] =>
  [spec.ipv4?.cidr, spec.ipv6?.cidr].filter((cidr) => cidr !== undefined)

/**
 * @param members Ports of the VNI that have the group
 * @returns their allowedAddressPairs and the blocks behind them, each once, in order
 */
export function pairBlocks(members: readonly Resource<'Port'>[]): readonly string[] {
  const pairs = members.flatMap(({ spec }) => spec.allowedAddressPairs ?? []).map(({ ip }) => blockOf(ip))
  return [...new Set([...pairs, ...members.flatMap(({ status }) => status?.routedBlocks ?? [])])].sort()
}

/** Of an address, or what is a block already. */
export const blockOf = (ip: string): string => (ip.includes('/') ? ip : `${ip}/${ip.includes(':') ? 128 : 32}`)
