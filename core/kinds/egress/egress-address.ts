import { Type } from 'typebox'
import { egressAddressFinalizer } from '../annotations.ts'
import { defineKind } from '../kind.ts'
import { closed, Name, reportFields } from '../meta.ts'

export const EgressAddress = defineKind({
  kind: 'EgressAddress',
  plural: 'egressaddresses',
  shortNames: ['ega'],
  finalizer: egressAddressFinalizer,
  internal: true,
  description: 'From which addresses of a pool one Vpc sends to the world outside on one node; it is in the namespace of the Vpc.',
  spec: Type.Object(
    {
      subnet: Type.String({ maxLength: 317, 'x-refers-to': 'Subnet', description: 'the pool: namespace/name' }),
      vni: Type.Integer({ description: "the pool's" }),
      vpc: Type.String({ maxLength: 317, 'x-refers-to': 'Vpc', description: 'who sends from them: namespace/name' }),
      node: { ...Name, 'x-refers-to': 'Node' },
      addresses: Type.Array(Type.String({ maxLength: 45 }), {
        maxItems: 2,
        description: 'one of a family; each an IPLock of the pool',
        'x-kubernetes-list-type': 'atomic',
      }),
    },
    closed,
  ),
  status: Type.Object(reportFields, closed),
  selectable: ['.spec.vni', '.spec.node'],
  immutable: ['subnet', 'vni', 'vpc', 'node'],
  columns: [
    { name: 'Vpc', type: 'string', path: '.spec.vpc' },
    { name: 'Node', type: 'string', path: '.spec.node' },
    { name: 'Addresses', type: 'string', path: '.spec.addresses' },
    { name: 'Pool', type: 'string', path: '.spec.subnet' },
  ],
})
