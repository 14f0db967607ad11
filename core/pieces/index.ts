// The kinds of pieces, a row each. Where several kinds want one item, the first of this table counts. A port here comes before a
// gateway, and a gateway before an address elsewhere: an address that has come here may still be told of as another node's.
import { endpointPiece } from './endpoint.ts'
import type { PieceKinds } from './kind.ts'
import { isolationPiece } from './isolation.ts'
import { portPiece } from './port.ts'
import { ruleDimensionPiece } from './rule-dimension.ts'
import { ruleSetPiece } from './rule-set.ts'
import { segmentPiece } from './segment.ts'

export const pieceKinds: PieceKinds = [portPiece, segmentPiece, endpointPiece, ruleSetPiece, ruleDimensionPiece, isolationPiece]
