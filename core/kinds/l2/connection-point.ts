import { Type, type Static } from 'typebox'
import { connectionPointFinalizer } from '../annotations.ts'
import { defineKind } from '../kind.ts'
import { CallbackURL, closed, Name, OneOf, reportFields } from '../meta.ts'
import { implementations, interfaceTypes } from './l2-service-attachment.ts'

const linuxName = Type.String({ minLength: 1, maxLength: 15, pattern: '^[^/ \\t]+$' })
const cni = Type.Object(
  {
    name: OneOf(implementations),
    supportedInterfaceTypes: Type.Array(OneOf(interfaceTypes), { minItems: 1, maxItems: 2, 'x-kubernetes-list-type': 'set' }),
    bridgeName: Type.Optional({ ...linuxName, description: 'ovs, bridge: the bridge on the node' }),
    master: Type.Optional({
      ...linuxName,
      description: 'macvlan: the interface below; the VLAN is a sub-interface of it named master.VLAN',
    }),
    poolName: Type.Optional(
      Type.String({ minLength: 1, maxLength: 253, description: "host-device, sriov: the device plugin's resource, as intel.com/sriov" }),
    ),
  },
  closed,
)
export type SupportedCni = Static<typeof cni>

/** Both shapes that ENO has had: where it is (type, nodePool, physicalNet), and what it offers (supportedCnis). */
export const ConnectionPoint = defineKind({
  kind: 'ConnectionPoint',
  plural: 'connectionpoints',
  finalizer: connectionPointFinalizer,
  shortNames: ['cp'],
  scope: 'Cluster',
  description: 'A named place on a pool of like nodes where L2Services can be attached.',
  spec: Type.Object(
    {
      description: Type.Optional(Type.String({ maxLength: 1024 })),
      nodePool: Type.Optional({
        ...Name,
        'x-refers-to': 'NodePool',
        description: 'the NodePool; every pool with an interface that names this ConnectionPoint when absent',
      }),
      physicalNet: Type.Optional({ ...Name, description: 'the physical network that its VLANs are numbers of; `default` when absent' }),
      type: Type.Optional(OneOf(['kernel', 'pcidev'], { description: 'the older shape: what a pod gets' })),
      interfaceName: Type.Optional({ ...linuxName, description: 'the older shape, kernel: the bridge on the node' }),
      resourceName: Type.Optional(
        Type.String({ minLength: 1, maxLength: 253, description: "the older shape, pcidev: the device plugin's resource" }),
      ),
      supportedCnis: Type.Optional(
        Type.Array(cni, {
          minItems: 1,
          maxItems: 8,
          description: 'in the order of preference',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
        }),
      ),
      callbackURL: Type.Optional(CallbackURL),
    },
    closed,
  ),
  status: Type.Object(reportFields, closed),
  rules: [
    {
      cel: 'has(self.type) != has(self.supportedCnis)',
      message: 'has either type or supportedCnis',
      at: 'spec',
      holds: (s) => (s.type === undefined) !== (s.supportedCnis === undefined),
    },
    {
      cel: "!has(self.type) || self.type != 'pcidev' || has(self.resourceName)",
      message: 'pcidev needs the resource of its devices',
      at: 'spec.resourceName',
      holds: (s) => s.type !== 'pcidev' || s.resourceName !== undefined,
    },
    {
      cel: "!has(self.supportedCnis) || self.supportedCnis.all(c, c.name != 'macvlan' || has(c.master))",
      message: 'macvlan needs its master interface',
      at: 'spec.supportedCnis',
      holds: (s) => (s.supportedCnis ?? []).every((c) => c.name !== 'macvlan' || c.master !== undefined),
    },
    {
      cel: "!has(self.supportedCnis) || self.supportedCnis.all(c, !(c.name in ['ovs', 'bridge']) || has(c.bridgeName))",
      message: 'ovs and bridge need the name of the bridge',
      at: 'spec.supportedCnis',
      holds: (s) => (s.supportedCnis ?? []).every((c) => !['ovs', 'bridge'].includes(c.name) || c.bridgeName !== undefined),
    },
    {
      cel: "!has(self.supportedCnis) || self.supportedCnis.all(c, !(c.name in ['host-device', 'sriov']) || has(c.poolName))",
      message: 'host-device and sriov need the pool of their devices',
      at: 'spec.supportedCnis',
      holds: (s) => (s.supportedCnis ?? []).every((c) => !['host-device', 'sriov'].includes(c.name) || c.poolName !== undefined),
    },
  ],
  columns: [
    { name: 'NodePool', type: 'string', path: '.spec.nodePool' },
    { name: 'PhysicalNet', type: 'string', path: '.spec.physicalNet' },
  ],
})
