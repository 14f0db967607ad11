// An EndpointScaler of the NetworkService of a case, whose Deployment its owner makes, scales and takes away too.
import type { SpecOf } from '../../../core/kinds/index.ts'
import { happeningKind, type HappeningKind } from '../happening.ts'
import { joined } from './connection.ts'
import { lateWorkers } from './stale.ts'

const of = { namespace: joined.namespace, name: joined.service } as const
const by = `operator:${joined.namespace}`
export const scaled = { namespace: joined.namespace, name: 'dns-server' } as const

export const putScaler = happeningKind<{ readonly deployment: string; readonly cooldownSeconds: number }>({
  name: 'put-scaler',
  fault: false,
  weight: 6,
  draw: (dice) => ({
    deployment: dice.chance(0.9) ? scaled.name : 'another',
    cooldownSeconds: dice.pick([10, 10, 20]),
  }),
  run({ deployment, cooldownSeconds }, { outside, site }) {
    // Without an API server there are no Deployments.
    if (site.mode === 'sqlite') return
    const spec: SpecOf<'EndpointScaler'> = { scaleTargetRef: { name: deployment }, cooldownSeconds }
    outside.spawn('put-scaler', async () => {
      const made = await outside.create({ kind: 'EndpointScaler', metadata: { ...of }, spec }, by)
      return made.ok ? made : outside.edit({ kind: 'EndpointScaler', ...of }, by, (item) => ({ ...item, spec }))
    })
  },
})

const deleteScaler = happeningKind({
  name: 'delete-scaler',
  fault: false,
  weight: 1,
  draw: () => ({}),
  run: (_, { outside }) => outside.spawn('delete-scaler', () => outside.remove({ kind: 'EndpointScaler', ...of }, by)),
})

/** Absent: it goes. */
interface Replicas {
  readonly replicas?: number
}
export const setReplicas = happeningKind<Replicas>({
  name: 'set-replicas',
  fault: false,
  weight: 5,
  draw: (dice) => (dice.chance(0.1) ? {} : { replicas: dice.pick([0, 0, 0, 1, 2]) }),
  run: ({ replicas }, { deployments }) => deployments.set(scaled, replicas),
})

const forbidScaling = happeningKind<{ readonly forMs: number }>({
  name: 'forbid-scaling',
  fault: true,
  weight: 2,
  draw: (dice) => ({ forMs: dice.between(500, 20_000) }),
  run({ forMs }, { deployments: { all }, site }) {
    all.forbidden = true
    site.scheduler.after(forMs, 'Deployments may be scaled again', () => (all.forbidden = false))
  },
})

export const ofScalers: readonly HappeningKind[] = [putScaler, deleteScaler, setReplicas, forbidScaling]
/** Workers that hear late of who waits. */
export const lateOfScalers = lateWorkers(['EndpointScaler', 'Connection', 'NetworkService'])
