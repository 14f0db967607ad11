import { Type } from 'typebox'
import { peeringFinalizer } from '../annotations.ts'
import { defineKind } from '../kind.ts'
import { CallbackURL, closed, Name, reportFields } from '../meta.ts'

const blocks = (description: string) => Type.Array(Type.String(), { description, 'x-kubernetes-list-type': 'atomic' })

export const VpcPeering = defineKind({
  kind: 'VpcPeering',
  plural: 'vpcpeerings',
  finalizer: peeringFinalizer,
  shortNames: ['vp'],
  description: 'One side of two Vpcs that reach each other: in force while each side has one that names the other.',
  spec: Type.Object(
    {
      vpc: { ...Name, 'x-refers-to': 'Vpc', description: 'the Vpc, in this namespace' },
      peer: Type.String({
        minLength: 3,
        maxLength: 317,
        pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?/[a-z0-9]([-a-z0-9.]*[a-z0-9])?$',
        description: 'the other Vpc, as namespace/name; a VpcPeering beside it names this one',
      }),
      subnets: Type.Optional(
        Type.Array(
          { ...Name, 'x-refers-to': 'Subnet' },
          { maxItems: 64, description: 'Subnets of this Vpc that the peer reaches; all when absent', 'x-kubernetes-list-type': 'set' },
        ),
      ),
      callbackURL: Type.Optional(CallbackURL),
    },
    closed,
  ),
  status: Type.Object(
    {
      ...reportFields,
      vni: Type.Optional(Type.Integer({ description: 'of the Vpc, while it is in force' })),
      blocks: Type.Optional(blocks('of this Vpc, that the peer has routes to')),
      peer: Type.Optional(
        Type.Object(
          {
            namespace: Type.String(),
            vni: Type.Integer(),
            blocks: blocks('of the peer, that this Vpc has routes to'),
            mtu: Type.Optional(Type.Integer({ description: 'bytes that its Ports take, where its Vpc says so' })),
          },
          { ...closed, description: 'the other Vpc, while it is in force' },
        ),
      ),
      refused: Type.Optional(
        Type.Array(Type.Object({ what: Type.String({ description: 'Subnet a/blue' }), message: Type.String() }, closed), {
          description: 'blocks of both that are not exchanged',
          'x-kubernetes-list-type': 'atomic',
        }),
      ),
    },
    closed,
  ),
  sections: { exchange: ['vni', 'blocks', 'peer', 'refused'] },
  writers: { exchange: 'workers' },
  selectable: ['.status.vni', '.spec.vpc'],
  immutable: ['vpc', 'peer'],
  columns: [
    { name: 'Vpc', type: 'string', path: '.spec.vpc' },
    { name: 'Peer', type: 'string', path: '.spec.peer' },
  ],
})
