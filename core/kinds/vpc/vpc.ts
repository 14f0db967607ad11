import { Type } from 'typebox'
import { vpcFinalizer } from '../annotations.ts'
import { atProvider, atProviderFields, Existing } from './at-provider.ts'
import { EgressStatus } from '../egress/egress-class.ts'
import { defineKind } from '../kind.ts'
import { CallbackURL, closed, Name, NamespaceName, OneOf, reportFields } from '../meta.ts'
import { providerNames } from './providers.ts'
import { Broadcast, segmentFields, segmentStatus, Vlan } from './segment.ts'
import { vniMax } from '../../net/segment.ts'

export const Vpc = defineKind({
  kind: 'Vpc',
  plural: 'vpcs',
  finalizer: vpcFinalizer,
  description: "A tenant's own address space, kept by a provider; two of them may use the same addresses.",
  spec: Type.Object(
    {
      provider: Type.Optional(OneOf(providerNames, { default: 'builtin', description: 'who makes the Ports' })),
      cloud: Type.Optional({ ...Name, 'x-refers-to': 'Cloud', description: 'the Cloud, for providers that are of one' }),
      existing: Type.Optional(Existing),
      vni: Type.Optional(Type.Integer({ minimum: 1, maximum: vniMax, description: 'VXLAN network identifier; chosen by us when absent' })),
      vlan: Type.Optional({ ...Vlan, description: 'it is this VLAN of a physical network, in place of a VNI' }),
      defaultSubnet: Type.Optional({ ...Name, 'x-refers-to': 'Subnet', description: 'the Subnet of a Nic that names none' }),
      sharedWith: Type.Optional(
        Type.Array(NamespaceName, {
          maxItems: 256,
          description: 'namespaces whose pods may refer to this Vpc as namespace/name',
          'x-kubernetes-list-type': 'set',
        }),
      ),
      bgpSessionGroups: Type.Optional(
        Type.Array(
          { ...Name, 'x-refers-to': 'BGPSessionGroup' },
          {
            maxItems: 16,
            description: 'which BGPSessionGroups may advertise its Subnets, and bring routes into it, where they say so too',
            'x-kubernetes-list-type': 'set',
          },
        ),
      ),
      egressClass: Type.Optional({
        ...Name,
        'x-refers-to': 'EgressClass',
        description: 'by which it sends to the world outside, where the class names it too',
      }),
      mtu: Type.Optional(Type.Integer({ minimum: 576, maximum: 65535, description: "bytes of a pod's packet" })),
      broadcast: Type.Optional(Broadcast),
      callbackURL: Type.Optional(CallbackURL),
    },
    closed,
  ),
  status: Type.Object(
    {
      ...reportFields,
      ...segmentStatus,
      ...atProvider,
      mtu: Type.Optional(Type.Integer({ description: 'of the network at the cloud' })),
      egress: Type.Optional(EgressStatus),
    },
    closed,
  ),
  sections: { segment: segmentFields, provider: [...atProviderFields, 'mtu'], egress: ['egress'] },
  writers: { segment: 'workers', provider: 'workers', egress: 'workers' },
  selectable: ['.status.vni', '.status.segment'],
  immutable: ['provider', 'cloud', 'existing', 'vni', 'vlan'],
  rules: [
    {
      cel: "has(self.cloud) == (has(self.provider) && self.provider != 'builtin')",
      message: 'is named where the provider is of a cloud, and only there',
      at: 'spec.cloud',
      holds: (s) => (s.cloud !== undefined) === ((s.provider ?? 'builtin') !== 'builtin'),
    },
    {
      cel: '!has(self.existing) || has(self.cloud)',
      message: 'is for a Vpc of a cloud',
      at: 'spec.existing',
      holds: (s) => s.existing === undefined || s.cloud !== undefined,
    },
    {
      cel: '!has(self.vni) || !has(self.cloud)',
      message: 'is for a Vpc of the builtin provider: a cloud numbers its networks itself',
      at: 'spec.vni',
      holds: (s) => s.vni === undefined || s.cloud === undefined,
    },
    {
      cel: '!has(self.vlan) || (!has(self.cloud) && !has(self.vni))',
      message: 'is for a Vpc of the builtin provider, and stands in place of a vni',
      at: 'spec.vlan',
      holds: (s) => s.vlan === undefined || (s.cloud === undefined && s.vni === undefined),
    },
    {
      cel: '!has(self.bgpSessionGroups) || self.bgpSessionGroups.size() == 0 || (!has(self.cloud) && !has(self.vlan))',
      message: 'is for a Vpc of the builtin provider that has a VNI: let the router of the cloud, or of the VLAN, announce it',
      at: 'spec.bgpSessionGroups',
      holds: ({ bgpSessionGroups = [], cloud, vlan }) => bgpSessionGroups.length === 0 || (cloud === undefined && vlan === undefined),
    },
    {
      cel: '!has(self.egressClass) || (!has(self.cloud) && !has(self.vlan))',
      message: 'is for a Vpc of the builtin provider that has a VNI: let the router of the cloud, or of the VLAN, lead outside',
      at: 'spec.egressClass',
      holds: ({ egressClass, cloud, vlan }) => egressClass === undefined || (cloud === undefined && vlan === undefined),
    },
    {
      cel: '!has(self.broadcast) || !has(self.cloud)',
      message: 'is for a Vpc of the builtin provider: what the network of a cloud carries to all is said there',
      at: 'spec.broadcast',
      holds: (s) => s.broadcast === undefined || s.cloud === undefined,
    },
    {
      cel: '!has(self.broadcast) || !has(self.vlan)',
      message: 'is for a Vpc with a VNI: the switches of a VLAN carry broadcast to all of it anyway, so leave it out',
      at: 'spec.broadcast',
      holds: (s) => s.broadcast === undefined || s.vlan === undefined,
    },
  ],
  columns: [
    { name: 'Provider', type: 'string', path: '.spec.provider' },
    { name: 'VNI', type: 'integer', path: '.status.vni' },
    { name: 'VLAN', type: 'integer', path: '.status.vlan.id' },
    { name: 'Physical network', type: 'string', path: '.status.vlan.physicalNetwork', wide: true },
  ],
})
