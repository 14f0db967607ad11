// The contract of BGP daemons: processes that are there before the agent and after it.
import type { Renderer } from '../../core/bgp/renderer.ts'

/**
 * Promises, tested by test/laws/bgp-daemon.ts on the real programs:
 * 1 what is refused changes nothing: the configuration before it is in force, and so it is after a restart of the daemon;
 * 2 a session that a new configuration does not change stays up;
 * 3 what runs is found again, and never started twice;
 * 4 killed and started again, it takes no route from the kernel and none from its neighbours that it still has.
 */
export interface Daemon {
  readonly program: 'bird' | 'frr'
  readonly renderer: Renderer
  /** How often it is worth looking at. */
  readonly pollMs: number
  /** Whether it needs host routes of Ports in its configuration: else it learns them from the kernel. */
  readonly needsHostRoutes: boolean
  /** Undefined where none answers. */
  version(): Promise<string | undefined>
  /** Whether it opens TCP port 179 with this configuration. */
  listens(text: string): boolean
  /** What it was started with or told last; undefined: nothing yet. */
  inForce(): Promise<string | undefined>
  /** Where none runs, the next one to start has it. @throws BGPRefused */
  apply(text: string): Promise<void>
  /** Returns once it answers. @throws BGPRefused */
  start(): Promise<void>
  /** What it says of its sessions, for its renderer to read. */
  show(): Promise<string>
  /** What it says of BFD, likewise. */
  showBfd(): Promise<string>
}
