// What a cloud's driver is made with, beside its Cloud.
import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import type { Credentials } from '../credentials.ts'

export interface CloudDeps {
  /** As the Cloud names them; read anew where others have taken their place. */
  readonly credentials: Credentials
  /** Of who binds ports to nodes, where that is another. */
  readonly bindingCredentials?: Credentials
  readonly clock: Clock
  /** In [0, 1). */
  readonly random: () => number
  readonly log: Log
}
