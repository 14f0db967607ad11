// Deployments, as an EndpointScaler's driver: looked at only where something may have to be done.
import type { Driver } from '../../core/contracts/driver.ts'
import type { DeploymentName, NoScale, Scales } from '../../core/contracts/scales.ts'
import { Invalid, Stale } from '../../core/errors.ts'
import type { LookedAt, ScalerAction } from '../../core/plan/connections/scaler.ts'

export interface ScaleScope {
  readonly of: DeploymentName
  readonly direction: 'up' | 'down' | undefined
}

export const scaleDriver = (scales: Scales | undefined): Driver<ScaleScope, LookedAt, ScalerAction> => ({
  name: 'deployments',
  async observe({ of, direction }, signal) {
    if (scales === undefined || direction === undefined) return undefined
    const scale = await scales.read(of, signal)
    if (typeof scale === 'string') return scale
    const isOurs = direction === 'down' && scale.replicas === 1 ? await scales.isOurs(of, scale, signal) : false
    return typeof isOurs === 'string' ? isOurs : { ...scale, isOurs }
  },
  async apply({ do: what, of, scale }, signal) {
    const done = await (what === 'scaleUp' ? scales?.up(of, scale, signal) : scales?.down(of, scale, signal))
    if (done === true) return
    const key = `${of.namespace}/${of.name}`
    if (typeof done === 'string') throw new Invalid({ reason: refusals[done](key) })
    throw new Stale({ kind: 'Deployment', key })
  },
})

const refusals: Readonly<Record<NoScale, (key: string) => string>> = {
  NotFound: (key) => `Deployment ${key} not found`,
  Forbidden: (key) => `Deployment ${key} may not be scaled by Megrez`,
}
