import { Type } from 'typebox'
import { vpcFinalizer } from '../annotations.ts'
import { atProvider, atProviderFields, Existing } from './at-provider.ts'
import { defineKind } from '../kind.ts'
import { CallbackURL, closed, Name, OneOf, reportFields } from '../meta.ts'
import { providerNames } from './providers.ts'
import { segmentFields, segmentStatus, Vlan } from './segment.ts'
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
        Type.Array(Type.String({ minLength: 1, maxLength: 63, pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' }), {
          maxItems: 256,
          description: 'namespaces whose pods may refer to this Vpc as namespace/name',
          'x-kubernetes-list-type': 'set',
        }),
      ),
      mtu: Type.Optional(Type.Integer({ minimum: 576, maximum: 65535, description: "bytes of a pod's packet" })),
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
    },
    closed,
  ),
  sections: { segment: segmentFields, provider: [...atProviderFields, 'mtu'] },
  writers: { segment: 'workers', provider: 'workers' },
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
  ],
  columns: [
    { name: 'Provider', type: 'string', path: '.spec.provider' },
    { name: 'VNI', type: 'integer', path: '.status.vni' },
    { name: 'VLAN', type: 'integer', path: '.status.vlan.id' },
    { name: 'Physical network', type: 'string', path: '.status.vlan.physicalNetwork', wide: true },
  ],
})
