import { Type } from 'typebox'
import { attachmentFinalizer } from '../annotations.ts'
import { defineKind } from '../kind.ts'
import { CallbackURL, closed, Name, OneOf, reportFields } from '../meta.ts'

export const vlanTypes = ['trunk', 'access', 'selectivetrunk'] as const
export const interfaceTypes = ['kernel', 'dpdk'] as const
/** Who plumbs a pod's interface: plugins with schemas of their own, and ours. */
export const implementations = ['ovs', 'macvlan', 'bridge', 'host-device', 'sriov', 'megrez'] as const

/** What a Port's status says of one, for all pods of an attachment together. */
const AttachmentPolicy = Type.Object(
  {
    segment: Type.Integer({ description: 'the number by which PolicyRuleSets know the VLAN: above all VNIs' }),
    judged: Type.Array(
      Type.Object(
        {
          identity: Type.Integer({ minimum: 1, maximum: 16777214 }),
          ruleSets: Type.Array(Type.String(), { description: 'PolicyRuleSets that judge them', 'x-kubernetes-list-type': 'atomic' }),
          pods: Type.Array(Type.String(), { description: 'their UIDs', 'x-kubernetes-list-type': 'atomic' }),
        },
        closed,
      ),
      { description: 'who is not among them lets nothing pass', 'x-kubernetes-list-type': 'atomic' },
    ),
    audit: Type.Optional(Type.Boolean({ description: 'the cluster audits: who is not among them is judged by nobody' })),
  },
  { ...closed, description: 'who judges its pods in their VLAN; absent: no policy is in force there' },
)

export const L2ServiceAttachment = defineKind({
  kind: 'L2ServiceAttachment',
  plural: 'l2serviceattachments',
  finalizer: attachmentFinalizer,
  shortNames: ['l2sa'],
  description: 'Brings L2Services to a ConnectionPoint; the NetworkAttachmentDefinition of the same name is made once the fabric is open.',
  spec: Type.Object(
    {
      l2Services: Type.Array(
        { ...Name, 'x-refers-to': 'L2Service' },
        {
          minItems: 1,
          maxItems: 256,
          description: 'L2Services of this namespace',
          'x-kubernetes-list-type': 'set',
        },
      ),
      connectionPoint: { ...Name, 'x-refers-to': 'ConnectionPoint', description: 'the ConnectionPoint' },
      podInterfaceType: Type.Optional(
        OneOf(interfaceTypes, { description: 'what a pod sees: the first that the ConnectionPoint offers when absent' }),
      ),
      vlanType: OneOf(vlanTypes, {
        description:
          'access: one VLAN, untagged in the pod; selectivetrunk: those VLANs, tagged; trunk: those of all trunk attachments of the ConnectionPoint, tagged',
      }),
      implementation: Type.Optional(OneOf(implementations, { description: 'chosen by us when absent' })),
      sharedTrunk: Type.Optional(
        Type.Boolean({
          description: 'trunk: other trunk attachments may be on the same ConnectionPoint, and pods of all of them see the VLANs of all',
        }),
      ),
      callbackURL: Type.Optional(CallbackURL),
    },
    closed,
  ),
  status: Type.Object(
    {
      ...reportFields,
      vlans: Type.Optional(
        Type.Array(Type.Integer(), {
          description: 'what a pod may send and receive: for shared trunks the union',
          'x-kubernetes-list-type': 'atomic',
        }),
      ),
      physicalNetwork: Type.Optional(Type.String({ description: 'whose VLANs these are: that of its ConnectionPoint' })),
      implementation: Type.Optional(Type.String()),
      podInterfaceType: Type.Optional(Type.String()),
      definition: Type.Optional(Type.String({ description: 'name of the NetworkAttachmentDefinition, once it is there' })),
      progress: Type.Optional(Type.String({ description: '12 of 16 switch ports' })),
      policy: Type.Optional(AttachmentPolicy),
    },
    closed,
  ),
  sections: {
    definition: ['vlans', 'physicalNetwork', 'implementation', 'podInterfaceType', 'definition', 'progress'],
    policy: ['policy'],
  },
  writers: { definition: 'workers', policy: 'workers' },
  selectable: ['.spec.connectionPoint'],
  rules: [
    {
      cel: "self.vlanType != 'access' || size(self.l2Services) == 1",
      message: 'access needs exactly one L2Service',
      at: 'spec.l2Services',
      holds: (s) => s.vlanType !== 'access' || s.l2Services.length === 1,
    },
    {
      cel: "!has(self.implementation) || self.implementation != 'host-device' || self.vlanType == 'trunk'",
      message: 'host-device carries trunks only',
      at: 'spec.vlanType',
      holds: (s) => s.implementation !== 'host-device' || s.vlanType === 'trunk',
    },
    {
      cel: "!has(self.sharedTrunk) || !self.sharedTrunk || self.vlanType == 'trunk'",
      message: 'is for vlanType trunk',
      at: 'spec.sharedTrunk',
      holds: (s) => s.sharedTrunk !== true || s.vlanType === 'trunk',
    },
  ],
  columns: [
    { name: 'ConnectionPoint', type: 'string', path: '.spec.connectionPoint' },
    { name: 'VLAN Type', type: 'string', path: '.spec.vlanType' },
    { name: 'Implementation', type: 'string', path: '.status.implementation' },
    { name: 'Progress', type: 'string', path: '.status.progress' },
  ],
})
