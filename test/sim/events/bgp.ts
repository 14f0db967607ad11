// Groups of BGP that come, change and go, owners who agree to them and take that back, and Subnets whose addresses are host routes.
import { bgpFinalizer } from '../../../core/kinds/annotations.ts'
import type { SpecOf } from '../../../core/kinds/index.ts'
import type { Dice } from '../dice.ts'
import { lateWorkers } from './stale.ts'
import { happeningKind, type HappeningKind, type World } from '../happening.ts'
import { blocks, namespaces, nodeAddress, nodeNames, subnetNames, vpcNames } from '../layout.ts'
import { gatewayAddress, gatewayAs, outsideBlock } from '../world/routing/gateway.ts'
import { kill } from './kill.ts'
import { vpcs } from './peering.ts'
import { cutOff, loseNode } from './node.ts'

export const sessionGroups = ['edge', 'core'] as const

interface DrawnGroup {
  readonly name: string
  readonly subnets: readonly { readonly namespace: string; readonly name: string }[]
  readonly imports: readonly string[]
  readonly reflectors: boolean
  /** What comes in from the gateway outside; absent: nobody speaks with it. */
  readonly gateway?: keyof typeof letIn
  /** Its next hops are the nodes that tell it. */
  readonly multihop?: boolean
  readonly bfd?: boolean
  /** It misses a neighbour after a daemon could have come again. */
  readonly slowBfd?: boolean
  readonly restart?: boolean
}
type Rules = NonNullable<NonNullable<SpecOf<'BGPSessionGroup'>['peers']>[number]['import']>
const letIn = {
  default: [{ action: 'accept', prefix: '0.0.0.0/0' }],
  some: [{ action: 'accept', prefix: outsideBlock }],
  all: [
    { action: 'accept', prefix: '0.0.0.0/0' },
    { action: 'accept', prefix: '0.0.0.0/0', le: 32 },
  ],
} satisfies Readonly<Record<string, Rules>>
/** Short, so that a neighbour that is lost is missed within a case. */
export const timers = { holdSeconds: 9, keepaliveSeconds: 3 }
export const restartSeconds = 20
export const detection = { quick: { intervalMilliseconds: 100, multiplier: 3 }, slow: { intervalMilliseconds: 1_000, multiplier: 6 } }
const places = namespaces.flatMap((namespace) => subnetNames.map((name) => ({ namespace, name })))

const drawGroup = (dice: Dice): DrawnGroup => ({
  name: dice.mostly(sessionGroups),
  subnets: places.filter(() => dice.chance(0.8)),
  imports: vpcs.filter(() => dice.chance(0.6)),
  reflectors: dice.chance(0.3),
  ...(dice.chance(0.7) && { gateway: dice.pick(['default', 'some', 'all', 'all'] as const) }),
  multihop: dice.chance(0.4),
  bfd: dice.chance(0.5),
  slowBfd: dice.chance(0.3),
  restart: dice.chance(0.5),
})

/** All that can be, in one group. */
export const everything = (dice: Dice): DrawnGroup => ({
  ...drawGroup(dice),
  subnets: places,
  imports: vpcs,
  gateway: dice.pick(['default', 'all'] as const),
})

const specOf = ({ subnets, imports, reflectors, gateway, multihop, bfd, slowBfd, restart }: DrawnGroup): SpecOf<'BGPSessionGroup'> => ({
  as: 64512,
  mesh: {
    ...(reflectors ? { mode: 'reflectors', reflectors: { nodes: {} } } : { mode: 'full' }),
    timers,
    ...(bfd === true && { bfd: slowBfd === true ? detection.slow : detection.quick }),
  },
  ...(gateway !== undefined && {
    peers: [
      {
        name: 'gateway',
        address: gatewayAddress,
        as: gatewayAs,
        timers,
        import: letIn[gateway],
        ...(multihop === true && { multihop: 2 }),
      },
    ],
  }),
  ...(restart === true && { gracefulRestart: { seconds: restartSeconds } }),
  advertise: { subnets: [...subnets] },
  imports: imports.map((vpc) => ({ vpc })),
})

/** As an operator does it, whom admission has nothing to say against. */
function putGroup(given: DrawnGroup, { outside, site: { truth } }: World): void {
  const before = truth.at('BGPSessionGroup', given.name)
  const [spec, metadata] = [specOf(given), { name: given.name, finalizers: [bgpFinalizer] }]
  outside.write('admin', () =>
    before === undefined
      ? truth.commit([{ do: 'create', draft: { kind: 'BGPSessionGroup', metadata, spec } }], 'admin')
      : truth.commit([{ do: 'update', item: { ...before, spec } }], 'admin'),
  )
}

export const putSessionGroup = happeningKind<DrawnGroup>({
  name: 'put-session-group',
  fault: false,
  weight: 10,
  draw: drawGroup,
  run: putGroup,
})

const deleteSessionGroup = happeningKind<{ readonly name: string }>({
  name: 'delete-session-group',
  fault: false,
  weight: 3,
  draw: (dice) => ({ name: dice.mostly(sessionGroups) }),
  run: ({ name }, { outside, site: { truth } }) =>
    outside.write('admin', () => truth.commit([{ do: 'delete', ref: { kind: 'BGPSessionGroup', name } }], 'admin')),
})

export const agree = happeningKind<{ readonly namespace: string; readonly name: string; readonly groups: string[] }>({
  name: 'agree-to-groups',
  fault: false,
  weight: 8,
  draw: (dice) => ({
    namespace: dice.mostly(namespaces),
    name: dice.mostly(vpcNames),
    groups: sessionGroups.filter(() => dice.chance(0.8)),
  }),
  run({ namespace, name, groups }, { outside }) {
    outside.spawn('agree-to-groups', () =>
      outside.edit({ kind: 'Vpc', namespace, name }, `provider:${namespace}`, (vpc) => ({
        ...vpc,
        spec: { ...vpc.spec, bgpSessionGroups: groups },
      })),
    )
  },
})

export const createRoutedSubnet = happeningKind<{
  readonly namespace: string
  readonly name: string
  readonly vpc: string
  readonly cidr: string
}>({
  name: 'create-routed-subnet',
  fault: false,
  weight: 6,
  draw: (dice) => ({
    namespace: dice.mostly(namespaces),
    name: dice.mostly(subnetNames),
    vpc: dice.mostly(vpcNames),
    cidr: dice.pick(blocks),
  }),
  run({ namespace, name, vpc, cidr }, { outside }) {
    outside.spawn('create-routed-subnet', () =>
      outside.create({ kind: 'Subnet', metadata: { namespace, name }, spec: { vpc, mode: 'l3', ipv4: { cidr } } }, `provider:${namespace}`),
    )
  },
})

export const ofBgp: readonly HappeningKind[] = [putSessionGroup, deleteSessionGroup, agree, createRoutedSubnet]

/** BIRD ends, as kill -9 does it; the agent starts it again. */
const killDaemon = happeningKind<{ readonly node: string }>({
  name: 'kill-bgp-daemon',
  fault: true,
  weight: 3,
  draw: (dice) => ({ node: dice.pick(nodeNames) }),
  run: ({ node }, { routing }) => routing.kill(node),
})

/** Nothing passes between two nodes, or a node and the gateway. */
const cutLink = happeningKind<{ readonly from: string; readonly to: string; readonly ms: number }>({
  name: 'cut-link',
  fault: true,
  weight: 3,
  draw(dice) {
    const from = dice.pick(nodeNames)
    const to = dice.pick([gatewayAddress, ...nodeNames.filter((name) => name !== from).map(nodeAddress)])
    return { from: nodeAddress(from), to, ms: dice.between(100, dice.chance(0.5) ? 2_000 : 20_000) }
  },
  run: ({ from, to, ms }, { routing }) => routing.cut(from, to, ms),
})

export const faultsOfRoutes: readonly HappeningKind[] = [killDaemon, cutLink]
/** Workers that hear late of what decides who says what. */
export const lateOfBgp = lateWorkers(['BGPSpeaker', 'PrefixLock', 'BGPSessionGroup', 'Vpc', 'Port'])
export const faultsOfBgp = [
  kill,
  cutOff,
  ...faultsOfRoutes,
  { ...loseNode, draw: (dice: Dice) => ({ name: dice.pick(nodeNames), backMs: dice.between(5_000, 25_000) }) },
]
