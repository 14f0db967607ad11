// What Vpcs of an EgressClass may send to.
import type { Resource } from '../../kinds/index.ts'
import { neverLeft } from '../../kinds/egress/egress-class.ts'
import { encloses, everywhere, outermost, overlaps, parseCidr, printCidr, without, type Cidr } from '../../net/cidr.ts'
import { specialBlocks } from '../../net/forbidden.ts'
import { canonicalIp } from '../../net/ip.ts'

/** Each node has them for each Vpc, and each Vpc tells of them: wider blocks in `except` are fewer. */
export const exceptMost = 1_000

/** All of the cluster. */
export interface Trusting {
  readonly nodes: Iterable<Resource<'Node'>>
  readonly groups: Iterable<Resource<'BGPSessionGroup'>>
}
export interface LeftBlocks {
  readonly to: readonly string[]
  readonly except: readonly string[]
}

/**
 * Private blocks and the like only as far as `to` names a block in them. Nodes, their pods and who they speak BGP with are left out always:
 * a Vpc would reach them from an address that they trust.
 */
export function leftBlocks({ spec }: Resource<'EgressClass'>, { nodes, groups }: Trusting): LeftBlocks {
  const to = outermost(spec.to ?? everywhere)
  const named = (spec.to ?? []).flatMap((text) => parseCidr(text) ?? [])
  const special = specialBlocks.flatMap(({ cidr }) =>
    neverLeft.includes(cidr)
      ? [cidr]
      : without(
          cidr,
          named.filter((each) => encloses(cidr, each)),
        ),
  )
  const peers = [...groups].flatMap((group) => (group.spec.peers ?? []).flatMap(({ address }) => hostBlock(address)))
  const own = [...[...nodes].flatMap(blocksOfNode), ...peers]
  const all = [...special.map(printCidr), ...own, ...(spec.except ?? [])]
  const wanted = to.flatMap((text) => parseCidr(text) ?? [])
  const concerns = (cidr: Cidr | undefined): boolean => cidr !== undefined && wanted.some((each) => overlaps(each, cidr))
  return { to, except: outermost(all.filter((text) => concerns(parseCidr(text)))) }
}

function blocksOfNode({ spec, status }: Resource<'Node'>): readonly string[] {
  return [...(status?.addresses ?? []).flatMap(({ address }) => hostBlock(address)), ...(spec.podCIDRs ?? [])]
}

/** None of a name. */
function hostBlock(text: string): readonly string[] {
  const address = canonicalIp(text)
  return address === undefined ? [] : [`${address}/${address.includes(':') ? 128 : 32}`]
}
