// The service chains of one policy in one VNI. What a subject sends is looked at before its destination is, what it is sent where its MAC
// is looked up: a chain is asked for there whichever node that is on, and needs nothing of the other end's node. What comes back from a
// function goes on after it. Which instance carries a function out is told by the other end's address, so that both ways, and all nodes,
// agree without asking each other. While chains change there are several rounds of them: what begins goes by those in force, and what comes
// from a function goes on by those that it was handed over by.
import { ruleSetName, policyText } from '../../kinds/policy/policy-rule-set.ts'
import { instancesIn, roundsOf, type ChainRound, type CompiledChain, type PolicyChains } from '../../kinds/policy/chain.ts'
import { gatewayMac } from '../../net/gateway-mac.ts'
import type { Because } from '../../node/because.ts'
import type { RuleSet } from '../../node/wanted.ts'
import { maglevTable } from '../../routing/maglev.ts'
import { resubmit, set, type Action } from '../openflow/actions.ts'
import { ethDst } from '../openflow/fields.ts'
import { is, isMasked, type Term } from '../openflow/flow.ts'
import { flowsOf, type SwitchItem } from '../items.ts'
import { groupBit, inVni, to } from '../match.ts'
import { macValue } from '../openflow/values.ts'
import { owners } from '../registers.ts'
import { ruleId } from '../rule-owner.ts'
import { tables, type Table } from '../tables.ts'
import { inOrder } from '../policy/clauses.ts'
import { classifierOf, families, isSubject, peerField } from './classifier.ts'
import { decided, isForth, isStage, onWay, putChain, putMark, putStage, stageOf, ways, type Way } from './stage.ts'

const gateway = macValue(gatewayMac)
const askChain = resubmit(tables.chain.number)
/** In no chain: it goes on as any other packet does. */
const onward: Readonly<Record<Way, readonly Action[]>> = {
  from: [putStage(decided.none), to('learn')],
  to: [putStage(decided.out), to('forward')],
}

type Make = (table: Table, priority: number, match: readonly Term[], actions: readonly Action[]) => SwitchItem

const [chainsMost, roundsApart] = [8, 32]
/** Flows of a round stay as they are while it is next, in force, and former. */
export const chainId = ({ number }: Pick<RuleSet, 'number'>, { index }: Pick<CompiledChain, 'index'>, round: number): number =>
  ruleId(number, index + chainsMost * (round % roundsApart))
export const becauseOfChain = (set: RuleSet, { name }: Pick<CompiledChain, 'name'>): Because => ({
  rule: `service chain ${name} of ${policyText(set)}`,
  of: { kind: 'PolicyRuleSet', namespace: set.namespace, name: ruleSetName(set) },
})

/** What is only tried out sends nothing elsewhere. */
export const chainsOf = ({ chains, audit }: Pick<RuleSet, 'chains' | 'audit'>): PolicyChains =>
  chains === undefined || audit === true ? { ends: [], chains: [] } : chains

export function chainFlows(bridge: string, ruleSet: RuleSet): readonly SwitchItem[] {
  const all = chainsOf(ruleSet)
  return roundsOf(all).flatMap((each, i) => roundFlows(bridge, ruleSet, { ...each, ends: all.ends, isInForce: i === 0 }))
}

interface Round extends ChainRound {
  readonly ends: PolicyChains['ends']
  readonly isInForce: boolean
}

function roundFlows(bridge: string, ruleSet: RuleSet, { round, ends, chains, isInForce }: Round): readonly SwitchItem[] {
  const ids = chains.map((chain) => chainId(ruleSet, chain, round))
  const apart = apartIn({ ends, chains })
  return chains.flatMap((chain, i) => {
    const [id, next] = [ids[i]!, ids[i + 1]]
    const make = flowsOf(bridge, { feature: 'chain', owner: id, because: becauseOfChain(ruleSet, chain) })
    const flow: Make = (table, priority, match, actions) => make(table, priority, inOrder([inVni(ruleSet.vni), ...match]), actions)
    const mine = is(owners.part.field, id)
    const of = { flow, mine }
    return [
      ...(i === 0 && isInForce ? entries(flow, id, ends) : []),
      ...(i === 0 ? around(of, apart) : []),
      ...apart.flatMap((address) => ways.map((way) => flow('chain', 80, [mine, onWay(way), ...isSubject(other(way), address)], []))),
      ...ways.flatMap((way) => [
        ...classifierOf(chain, way).map((match) => flow('chain', 50, [mine, onWay(way), ...match], [to('function')])),
        flow(
          'chain',
          20,
          [mine, isStage(stageOf(way, 0))],
          next === undefined ? onward[way] : [...putChain(next, stageOf(way, 0)), askChain],
        ),
        ...stepsOf(of, { chain, ends, way }),
      ]),
      // A function sends for others only what its chain hands it.
      flow('chain', 10, [mine], []),
    ]
  })
}

const other = (way: Way): Way => (way === 'from' ? 'to' : 'from')
const toOne = isMasked(ethDst, 0, groupBit)

/** Where a chain begins. */
function entries(flow: Make, id: number, ends: PolicyChains['ends']): readonly SwitchItem[] {
  const isUndecided = isStage(decided.none)
  return ends.flatMap(({ mac, addresses }) =>
    addresses.flatMap((address) => [
      flow('chain', 100, [isUndecided, toOne, ...isSubject('from', address)], [...putChain(id, stageOf('from', 0)), askChain]),
      flow(
        'forward',
        150,
        [isUndecided, is(ethDst, macValue(mac)), ...isSubject('to', address)],
        [...putChain(id, stageOf('to', 0)), askChain],
      ),
    ]),
  )
}

interface Of {
  readonly flow: Make
  /** It is in this chain. */
  readonly mine: Term
}

/**
 * Which of two subjects is the one that a function's packet is from nobody could say. What an instance itself says to a subject is its
 * own, and so is what it is told.
 */
export const apartIn = ({ ends, chains }: Pick<Round, 'ends' | 'chains'>): readonly string[] => [
  ...new Set([...ends, ...instancesIn(chains)].flatMap(({ addresses }) => addresses)),
]

const around = ({ flow, mine }: Of, apart: readonly string[]): readonly SwitchItem[] =>
  apart.flatMap((address) =>
    ways.map((way) => flow('chain', 90, [mine, isStage(stageOf(way, 0)), ...isSubject(other(way), address)], onward[way])),
  )

interface OnWay {
  readonly chain: CompiledChain
  readonly ends: PolicyChains['ends']
  readonly way: Way
}

/** From each function, and from where the chain begins, to the next, or out of the chain. */
function stepsOf({ flow, mine }: Of, { chain, ends, way }: OnWay): readonly SwitchItem[] {
  const numbered = chain.functions.map((each, i) => ({ ...each, number: i + 1 }))
  const kept = numbered.filter(({ instances, onFailure }) => instances.length > 0 || onFailure === 'drop')
  const order = isForth(chain, way) ? kept : kept.toReversed()
  return [0, ...order.filter(({ instances }) => instances.length > 0).map(({ number }) => number)].flatMap((at) => {
    const next = order[order.findIndex(({ number }) => number === at) + 1]
    const match = [mine, isStage(stageOf(way, at))]
    if (next !== undefined) return handOver(flow, match, { macs: next.instances.map(({ mac }) => mac), way })
    if (at === 0) return [flow('function', 100, match, onward[way])]
    if (way === 'from') return [flow('function', 100, match, [set(ethDst, gateway), ...onward.from])]
    return ends.flatMap(({ mac, addresses }) =>
      addresses.map((address) =>
        flow('function', 100, [...match, ...isSubject('to', address)], [set(ethDst, macValue(mac)), putMark('out'), ...onward.to]),
      ),
    )
  })
}

const slots = 16

/** Whose MAC has each value of the lowest bits. Of a prime number of slots, as the table has to be, the last is nobody's. */
export const macsBySlot = (macs: readonly string[]): readonly string[] => maglevTable(macs, slots + 1).slice(0, slots)

interface Handed {
  readonly macs: readonly string[]
  readonly way: Way
}

/** By the lowest bits of the other end's address; of no instance it goes nowhere. */
function handOver(flow: Make, match: readonly Term[], { macs, way }: Handed): readonly SwitchItem[] {
  const handedTo = (mac: string): readonly Action[] => [
    set(ethDst, macValue(mac)),
    putMark('handed'),
    putStage(decided.handed),
    to('forward'),
  ]
  const [first, second] = macs
  if (first === undefined) return [flow('function', 100, match, [])]
  if (second === undefined) return [flow('function', 100, match, handedTo(first))]
  return macsBySlot(macs).flatMap((mac, slot) =>
    families.map((family) => {
      const [value, mask] = family.family === 4 ? [slot, slots - 1] : [BigInt(slot), BigInt(slots - 1)]
      return flow('function', 100, [...match, ...family.match, isMasked(peerField(way, family), value, mask)], handedTo(mac))
    }),
  )
}
