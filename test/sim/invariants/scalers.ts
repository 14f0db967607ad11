// A Deployment is scaled up only for a client that waits, and down only once there has been none for the time that its EndpointScaler says
// (or did 5 s before). Once all is quiet nobody waits for a Deployment that has no pods, and none that we have made is idle.
import { keyOf, keyOfItem, type Resource } from '../../../core/kinds/index.ts'
import { isWaiting } from '../../../core/plan/connections/scaler.ts'
import { scaled } from '../events/scaler.ts'
import type { World } from '../happening.ts'
import type { Invariant } from '../invariant.ts'

/** A worker reads clients live before it scales; what it then asks for may be on its way for so long. */
const underWayMs = 5_000

export const scalers: Invariant = {
  name: 'scalers',
  begin(world, fail) {
    const { deployments, site } = world
    const { scheduler } = site
    let now = demandIn(world)
    /** When each was so last. */
    const until = { waits: -Infinity, hasClients: -Infinity, cooldownMs: -Infinity }
    let cooldownBefore = Infinity
    const isRecent = (ms: number): boolean => scheduler.now - ms < underWayMs
    deployments.onScaled(({ before, after, ...of }) => {
      if (before < after && !now.waits && !isRecent(until.waits)) fail(`Deployment ${keyOf(of)} is scaled up, and no client waits`)
      const cooldownMs = Math.min(now.cooldownMs, isRecent(until.cooldownMs) ? cooldownBefore : Infinity)
      const idleMs = now.hasClients ? 0 : scheduler.now - until.hasClients
      if (after < before && idleMs < cooldownMs - underWayMs)
        fail(`Deployment ${keyOf(of)} is scaled down, and has been without clients for ${idleMs} ms`)
    })
    return {
      landed({ kind }) {
        if (kind !== 'Connection' && kind !== 'EndpointScaler') return
        const next = demandIn(world)
        if (now.waits && !next.waits) until.waits = scheduler.now
        if (now.hasClients && !next.hasClients) until.hasClients = scheduler.now
        if (now.cooldownMs !== next.cooldownMs) [until.cooldownMs, cooldownBefore] = [scheduler.now, now.cooldownMs]
        now = next
      },
      atRest() {
        const problem = atRestIn(world)
        if (problem !== undefined) fail(`at rest ${problem}`)
      },
    }
  },
}

interface Demand {
  readonly waits: boolean
  readonly hasClients: boolean
  /** Infinity: nobody may scale it. */
  readonly cooldownMs: number
}
function demandIn({ site: { truth } }: World): Demand {
  const scaler = scalerIn(truth)
  const clients = [...truth.values('Connection')].filter(({ metadata, spec }) => isStaying(metadata) && spec.networkService === service)
  const cooldownMs = (scaler?.spec.cooldownSeconds ?? Infinity) * 1_000
  return { waits: scaler !== undefined && clients.some(isWaiting), hasClients: clients.length > 0, cooldownMs }
}
const service = `${scaled.namespace}/dns`
const isStaying = ({ deletionTimestamp }: Resource['metadata']): boolean => deletionTimestamp === undefined
const scalerIn = (truth: World['site']['truth']): Resource<'EndpointScaler'> | undefined =>
  [...truth.values('EndpointScaler')].find((each) => keyOfItem(each) === service && each.spec.scaleTargetRef.name === scaled.name)

function atRestIn(world: World): string | undefined {
  const { deployments, site } = world
  const [scaler, kept] = [scalerIn(site.truth), deployments.all.kept(scaled)]
  if (scaler === undefined || kept === undefined || site.truth.at('NetworkService', service) === undefined) return undefined
  const { waits, hasClients } = demandIn(world)
  if (kept.replicas === 0) return waits ? `a client waits, and Deployment ${keyOf(scaled)} has no pods` : undefined
  const isOurs = kept.setBy === 'megrez' && scaler.status?.activatedAt !== undefined
  return isOurs && !hasClients ? `Deployment ${keyOf(scaled)} has a pod of ours, and no client is there` : undefined
}
