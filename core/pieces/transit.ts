// A block that other nodes of a group advertise, and this one does not: what a neighbour hands to this one goes on from here.
import type { Transit } from '../node/wanted.ts'
import { transitRoutes } from '../routing/items.ts'
import type { PieceKind } from './kind.ts'

/** Where two groups advertise a block, it ends behind both their tables. */
export const transitName = (cidr: string): string => `transit of ${cidr}`

const byKernel = 'the kernel of the node passes it on'

export const transitPiece: PieceKind<Transit> = {
  name: 'Transit',
  key: ({ table, cidr }) => `${table} ${cidr}`,
  sources: ['speaker'],
  names: ({ cidr }) => [transitName(cidr)],
  routes: transitRoutes,
  planes: { ovs: byKernel, bess: byKernel, linux: byKernel, memory: byKernel },
}
