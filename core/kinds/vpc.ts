import { Type } from 'typebox'
import { vpcFinalizer } from './annotations.ts'
import { defineKind } from './kind.ts'
import { CallbackURL, closed, Name, OneOf, reportFields } from './meta.ts'
import { vniMax } from '../net/segment.ts'

export const Vpc = defineKind({
  kind: 'Vpc',
  plural: 'vpcs',
  finalizer: vpcFinalizer,
  description: "A tenant's own address space, kept by a provider; two of them may use the same addresses.",
  spec: Type.Object(
    {
      provider: Type.Optional(OneOf(['builtin'], { default: 'builtin', description: 'who makes the Ports' })),
      vni: Type.Optional(Type.Integer({ minimum: 1, maximum: vniMax, description: 'VXLAN network identifier; chosen by us when absent' })),
      defaultSubnet: Type.Optional({ ...Name, description: 'the Subnet of a Nic that names none' }),
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
      vni: Type.Optional(Type.Integer()),
    },
    closed,
  ),
  sections: { segment: ['vni'] },
  writers: { segment: 'workers' },
  selectable: ['.status.vni'],
  immutable: ['provider', 'vni'],
  columns: [
    { name: 'Provider', type: 'string', path: '.spec.provider' },
    { name: 'VNI', type: 'integer', path: '.status.vni' },
  ],
})
