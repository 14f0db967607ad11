// A Subnet: made, deleted.
import { happeningKind } from '../happening.ts'
import { blocks, namespaces, sinks, subnetNames, vpcNames } from '../layout.ts'

interface Named {
  readonly namespace: string
  readonly name: string
}
export const createSubnet = happeningKind<Named & { readonly vpc: string; readonly cidr: string; readonly callbackURL?: string }>({
  name: 'create-subnet',
  fault: false,
  weight: 8,
  draw: (dice) => ({ namespace: dice.mostly(namespaces), name: dice.mostly(subnetNames), vpc: dice.mostly(vpcNames), cidr: dice.pick(blocks), ...(dice.chance(0.3) && { callbackURL: dice.pick(sinks) }) }),
  run({ namespace, name, vpc, cidr, ...more }, { outside }) {
    outside.spawn('create-subnet', () => outside.create({ kind: 'Subnet', metadata: { namespace, name }, spec: { vpc, ipv4: { cidr }, ...more } }, `provider:${namespace}`))
  },
})

export const deleteSubnet = happeningKind<Named>({
  name: 'delete-subnet',
  fault: false,
  weight: 1,
  draw: (dice) => ({ namespace: dice.mostly(namespaces), name: dice.mostly(subnetNames) }),
  run: ({ namespace, name }, { outside }) => outside.spawn('delete-subnet', () => outside.remove({ kind: 'Subnet', namespace, name }, `provider:${namespace}`)),
})
