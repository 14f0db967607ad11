// What is reported of a VpcPeering: whether both sides agree, and which blocks have routes between them. Nodes go by it.
import type { StatusOf } from '../../kinds/index.ts'
import { refused, waitingFor, type Plan } from '../plan.ts'
import { exchangeOf, type Exchange, type NotExchanged } from './exchange.ts'
import { isSame, pairsOf, sideOf, vpcKeyOf, whyNotJoined, type Pair, type Peering, type PeeringNet } from './sides.ts'

export interface PeeringDesired {
  readonly peering: Peering
  readonly net: PeeringNet
}
type Section = Pick<StatusOf<'VpcPeering'>, 'vni' | 'blocks' | 'peer' | 'refused'>

const withSection = (plan: Plan<never>, exchange: Section = {}): Plan<never> => ({ ...plan, sections: { exchange } })

export function planPeering({ peering, net }: PeeringDesired): Plan<never> {
  const { namespace = '' } = peering.metadata
  const [vpc, peer] = [vpcKeyOf(peering), peering.spec.peer]
  if (peering.metadata.deletionTimestamp !== undefined) return planEnd(peering, net)
  if (vpc === peer) return withSection(refused('Itself', `Vpc ${vpc} is peered with itself: name another Vpc in spec.peer`))
  const first = sideOf(vpc, peer, net)
  if (!isSame(peering, first))
    return withSection(
      refused('NamedAlready', `VpcPeering ${namespace}/${first?.metadata.name ?? ''} names Vpc ${peer} already: delete one of both`),
    )
  const own = whyNotJoined(vpc, net)
  if (own !== undefined) return withSection(notJoined(own))
  if (sideOf(peer, vpc, net) === undefined)
    return withSection(waitingFor('NotAgreed', `until a VpcPeering of Vpc ${peer} names ${vpc} as its peer`))
  const theirs = whyNotJoined(peer, net)
  if (theirs !== undefined) return withSection(notJoined(theirs))
  const pair = pairsOf(vpc, net).find((each) => isSame(peering, each.own))!
  return inForce(pair, exchangeOf(pair, net), net)
}

const notJoined = ({ refused: isRefused, reason, message }: NonNullable<ReturnType<typeof whyNotJoined>>): Plan<never> =>
  isRefused === true ? refused(reason, message) : waitingFor(reason, message)

function inForce({ own, other }: Pair, exchange: Exchange, net: PeeringNet): Plan<never> {
  const { blocks, refused: not } = exchange
  const apart: Section = not.length > 0 ? { refused: [...not] } : {}
  if (blocks.length + exchange.own.length === 0 && not[0] !== undefined)
    return withSection(refused('NothingExchanged', sentenceOf(not)), apart)
  const [vpc, peer] = [net.vpc(vpcKeyOf(own))!, net.vpc(vpcKeyOf(other))!]
  return {
    steps: [],
    phase: 'ready',
    reason: 'InForce',
    message: `${blocks.length} blocks of Vpc ${own.spec.peer} are reached from ${exchange.own.length} of Vpc ${vpcKeyOf(own)}`,
    conditions: [
      not.length === 0
        ? { type: 'Exchanged', status: 'True', reason: 'AllOfIt', message: 'all blocks of both have routes' }
        : { type: 'Exchanged', status: 'False', reason: 'NotAllOfIt', message: sentenceOf(not) },
    ],
    sections: {
      exchange: {
        vni: vpc.status!.vni!,
        blocks: [...exchange.own],
        peer: {
          namespace: peer.metadata.namespace ?? '',
          vni: peer.status!.vni!,
          blocks: [...blocks],
          ...(peer.spec.mtu !== undefined && { mtu: peer.spec.mtu }),
        },
        ...apart,
      } satisfies Section,
    },
  }
}

const sentenceOf = ([first, ...more]: readonly NotExchanged[]): string =>
  first === undefined ? '' : `${first.what}: ${first.message}${more.length === 0 ? '' : ` (and ${more.length} more)`}`

/** It stays until the other side does not tell nodes of it any more. */
function planEnd(peering: Peering, net: PeeringNet): Plan<never> {
  const [vpc, peer] = [vpcKeyOf(peering), peering.spec.peer]
  const still = [...net.peeringsOf(peer)].find((each) => each.spec.peer === vpc && each.status?.peer !== undefined)
  if (still === undefined || sideOf(vpc, peer, net) !== undefined)
    return { steps: [], phase: 'deleted', reason: 'Unused', message: 'no route goes by it' }
  const { namespace = '', name } = still.metadata
  return withSection({
    steps: [],
    phase: 'terminating',
    reason: 'InUse',
    message: `VpcPeering ${namespace}/${name} still has routes by it`,
  })
}

/** Whether a plan tells nodes of more than before: then what it is decided by is read live. */
export function tellsMore({ status }: Peering, plan: Plan<never>): boolean {
  const after = plan.sections?.exchange as Section | undefined
  const isMore = (is: readonly string[] = [], was: readonly string[] = []): boolean => is.some((each) => !was.includes(each))
  return (
    after?.peer !== undefined &&
    (after.vni !== status?.vni ||
      after.peer.vni !== status?.peer?.vni ||
      isMore(after.blocks, status.blocks) ||
      isMore(after.peer.blocks, status.peer.blocks))
  )
}
