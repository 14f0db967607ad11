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

export const PolicyChains = Type.Object(
  {
    ends: Type.Array(Type.Object({ mac: Type.String(), addresses: Type.Array(Type.String(), atomic) }, closed), {
      description:
        'Ports of the subjects: what they send and are sent goes by the chains, save what is between two of them, or for an instance itself',
      ...atomic,
    }),
    chains: Type.Array(Chain, atomic),
  },
  closed,
)
export type PolicyChains = Static<typeof PolicyChains>

/** Of all functions: a Port is one in one place at the most. */
export const instancesOf = (of: Pick<PolicyChains, 'chains'> | undefined): readonly Static<typeof Instance>[] =>
  (of?.chains ?? []).flatMap(({ functions }) => functions.flatMap(({ instances }) => instances))
