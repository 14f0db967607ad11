// Service chains as nodes carry them: through which Ports packets between a policy's subjects and others go, in which order.
import { Type, type Static } from 'typebox'
import { closed, OneOf } from '../meta.ts'
import { TransportMatch } from './transport-match.ts'

const atomic = { 'x-kubernetes-list-type': 'atomic' }

/** A Port in the VNI, as much of it as others see. */
const Instance = Type.Object(
  { port: Type.String({ description: 'its UID' }), mac: Type.String(), addresses: Type.Array(Type.String(), atomic) },
  closed,
)

const Function = Type.Object(
  {
    name: Type.String(),
    onFailure: OneOf(['pass', 'drop'], { description: 'what happens while it has no instance: it is left out, or nothing passes' }),
    instances: Type.Array(Instance, { description: 'by MAC', ...atomic }),
  },
  closed,
)

const Chain = Type.Object(
  {
    index: Type.Integer({ minimum: 0, maximum: 7, description: 'its place in its policy: the first that matches is taken' }),
    name: Type.String(),
    direction: OneOf(['ingress', 'egress'], { description: 'of the connections, as the subjects see them' }),
    blocks: Type.Optional(Type.Array(Type.String(), { description: 'of the other end; absent: anyone', ...atomic })),
    transport: Type.Optional(Type.Array(TransportMatch, { description: 'absent: anything', minItems: 1, ...atomic })),
    functions: Type.Array(Function, {
      maxItems: 8,
      description: 'in the order of the connection; its answers go the other way',
      ...atomic,
    }),
  },
  closed,
)
export type CompiledChain = Static<typeof Chain>

const roundFields = {
  round: Type.Optional(
    Type.Integer({ minimum: 0, description: 'counts up with each change of functions, or of what they are for; absent: 0' }),
  ),
  generation: Type.Optional(Type.Integer({ description: 'of the policy that the chains are of' })),
  chains: Type.Array(Chain, atomic),
}

/** Chains that nodes with functions know beside those in force: nothing begins by them, and what functions send is taken on by them. */
const BesideRound = Type.Object(
  {
    ...roundFields,
    is: OneOf(['next', 'former'], {
      description: 'next: in force once the nodes of its functions have said that they know it; former: packets may be under way by it',
    }),
    until: Type.String({ description: 'RFC 3339: then next is in force whatever nodes have said, and former is no more' }),
  },
  closed,
)
export type BesideRound = Static<typeof BesideRound>

export const PolicyChains = Type.Object(
  {
    ends: Type.Array(Type.Object({ mac: Type.String(), addresses: Type.Array(Type.String(), atomic) }, closed), {
      description:
        'Ports of the subjects: what they send and are sent goes by the chains, save what is between two of them, or for an instance itself',
      ...atomic,
    }),
    ...roundFields,
    beside: Type.Optional(Type.Array(BesideRound, { maxItems: 3, ...atomic })),
  },
  closed,
)
export type PolicyChains = Static<typeof PolicyChains>

export interface ChainRound {
  readonly round: number
  readonly chains: readonly CompiledChain[]
}
/** Those in force first, then those beside them from the newest on. */
export const roundsOf = ({ round = 0, chains, beside = [] }: Omit<PolicyChains, 'ends'>): readonly ChainRound[] => [
  { round, chains },
  ...beside.map((each) => ({ round: each.round ?? 0, chains: each.chains })).toSorted((a, b) => b.round - a.round),
]

/** Of all functions: a Port is one in one place of a round at the most. */
export const instancesOf = (of: Omit<PolicyChains, 'ends'> | undefined): readonly Static<typeof Instance>[] =>
  of === undefined ? [] : roundsOf(of).flatMap(({ chains }) => instancesIn(chains))
export const instancesIn = (chains: readonly CompiledChain[]): readonly Static<typeof Instance>[] =>
  chains.flatMap(({ functions }) => functions.flatMap(({ instances }) => instances))

/** What a node says of a Port that carries out a function: the newest round that it has in place. */
export const roundText = (set: string, round: number): string => `${set}/${round}`
