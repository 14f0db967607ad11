// What may happen beside what happens in every case, in one of thirty.
import type { Dice } from './dice.ts'
import { drawHappenings, drawTimes, stormMs, type Drawable } from './drawing.ts'
import { lateOfBroadcast, ofBroadcast, sayBroadcast } from './events/broadcast.ts'
import { agree, putSessionGroup } from './events/bgp.ts'
import {
  chainTalkers,
  drawChains,
  drawFunction,
  drawTalker,
  forward,
  lateOfChains,
  ofChainedPods,
  ofChains,
  putChains,
} from './events/chain.ts'
import {
  cordonNode,
  answer,
  drawClient,
  drawServer,
  joined,
  lateOfConnections,
  ofConnections,
  ofJoinedPods,
  ofMuteEndpoints,
  putJoiningService,
  sharing,
} from './events/connection.ts'
import {
  egressClassNames,
  egressPool,
  lateOfEgress,
  lateOfPools,
  nameEgressClass,
  ofEgress,
  pooledClass,
  poolGroup,
  putEgressClass,
  putPooledClass,
} from './events/egress.ts'
import { kill } from './events/kill.ts'
import { lateOfNetworkServices, ofNetworkServices } from './events/network-service.ts'
import { createPod, deletePod } from './events/pod.ts'
import { vpcs } from './events/peering.ts'
import { allowBlocks, blocksBehind, drawRouter, lateOfRoutedBlocks, ofRoutedBlocks } from './events/routed-blocks.ts'
import { lateOfScalers, ofScalers, putScaler, scaled, setReplicas } from './events/scaler.ts'
import { podReady } from './events/service.ts'
import { createSubnet } from './events/subnet.ts'
import { createVpc, shareVpc } from './events/vpc.ts'
import type { Happening, HappeningKind } from './happening.ts'
import { blocks, chained, functionPods, namespaces, nodeNames, podNames, subnetNames, vpcNames } from './layout.ts'

const share = 0.033
/** When what is to be there at rest begins to be said, whatever was said before. */
const lastMs = stormMs - 8_000

type Kinds = readonly (Drawable & Pick<HappeningKind, 'weight'>)[]

const drawn = (kinds: Kinds, dice: Dice): readonly Happening[] =>
  drawHappenings(
    drawTimes(dice.between(20, 50), dice),
    kinds.map((kind) => [kind, kind.weight] as const),
    dice,
  ).filter(({ at }) => at < lastMs)

/** Networks carry broadcast, or do not. */
export function broadcastOf(dice: Dice): readonly Happening[] {
  if (!dice.chance(share)) return []
  return [
    ...secondSubnets(1_500),
    ...pods(3_000, dice),
    ...drawn([...ofBroadcast, lateOfBroadcast, kill, { ...createPod, weight: 12 }], dice),
    ...words(lastMs, dice),
    ...pods(lastMs + 2_000, dice),
  ]
}

/** Vpcs send to the world outside, or do not. */
export function egressOf(dice: Dice): readonly Happening[] {
  if (!dice.chance(share)) return []
  const [name] = egressClassNames
  return [
    ...pods(3_000, dice),
    ...drawn([...ofEgress, lateOfEgress, kill, { ...createPod, weight: 16 }], dice),
    { at: lastMs, name: putEgressClass.name, args: { name, vpcs: vpcs.filter(() => dice.chance(0.8)) } },
    ...named(lastMs + 100),
    ...pods(lastMs + 2_000, dice),
  ]
}

/** Owners let the first of their Vpcs send. */
const named = (from: number): readonly Happening[] =>
  namespaces.map((namespace, i) => ({
    at: from + 100 * i,
    name: nameEgressClass.name,
    args: { namespace, name: vpcNames[0], egressClass: egressClassNames[0] },
  }))

/** The same from addresses of a pool, while its owner lends it and agrees that it is said. */
export function egressPoolsOf(dice: Dice): readonly Happening[] {
  if (!dice.chance(share)) return []
  const { namespace, name, vpc, cidr } = egressPool
  const ofOwner = { namespace, name: vpc }
  const said = (from: number): readonly Happening[] =>
    [
      { name: createSubnet.name, args: { namespace, name, vpc, cidr } },
      { name: shareVpc.name, args: { ...ofOwner, with: namespaces.filter((each) => each !== namespace) } },
      { name: putSessionGroup.name, args: { name: poolGroup, subnets: [{ namespace, name }], imports: [], reflectors: false } },
      { name: agree.name, args: { ...ofOwner, groups: [poolGroup] } },
      { name: putEgressClass.name, args: pooledClass },
    ].map((each, i) => ({ at: from + 100 * i, ...each }))
  const lends = { ...shareVpc, weight: 4, draw: (of: Dice) => ({ ...ofOwner, with: namespaces.filter(() => of.chance(0.6)) }) }
  const agrees = { ...agree, weight: 4, draw: (of: Dice) => ({ ...ofOwner, groups: of.chance(0.6) ? [poolGroup] : [] }) }
  const others = ofEgress.filter((kind) => kind.name !== putEgressClass.name)
  return [
    ...said(1_500),
    ...named(2_100),
    ...pods(3_000, dice),
    ...drawn(
      [putPooledClass, ...others, lends, agrees, lateOfPools, kill, { ...createPod, weight: 16 }, { ...deletePod, weight: 10 }],
      dice,
    ),
    ...said(lastMs),
    ...named(lastMs + 600),
    ...pods(lastMs + 2_000, dice),
  ]
}

/** Pods have blocks behind them. */
export function routedBlocksOf(dice: Dice): readonly Happening[] {
  if (!dice.chance(share)) return []
  const said = (from: number, share: number): readonly Happening[] =>
    namespaces.map((namespace, i) => {
      const allowed = blocksBehind.filter(() => dice.chance(share)).map((cidr) => ({ cidr, namespaces: [...namespaces] }))
      return { at: from + 100 * i, name: allowBlocks.name, args: { namespace, name: subnetNames[0], allowed } }
    })
  const routers = (from: number): readonly Happening[] =>
    [0, 1, 2].map((i) => ({ at: from + 300 * i, name: createPod.name, args: { ...drawRouter(dice), fate: 'stored' } }))
  const router = { ...createPod, draw: drawRouter, weight: 16 }
  return [
    ...said(1_500, 0.9),
    ...routers(3_000),
    ...drawn([...ofRoutedBlocks, lateOfRoutedBlocks, kill, router, { ...deletePod, weight: 8 }], dice),
    ...said(lastMs, 0.9),
    ...routers(lastMs + 2_000),
    // What they have by then is taken from some of them.
    ...said(lastMs + 5_000, 0.5),
  ]
}

/** Blocks that no other Subnet of the Vpc has. */
const secondBlocks = { a: blocks[1], b: blocks[0], h: blocks[0] } as const
const secondSubnets = (from: number): readonly Happening[] =>
  namespaces.map((namespace, i) => ({
    at: from + 100 * i,
    name: createSubnet.name,
    args: { namespace, name: subnetNames[1], vpc: vpcNames[0], cidr: secondBlocks[namespace] },
  }))

/** One of each Subnet at least. */
const pods = (from: number, dice: Dice): readonly Happening[] =>
  namespaces.flatMap((namespace, i) =>
    subnetNames.map((subnet, j) => ({
      at: from + 500 * i + 200 * j,
      name: createPod.name,
      args: {
        ...createPod.draw(dice),
        namespace,
        name: podNames[j],
        vpc: vpcNames[0],
        nics: [{ subnet }],
        fate: 'stored',
        follows: false,
      },
    })),
  )

const words = (from: number, dice: Dice): readonly Happening[] =>
  namespaces.flatMap((namespace, i) => {
    const said = (kind: 'Vpc' | 'Subnet', name: string): object => ({ kind, namespace, name, ...saysDrawn(dice) })
    return [said('Vpc', vpcNames[0]), ...subnetNames.map((name) => said('Subnet', name))].map((args, j) => ({
      at: from + 300 * i + 60 * j,
      name: sayBroadcast.name,
      args,
    }))
  })

const saysDrawn = (dice: Dice): object => {
  const says = dice.pick([true, false, undefined] as const)
  return says === undefined ? {} : { says }
}

/** In one case of eight endpoints of NetworkServices come, are refreshed, and go. */
export function networkServicesOf(dice: Dice): readonly Happening[] {
  return dice.chance(0.125) ? drawn([...ofNetworkServices, lateOfNetworkServices, kill], dice) : []
}

/** In one case of ten pods are clients and endpoints of a NetworkService. */
export function connectionsOf(dice: Dice): readonly Happening[] {
  if (!dice.chance(0.1)) return []
  const { namespace, vpc, subnet, cidr, guest } = joined
  const said = (from: number, more: readonly Omit<Happening, 'at'>[]): readonly Happening[] =>
    more.map((each, i) => ({ at: from + 150 * i, ...each }))
  const pods = (from: number): readonly Happening[] =>
    said(from, [
      ...['e1', 'e2'].map((name) => ({ name: createPod.name, args: drawServer(dice, name) })),
      ...['c1', 'c2'].map((name) => ({ name: createPod.name, args: drawClient(dice, name) })),
    ])
  const service = { name: putJoiningService.name, args: { matches: 'all', rest: true } }
  const mute = dice.fork('mute')
  // Their nodes ask them three times a second, which is most of such a case.
  const mayBeMute = mute.chance(0.35)
  const scaling = dice.fork('scaling')
  const isScaled = scaling.chance(0.35)
  return [
    ...said(300, [
      { name: createVpc.name, args: { namespace, name: vpc, rest: false, sharedWith: [guest] } },
      { name: createSubnet.name, args: { namespace, name: subnet, vpc, cidr } },
      service,
    ]),
    ...pods(3_000),
    ...drawn([...ofConnections, ...ofJoinedPods, lateOfConnections, kill, ...(mayBeMute ? ofMuteEndpoints : [])], dice),
    ...(isScaled ? scaledIn(scaling, said) : []),
    ...said(lastMs, [
      service,
      { name: shareVpc.name, args: sharing(true) },
      ...nodeNames.map((name) => ({ name: cordonNode.name, args: { name, takesPods: true } })),
    ]),
    ...pods(lastMs + 2_000),
    // So that some are to be left by whom they have, and others not.
    ...said(lastMs + 5_000, [
      ...['e1', 'e2'].map((name) => ({ name: podReady.name, args: { namespace, name, ready: dice.chance(0.7) } })),
      ...(dice.chance(0.7) ? [{ name: cordonNode.name, args: { of: 'e1', takesPods: false } }] : []),
      ...(mayBeMute ? ['e1', 'e2'].map((name) => ({ name: answer.name, args: { name, answers: mute.chance(0.6) } })) : []),
    ]),
  ]
}

/** Endpoints come for clients that wait: at its end there may be no other, or nobody who waits. */
function scaledIn(dice: Dice, said: (from: number, more: readonly Omit<Happening, 'at'>[]) => readonly Happening[]): readonly Happening[] {
  const { namespace, guest } = joined
  const gone = (namespaces: readonly string[], names: readonly string[]): readonly Omit<Happening, 'at'>[] =>
    namespaces.flatMap((each) => names.map((name) => ({ name: deletePod.name, args: { namespace: each, name } })))
  const put = { name: putScaler.name, args: { deployment: scaled.name, cooldownSeconds: 10 } }
  const [servers, clients] = [gone([namespace], ['e1', 'e2', 'e3']), gone([namespace, guest], ['c1', 'c2', 'c3'])]
  return [
    ...said(1_000, [{ name: setReplicas.name, args: { replicas: 0 } }, put]),
    ...drawn([...ofScalers, lateOfScalers], dice),
    ...said(lastMs, [put, ...(dice.chance(0.5) ? [{ name: setReplicas.name, args: { replicas: 0 } }] : [])]),
    // So that in some cases nobody serves, and then nobody is served.
    ...(dice.chance(0.6) ? said(lastMs + 5_000, servers) : []),
    ...(dice.chance(0.4) ? said(lastMs + 11_000, clients) : []),
  ]
}

/** In one case of twenty-five packets go by service chains, whose functions are pods. */
export function chainsOf(dice: Dice): readonly Happening[] {
  if (!dice.chance(0.04)) return []
  const { namespace, vpc, subnet, cidr } = chained
  const pods = (from: number): readonly Happening[] =>
    [...functionPods, ...chainTalkers].map((name, i) => ({
      at: from + 120 * i,
      name: createPod.name,
      args: i < functionPods.length ? drawFunction(dice, name) : drawTalker(dice, name),
    }))
  const network = { namespace, name: vpc }
  return [
    { at: 300, name: createVpc.name, args: { ...network, rest: false } },
    { at: 450, name: createSubnet.name, args: { namespace, name: subnet, vpc, cidr } },
    ...pods(3_000),
    { at: 5_000, name: putChains.name, args: drawChains(dice, 'wired') },
    ...drawn([...ofChains, ...ofChainedPods, lateOfChains, { ...kill, weight: 6 }], dice),
    ...pods(lastMs),
    // So that some of them are left out at rest.
    ...functionPods.map((name, i) => ({ at: lastMs + 2_000 + 50 * i, name: forward.name, args: { name, forwards: dice.chance(0.8) } })),
    { at: lastMs + 4_000, name: putChains.name, args: drawChains(dice, 'wired') },
  ]
}
