import { Type } from 'typebox'
import { cloudSecurityGroupFinalizer } from '../annotations.ts'
import { atProvider, atProviderFields } from './at-provider.ts'
import { defineKind } from '../kind.ts'
import { closed, Name, reportFields } from '../meta.ts'

export const CloudSecurityGroup = defineKind({
  kind: 'CloudSecurityGroup',
  plural: 'cloudsecuritygroups',
  shortNames: ['csg'],
  finalizer: cloudSecurityGroupFinalizer,
  description:
    'A SecurityGroup as one Cloud has it, as long as a Port there needs it; its name is the UID of the SecurityGroup, a dot, and the Cloud.',
  spec: Type.Object(
    {
      group: Type.String({ minLength: 1, maxLength: 253, 'x-refers-to': 'SecurityGroup', description: 'of this namespace' }),
      groupUID: Type.String({ description: 'another SecurityGroup of that name has another of these' }),
      cloud: { ...Name, 'x-refers-to': 'Cloud' },
    },
    closed,
  ),
  status: Type.Object(
    {
      ...reportFields,
      ...atProvider,
      usable: Type.Optional(Type.Boolean({ description: 'its rules have been in place there: Ports may have it' })),
    },
    closed,
  ),
  sections: { provider: [...atProviderFields, 'usable'] },
  writers: { provider: 'workers' },
  immutable: ['group', 'groupUID', 'cloud'],
  internal: true,
  columns: [
    { name: 'Group', type: 'string', path: '.spec.group' },
    { name: 'Cloud', type: 'string', path: '.spec.cloud' },
    { name: 'ID', type: 'string', path: '.status.providerID', wide: true },
  ],
})

/** Who makes one first has made it. */
export const cloudSecurityGroupName = (groupUID: string, cloud: string): string => `${groupUID}.${cloud}`
