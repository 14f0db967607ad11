// Owners who have a Vpc, or a Subnet of it, carry broadcast, and take that back.
import type { Dice } from '../dice.ts'
import { lateWorkers } from './stale.ts'
import { happeningKind, type HappeningKind } from '../happening.ts'
import { namespaces, subnetNames, vpcNames } from '../layout.ts'

interface DrawnWord {
  readonly kind: 'Vpc' | 'Subnet'
  readonly namespace: string
  readonly name: string
  /** Absent: it says nothing. */
  readonly says?: boolean
}

const words = [true, true, false, undefined] as const

function drawWord(dice: Dice): DrawnWord {
  const kind = dice.pick(['Vpc', 'Subnet'] as const)
  const says = dice.pick(words)
  const name = dice.mostly(kind === 'Vpc' ? vpcNames : subnetNames)
  return { kind, namespace: dice.mostly(namespaces), name, ...(says !== undefined && { says }) }
}

export const sayBroadcast = happeningKind<DrawnWord>({
  name: 'say-broadcast',
  fault: false,
  weight: 14,
  draw: drawWord,
  run({ kind, namespace, name, says }, { outside }) {
    const by = `provider:${namespace}`
    outside.spawn('say-broadcast', () =>
      kind === 'Vpc'
        ? outside.edit({ kind, namespace, name }, by, (item) => ({ ...item, spec: saying(item.spec, says) }))
        : outside.edit({ kind, namespace, name }, by, (item) => ({ ...item, spec: saying(item.spec, says) })),
    )
  },
})

function saying<Spec extends { readonly broadcast?: boolean }>({ broadcast: _, ...spec }: Spec, says: boolean | undefined) {
  return { ...spec, ...(says !== undefined && { broadcast: says }) }
}

export const ofBroadcast: readonly HappeningKind[] = [sayBroadcast]
/** Workers that hear late of what decides which networks carry it. */
export const lateOfBroadcast = lateWorkers(['Vpc', 'Subnet'])
