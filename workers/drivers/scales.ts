// Deployments, as an EndpointScaler's driver: looked at only where something may have to be done.
import type { Driver } from '../../core/contracts/driver.ts'
import type { DeploymentName, Scales } from '../../core/contracts/scales.ts'
import { Invalid, Stale } from '../../core/errors.ts'
import { keyOf } from '../../core/kinds/index.ts'
import { noScaleText, type LookedAt, type ScalerAction } from '../../core/plan/connections/scaler.ts'

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
    const key = keyOf(of)
    if (typeof done === 'string') throw new Invalid({ reason: noScaleText(key, done) })
    throw new Stale({ kind: 'Deployment', key })
  },
})
