import { Type, type Static } from 'typebox'
import { defineKind } from '../kind.ts'
import { closed, Holder, reportFields } from '../meta.ts'

/** Made at admission for a pod that may never be stored: it lapses, and the same owner and Nic may take it over. */
export const Reservation = Type.Object(
  {
    namespace: Type.String(),
    owner: Type.String({ description: "Kind/name of the pod's controller, else Pod/name" }),
    nic: Type.String(),
    podUID: Type.String(),
    until: Type.String({ format: 'date-time' }),
  },
  closed,
)
export type Reservation = Static<typeof Reservation>

export const IPLock = defineKind({
  kind: 'IPLock',
  plural: 'iplocks',
  shortNames: ['ipl'],
  description:
    'Its existence is the right to use one address (or MAC, or portID) in one VNI, or one VLAN that is a Vpc; its name is a function of both.',
  spec: Type.Object(
    {
      vni: Type.Integer({ description: 'VNI, or the number that stands for a VLAN' }),
      address: Type.Optional(Type.String({ description: 'canonical text; absent for a lock of a MAC or portID' })),
      mac: Type.Optional(Type.String()),
      portID: Type.Optional(Type.String()),
      subnet: Type.Optional(Type.String({ 'x-refers-to': 'Subnet', description: 'name of the Subnet, in this namespace' })),
      holder: Type.Optional(Holder),
      shared: Type.Optional(Type.Array(Holder, { maxItems: 64, description: 'further holders, as VRRP needs' })),
      reservation: Type.Optional(Reservation),
      hostIP: Type.Optional(Type.String({ description: 'the node it is bound to: what other nodes watch' })),
      identity: Type.Optional(
        Type.Integer({ description: 'number of its PolicyIdentity; absent: no policy of its VNI, or of its VLAN, is in force' }),
      ),
    },
    closed,
  ),
  status: Type.Object(reportFields, closed),
  selectable: ['.spec.vni', '.spec.hostIP'],
  immutable: ['vni', 'address', 'portID'],
  internal: true,
  columns: [
    { name: 'VNI', type: 'integer', path: '.spec.vni' },
    { name: 'Address', type: 'string', path: '.spec.address' },
    { name: 'Holder', type: 'string', path: '.spec.holder.name' },
    { name: 'Host', type: 'string', path: '.spec.hostIP' },
  ],
})
