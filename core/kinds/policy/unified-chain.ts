// Service chains as people write them.
import { Type, type Static } from 'typebox'
import { closed, Name, OneOf } from '../meta.ts'
import { LabelSelector } from './label-selector.ts'
import { Peer, PortMatch } from './unified-rule.ts'

const atomic = { 'x-kubernetes-list-type': 'atomic' }

const ChainFunction = Type.Object(
  {
    name: Name,
    pods: {
      ...LabelSelector,
      description: 'pods of this namespace, and Ports without one by their own labels: each forwards what is handed to it',
    },
    nic: Type.Optional({ ...Name, description: 'which NIC of them; absent: any that is in the Vpc' }),
    onFailure: Type.Optional(
      OneOf(['pass', 'drop'], {
        default: 'drop',
        description: 'while none of them is ready: pass leaves the function out, drop lets nothing pass',
      }),
    ),
  },
  closed,
)

export const UnifiedChain = Type.Object(
  {
    name: Name,
    direction: Type.Optional(
      OneOf(['ingress', 'egress'], {
        default: 'egress',
        description: 'of the connections, as the pods of the policy see them; what answers goes the other way through the same functions',
      }),
    ),
    peers: Type.Optional(Type.Array(Peer, { minItems: 1, maxItems: 32, description: 'the other end; absent: anyone', ...atomic })),
    ports: Type.Optional(Type.Array(PortMatch, { minItems: 1, maxItems: 32, description: 'absent: anything', ...atomic })),
    functions: Type.Array(ChainFunction, { minItems: 1, maxItems: 8, description: 'in the order of the connection', ...atomic }),
  },
  closed,
)
export type UnifiedChain = Static<typeof UnifiedChain>

export const UnifiedChains = Type.Array(UnifiedChain, {
  minItems: 1,
  maxItems: 8,
  description: 'functions that packets of its pods go through: of several chains the first that matches',
  ...atomic,
})
