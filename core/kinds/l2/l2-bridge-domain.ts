import { Type } from 'typebox'
import { vlanMax } from '../../net/segment.ts'
import { fabricFinalizer } from '../annotations.ts'
import { defineKind } from '../kind.ts'
import { closed, Holder, Name, reportFields } from '../meta.ts'
import { VrfName } from './fabric.ts'

const vlan = Type.Integer({ minimum: 1, maximum: vlanMax })

export const L2BridgeDomain = defineKind({
  kind: 'L2BridgeDomain',
  plural: 'l2bridgedomains',
  finalizer: fabricFinalizer,
  shortNames: ['l2bd'],
  scope: 'Cluster',
  internal: true,
  description: 'What the fabric must carry for one L2Service: a VLAN and the ConnectionPoints that it is open on.',
  spec: Type.Object(
    {
      vlan,
      connectionPoints: Type.Array({ ...Name, 'x-refers-to': 'ConnectionPoint' }, { maxItems: 1024, 'x-kubernetes-list-type': 'atomic' }),
      physicalNW: Type.Optional(
        Type.Array(Name, { maxItems: 16, description: 'whose gateway-facing ports are opened too', 'x-kubernetes-list-type': 'atomic' }),
      ),
      vrf: Type.Optional({ ...VrfName, description: 'of the gateways of those: the VRF that the VLAN is in' }),
      draining: Type.Optional(
        Type.Array(
          Type.Object(
            {
              vlan,
              since: Type.Optional(Type.String({ format: 'date-time', description: 'from when on no pod begins with it' })),
              close: Type.Optional(Type.Boolean({ description: 'nobody is left on it' })),
            },
            closed,
          ),
          {
            maxItems: 16,
            description: 'VLANs of before, open until no pod is left on them',
            'x-kubernetes-list-type': 'atomic',
          },
        ),
      ),
      holder: Holder,
    },
    closed,
  ),
  status: Type.Object(
    {
      ...reportFields,
      open: Type.Optional(Type.Integer()),
      wanted: Type.Optional(Type.Integer()),
      progress: Type.Optional(Type.String({ description: '12 of 16 switch ports' })),
      switches: Type.Optional(
        Type.Array(Type.String(), {
          description: 'where something of it may be open, as fabric/switch: written before a switch is touched',
          'x-kubernetes-list-type': 'atomic',
        }),
      ),
      closing: Type.Optional(
        Type.Integer({
          description: 'VLANs that were to be closed on switch ports when they were looked at last; no VLAN is free before there are none',
        }),
      ),
      closed: Type.Optional(
        Type.Array(Type.Integer(), {
          description: 'VLANs of before that are seen to be closed everywhere',
          'x-kubernetes-list-type': 'atomic',
        }),
      ),
    },
    closed,
  ),
  sections: { fabric: ['open', 'wanted', 'progress', 'closing', 'closed'], intent: ['switches'] },
  writers: { fabric: 'workers', intent: 'workers' },
  selectable: ['.spec.vlan'],
  columns: [
    { name: 'VLAN', type: 'integer', path: '.spec.vlan' },
    { name: 'VRF', type: 'string', path: '.spec.vrf' },
    { name: 'Progress', type: 'string', path: '.status.progress' },
  ],
})
