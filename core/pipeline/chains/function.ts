// A Port here that carries out a function of a chain: it gets what is handed to it, whatever its own policies say, and sends for others
// what that chain is about, from its own MAC.
import type { CompiledChain, PolicyChains } from '../../kinds/policy/chain.ts'
import type { LocalPort, RuleSet } from '../../node/wanted.ts'
import { resubmit } from '../openflow/actions.ts'
import { ethSrc } from '../openflow/fields.ts'
import { is } from '../openflow/flow.ts'
import { macValue } from '../openflow/values.ts'
import { flowsOf, type SwitchItem } from '../items.ts'
import { inVni, ofPort, to } from '../match.ts'
import { inOrder } from '../policy/clauses.ts'
import { owners } from '../registers.ts'
import { places, tables } from '../tables.ts'
import { becauseOfChain, chainId } from './chain.ts'
import { isSubject } from './classifier.ts'
import { isHanded, isStage, putChain, stageOf, ways } from './stage.ts'

/** Of one chain, the place that a Port has in it. */
export interface FunctionOf {
  readonly set: RuleSet
  readonly round: number
  readonly chain: CompiledChain
  readonly ends: PolicyChains['ends']
  /** From 1 on. */
  readonly number: number
}

/**
 * @param port guarded, and in the chain's VNI: one that is not guarded may say anything
 * @param of of each round that it is in, by which what it sends goes on: the first that is about it
 */
export function functionFlows(
  bridge: string,
  { number: port, mac }: Pick<LocalPort, 'number' | 'mac'>,
  [first, ...others]: readonly [FunctionOf, ...FunctionOf[]],
): readonly SwitchItem[] {
  const { set, chain, ends, number, round } = first
  const owner = chainId(set, chain, round)
  const flow = flowsOf(bridge, { feature: 'chain', owner, because: becauseOfChain(set, chain) })
  return [
    flow('policyIn', 150, inOrder([inVni(set.vni), is(owners.out.field, port), isHanded]), [to(places.policyIn)]),
    ...ends.flatMap(({ addresses }) =>
      addresses.flatMap((address) =>
        ways.map((way) =>
          // Behind what it says of itself.
          flow('guard', 115, inOrder([inVni(set.vni), ofPort(port), is(ethSrc, macValue(mac)), ...isSubject(way, address)]), [
            ...putChain(owner, stageOf(way, number)),
            to('chain'),
          ]),
        ),
      ),
    ),
    ...others.flatMap((other, i) => goesOnBy(bridge, { mac, from: i === 0 ? first : others[i - 1]!, to: other })),
  ]
}

interface Goes {
  readonly mac: string
  readonly from: FunctionOf
  readonly to: FunctionOf
}

/** What is not of one round of its chain may be of another. */
function goesOnBy(bridge: string, { mac, from, to: other }: Goes): readonly SwitchItem[] {
  const [mine, owner] = [from, other].map(({ set, chain, round }) => chainId(set, chain, round)) as [number, number]
  const flow = flowsOf(bridge, { feature: 'chain', owner, because: becauseOfChain(other.set, other.chain) })
  return ways.map((way) =>
    flow(
      'chain',
      15,
      inOrder([inVni(from.set.vni), is(owners.part.field, mine), isStage(stageOf(way, from.number)), is(ethSrc, macValue(mac))]),
      [...putChain(owner, stageOf(way, other.number)), resubmit(tables.chain.number)],
    ),
  )
}
