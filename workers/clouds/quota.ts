// The quota of ports at a Cloud, by whoever plans with it.
import type { PortQuota } from '../../core/contracts/cloud.ts'
import { CloudRefused, CloudUnreachable } from '../../core/errors.ts'
import type { Resource } from '../../core/kinds/index.ts'
import type { CloudSessions } from './cloud-sessions.ts'

const unlimited: PortQuota = { used: 0, limit: Infinity }

/** Undefined where it cannot be asked. */
export async function quotaAt(cloud: Resource<'Cloud'>, clouds: CloudSessions, signal: AbortSignal): Promise<PortQuota | undefined> {
  const session = clouds.usable(cloud)
  if ('problem' in session) return undefined
  const { driver } = session
  try {
    return driver.quota === undefined ? unlimited : await driver.quota(signal)
  } catch (err) {
    if (signal.aborted || !(err instanceof CloudUnreachable || err instanceof CloudRefused)) throw err
    return undefined
  }
}
