// Who hands out addresses inside a CNI configuration: from the Subnets of an L2Service.
import { parseCidr } from '../../net/cidr.ts'
import type { Resource } from '../../kinds/index.ts'
import type { SubnetBlock } from '../../kinds/vpc/subnet.ts'

type Subnet = Resource<'Subnet'>
interface Block {
  readonly block: SubnetBlock
  readonly family: 4 | 6
}

const blocksOf = ({ spec }: Subnet): Block[] => [
  ...(spec.ipv4 === undefined ? [] : [{ block: spec.ipv4, family: 4 as const }]),
  ...(spec.ipv6 === undefined ? [] : [{ block: spec.ipv6, family: 6 as const }]),
]

/** @returns a sentence where they do not go together; undefined where there is none */
export function ipamOf(subnets: readonly Subnet[]): object | string | undefined {
  if (subnets.length === 0) return undefined
  const blocks = subnets.flatMap(blocksOf)
  for (const family of [4, 6])
    if (blocks.filter((each) => each.family === family).length > 1) return `its Subnets have more than one IPv${family} block`
  const ipams = new Set(subnets.map(({ spec }) => spec.ipam ?? 'whereabouts'))
  if (ipams.size > 1) return 'its Subnets are handed out by different ipam'
  // No plugin does yet: a definition that named it would fail each pod.
  if (ipams.has('megrez')) return 'ipam megrez hands out no addresses of L2Services yet: whereabouts does'
  const pools = blocks.find(({ block }) => (block.pools ?? []).length > 1)
  return pools === undefined ? whereabouts(subnets, blocks) : `${pools.block.cidr} has more than one pool: whereabouts takes one`
}

/** https://github.com/k8snetworkplumbingwg/whereabouts, doc/extended-configuration.md (0.8): range, or ipRanges for two families. */
function whereabouts(subnets: readonly Subnet[], blocks: readonly Block[]): object {
  const ranges = blocks.map(({ block }) => rangeOf(block))
  const routes = subnets.flatMap(({ spec }) => (spec.routes ?? []).map(({ destination, nextHop }) => ({ dst: destination, gw: nextHop })))
  const dns = Object.assign({}, ...subnets.map(({ spec }) => spec.dns ?? {})) as object
  return {
    type: 'whereabouts',
    ...(ranges.length === 1 ? ranges[0] : { ipRanges: ranges }),
    ...(routes.length > 0 && { routes }),
    ...(Object.keys(dns).length > 0 && { dns }),
  }
}

function rangeOf({ cidr, pools, excludes, gateway }: SubnetBlock): object {
  const [pool] = pools ?? []
  const length = cidr.slice(cidr.indexOf('/') + 1)
  const range = pool === undefined ? cidr : `${pool.first}-${pool.last}/${length}`
  // It takes blocks alone; a single address is the block of one.
  const exclude = (excludes ?? []).map((each) => (parseCidr(each) === undefined ? `${each}/${each.includes(':') ? 128 : 32}` : each))
  return { range, ...(gateway !== undefined && { gateway }), ...(exclude.length > 0 && { exclude }) }
}
