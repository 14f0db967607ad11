// Which blocks two Vpcs that are peered give each other routes to.
import type { Resource } from '../../kinds/index.ts'
import { keyOfItem } from '../../kinds/index.ts'
import { overlaps, parseCidr, type Cidr } from '../../net/cidr.ts'
import { keyOfHolder, overlappingIn, type LockedBlock } from '../builtin/routed-blocks.ts'
import { createdAt, pairsOf, vpcKeyOf, type Pair, type PeeringNet } from './sides.ts'

type Subnet = Resource<'Subnet'>

interface Block {
  readonly subnet: Subnet
  readonly text: string
  readonly cidr: Cidr
}
/** One that a side gives to the other. */
interface Offer extends Block {
  readonly from: string
  /** Milliseconds since 1970: from when on there has been all that it takes. */
  readonly since: number
}
export interface NotExchanged {
  readonly what: string
  readonly message: string
}
export interface Exchange {
  /** Of the side that is looked from, and of the other. */
  readonly own: readonly string[]
  readonly blocks: readonly string[]
  readonly refused: readonly NotExchanged[]
}

/** Of one side: each block is a rule that all packets of a node are held to. */
export const blocksMost = 16

const isStaying = ({ metadata }: Subnet): boolean => metadata.deletionTimestamp === undefined
const inOrder = (a: Subnet, b: Subnet): number => createdAt(a) - createdAt(b) || (a.metadata.name < b.metadata.name ? -1 : 1)

const blocksIn = (subnet: Subnet): readonly Block[] =>
  [subnet.spec.ipv4, subnet.spec.ipv6].flatMap((block) => {
    const cidr = block === undefined ? undefined : parseCidr(block.cidr)
    return cidr === undefined ? [] : [{ subnet, text: block!.cidr, cidr }]
  })
const allBlocksOf = (vpc: string, net: PeeringNet): readonly Block[] => [...net.subnetsOf(vpc)].filter(isStaying).flatMap(blocksIn)

interface Offers {
  readonly offers: readonly Offer[]
  /** Of l3 Subnets that nobody announces: they keep their place, so that who is announced later takes nobody's packets. */
  readonly waiting: readonly Offer[]
  readonly refused: readonly NotExchanged[]
}

/** What the other side of a pair gives, whoever has the same addresses. */
function offersOf({ other, since }: Pair, net: PeeringNet): Offers {
  const from = vpcKeyOf(other)
  const { subnets } = other.spec
  const named = [...net.subnetsOf(from)]
    .filter((subnet) => isStaying(subnet) && subnet.status?.validated === true && subnets?.includes(subnet.metadata.name) !== false)
    .sort(inOrder)
  const blocks = named.flatMap((subnet) =>
    blocksIn(subnet).map((block): Offer => ({ ...block, from, since: Math.max(since, createdAt(subnet)) })),
  )
  const hasWay = ({ subnet, text }: Offer): boolean => subnet.spec.mode !== 'l3' || net.isAnnounced(subnet, text)
  const all = blocks.filter(hasWay)
  const waiting = blocks.filter((each) => !hasWay(each))
  return {
    offers: all.slice(0, blocksMost),
    waiting,
    refused: [
      ...waiting.map(({ subnet, text }) => ({ what: whatOf(subnet), message: whyUnsaid(text) })),
      ...all
        .slice(blocksMost)
        .map(({ subnet, text }) => ({ what: whatOf(subnet), message: `${text} is one more than ${blocksMost} blocks` })),
    ],
  }
}

const whyUnsaid = (text: string): string =>
  `is l3, and no BGPSessionGroup advertises ${text}: an operator names the Subnet in spec.advertise.subnets of one that its Vpc agrees to`
const whatOf = (subnet: Subnet): string => `Subnet ${keyOfItem(subnet)}`

/** The same from both sides. */
export function exchangeOf(pair: Pair, net: PeeringNet): Exchange {
  const [given, taken] = [
    oneWay({ ...pair, own: pair.other, other: pair.own }, net, vpcKeyOf(pair.own)),
    oneWay(pair, net, vpcKeyOf(pair.own)),
  ]
  return { own: given.blocks, blocks: taken.blocks, refused: [...given.refused, ...taken.refused] }
}

/** @param viewer whose owner reads what is refused */
function oneWay(pair: Pair, net: PeeringNet, viewer: string): Pick<Exchange, 'blocks' | 'refused'> {
  const into = vpcKeyOf(pair.own)
  const { offers, refused } = offersOf(pair, net)
  const inside = allBlocksOf(into, net)
  const others = pairsOf(into, net)
    .filter(({ other }) => vpcKeyOf(other) !== vpcKeyOf(pair.other))
    .flatMap((each) => {
      const { offers, waiting } = offersOf(each, net)
      return [...offers, ...waiting]
    })
  const behind = net.routedBlocksOf(into)
  const overlapping = offers.map((offer) => ({ offer, why: whyNot(offer, { into, inside, behind, others, viewer }) }))
  return {
    blocks: overlapping.flatMap(({ offer, why }) => (why === undefined ? [offer.text] : [])).sort(),
    refused: [
      ...refused,
      ...overlapping.flatMap(({ offer, why }) =>
        why === undefined ? [] : [{ what: whatOf(offer.subnet), message: `${offer.text} overlaps ${why}` }],
      ),
    ],
  }
}

interface Receiving {
  readonly into: string
  readonly inside: readonly Block[]
  /** Behind Ports of it. */
  readonly behind: readonly LockedBlock[]
  readonly others: readonly Offer[]
  readonly viewer: string
}

/** Of two peers with one block the first keeps it: who makes a Subnet later takes nobody's packets. */
function whyNot(offer: Offer, { into, inside, behind, others, viewer }: Receiving): string | undefined {
  const own = inside.find(({ cidr }) => overlaps(cidr, offer.cidr))
  if (own !== undefined) return `${own.text} of Subnet ${keyOfItem(own.subnet)}`
  const routed = overlappingIn(offer.text, behind)
  if (routed !== undefined)
    return viewer === into ? `${routed.cidr} behind Port ${keyOfHolder(routed.port)}` : `what is behind a Port of Vpc ${into}`
  const rival = others.find((each) => overlaps(each.cidr, offer.cidr) && isBefore(each, offer))
  if (rival === undefined) return undefined
  return viewer === into ? `${rival.text} of Subnet ${keyOfItem(rival.subnet)}, which came first` : `what Vpc ${into} has from another peer`
}

const isBefore = (a: Offer, b: Offer): boolean => a.since < b.since || (a.since === b.since && a.from < b.from)
