// What a data plane tells of a packet that a model of it has taken.
import type { Renderer } from '../../contracts/dataplane.ts'
import type { NodePieces } from '../../pieces/piece-set.ts'
import type { Frame } from '../../pipeline/model/frame.ts'

/** Of whom no MAC is known. */
export const nobodysMac = '02:00:00:00:00:00'

/** A packet as it comes to a node. */
export interface Arrival {
  readonly frame: Frame
  /** The number of a port here, or the other node's tunnel. */
  readonly by: number | 'tunnel'
  readonly vni: number
  /** Address of the other node. */
  readonly host: string
}

/** sending: what concerns whoever sends alone; receiving: whoever receives; between: where one is found by the other. */
export type WalkedPart = 'sending' | 'between' | 'receiving'

export interface Walked {
  /** Tables, modules or chains, in the words of the data plane, in order. */
  readonly steps: readonly { readonly place: string; readonly part: WalkedPart }[]
  /** By a port, or by the tunnel. */
  readonly comesOut: boolean
  /** Of each zone that it came through, in order. */
  readonly tracked: readonly { readonly number: number; readonly says: ConnectionState; readonly isKept: boolean }[]
}
export type ConnectionState = 'new' | 'established' | 'invalid'

/** Of data planes that judge addresses beforehand, a fifth of a second's work. */
export const pairsJudged = 32_768

export interface WalkedPlane {
  readonly renderer: Pick<Renderer, 'unsupported'>
  /** Rules times blocks of addresses: where each part of all addresses is judged by each rule, that is the work. */
  readonly pairsMost: number
  /** Whether it walks what is in VLANs. */
  readonly isInVlans: boolean
  walk(pieces: NodePieces, arrival: Arrival): Walked
}
