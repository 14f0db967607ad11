// What admission works with.
import type { CallbackSettings } from '../../core/admit/object/callback-target.ts'
import type { NicSettings, NetworkView } from '../../core/admit/network-view.ts'
import type { Store } from '../../core/contracts/store.ts'
import type { OwnerReference } from '../../core/kinds/meta.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { CatchUp } from './catch-up.ts'

/** A process's Config has them all. */
export interface AdmissionSettings extends NicSettings, CallbackSettings {
  /** How long a reservation is kept for a pod that is not stored yet, in milliseconds. */
  readonly reservationMs: number
  /** Megrez's own namespace, where Notices are; only REST asks. */
  readonly namespace?: string
  /** Whether nodes have agents that wire Ports; only REST asks. */
  readonly agents?: boolean
}

export interface AdmissionDeps {
  /** For reservations, and for the Node that a new Port names: everything else is answered from memory. */
  readonly store: Store
  readonly world: NetworkView
  readonly settings: AdmissionSettings
  readonly clock: Clock
  readonly log: Log
  /** Brings what a refusal was missing, or gives up soon; absent: nothing is waited for. */
  readonly news?: CatchUp
  /** How much may be kept for pods of a namespace; absent: as much as they ask for. */
  readonly bound?: ReservationBound
}

export interface ReservationBound {
  readonly perSecond: number
  /** Whether so much more may be kept now; it is counted. */
  take(namespace: string, many: number): boolean
}

/** A pod as it comes to admission: not stored yet, so without a resourceVersion; its name and UID are known in validating admission. */
export interface AdmittedPod {
  readonly metadata: {
    readonly name?: string
    readonly generateName?: string
    readonly namespace?: string
    readonly uid?: string
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
    readonly finalizers?: readonly string[]
    readonly ownerReferences?: readonly OwnerReference[]
  }
  readonly spec: {
    readonly hostNetwork?: boolean
    readonly containers?: readonly Container[]
    readonly volumes?: readonly { readonly name: string }[]
    readonly [more: string]: unknown
  }
}
export interface Container {
  readonly name: string
  readonly env?: readonly { readonly name: string }[]
  readonly volumeMounts?: readonly { readonly name: string }[]
  readonly [more: string]: unknown
}
