// Pods with blocks behind them, and owners of Subnets who allow that and take it back.
import type { Dice } from '../dice.ts'
import { happeningKind, type HappeningKind } from '../happening.ts'
import { namespaces, subnetNames } from '../layout.ts'
import { createPod } from './pod.ts'
import { lateWorkers } from './stale.ts'

/** None overlaps a Subnet's. The last has the first in it. */
export const blocksBehind = ['10.9.0.0/24', '10.9.1.0/24', '10.9.0.0/16'] as const

interface DrawnWord {
  readonly namespace: string
  readonly name: string
  readonly allowed: { readonly cidr: string; readonly namespaces?: string[] }[]
}

const drawWord = (dice: Dice): DrawnWord => ({
  namespace: dice.mostly(namespaces),
  name: dice.mostly(subnetNames),
  allowed: blocksBehind.flatMap((cidr) => (dice.chance(0.6) ? [{ cidr, ...(dice.chance(0.6) && { namespaces: [...namespaces] }) }] : [])),
})

export const allowBlocks = happeningKind<DrawnWord>({
  name: 'allow-routed-blocks',
  fault: false,
  weight: 12,
  draw: drawWord,
  run({ namespace, name, allowed }, { outside }) {
    outside.spawn('allow-routed-blocks', () =>
      outside.edit({ kind: 'Subnet', namespace, name }, `provider:${namespace}`, (subnet) => ({
        ...subnet,
        spec: { ...subnet.spec, allowedRoutedBlocks: allowed },
      })),
    )
  },
})

/** A pod that is a router. */
export function drawRouter(dice: Dice): ReturnType<typeof createPod.draw> {
  const behind = blocksBehind.filter(() => dice.chance(0.5))
  return { ...createPod.draw(dice), nics: [{ subnet: dice.mostly(subnetNames), routedBlocks: behind }], follows: false }
}

export const ofRoutedBlocks: readonly HappeningKind[] = [allowBlocks]
/** Workers that hear late of what decides whose a block is. */
export const lateOfRoutedBlocks = lateWorkers(['SegmentLock', 'Vpc', 'Subnet', 'Port'])
