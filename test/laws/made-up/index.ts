// The table of a test: what every node has, and two kinds more, a file and a row each.
import { pieceKinds } from '../../../core/pieces/index.ts'
import type { PieceKinds } from '../../../core/pieces/kind.ts'
import { crowdPiece } from './crowd.ts'
import { fencePiece } from './fence.ts'

export const madeUpKinds: PieceKinds = [...pieceKinds, fencePiece, crowdPiece]
