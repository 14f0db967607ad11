import { Type } from 'typebox'
import { vlanMax } from '../../net/segment.ts'
import { l2ServiceFinalizer } from '../annotations.ts'
import { defineKind } from '../kind.ts'
import { CallbackURL, closed, Name, reportFields } from '../meta.ts'
import { VrfName } from './fabric.ts'

export const L2Service = defineKind({
  kind: 'L2Service',
  plural: 'l2services',
  finalizer: l2ServiceFinalizer,
  shortNames: ['l2s'],
  description: 'An abstract layer-2 service: one VLAN, usually joined to a routing instance of a gateway.',
  spec: Type.Object(
    {
      segmentationID: Type.Integer({
        minimum: 1,
        maximum: vlanMax,
        description: 'the VLAN; changed by opening the new one, draining the old and closing it',
      }),
      subnets: Type.Optional(
        Type.Array(
          { ...Name, 'x-refers-to': 'Subnet' },
          {
            maxItems: 2,
            description: 'Subnets of this namespace, at most one of each family',
            'x-kubernetes-list-type': 'set',
          },
        ),
      ),
      physicalNW: Type.Optional(
        Type.Array(Name, {
          maxItems: 16,
          description: 'physical networks on whose gateway-facing switch ports the VLAN is opened too',
          'x-kubernetes-list-type': 'set',
        }),
      ),
      vrf: Type.Optional({
        ...VrfName,
        description:
          "the VRF of those physical networks' gateways that the VLAN is in, of those that a Fabric offers to this namespace; may be changed: the VLAN moves in one step",
      }),
      callbackURL: Type.Optional(CallbackURL),
    },
    closed,
  ),
  status: Type.Object(
    {
      ...reportFields,
      vlan: Type.Optional(Type.Integer({ description: 'the VLAN that the fabric carries' })),
      connectionPoints: Type.Optional(
        Type.Array(Type.String(), { description: 'where attachments have asked for it', 'x-kubernetes-list-type': 'atomic' }),
      ),
      progress: Type.Optional(Type.String({ description: '12 of 16 switch ports' })),
    },
    closed,
  ),
  sections: { segment: ['vlan', 'connectionPoints', 'progress'] },
  writers: { segment: 'workers' },
  selectable: ['.spec.segmentationID'],
  rules: [
    {
      cel: '!has(self.vrf) || (has(self.physicalNW) && size(self.physicalNW) > 0)',
      message: 'needs a physicalNW: a VRF is of the gateway of a physical network',
      at: 'spec.vrf',
      holds: ({ vrf, physicalNW = [] }) => vrf === undefined || physicalNW.length > 0,
    },
  ],
  columns: [
    { name: 'VLAN', type: 'integer', path: '.spec.segmentationID' },
    { name: 'VRF', type: 'string', path: '.spec.vrf' },
    { name: 'Progress', type: 'string', path: '.status.progress' },
  ],
})
