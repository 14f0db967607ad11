// The drivers of clouds: one line each.
import type { CloudDriver } from '../../../core/contracts/cloud.ts'
import type { Resource } from '../../../core/kinds/index.ts'
import type { CloudProvider } from '../../../core/kinds/vpc/providers.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import type { Credentials } from '../credentials.ts'
import { memory } from './memory.ts'
import { memoryCloudAt } from './memory-cloud.ts'

export interface CloudDeps {
  /** As the Cloud names them; read anew where others have taken their place. */
  readonly credentials: Credentials
  readonly clock: Clock
  /** In [0, 1). */
  readonly random: () => number
  readonly log: Log
}
export type CloudRegistry = Readonly<Record<CloudProvider, (cloud: Resource<'Cloud'>, deps: CloudDeps) => CloudDriver>>

export const cloudRegistry: CloudRegistry = {
  memory: ({ spec, metadata }, { clock }) =>
    memory(memoryCloudAt(spec.endpoint, { now: () => clock.now() }), { installation: metadata.uid }),
}
