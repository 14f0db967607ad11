// Blocks that a Port has behind it: which a Subnet allows, and whose.
import { Type, type Static } from 'typebox'
import { encloses, parseCidr, parsePlainCidr } from '../../net/cidr.ts'
import { closed, Name } from '../meta.ts'

/** Of a Vpc: each is a rule that all packets of a node are held to. */
export const routedBlocksMost = 32

export const routedBlocksOfPortMost = 8

export const BlockText = Type.String({ minLength: 4, maxLength: 49, description: 'host bits are zero: 10.9.0.0/24' })

export const AllowedRoutedBlocks = Type.Array(
  Type.Object(
    {
      cidr: BlockText,
      namespaces: Type.Optional(
        Type.Array(Name, {
          maxItems: 64,
          description: "whose Ports; of the Subnet's own namespace when absent",
          'x-kubernetes-list-type': 'set',
        }),
      ),
    },
    closed,
  ),
  {
    maxItems: 16,
    description: 'what Ports of this Subnet may have behind them (routedBlocks of a Port); nothing when absent',
    'x-kubernetes-list-type': 'atomic',
  },
)
export type AllowedRoutedBlocks = Static<typeof AllowedRoutedBlocks>

export const arePlainBlocks = (blocks: readonly string[] = []): boolean => blocks.every((each) => parsePlainCidr(each) !== undefined)

export interface BlockAsked {
  readonly block: string
  /** Of the Port. */
  readonly namespace: string
}
interface Allowing {
  readonly metadata: { readonly namespace?: string; readonly name: string }
  readonly spec: { readonly allowedRoutedBlocks?: AllowedRoutedBlocks }
}

/** @returns why a Port of a Subnet may not have a block behind it; undefined: it may */
export function whyNotAllowed({ block, namespace }: BlockAsked, subnet: Allowing): string | undefined {
  const { name, namespace: own = '' } = subnet.metadata
  if (allowingOf(block, subnet).some(({ namespaces = [own] }) => namespaces.includes(namespace))) return undefined
  return `Subnet ${name} does not allow ${block} to Ports of ${namespace}: its owner does in spec.allowedRoutedBlocks`
}

/** Of what a Subnet allows, that which has all of a block. */
export function allowingOf(block: string, { spec: { allowedRoutedBlocks = [] } }: Pick<Allowing, 'spec'>): AllowedRoutedBlocks {
  const inner = parseCidr(block)
  return allowedRoutedBlocks.filter(({ cidr }) => {
    const outer = parseCidr(cidr)
    return inner !== undefined && outer !== undefined && encloses(outer, inner)
  })
}
