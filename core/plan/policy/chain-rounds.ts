// How service chains become others while packets go by them: nodes with functions know the next round before anybody sends by it, and the
// former one until nobody does. Who says that a node knows it is the node, at the Port that carries the function out.
import { instancesIn, roundText, type BesideRound, type CompiledChain, type PolicyChains } from '../../kinds/policy/chain.ts'
import { sameJson } from '../../same-json.ts'

/** Longest that chains wait for nodes to know them: a node that is lost says nothing. */
const nextMs = 5_000
/** By then every node that is there has heard of the round after it. */
const formerMs = 5_000
/** Former rounds that are kept, the latest; and how far apart numbers of rounds may be, as those of their flows repeat. */
const [formersMost, apartMost] = [2, 31]

export interface RoundsWanted {
  /** As they are stored; absent: there are none yet. */
  readonly stored?: PolicyChains | undefined
  readonly wanted: PolicyChains
  /** Of the policy. */
  readonly generation: number | undefined
  /** Of the rule set. */
  readonly name: string
  /** Whether the node of a Port has said this of it. */
  readonly hasSaid: (port: string, round: string) => boolean
  readonly now: number
}

interface Round {
  readonly round?: number | undefined
  readonly generation?: number | undefined
  readonly chains: CompiledChain[]
}

export function chainRounds(of: RoundsWanted): PolicyChains {
  const { stored, wanted, generation, now } = of
  const { ends } = wanted
  const round: Round = { generation, chains: wanted.chains }
  if (stored === undefined) return written(ends, { ...round, round: 1 }, [])
  const inForce: Required<Round> = { round: stored.round ?? 0, generation: stored.generation, chains: stored.chains }
  const formers = (stored.beside ?? []).filter(({ is, until }) => is === 'former' && now < Date.parse(until))
  // What nodes have said of a next one that was taken back is said of no other.
  if (isAs(inForce, round)) return written(ends, { ...round, round: newestOf(stored) }, formers)
  const coming = comingOf(stored, round, now)
  const isDue =
    isAtOnce(stored, wanted, inForce, round) ||
    coming.round! - inForce.round! > apartMost ||
    now >= Date.parse(coming.until) ||
    isKnown(coming, of)
  if (!isDue) return written(ends, withBlocks(inForce, round), [...formers, coming])
  const former = stored.ends.length === 0 ? [] : [besideOf(inForce, 'former', now + formerMs)]
  return written(ends, { ...round, round: coming.round }, [...formers, ...former].slice(-formersMost))
}

/** Milliseconds until it is to be looked at again. */
export function roundsDueMs(all: readonly (PolicyChains | undefined)[], now: number): number | undefined {
  const due = all.flatMap((chains) => chains?.beside ?? []).map(({ until }) => Date.parse(until) - now)
  return due.length === 0 ? undefined : Math.max(1, Math.min(...due))
}

const timeText = (ms: number): string => new Date(ms).toISOString()

function written(ends: PolicyChains['ends'], round: Round, all: readonly BesideRound[]): PolicyChains {
  const newest = Math.max(round.round ?? 0, ...all.map((each) => each.round ?? 0))
  const beside = all.filter((each) => each.is === 'next' || newest - (each.round ?? 0) <= apartMost)
  return { ends, ...textOf(round), ...(beside.length > 0 && { beside }) }
}

function comingOf(stored: PolicyChains, wanted: Round, now: number): BesideRound {
  const next = stored.beside?.find((each) => each.is === 'next')
  if (next !== undefined && isAs(next, wanted)) return besideOf({ ...wanted, round: next.round }, 'next', Date.parse(next.until))
  return besideOf({ ...wanted, round: newestOf(stored) + 1 }, 'next', now + nextMs)
}

const newestOf = ({ round = 0, beside = [] }: PolicyChains): number => Math.max(round, ...beside.map((each) => each.round ?? 0))

const besideOf = (round: Round, is: BesideRound['is'], until: number): BesideRound => ({ ...textOf(round), is, until: timeText(until) })
const textOf = ({ round = 0, generation, chains }: Round): Omit<BesideRound, 'is' | 'until'> => ({
  round,
  ...(generation !== undefined && { generation }),
  chains,
})

/** Peers that come and go are no change that anybody waits for: what is said to a new one is not to go past the chain. */
const isAs = (a: Round, b: Round): boolean =>
  sameJson(a.chains, b.chains) || (a.generation === b.generation && sameJson(a.chains.map(unpeered), b.chains.map(unpeered)))
const unpeered = ({ blocks: _, ...chain }: CompiledChain): Omit<CompiledChain, 'blocks'> => chain

/** Nobody goes by them yet, or instances have gone and nothing else has changed. */
function isAtOnce(stored: PolicyChains, wanted: PolicyChains, inForce: Round, round: Round): boolean {
  if (stored.ends.length === 0 || wanted.ends.length === 0) return true
  const had = new Set(instancesIn(inForce.chains).map(({ port }) => port))
  const isFewer = instancesIn(round.chains).every(({ port }) => had.has(port))
  return inForce.generation === round.generation && isFewer
}

const isKnown = ({ round = 0, chains }: Round, { name, hasSaid }: RoundsWanted): boolean =>
  instancesIn(chains).every(({ port }) => hasSaid(port, roundText(name, round)))

/** Of the same policy, with the peers that there are now. */
function withBlocks(inForce: Round, { generation, chains }: Round): Round {
  if (inForce.generation !== generation) return inForce
  return { ...inForce, chains: inForce.chains.map((chain, i) => ({ ...chain, ...blocksOf(chains[i]) })) }
}
const blocksOf = (chain: CompiledChain | undefined): Pick<CompiledChain, 'blocks'> =>
  chain?.blocks === undefined ? {} : { blocks: chain.blocks }
