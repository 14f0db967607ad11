// A SecurityGroup: made, edited, deleted; it may name another, and Ports name it.
import { happeningKind } from '../happening.ts'
import { groupNames, namespaces, sinks } from '../layout.ts'

interface Named {
  readonly namespace: string
  readonly name: string
}
const rulesOf = (remote: string | undefined) => [{ direction: 'ingress' as const, ...(remote !== undefined && { remoteGroup: remote }) }]

export const createGroup = happeningKind<Named & { readonly remote?: string; readonly callbackURL?: string }>({
  name: 'create-security-group',
  fault: false,
  weight: 4,
  draw: (dice) => ({
    namespace: dice.mostly(namespaces),
    name: dice.pick(groupNames),
    ...(dice.chance(0.4) && { remote: dice.pick(groupNames) }),
    ...(dice.chance(0.5) && { callbackURL: dice.pick(sinks) }),
  }),
  run({ namespace, name, remote, ...more }, { outside }) {
    outside.spawn('create-security-group', () =>
      outside.create(
        { kind: 'SecurityGroup', metadata: { namespace, name }, spec: { rules: rulesOf(remote), ...more } },
        `operator:${namespace}`,
      ),
    )
  },
})

export const editGroup = happeningKind<Named & { readonly remote?: string }>({
  name: 'edit-security-group',
  fault: false,
  weight: 2,
  draw: (dice) => ({
    namespace: dice.mostly(namespaces),
    name: dice.pick(groupNames),
    ...(dice.chance(0.5) && { remote: dice.pick(groupNames) }),
  }),
  run({ namespace, name, remote }, { outside }) {
    outside.spawn('edit-security-group', () =>
      outside.edit({ kind: 'SecurityGroup', namespace, name }, `operator:${namespace}`, (group) => ({
        ...group,
        spec: { ...group.spec, rules: rulesOf(remote) },
      })),
    )
  },
})

export const deleteGroup = happeningKind<Named>({
  name: 'delete-security-group',
  fault: false,
  weight: 2,
  draw: (dice) => ({ namespace: dice.mostly(namespaces), name: dice.pick(groupNames) }),
  run: ({ namespace, name }, { outside }) =>
    outside.spawn('delete-security-group', () => outside.remove({ kind: 'SecurityGroup', namespace, name }, `operator:${namespace}`)),
})
