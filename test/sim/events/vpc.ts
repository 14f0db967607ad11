// A tenant's Vpc: made, shared, no longer shared, deleted.
import { happeningKind } from '../happening.ts'
import { namespaces, sinks, vnis, vpcNames, vpcVlans } from '../layout.ts'

interface Named {
  readonly namespace: string
  readonly name: string
}
export const createVpc = happeningKind<
  Named & {
    readonly vni?: number
    readonly vlan?: number
    readonly callbackURL?: string
    readonly sharedWith?: string[]
    readonly rest: boolean
  }
>({
  name: 'create-vpc',
  fault: false,
  weight: 4,
  draw: (dice) => ({
    namespace: dice.mostly(namespaces),
    name: dice.mostly(vpcNames),
    rest: dice.chance(0.2),
    ...(dice.chance(0.4) && { vni: dice.pick(vnis) }),
    ...(dice.chance(0.5) && { callbackURL: dice.pick(sinks) }),
    ...(dice.chance(0.3) && { sharedWith: [dice.mostly(namespaces)] }),
    ...(dice.chance(0.2) && { vlan: dice.pick(vpcVlans) }),
  }),
  run({ namespace, name, rest, vni, vlan, ...more }, { outside }) {
    const numbered = vni === undefined ? {} : { vni }
    const spec = { ...more, ...(vlan === undefined ? numbered : { vlan: { physicalNetwork: 'default', id: vlan } }) }
    outside.spawn('create-vpc', () =>
      outside.create({ kind: 'Vpc', metadata: { namespace, name }, spec }, `provider:${namespace}`, { rest }),
    )
  },
})

export const shareVpc = happeningKind<Named & { readonly with: string[] }>({
  name: 'share-vpc',
  fault: false,
  weight: 2,
  draw: (dice) => ({
    namespace: dice.mostly(namespaces),
    name: dice.mostly(vpcNames),
    with: dice.chance(0.5) ? [] : [dice.mostly(namespaces)],
  }),
  run({ namespace, name, with: sharedWith }, { outside }) {
    outside.spawn('share-vpc', () =>
      outside.edit({ kind: 'Vpc', namespace, name }, `provider:${namespace}`, (vpc) => ({ ...vpc, spec: { ...vpc.spec, sharedWith } })),
    )
  },
})

export const deleteVpc = happeningKind<Named>({
  name: 'delete-vpc',
  fault: false,
  weight: 1,
  draw: (dice) => ({ namespace: dice.mostly(namespaces), name: dice.mostly(vpcNames) }),
  run: ({ namespace, name }, { outside }) =>
    outside.spawn('delete-vpc', () => outside.remove({ kind: 'Vpc', namespace, name }, `provider:${namespace}`)),
})
