// Blocks that this node passes on, as its BGPSpeaker says.
import type { Transit } from '../../core/node/wanted.ts'
import { transitPiece } from '../../core/pieces/transit.ts'
import type { Pieces } from '../pieces/pieces.ts'

/** These and no others. */
export function setTransits(pieces: Pieces, transits: readonly Transit[]): void {
  const wanted = new Map(transits.map((transit) => [transitPiece.key(transit), transit]))
  for (const key of [...pieces.of(transitPiece).keys()]) if (!wanted.has(key)) pieces.set(transitPiece, key, undefined)
  for (const [key, transit] of wanted) pieces.set(transitPiece, key, transit)
}
