// What the status tells of a thing that stands at a provider: the same for networks, subnets and ports of clouds.
import { Type, type Static } from 'typebox'
import { closed, Name, OneOf } from '../meta.ts'

/** As the cloud says: building, made and carrying nothing (down), carrying traffic, or not to be had. */
export const cloudStates = ['building', 'down', 'active', 'failed'] as const
export type CloudState = (typeof cloudStates)[number]

export const atProvider = {
  cloud: Type.Optional({ ...Name, description: 'the Cloud where it stands' }),
  providerID: Type.Optional(Type.String({ description: 'what the provider calls it' })),
  state: Type.Optional(OneOf(cloudStates, { description: 'as the cloud says' })),
  revision: Type.Optional(Type.String({ description: 'of the cloud, counted by it' })),
  requestedAt: Type.Optional(
    Type.String({ format: 'date-time', description: 'when it was last asked for: a request may be under way for a while after that' }),
  ),
}
export const atProviderFields = ['cloud', 'providerID', 'state', 'revision', 'requestedAt'] as const

export const Existing = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'name or ID of what is there already at the cloud: it is adopted, is not changed, and stays when this object goes',
})

/** How a node plugs a Port in, where the fabric is not ours. */
export const Vif = Type.Object(
  {
    node: Type.String({ description: 'the Node that the cloud has bound it to' }),
    plug: OneOf(['bridge', 'tap', 'interface'], {
      description:
        'bridge: our interface on a bridge that is theirs; tap: a TAP for a VM, on that bridge where one is named; interface: theirs, moved into the pod',
    }),
    bridge: Type.Optional(Type.String({ minLength: 1, maxLength: 15 })),
    interfaceID: Type.Optional(Type.String({ maxLength: 255, description: 'by which the cloud knows the interface on its bridge' })),
    hybrid: Type.Optional(Type.Boolean({ description: 'with a Linux bridge of its own in between' })),
    interface: Type.Optional(
      Type.String({ minLength: 1, maxLength: 15, description: 'what the interface is called, where the cloud says' }),
    ),
    type: Type.Optional(Type.String({ maxLength: 64, description: "the cloud's own word: ovs, tap, vhostuser" })),
    details: Type.Optional(
      Type.Record(Type.String({ maxLength: 63 }), Type.String({ maxLength: 1024 }), { description: 'as the cloud says' }),
    ),
  },
  closed,
)
export type Vif = Static<typeof Vif>
