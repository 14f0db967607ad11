// What every part of the agent has at hand.
import type { Capabilities, Dataplane } from '../core/contracts/dataplane.ts'
import type { NoUplink, Uplink } from '../core/node/booking/booking.ts'
import type { Store } from '../core/contracts/store.ts'
import type { Cache } from '../platform/cache/cache.ts'
import type { Clock } from '../platform/clock.ts'
import type { Config } from '../platform/config.ts'
import type { Log } from '../platform/log.ts'
import type { Externals } from './external/follow.ts'
import type { Guests } from './guests/guests.ts'
import type { ObjectCache } from './sources/object-cache.ts'
import type { KeptPieces } from './pieces/kept-pieces.ts'
import type { Ledger } from './ledger/ledger.ts'
import type { NodeStatus } from './ledger/record.ts'
import type { Links } from './links/links.ts'
import type { LockWatches } from './sources/lock-watches.ts'
import type { NodeLoop } from './loop.ts'
import type { Debounce } from './debounce.ts'
import type { Machine } from './machine/machine.ts'
import type { Arrival } from './ports/arrival.ts'
import type { InterfacesBeingMade } from './ports/interfaces-being-made.ts'
import type { AgentMeter } from './metrics.ts'
import type { Outbox } from './outbox.ts'
import type { RuleHits } from './rule-hits.ts'
import type { RuleLog } from './rule-log.ts'
import type { RuleSets } from './sources/rule-sets.ts'
import type { Segments } from './sources/segments.ts'
import type { ChangeSignal } from './change-signal.ts'

export interface AgentEnv {
  readonly store: Store
  readonly config: Config
  readonly clock: Clock
  readonly log: Log
  /** Name of the Node that this agent is of. */
  readonly node: string
  /** Where others tunnel to. */
  readonly here: string
  /** Where what Ports send to other nodes leaves this one, or why nothing of that is booked. */
  readonly uplink: Uplink | NoUplink
  /** Largest packet that fits into the overlay here. */
  readonly mtuMost: number
  readonly plane: Dataplane
  readonly capabilities: Capabilities
  readonly links: Links
  readonly machine: Machine
  readonly ledger: Ledger
  readonly loop: NodeLoop
  readonly kept: KeptPieces
  readonly locks: LockWatches
  readonly ruleSets: RuleSets
  readonly ruleHits: RuleHits
  readonly ruleLog: RuleLog
  readonly segments: Segments
  readonly objects: ObjectCache
  readonly externals: Externals
  readonly guests: Guests
  /** Ports whose spec.node is this node. */
  readonly ports: Cache<'Port'>
  /** Ports whose spec.migratingTo is this node, and of those the ones that have a TAP here, by UID. */
  readonly arrivals: { readonly ports: Cache<'Port'>; readonly of: Map<string, Arrival> }
  /** Pods of this node. */
  readonly pods: Cache<'Pod'>
  /** The node's own; absent: it has nothing to do with BGP. */
  readonly speakers: Cache<'BGPSpeaker'> | undefined
  /** Fires at each change event of a Port of this node. */
  readonly portChanges: ChangeSignal
  readonly outbox: Outbox
  /** What was reported to the store last of each Port, by UID: a watch brings it back only later. */
  readonly reported: Map<string, NodeStatus>
  readonly making: InterfacesBeingMade
  /** Containers whose DEL is being answered: nothing is made for them any more. */
  readonly deleting: Set<string>
  /** For what is reported to the store of pods, and nobody waits for. */
  readonly debounce: Debounce
  readonly meter: AgentMeter
}
