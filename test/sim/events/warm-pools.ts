// Ports made ahead at a cloud: how many, whoever takes them, and what becomes of them beside that.
import { refOf } from '../../../core/kinds/index.ts'
import { happeningKind, type HappeningKind } from '../happening.ts'
import { subnetNames } from '../layout.ts'

const tenants = ['a', 'b'] as const

/** Whoever looks after the cloud has Ports made ahead there, in other numbers than before, or no more. */
const warmPools = happeningKind<{ readonly max: number; readonly min: number; readonly reserve: number }>({
  name: 'warm-pools',
  fault: false,
  weight: 2,
  draw: (dice) => ({ max: dice.int(4), min: dice.int(3), reserve: 0 }),
  run({ max, min, reserve }, { outside }) {
    outside.spawn('warm-pools', () =>
      outside.edit({ kind: 'Cloud', name: 'c' }, 'provider', (cloud) => {
        const { warmPools: _, ...spec } = cloud.spec
        return { ...cloud, spec: { ...spec, ...(max > 0 && { warmPools: { max, min: Math.min(min, max), reserve } }) } }
      }),
    )
  },
})

/** A Port that names nothing, and so takes what was made ahead: it comes, and the next time it goes. */
const plainPort = happeningKind<{ readonly namespace: string; readonly name: string }>({
  name: 'plain-port',
  fault: false,
  weight: 24,
  draw: (dice) => ({ namespace: dice.pick(tenants), name: `plain-${dice.int(3)}` }),
  run({ namespace, name }, { outside, site }) {
    const who = `operator:${namespace}`
    const ref = { kind: 'Port', namespace, name } as const
    const spec = { subnet: subnetNames[0] }
    outside.spawn('plain-port', () =>
      site.truth.get(ref) === undefined
        ? outside.create({ kind: 'Port', metadata: { namespace, name }, spec }, who)
        : outside.remove(ref, who),
    )
  },
})

/** Its tenant does what he may to a Port made ahead, and tries the rest. */
const touchEntry = happeningKind<{ readonly nth: number; readonly how: 'delete' | 'group' | 'keep' }>({
  name: 'touch-entry',
  fault: true,
  weight: 3,
  draw: (dice) => ({ nth: dice.int(6), how: dice.pick(['delete', 'group', 'keep'] as const) }),
  run({ nth, how }, { outside, site }) {
    const entries = [...site.truth.values('Port')].filter(({ spec }) => spec.warm !== undefined)
    const entry = entries[nth % Math.max(1, entries.length)]
    if (entry === undefined) return
    const who = `operator:${entry.metadata.namespace ?? ''}`
    if (how === 'delete') return outside.spawn('touch-entry', () => outside.remove(refOf(entry), who))
    const change = how === 'group' ? { securityGroups: ['g1'] } : { warm: { for: { name: 'nobody', uid: 'nobody' } } }
    outside.spawn('touch-entry', () => outside.edit(refOf(entry), who, (port) => ({ ...port, spec: { ...port.spec, ...change } })))
  },
})

export const ofPools: readonly HappeningKind[] = [warmPools, plainPort, touchEntry]
