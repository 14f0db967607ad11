// A Port that somebody makes by hand: with or without an address of its own, on a node or for a pod to come.
import { happeningKind, type World } from '../happening.ts'
import { addresses, groupNames, macs, namespaces, nodeNames, portNames, sinks, subnetNames } from '../layout.ts'

interface Named {
  readonly namespace: string
  readonly name: string
}
interface PortRequest extends Named {
  readonly subnet: string
  readonly ips?: string[]
  readonly callbackURL?: string
  readonly node?: string
  readonly addressed?: boolean
  readonly mac?: string
  readonly portID?: string
  readonly securityGroups?: string[]
  /** Whoever made it edits it so many milliseconds later, while it is being served. */
  readonly editedAfterMs?: number
}
export const createPort = happeningKind<PortRequest>({
  name: 'create-port',
  fault: false,
  weight: 12,
  draw(dice) {
    const namespace = dice.mostly(namespaces)
    const owner = dice.chance(0.7) ? namespace : dice.mostly(namespaces)
    return {
      namespace,
      name: dice.mostly(portNames),
      subnet: owner === namespace ? dice.mostly(subnetNames) : `${owner}/${dice.mostly(subnetNames)}`,
      ...(dice.chance(0.4) && { ips: [dice.mostly(addresses)] }),
      ...(dice.chance(0.5) && { callbackURL: dice.pick(sinks) }),
      ...(dice.chance(0.3) && { node: dice.mostly(nodeNames), addressed: dice.chance(0.5) }),
      ...(dice.chance(0.15) && { mac: dice.pick(macs) }),
      ...(dice.chance(0.3) && { portID: 'door' }),
      ...(dice.chance(0.4) && { securityGroups: [dice.pick(groupNames)] }),
      ...(dice.chance(0.4) && { editedAfterMs: dice.between(1, 60) }),
    }
  },
  run({ namespace, name, editedAfterMs, ...spec }, { outside, site }) {
    outside.spawn('create-port', () => outside.create({ kind: 'Port', metadata: { namespace, name }, spec }, `operator:${namespace}`))
    if (editedAfterMs !== undefined)
      site.scheduler.after(editedAfterMs, 'edit', () => edit({ namespace, name, callbackURL: sinks[0] }, outside))
  },
})

function edit({ namespace, name, callbackURL }: Named & { readonly callbackURL?: string | undefined }, outside: World['outside']): void {
  outside.spawn('edit-port', () =>
    outside.edit({ kind: 'Port', namespace, name }, `operator:${namespace}`, (port) => {
      const { callbackURL: _, ...spec } = port.spec
      return { ...port, spec: { ...spec, ...(callbackURL !== undefined && { callbackURL }) } }
    }),
  )
}

export const editPort = happeningKind<Named & { readonly callbackURL?: string }>({
  name: 'edit-port',
  fault: false,
  weight: 3,
  draw: (dice) => ({
    namespace: dice.mostly(namespaces),
    name: dice.mostly(portNames),
    ...(dice.chance(0.7) && { callbackURL: dice.pick(sinks) }),
  }),
  run: (which, { outside }) => edit(which, outside),
})

/** It is judged by others from then on. */
export const joinGroups = happeningKind<Named & { readonly securityGroups: string[] }>({
  name: 'join-groups',
  fault: false,
  weight: 5,
  draw: (dice) => ({
    namespace: dice.mostly(namespaces),
    name: dice.mostly(portNames),
    securityGroups: dice.chance(0.3) ? [] : [...new Set([dice.pick(groupNames), dice.pick(groupNames)])],
  }),
  run({ namespace, name, securityGroups }, { outside }) {
    outside.spawn('join-groups', () =>
      outside.edit({ kind: 'Port', namespace, name }, `operator:${namespace}`, (port) => ({
        ...port,
        spec: { ...port.spec, securityGroups },
      })),
    )
  },
})

export const deletePort = happeningKind<Named>({
  name: 'delete-port',
  fault: false,
  weight: 5,
  draw: (dice) => ({ namespace: dice.mostly(namespaces), name: dice.mostly(portNames) }),
  run: ({ namespace, name }, { outside }) =>
    outside.spawn('delete-port', () => outside.remove({ kind: 'Port', namespace, name }, `operator:${namespace}`)),
})
