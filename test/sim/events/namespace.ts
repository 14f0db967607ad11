// A namespace is deleted in the middle of everything, and made anew.
import { happeningKind } from '../happening.ts'
import { namespaces } from '../layout.ts'

export const deleteNamespace = happeningKind<{ readonly name: string }>({
  name: 'delete-namespace',
  fault: false,
  weight: 1,
  draw: (dice) => ({ name: dice.mostly(namespaces) }),
  run({ name }, { outside, site }) {
    outside.write('admin', () => site.truth.commit([{ do: 'delete', ref: { kind: 'Namespace', name } }], 'admin'))
  },
})

export const createNamespace = happeningKind<{ readonly name: string }>({
  name: 'create-namespace',
  fault: false,
  weight: 2,
  draw: (dice) => ({ name: dice.mostly(namespaces) }),
  run({ name }, { outside, site }) {
    outside.write('admin', () => site.truth.commit([{ do: 'create', draft: { kind: 'Namespace', metadata: { name }, spec: {} } }], 'admin'))
  },
})
