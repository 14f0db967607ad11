// A Subnet: made, edited, deleted.
import type { Dice } from '../dice.ts'
import { happeningKind } from '../happening.ts'
import { blocks, blocks6, namespaces, sinks, subnetNames, vpcNames } from '../layout.ts'

interface Named {
  readonly namespace: string
  readonly name: string
}

/** Of one family or both. */
interface SubnetRequest extends Named {
  readonly vpc: string
  readonly cidr?: string
  readonly cidr6?: string
  readonly callbackURL?: string
}

export const createSubnet = happeningKind<SubnetRequest>({
  name: 'create-subnet',
  fault: false,
  weight: 8,
  draw: (dice) => ({
    namespace: dice.mostly(namespaces),
    name: dice.mostly(subnetNames),
    vpc: dice.mostly(vpcNames),
    ...blocksDrawn(dice),
    ...(dice.chance(0.3) && { callbackURL: dice.pick(sinks) }),
  }),
  run({ namespace, name, vpc, cidr, cidr6, ...more }, { outside }) {
    const families = { ...(cidr !== undefined && { ipv4: { cidr } }), ...(cidr6 !== undefined && { ipv6: { cidr: cidr6 } }) }
    outside.spawn('create-subnet', () =>
      outside.create({ kind: 'Subnet', metadata: { namespace, name }, spec: { vpc, ...families, ...more } }, `provider:${namespace}`),
    )
  },
})

/** Mostly IPv4 alone, as most are; also both, and IPv6 alone, whose MACs follow from no address and need locks of their own. */
export function blocksDrawn(dice: Dice): Pick<SubnetRequest, 'cidr' | 'cidr6'> {
  const families = dice.pick(['4', '4', '4', 'both', '6'] as const)
  return { ...(families !== '6' && { cidr: dice.pick(blocks) }), ...(families !== '4' && { cidr6: dice.pick(blocks6) }) }
}

export const editSubnet = happeningKind<Named & { readonly callbackURL?: string }>({
  name: 'edit-subnet',
  fault: false,
  weight: 2,
  draw: (dice) => ({
    namespace: dice.mostly(namespaces),
    name: dice.mostly(subnetNames),
    ...(dice.chance(0.7) && { callbackURL: dice.pick(sinks) }),
  }),
  run({ namespace, name, callbackURL }, { outside }) {
    outside.spawn('edit-subnet', () =>
      outside.edit({ kind: 'Subnet', namespace, name }, `provider:${namespace}`, (subnet) => {
        const { callbackURL: _, ...spec } = subnet.spec
        return { ...subnet, spec: { ...spec, ...(callbackURL !== undefined && { callbackURL }) } }
      }),
    )
  },
})

export const deleteSubnet = happeningKind<Named>({
  name: 'delete-subnet',
  fault: false,
  weight: 1,
  draw: (dice) => ({ namespace: dice.mostly(namespaces), name: dice.mostly(subnetNames) }),
  run: ({ namespace, name }, { outside }) =>
    outside.spawn('delete-subnet', () => outside.remove({ kind: 'Subnet', namespace, name }, `provider:${namespace}`)),
})
