// A cloud's driver, each of its calls measured and bounded: a cloud that does not answer holds nobody else up for longer.
import type { CloudDriver, CloudKind, CloudThingDriver } from '../../core/contracts/cloud.ts'
import { CloudUnreachable } from '../../core/errors.ts'
import { limited, type Clock } from '../../platform/clock.ts'
import type { WorkersMeter } from '../metrics.ts'

/** The kind of ours that a thing of a cloud is for: its queue. */
export const queueOf = { network: 'Vpc', subnet: 'Subnet', port: 'Port', group: 'CloudSecurityGroup' } as const satisfies Readonly<
  Record<CloudKind, string>
>

/** Clouds may take half a minute for what they do in the end. */
const answerMs = 60_000

export function timedCloud(
  cloud: string,
  driver: CloudDriver,
  { meter, clock }: { readonly meter: WorkersMeter; readonly clock: Clock },
): CloudDriver {
  const answered = <T>(call: (late: AbortSignal) => Promise<T>): Promise<T> => meter.cloud(cloud, () => inTime(cloud, clock, call))
  const bounded = <K extends CloudKind>(of: CloudThingDriver<K>): CloudThingDriver<K> => ({
    ...of,
    observe: (scope, signal) => answered((late) => of.observe(scope, AbortSignal.any([signal, late]))),
    apply: (action, signal) => answered((late) => of.apply(action, AbortSignal.any([signal, late]))),
  })
  const { quota, group } = driver
  return {
    ...driver,
    inventory: (of, signal) => answered((late) => driver.inventory(of, AbortSignal.any([signal, late]))),
    ...(quota && { quota: (signal) => answered((late) => quota.call(driver, AbortSignal.any([signal, late]))) }),
    network: meter.provider(bounded(driver.network)),
    subnet: meter.provider(bounded(driver.subnet)),
    port: meter.provider(bounded(driver.port)),
    ...(group && { group: meter.provider({ ...bounded(group), cannot: group.cannot }) }),
  }
}

/** Also of a driver that does not look at its signal. */
function inTime<T>(cloud: string, clock: Clock, call: (late: AbortSignal) => Promise<T>): Promise<T> {
  return limited(answerMs, clock, (late) => {
    const { promise, reject } = Promise.withResolvers<never>()
    late.addEventListener('abort', () => reject(new CloudUnreachable({ cloud, reason: `no answer within ${answerMs / 1_000} s` })))
    promise.catch(() => undefined)
    return Promise.race([call(late), promise])
  })
}
