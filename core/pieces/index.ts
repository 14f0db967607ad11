// The kinds of pieces, a row each. The order matters where several kinds want one item: the first counts. A port here comes before a gateway, and
// that before an address elsewhere, as news of one kind may be late: an address that has come here may be heard of as another node's for a while.
import { endpointPiece } from './endpoint.ts'
import type { PieceKinds } from './kind.ts'
import { portPiece } from './port.ts'
import { segmentPiece } from './segment.ts'

export const pieceKinds: PieceKinds = [portPiece, segmentPiece, endpointPiece]
