import { Type } from 'typebox'
import { nodePoolFinalizer } from '../annotations.ts'
import { defineKind } from '../kind.ts'
import { CallbackURL, closed, Name, OneOf, reportFields } from '../meta.ts'

/** ENO's label: a Node with this label's value is of the pool of that name. */
export const nodePoolLabel = 'node-pool'

const networkInterface = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 63, description: 'the interface on every node of the pool' }),
    type: Type.Optional(OneOf(['ethernet', 'bond'], { default: 'ethernet' })),
    state: Type.Optional(
      OneOf(['up', 'down'], { default: 'up', description: 'down: no VLAN is opened on the switch ports of this interface' }),
    ),
    connectionPoint: Type.Optional({
      ...Name,
      'x-refers-to': 'ConnectionPoint',
      description: 'the ConnectionPoint that this interface carries',
    }),
  },
  closed,
)

export const NodePool = defineKind({
  kind: 'NodePool',
  plural: 'nodepools',
  finalizer: nodePoolFinalizer,
  shortNames: ['np'],
  scope: 'Cluster',
  description: 'Nodes that are wired alike, and which of their interfaces carries which ConnectionPoint.',
  spec: Type.Object(
    {
      nodes: Type.Optional(
        Type.Array(
          { ...Name, 'x-refers-to': 'Node' },
          {
            maxItems: 4096,
            description: 'its nodes by name, beside those labelled node-pool=<name>',
            'x-kubernetes-list-type': 'set',
          },
        ),
      ),
      interfaces: Type.Array(networkInterface, {
        minItems: 1,
        maxItems: 64,
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
      }),
      callbackURL: Type.Optional(CallbackURL),
    },
    closed,
  ),
  status: Type.Object(reportFields, closed),
})
