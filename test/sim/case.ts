// A case from a seed: who does what when, and what goes wrong.
import { Dice } from './dice.ts'
import { usualKinds } from './events/index.ts'
import { ofPages } from './events/page.ts'
import { blocksDrawn } from './events/subnet.ts'
import { faultsOfVms, ofVms } from './events/vm.ts'
import type { Case, Happening, HappeningKind } from './happening.ts'
import { namespaces, nodeNames, sinks, subnetNames, vpcNames, vpcVlans } from './layout.ts'
import type { Mode } from './store.ts'
import type { PlanesOfNodes } from './world/machines.ts'
import { planeNames } from './world/planes/plane.ts'

/** How long things happen, in virtual milliseconds; afterwards nothing goes wrong any more. */
export const stormMs = 90_000

export const modes: readonly Mode[] = ['kube', 'kube', 'sqlite', 'api']

type Drawable = Pick<HappeningKind, 'name' | 'draw'>
export type Weighted = readonly [kind: Drawable, weight: number]

export function caseOf(seed: number): Case {
  const dice = new Dice(seed).fork('case')
  const mode = dice.pick(modes)
  const kinds = kindsOf(dice)
  const times = drawTimes(dice.between(34, 124), dice)
  const happenings = drawHappenings(times, kinds, dice)
  const looking = pagesOf(new Dice(seed).fork('pages'))
  const vms = vmsOf(new Dice(seed).fork('vms'))
  const planes = planesOf(new Dice(seed).fork('planes'))
  return {
    seed,
    mode,
    ...(looking !== undefined && { pages: true }),
    planes: vms === undefined ? planes : withTaps(planes),
    happenings: [...beginning(dice), ...happenings, ...(looking ?? []), ...(vms ?? [])].sort((a, b) => a.at - b.at),
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

export const drawTimes = (count: number, dice: Dice): readonly number[] =>
  Array.from({ length: count }, () => Math.round(dice.next() * stormMs)).sort((a, b) => a - b)

/** What happens at each of these times, by the weights of its kinds. */
export const drawHappenings = (times: readonly number[], kinds: readonly Weighted[], dice: Dice): readonly Happening[] =>
  times.map((at, i) => drawn(weighted(kinds, dice), at, dice.fork(`happening ${i}`)))

function weighted(kinds: readonly Weighted[], dice: Dice): Drawable {
  let left = dice.next() * kinds.reduce((sum, [, weight]) => sum + weight, 0)
  for (const [kind, weight] of kinds) if ((left -= weight) < 0) return kind
  return kinds[0]![0]
}

const drawn = (kind: Drawable, at: number, dice: Dice): Happening => ({ at, name: kind.name, args: kind.draw(dice) })
