// A case of clouds: a world of its own kind, in which tenants' Vpcs are of a cloud that is slow, fails, and is changed by others.
import { modes, vmsDrawn } from './case.ts'
import { drawHappenings, drawTimes, stormMs, type Weighted } from './drawing.ts'
import { Dice } from './dice.ts'
import { closeCloudPorts } from './events/closing.ts'
import { killAtCloud, ofAlcor, ofClouds, ofNeutron, ofVmsAtClouds } from './events/cloud.ts'
import { happeningKinds } from './events/index.ts'
import { blocksDrawn } from './events/subnet.ts'
import { vmNames, vmNodes } from './events/vm.ts'
import type { Case, Happening } from './happening.ts'
import { subnetNames, vpcNames } from './layout.ts'

const besides: Readonly<Record<string, number>> = {
  'create-subnet': 3,
  'delete-subnet': 2,
  'delete-vpc': 1,
  'create-port': 12,
  'edit-port': 4,
  'delete-port': 8,
  'create-security-group': 4,
  'edit-security-group': 4,
  'delete-security-group': 3,
  'create-pod': 14,
  'end-pod': 3,
  'delete-pod': 8,
  'change-hot-nics': 4,
  kill: 8,
  'call-fault': 4,
  flush: 1,
  twice: 2,
}

const tenants = ['a', 'b'] as const

export function cloudCaseOf(seed: number): Case {
  const dice = new Dice(seed).fork('cloud case')
  const neutron = dice.fork('provider').chance(0.5)
  const alcor = !neutron && dice.fork('alcor').chance(0.5)
  const kinds: Weighted[] = [
    ...[...ofClouds, ...(neutron ? ofNeutron : []), ...(alcor ? ofAlcor : [])].map((kind) => [kind, kind.weight] as const),
    ...Object.entries(besides).map(([name, weight]) => [happeningKinds.get(name)!, weight] as const),
  ]
  const times = drawTimes(dice.between(25, 80), dice)
  const beginning = tenants.flatMap((namespace): Happening[] => [
    { at: dice.between(100, 300), name: 'create-cloud-vpc', args: { namespace, name: vpcNames[0] } },
    {
      at: dice.between(1_000, 3_000),
      name: 'create-subnet',
      args: { namespace, name: subnetNames[0], vpc: vpcNames[0], ...blocksDrawn(dice.fork(namespace)) },
    },
  ])
  const { max, min, reserve } = { max: dice.between(1, 4), min: dice.int(2), reserve: dice.int(5) }
  if (dice.chance(0.6)) beginning.push({ at: dice.between(1, 5_000), name: 'warm-pools', args: { max, min, reserve } })
  const kills = neutron || alcor ? killsAtCloud(dice.fork('kills at the cloud')) : []
  const closing = closingDrawn(dice.fork('closing'))
  const happenings = [...beginning, ...kills, ...closing, ...vmsAtCloud(dice.fork('vms')), ...drawHappenings(times, kinds, dice)].sort(
    (a, b) => a.at - b.at,
  )
  return { seed, mode: dice.pick(modes), clouds: true, neutron, alcor, ...(neutron && neutronDrawn(dice)), happenings }
}

function neutronDrawn(dice: Dice): Pick<Case, 'macs' | 'pace'> {
  const [choosesMacs, isSlow] = ['macs', 'pace'].map((name) => dice.fork(name).chance(0.5))
  return { ...(choosesMacs && { macs: 'cloud' }), ...(isSlow && { pace: 'slow' }) }
}

/** In every second case. Alcor's do not move. */
function vmsAtCloud(dice: Dice): readonly Happening[] {
  if (!dice.chance(0.5)) return []
  const first = tenants.flatMap((namespace) =>
    vmNames.map((name): Happening => ({
      at: dice.between(3_000, 12_000),
      name: 'create-vm',
      args: { namespace, name, subnet: subnetNames[0], node: dice.pick(vmNodes) },
    })),
  )
  return [...first, ...vmsDrawn(dice, ofVmsAtClouds)]
}

/** In every second case, so that in the others pods are served. */
const closingDrawn = (dice: Dice): readonly Happening[] =>
  dice.chance(0.5)
    ? drawHappenings(
        Array.from({ length: dice.between(1, 6) }, () => dice.between(1_000, stormMs - 5_000)),
        [[closeCloudPorts, 1]],
        dice,
      )
    : []

const killsAtCloud = (dice: Dice): readonly Happening[] =>
  drawHappenings(
    Array.from({ length: dice.between(5, 9) }, () => dice.between(2_000, stormMs - 5_000)),
    [[killAtCloud, 1]],
    dice,
  )
