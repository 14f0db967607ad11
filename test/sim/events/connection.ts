// Pods that are clients and endpoints of a NetworkService: both come and go and are ready or not, nodes are drained, and the service is
// changed, deleted and made again.
import { poolAnnotation } from '../../../core/kinds/annotations.ts'
import type { SpecOf } from '../../../core/kinds/index.ts'
import type { Dice } from '../dice.ts'
import { happeningKind, type HappeningKind } from '../happening.ts'
import { nodeNames } from '../layout.ts'
import { createPod, deletePod, endPod } from './pod.ts'
import { newSandbox } from './sandbox.ts'
import { podReady } from './service.ts'
import { lateWorkers } from './stale.ts'
import { shareVpc } from './vpc.ts'

/** A network of their own, which its owner shares with another. */
export const joined = { namespace: 'a', guest: 'b', vpc: 'mesh', subnet: 'mesh', cidr: '10.8.0.0/28', service: 'dns' } as const
const serverNames = ['e1', 'e2', 'e3'] as const
const clientNames = ['c1', 'c2', 'c3'] as const
const zones = ['z1', 'z2'] as const
const clientApps = ['x', 'y'] as const

/** What leads clients to endpoints: everybody to all of them, or by labels. */
export const matchesDrawn = {
  all: undefined,
  'by zone': [{ source_selector: { app: 'x' }, routes: [{ destination_selector: { zone: 'z1' } }] }, { routes: [{}] }],
  'one zone': [{ routes: [{ destination_selector: { zone: 'z2' } }] }],
} as const
type Matches = keyof typeof matchesDrawn

const of = { namespace: joined.namespace, name: joined.service } as const
const by = `operator:${joined.namespace}`

export const putJoiningService = happeningKind<{ readonly matches: Matches; readonly rest: boolean }>({
  name: 'put-joining-service',
  fault: false,
  weight: 6,
  draw: (dice) => ({ matches: dice.pick(['all', 'all', 'by zone', 'one zone'] as const), rest: dice.chance(0.5) }),
  run({ matches: named, rest }, { outside }) {
    const matches = matchesDrawn[named]
    const spec = (matches === undefined ? {} : { matches: structuredClone(matches) }) as SpecOf<'NetworkService'>
    const metadata = { ...of, annotations: { [poolAnnotation]: joined.subnet } }
    outside.spawn('put-joining-service', async () => {
      const made = await outside.create({ kind: 'NetworkService', metadata, spec }, by, { rest })
      return made.ok ? made : outside.edit({ kind: 'NetworkService', ...of }, by, (item) => ({ ...item, spec }), { rest })
    })
  },
})

const deleteJoiningService = happeningKind<{ readonly rest: boolean }>({
  name: 'delete-joining-service',
  fault: false,
  weight: 1,
  draw: (dice) => ({ rest: dice.chance(0.5) }),
  run: ({ rest }, { outside }) =>
    outside.spawn('delete-joining-service', () => outside.remove({ kind: 'NetworkService', ...of }, by, { rest })),
})

/** A node by its name, or that of an endpoint. */
type NodeChoice = { readonly name: string } | { readonly of: string }
export const cordonNode = happeningKind<NodeChoice & { readonly takesPods: boolean }>({
  name: 'cordon-node',
  fault: false,
  weight: 8,
  draw: (dice) => ({
    ...(dice.chance(0.5) ? { name: dice.pick(nodeNames) } : { of: dice.pick(serverNames) }),
    takesPods: dice.chance(0.5),
  }),
  run({ takesPods, ...which }, { outside, site: { truth } }) {
    const name = 'name' in which ? which.name : truth.at('Pod', `${joined.namespace}/${which.of}`)?.spec.nodeName
    const before = truth.at('Node', name ?? '')
    if (before === undefined) return
    const { unschedulable: _, ...spec } = before.spec
    const after = { ...before, spec: { ...spec, ...(!takesPods && { unschedulable: true }) } }
    outside.write('admin', () => truth.change(() => [{ key: before.metadata.name, before, after }], 'admin'))
  },
})

interface PodName {
  readonly namespace: string
  readonly name: string
}
/** Over REST an API server would ask admission, which nobody does here: a NIC has the Subnet of its service by admission's word alone. */
const asPod = ({ namespace, name }: PodName, nic: object): object => ({
  namespace,
  name,
  vpc: `${joined.namespace}/${joined.vpc}`,
  nics: [nic],
  fate: 'stored',
  twice: false,
  rest: false,
})
export const drawServer = (dice: Dice, name: string = dice.pick(serverNames)): object =>
  asPod({ namespace: joined.namespace, name }, { serves: joined.service, labels: { zone: dice.pick(zones) } })
export const drawClient = (dice: Dice, name: string = dice.pick(clientNames)): object => {
  const namespace = dice.chance(0.7) ? joined.namespace : joined.guest
  const networkService = `${joined.namespace}/${joined.service}`
  return asPod({ namespace, name }, { networkService, labels: { app: dice.pick(clientApps) } })
}

const drawnServer = (dice: Dice): PodName => ({ namespace: joined.namespace, name: dice.pick(serverNames) })
const drawnClient = (dice: Dice): PodName => ({
  namespace: dice.chance(0.7) ? joined.namespace : joined.guest,
  name: dice.pick(clientNames),
})

/** It serves on, and its data path does not: its node asks it in vain. */
export const answer = happeningKind<{ readonly name: string; readonly answers: boolean }>({
  name: 'answer-neighbours',
  fault: false,
  weight: 14,
  draw: (dice) => ({ name: dice.pick(serverNames), answers: dice.chance(0.5) }),
  run({ name, answers }, { machines: { neighbours } }) {
    const pod = `${joined.namespace}/${name}`
    if (answers) neighbours.mute.delete(pod)
    else neighbours.mute.add(pod)
  },
})

export const ofConnections: readonly HappeningKind[] = [putJoiningService, deleteJoiningService, cordonNode]
/** Beside these, in cases in which endpoints are asked by their nodes. */
export const ofMuteEndpoints: readonly HappeningKind[] = [
  answer,
  // Its interface is another one then, of the same name.
  { ...newSandbox, draw: (dice) => ({ ...newSandbox.draw(dice), ...drawnServer(dice) }) },
]
/** What happens to any pod and any Vpc, here to those of the service. */
export const ofJoinedPods = [
  { ...createPod, weight: 14, draw: (dice: Dice) => drawServer(dice) },
  { ...createPod, weight: 16, draw: (dice: Dice) => drawClient(dice) },
  { ...deletePod, weight: 8, draw: drawnServer },
  { ...deletePod, weight: 5, draw: drawnClient },
  { ...endPod, weight: 3, draw: drawnServer },
  { ...podReady, weight: 14, draw: (dice: Dice) => ({ ...drawnServer(dice), ready: dice.chance(0.6) }) },
  { ...shareVpc, weight: 2, draw: (dice: Dice) => sharing(dice.chance(0.7)) },
]
export const sharing = (isShared: boolean): object => ({
  namespace: joined.namespace,
  name: joined.vpc,
  with: isShared ? [joined.guest] : [],
})
/** Workers that hear late of what decides which endpoint a client has. */
export const lateOfConnections = lateWorkers([
  'Connection',
  'NetworkService',
  'NetworkServiceEndpoint',
  'Port',
  'Pod',
  'Node',
  'SecurityGroup',
])
