// An L2ServiceAttachment: made, deleted. What it is to be attached to never comes: it waits, and is told of all the same.
import { happeningKind } from '../happening.ts'
import { namespaces, sinks } from '../layout.ts'

interface Named {
  readonly namespace: string
}
const name = 'l1'

export const createAttachment = happeningKind<Named & { readonly callbackURL?: string }>({
  name: 'create-attachment',
  fault: false,
  weight: 2,
  draw: (dice) => ({ namespace: dice.mostly(namespaces), ...(dice.chance(0.2) && { callbackURL: dice.pick(sinks) }) }),
  run({ namespace, ...more }, { outside }) {
    const spec = { l2Services: ['none'], connectionPoint: 'none', vlanType: 'trunk' as const, ...more }
    outside.spawn('create-attachment', () =>
      outside.create({ kind: 'L2ServiceAttachment', metadata: { namespace, name }, spec }, `provider:${namespace}`),
    )
  },
})

export const deleteAttachment = happeningKind<Named>({
  name: 'delete-attachment',
  fault: false,
  weight: 1,
  draw: (dice) => ({ namespace: dice.mostly(namespaces) }),
  run: ({ namespace }, { outside }) =>
    outside.spawn('delete-attachment', () => outside.remove({ kind: 'L2ServiceAttachment', namespace, name }, `provider:${namespace}`)),
})
