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
  /** Of each zone that it came through, in order. */
  readonly tracked: readonly { readonly number: number; readonly says: ConnectionState; readonly isKept: boolean }[]
}
export type ConnectionState = 'new' | 'established' | 'invalid'

export interface WalkedPlane {
  readonly renderer: Pick<Renderer, 'unsupported'>
  walk(pieces: NodePieces, arrival: Arrival): Walked
}
