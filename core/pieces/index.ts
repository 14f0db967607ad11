// The kinds of pieces, a row each. Where several kinds want one item, the first of this table counts. A port here comes before a
// gateway, and a gateway before an address elsewhere: an address that has come here may still be told of as another node's.
import { endpointPiece } from './endpoint.ts'
import type { PieceKinds, PlaneName } from './kind.ts'
import { functionPiece } from './policy/function.ts'
import { inspectionPortsPiece } from './policy/inspection-ports.ts'
import { inspectorPiece } from './policy/inspector.ts'
import { isolationPiece } from './policy/isolation.ts'
import { judgementPiece } from './policy/judgement.ts'
import { portPiece } from './port.ts'
import { peerPiece } from './policy/peer.ts'
import { ruleDimensionPiece } from './policy/rule-dimension.ts'
import { ruleRatesPiece } from './policy/rule-rates.ts'
import { ruleSetPiece } from './policy/rule-set.ts'
import { segmentPiece } from './segment.ts'
import { serviceAddressPiece } from './service-address.ts'
import { transitPiece } from './transit.ts'

export const pieceKinds: PieceKinds = [
  portPiece,
  segmentPiece,
  endpointPiece,
  serviceAddressPiece,
  transitPiece,
  ruleSetPiece,
  ruleDimensionPiece,
  ruleRatesPiece,
  isolationPiece,
  functionPiece,
  inspectionPortsPiece,
  inspectorPiece,
  peerPiece,
  judgementPiece,
]

/** Those that a data plane has anything of: what is made of others for another data plane alone need not be made. */
export const kindsFor = (plane: string): PieceKinds =>
  pieceKinds.filter(({ made, planes }) => made === undefined || typeof planes[plane as PlaneName] !== 'string')
