// A case of VLANs: pods with interfaces in VLANs of external networks, and policies that judge them, on Open vSwitch.
import { modes } from './case.ts'
import { drawHappenings, drawTimes, type Weighted } from './drawing.ts'
import { Dice } from './dice.ts'
import { happeningKinds } from './events/index.ts'
import { attachmentsInVlans, besideVlans, ofVlans, tenant } from './events/vlan.ts'
import type { Case, Happening } from './happening.ts'
import { connectionPoints } from './world/switches.ts'

const besides: Readonly<Record<string, number>> = {
  'delete-pod': 6,
  'delete-policy': 4,
  'relabel-pod': 8,
  kill: 8,
  'call-fault': 5,
  'restart-switch': 5,
  'upgrade-agent': 3,
  'cut-off': 2,
}
const vlanOf = { s1: 100, s2: 101 } as const

export function vlanCaseOf(seed: number): Case {
  const dice = new Dice(seed).fork('VLAN case')
  const kinds: Weighted[] = [
    ...[...ofVlans, ...besideVlans].map((kind) => [kind, kind.weight] as const),
    ...Object.entries(besides).map(([name, weight]) => [happeningKinds.get(name)!, weight] as const),
  ]
  const drawnThings = drawHappenings(drawTimes(dice.between(30, 90), dice), kinds, dice)
  return { seed, mode: dice.pick(modes), vlans: true, happenings: [...beginning(dice), ...drawnThings].sort((a, b) => a.at - b.at) }
}

/** Attachments to begin with: one VLAN, and two. */
function beginning(dice: Dice): readonly Happening[] {
  const [point = ''] = Object.keys(connectionPoints)
  return [
    ...Object.entries(vlanOf).map(([name, vlan]) => ({
      at: dice.between(100, 300),
      name: 'create-l2-service',
      args: { namespace: tenant, name, vlan, gateway: false },
    })),
    ...Object.entries(attachmentsInVlans).map(([name, of]) => ({
      at: dice.between(300, 600),
      name: 'attach-in-vlans',
      args: { namespace: tenant, name, of, at: point },
    })),
  ]
}
