import { Type } from 'typebox'
import { defineKind } from '../kind.ts'
import { closed, Holder, reportFields } from '../meta.ts'
import { vlanMax, vniMax } from '../../net/segment.ts'
import { routedBlocksMost } from './routed-blocks.ts'

export const SegmentLock = defineKind({
  kind: 'SegmentLock',
  plural: 'segmentlocks',
  shortNames: ['sl'],
  scope: 'Cluster',
  description:
    'Its existence is the right to use a VNI, or a VLAN of one physical network; it also lists the blocks in use on it, where that is a Vpc, and those that Ports have behind them.',
  spec: Type.Object(
    {
      vni: Type.Optional(Type.Integer({ minimum: 1, maximum: vniMax })),
      physicalNetwork: Type.Optional(Type.String({ maxLength: 253 })),
      vlan: Type.Optional(Type.Integer({ minimum: 1, maximum: vlanMax })),
      holder: Holder,
      blocks: Type.Optional(
        Type.Array(
          Type.Object(
            {
              cidr: Type.String(),
              subnet: Holder,
            },
            closed,
          ),
          {
            description: 'validated blocks: a Subnet is valid once its own stand here, put in by compare-and-swap',
            'x-kubernetes-list-type': 'atomic',
          },
        ),
      ),
      routedBlocks: Type.Optional(
        Type.Array(
          Type.Object(
            {
              cidr: Type.String(),
              port: Holder,
              via: Type.String({ description: 'address of the Port, of the same family' }),
            },
            closed,
          ),
          {
            description: `blocks behind Ports, ${routedBlocksMost} at most: one leads to its Port once it stands here; none overlaps another, nor a block of a Subnet`,
            'x-kubernetes-list-type': 'atomic',
          },
        ),
      ),
    },
    closed,
  ),
  status: Type.Object(reportFields, closed),
  selectable: ['.spec.vni', '.spec.holder.uid'],
  immutable: ['vni', 'physicalNetwork', 'vlan'],
  internal: true,
  rules: [
    {
      cel: 'has(self.vni) ? !has(self.vlan) && !has(self.physicalNetwork) : has(self.vlan) && has(self.physicalNetwork)',
      message: 'names either a vni, or a vlan and its physicalNetwork',
      at: 'spec',
      holds: (s) =>
        s.vni === undefined
          ? s.vlan !== undefined && s.physicalNetwork !== undefined
          : s.vlan === undefined && s.physicalNetwork === undefined,
    },
  ],
  columns: [
    { name: 'VNI', type: 'integer', path: '.spec.vni' },
    { name: 'VLAN', type: 'integer', path: '.spec.vlan' },
    { name: 'Holder', type: 'string', path: '.spec.holder.name' },
  ],
})
