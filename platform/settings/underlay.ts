// Settings of the network between nodes, where minimums of bandwidth are booked.
import { optional, whole } from '../setting-kinds.ts'

export const underlaySettings = {
  underlayInterface: optional(
    'MEGREZ_UNDERLAY_INTERFACE',
    "agent: the interface through which packets leave for other nodes, where minimums of bandwidth are held: with Open vSwitch's own datapath the card behind its bridge; absent: the one with the tunnel address",
  ),
  underlayMbps: whole(
    'MEGREZ_UNDERLAY_MBPS',
    0,
    'agent: how much that interface carries, in megabits a second, of which 95 % can be booked; 0: as a card says itself, else nothing is booked',
    { max: 10_000_000 },
  ),
} as const
