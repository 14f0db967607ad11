// What every part of the agent has at hand.
import type { Capabilities, Dataplane } from '../core/contracts/dataplane.ts'
import type { Store } from '../core/contracts/store.ts'
import type { Cache } from '../platform/cache.ts'
import type { Clock } from '../platform/clock.ts'
import type { Config } from '../platform/config.ts'
import type { Log } from '../platform/log.ts'
import type { Externals } from './external/follow.ts'
import type { Ground } from './ground.ts'
import type { Ledger } from './ledger/ledger.ts'
import type { NodeStatus } from './ledger/record.ts'
import type { Links } from './links/links.ts'
import type { LockWatches } from './locks.ts'
import type { NodeLoop } from './loop.ts'
import type { Lull } from './lull.ts'
import type { Machine } from './machine.ts'
import type { Making } from './making.ts'
import type { AgentMeter } from './meter.ts'
import type { Outbox } from './outbox.ts'
import type { Segments } from './segments.ts'
import type { TurnBell } from './turns.ts'

export interface AgentEnv {
  readonly store: Store
  readonly config: Config
  readonly clock: Clock
  readonly log: Log
  /** Name of the Node that this agent is of. */
  readonly node: string
  /** Where others tunnel to. */
  readonly here: string
  /** Largest packet that fits into the overlay here. */
  readonly mtuMost: number
  readonly plane: Dataplane
  readonly capabilities: Capabilities
  readonly links: Links
  readonly machine: Machine
  readonly ledger: Ledger
  readonly loop: NodeLoop
  readonly locks: LockWatches
  readonly segments: Segments
  readonly ground: Ground
  readonly externals: Externals
  /** Ports whose spec.node is this node. */
  readonly ports: Cache<'Port'>
  /** Pods of this node. */
  readonly pods: Cache<'Pod'>
  /** Rings at each turn of a Port here. */
  readonly portTurns: TurnBell
  readonly outbox: Outbox
  /** What the store was told last of each Port, by UID: a watch brings it back only later. */
  readonly told: Map<string, NodeStatus>
  readonly making: Making
  /** For what the store is told of pods, and nobody waits for. */
  readonly lull: Lull
  readonly meter: AgentMeter
}
