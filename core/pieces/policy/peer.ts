// An identity that an address in a VNI of this node has: in BESS a module notes it, for all addresses together.
import { peerItems } from '../../graph/items.ts'
import type { Endpoint, LocalPort } from '../../node/wanted.ts'
import { endpointPiece } from '../endpoint.ts'
import { gives, madeOf, type PieceKind } from '../kind.ts'
import { portPiece } from '../port.ts'

export interface Peer {
  readonly identity: number
}

const sharesOf = (identity: number | undefined): readonly (readonly [string, true])[] =>
  identity === undefined ? [] : [[String(identity), true]]

export const peerPiece: PieceKind<Peer> = {
  name: 'Peer',
  key: ({ identity }) => String(identity),
  sources: [],
  made: madeOf(
    [
      gives(portPiece, ({ policy, attachment }: LocalPort) => sharesOf(attachment.kind === 'vni' ? policy?.identity : undefined)),
      gives(endpointPiece, ({ identity }: Endpoint) => sharesOf(identity)),
    ],
    (key) => ({ identity: Number(key) }),
  ),
  planes: {
    ovs: 'it is in the flows of its addresses',
    bess: { items: ({ identity }) => peerItems(identity) },
    linux: 'it is in the elements of its addresses',
    memory: 'it is in the items of its addresses',
  },
}
