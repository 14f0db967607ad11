// What the rendering of one node depends on beside what is wanted of it.
import type { Uplink } from './base.ts'
import type { PortOptions } from './ports.ts'

export interface GraphOptions extends PortOptions {
  /** Absent: a node on its own. */
  readonly uplink?: Uplink
  /** Interface by physical network; absent: none. */
  readonly uplinks?: Readonly<Record<string, string>>
}
