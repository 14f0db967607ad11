// A case from a seed: who does what when, and what goes wrong.
import { broadcastOf, chainsOf, connectionsOf, egressOf, egressPoolsOf, networkServicesOf, routedBlocksOf } from './beside.ts'
import { Dice } from './dice.ts'
import { drawHappenings, drawTimes, stormMs, type Drawable, type Weighted } from './drawing.ts'
import { usualKinds } from './events/index.ts'
import { agree, createRoutedSubnet, everything, faultsOfBgp, lateOfBgp, ofBgp, putSessionGroup, sessionGroups } from './events/bgp.ts'
import { answer } from './events/connection.ts'
import { kill } from './events/kill.ts'
import { createPod } from './events/pod.ts'
import { relabelPod } from './events/policy.ts'
import { ofPages } from './events/page.ts'
import { agreeToPeer, lateOfPeerings, ofPeerings } from './events/peering.ts'
import { setReplicas } from './events/scaler.ts'
import { lateOfServices, ofServices, podReady, putService } from './events/service.ts'
import { blocksDrawn } from './events/subnet.ts'
import { faultsOfVms, ofVms } from './events/vm.ts'
import type { Case, Happening, HappeningKind } from './happening.ts'
import { blocks, namespaces, nodeNames, peeredBlock, sinks, subnetNames, vpcNames, vpcVlans } from './layout.ts'
import type { Mode } from './store.ts'
import type { PlanesOfNodes } from './world/machines.ts'
import { planeNames } from './world/planes/plane.ts'

export const modes: readonly Mode[] = ['kube', 'kube', 'sqlite', 'api']

export function caseOf(seed: number): Case {
  const dice = new Dice(seed).fork('case')
  const mode = dice.pick(modes)
  const kinds = kindsOf(dice)
  const times = drawTimes(dice.between(34, 124), dice)
  const happenings = drawHappenings(times, kinds, dice)
  const looking = pagesOf(new Dice(seed).fork('pages'))
  const vms = vmsOf(new Dice(seed).fork('vms'))
  const routing = new Dice(seed).fork('BGP')
  const bgp = bgpOf(routing)
  const peered = peeringsOf(new Dice(seed).fork('peerings'))
  const beside = bgp.length + peered.length > 0 ? [] : broadcastOf(new Dice(seed).fork('broadcast'))
  const sending = [...egressOf(new Dice(seed).fork('egress')), ...egressPoolsOf(new Dice(seed).fork('egress pools'))]
  const behind = routedBlocksOf(new Dice(seed).fork('routed blocks'))
  const joining = connectionsOf(new Dice(seed).fork('connections'))
  const chains = chainsOf(new Dice(seed).fork('chains'))
  const keepsNamespaces = joining.length + chains.length > 0
  const isApart = peered.length + beside.length > 0
  const usual = bgp.length > 0 ? routed(beginning(dice), routing) : beginning(dice)
  const begun = isApart ? routedPeers(usual.map(apart), peered) : usual
  const served = servicesOf(new Dice(seed).fork('services'))
  const planes = planesFor(chains, new Dice(seed).fork('planes'))
  return {
    seed,
    mode,
    ...(looking !== undefined && { pages: true }),
    ...([bgp, peered, sending, behind].some(({ length }) => length > 0) && { bgp: true }),
    ...chainedBy(chains),
    ...joinedBy(joining),
    planes: vms === undefined ? planes : withTaps(planes),
    happenings: [
      ...begun,
      ...happenings.filter((each) => !(isApart && endsNetworks(each)) && !(keepsNamespaces && endsNamespace(each))),
      ...(looking ?? []),
      ...(vms ?? []),
      ...bgp,
      ...served,
      ...peered,
      ...beside,
      ...sending,
      ...behind,
      ...networkServicesOf(new Dice(seed).fork('network services')),
      ...joining,
      ...chains,
    ].sort((a, b) => a.at - b.at),
  }
}

/** In one case of four there are VMs, which move: beside what happens otherwise. */
function vmsOf(dice: Dice): readonly Happening[] | undefined {
  return dice.chance(0.25) ? vmsDrawn(dice) : undefined
}

/** @param more of what may happen beside */
export function vmsDrawn(dice: Dice, more: readonly (Drawable & Pick<HappeningKind, 'weight'>)[] = []): readonly Happening[] {
  const kinds = [...ofVms, ...faultsOfVms, ...more].map((kind) => [kind, kind.weight] as const)
  return drawHappenings(drawTimes(dice.between(12, 40), dice), kinds, dice)
}

/** In one case of ten there is BGP: beside what happens otherwise. */
function bgpOf(dice: Dice): readonly Happening[] {
  if (!dice.chance(0.1)) return []
  // Where nobody is wired nothing is routed.
  const kinds = [...ofBgp, ...faultsOfBgp, lateOfBgp, { ...createPod, weight: 30 }].map((kind) => [kind, kind.weight] as const)
  const agreed = namespaces.map((namespace) => ({ namespace, name: vpcNames[0], groups: [...sessionGroups] }))
  const first = [
    { at: 3_000, name: putSessionGroup.name, args: putSessionGroup.draw(dice) },
    ...agreed.map((args, i) => ({ at: 4_000 + 1_000 * i, name: agree.name, args })),
  ]
  // So that there is something to be reached at rest, whatever has been taken back before.
  const last = [
    { at: 78_000, name: putSessionGroup.name, args: everything(dice) },
    ...agreed.map((args, i) => ({ at: 79_000 + 200 * i, name: agree.name, args })),
    ...subnetNames.map((name, i) => ({
      at: 79_500,
      name: createRoutedSubnet.name,
      args: { namespace: namespaces[0], name, vpc: vpcNames[0], cidr: blocks[i]! },
    })),
    ...Array.from({ length: 5 }, (_, i) => ({ at: 80_000 + 1_000 * i, name: createPod.name, args: createPod.draw(dice) })),
  ]
  return [...last, ...first, ...drawHappenings(drawTimes(dice.between(30, 70), dice), kinds, dice)]
}

/** Some of the Subnets that are there from the beginning are of mode l3. */
const routed = (all: readonly Happening[], dice: Dice): readonly Happening[] =>
  all.map((each) => {
    if (each.name !== 'create-subnet' || dice.chance(0.4)) return each
    const { namespace, name, vpc } = each.args as { readonly namespace: string; readonly name: string; readonly vpc: string }
    return { ...each, name: createRoutedSubnet.name, args: { namespace, name, vpc, cidr: blocks[namespaces.indexOf(namespace as 'a')]! } }
  })

/** In one case of ten there are Services: beside what happens otherwise. */
function servicesOf(dice: Dice): readonly Happening[] {
  if (!dice.chance(0.1)) return []
  const kinds = [...ofServices, relabelPod, kill, lateOfServices].map((kind) => [kind, kind.weight] as const)
  const first = [putService, putService, relabelPod, podReady].map((kind, i) => ({
    at: 4_000 + 1_000 * i,
    name: kind.name,
    args: kind.draw(dice),
  }))
  return [...first, ...drawHappenings(drawTimes(dice.between(20, 60), dice), kinds, dice)]
}

/** In one case of thirty Vpcs are peered: beside what happens otherwise. */
function peeringsOf(dice: Dice): readonly Happening[] {
  if (!dice.chance(0.033)) return []
  const kinds = [...ofPeerings, lateOfPeerings, kill, { ...createPod, weight: 20 }].map((kind) => [kind, kind.weight] as const)
  // So that there is something to be reached at rest, whatever has been taken back before.
  const last = [...agreedPeers(stormMs - 4_000), ...peeredPods(stormMs - 2_000, dice)]
  const drawn = drawHappenings(drawTimes(dice.between(20, 50), dice), kinds, dice).filter(({ at }) => at < stormMs - 4_000)
  return [...agreedPeers(4_000), ...peeredPods(6_000, dice), ...drawn, ...last, ...announcedPeers(dice.fork('announced'))]
}

/** In half of these what `b` has is l3, and in some what `h` has: a group announces that, does not for a while, and does in the end. */
function announcedPeers(dice: Dice): readonly Happening[] {
  if (!dice.chance(0.5)) return []
  const l3 = dice.chance(0.4) ? (['b', 'h'] as const) : (['b'] as const)
  const subnets = l3.map((namespace) => ({ namespace, name: subnetNames[0] }))
  const agreed = (at: number): readonly Happening[] =>
    l3.map((namespace, i) => ({ at: at + 100 * i, name: agree.name, args: { namespace, name: vpcNames[0], groups: [...sessionGroups] } }))
  const put = (at: number, advertised: typeof subnets): Happening => ({
    at,
    name: putSessionGroup.name,
    args: { ...putSessionGroup.draw(dice), name: sessionGroups[0], subnets: advertised, imports: [] },
  })
  const kinds = [...faultsOfBgp, lateOfBgp, agree].map((kind) => [kind, kind.weight] as const)
  const drawn = drawHappenings(drawTimes(dice.between(5, 20), dice), kinds, dice).filter(({ at }) => at > 5_000 && at < stormMs - 6_000)
  const off = dice.between(15_000, stormMs - 12_000)
  return [
    ...agreed(3_000),
    put(dice.between(3_500, 15_000), subnets),
    ...drawn,
    put(off, []),
    ...(dice.chance(0.5) ? [put(off + dice.between(500, 5_000), subnets)] : []),
    ...agreed(stormMs - 5_000),
    put(stormMs - 4_500, dice.chance(0.8) ? subnets : []),
  ]
}

/** Those of `b`, and of whomever else a group is to announce. */
function routedPeers(all: readonly Happening[], peered: readonly Happening[]): readonly Happening[] {
  const l3 = new Set(
    peered
      .flatMap(({ name, args }) =>
        name === putSessionGroup.name ? (args as { readonly subnets: readonly { readonly namespace: string }[] }).subnets : [],
      )
      .map(({ namespace }) => namespace),
  )
  return all.map((each) => {
    const { namespace, name, vpc, cidr } = each.args as Record<'namespace' | 'name' | 'vpc' | 'cidr', string>
    return each.name === 'create-subnet' && l3.has(namespace)
      ? { ...each, name: createRoutedSubnet.name, args: { namespace, name, vpc, cidr } }
      : each
  })
}

/** `b` with both others: in `a` nearly everybody is judged by policies. */
const agreedPeers = (from: number): readonly Happening[] =>
  (['a', 'h'] as const).flatMap((other, i) =>
    [
      { namespace: 'b', vpc: vpcNames[0], peer: `${other}/${vpcNames[0]}` },
      { namespace: other, vpc: vpcNames[0], peer: `b/${vpcNames[0]}` },
    ].map((args, j) => ({ at: from + 300 * i + 100 * j, name: agreeToPeer.name, args })),
  )

/** One of each owner, in the network that is peered. */
const peeredPods = (from: number, dice: Dice): readonly Happening[] =>
  namespaces.map((namespace, i) => ({
    at: from + 500 * i,
    name: createPod.name,
    args: { ...createPod.draw(dice), namespace, vpc: vpcNames[0], nics: [{ subnet: subnetNames[0] }], fate: 'stored', follows: false },
  }))

/** Late: else hardly anybody would be left to be reached. */
const endsNetworks = ({ at, name }: Happening): boolean => at > stormMs / 2 && /^delete-(vpc|subnet|namespace)$/.test(name)

const endsNamespace = ({ at, name }: Happening): boolean => at > stormMs / 2 && name === 'delete-namespace'

/** Networks to begin with that may be peered, or carry broadcast: of VNIs, with blocks that do not overlap. */
function apart({ args, ...each }: Happening): Happening {
  const { vlan: _, ...more } = args as { readonly namespace: 'a' | 'b' | 'h'; readonly vlan?: number }
  const cidr = { a: blocks[0], b: peeredBlock, h: blocks[1] }[more.namespace]
  return { ...each, args: each.name === 'create-vpc' ? more : { ...more, cidr } }
}

/** BESS has none. */
const withTaps = (planes: PlanesOfNodes): PlanesOfNodes =>
  Object.fromEntries(Object.entries(planes).map(([node, plane]) => [node, plane === 'bess' ? 'ovs' : plane]))

/** In one case of four somebody looks at pages; what happens to them comes beside what happens otherwise. */
function pagesOf(dice: Dice): readonly Happening[] | undefined {
  if (!dice.chance(0.25)) return undefined
  return drawHappenings(
    drawTimes(dice.between(6, 24), dice),
    ofPages.map((kind) => [kind, kind.weight] as const),
    dice,
  )
}

/** Half of the nodes have Open vSwitch; a node's data plane is its own. */
function planesOf(dice: Dice): PlanesOfNodes {
  return Object.fromEntries(nodeNames.map((name) => [name, dice.pick(['ovs', 'ovs', ...planeNames.slice(1)] as const)]))
}

const chainedBy = ({ length }: readonly Happening[]): Pick<Case, 'chains'> => (length > 0 ? { chains: true } : {})

function joinedBy(all: readonly Happening[]): Pick<Case, 'neighbours' | 'deployments'> {
  const has = (kind: HappeningKind): boolean => all.some(({ name }) => name === kind.name)
  return { ...(has(answer) && { neighbours: true }), ...(has(setReplicas) && { deployments: true }) }
}

/** Nothing is handed to functions by others than Open vSwitch. */
const planesFor = (chains: readonly Happening[], dice: Dice): PlanesOfNodes =>
  chains.length === 0 || dice.chance(0.3) ? planesOf(dice) : Object.fromEntries(nodeNames.map((name) => [name, 'ovs' as const]))

/** A network for each tenant to begin with, or nothing would ever happen in them. */
function beginning(dice: Dice): readonly Happening[] {
  const name = vpcNames[0]
  return namespaces.flatMap((namespace) => [
    {
      at: dice.between(100, 300),
      name: 'create-vpc',
      args: {
        namespace,
        name,
        rest: false,
        ...(dice.chance(0.5) && { callbackURL: dice.pick(sinks) }),
        ...(namespace === 'a' && dice.chance(0.6) && { sharedWith: ['b'] }),
        ...(namespace === 'b' && dice.chance(0.3) && { vlan: vpcVlans[0] }),
      },
    },
    { at: dice.between(250, 900), name: 'create-subnet', args: { namespace, name: subnetNames[0], vpc: name, ...blocksDrawn(dice) } },
  ])
}

/** Each case has its own weather: some kinds of faults often, some never. */
function kindsOf(dice: Dice): readonly Weighted[] {
  const calm = dice.chance(0.1)
  return usualKinds.map(
    (kind) => [kind, kind.fault ? (calm || dice.chance(0.35) ? 0 : kind.weight * (0.3 + dice.next() * 2)) : kind.weight] as const,
  )
}
