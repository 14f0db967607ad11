// How much of what a node can send to others is kept for a Port: minimums that add up, and are never more than there is.

/** Where what Ports send to other nodes leaves a node. */
export interface Uplink {
  readonly ifname: string
  /** Bits a second. */
  readonly rate: number
}

/** Instead of one: why nothing is booked on this node, as the end of a sentence. */
export interface NoUplink {
  readonly why: string
}

/** A twentieth is left to all that has booked nothing: the node's own connections must not starve. */
export const bookableOf = ({ rate }: Uplink): number => Math.floor(rate * 0.95)

export interface BookingWish {
  /** Bits a second, as its policy says now. */
  readonly min: number
  /** What it has booked already. */
  readonly before: number
  /** What all others have booked. */
  readonly others: number
}

/** What is booked from now on. A minimum that there is no room for takes nothing from anybody, and loses nothing of what it has. */
export function bookedFor({ min, before, others }: BookingWish, uplink: Uplink): number {
  const room = Math.max(bookableOf(uplink) - others, 0)
  return min <= room ? min : Math.min(min, before, room)
}

const megabits = (bits: number): string => `${bits / 1_000_000} Mbit/s`

/** Why a minimum is not booked, with the link that is full. */
export function notBookedText({ min, before, others }: BookingWish, uplink: Uplink, node: string): string {
  const bookable = bookableOf(uplink)
  const stays = before === 0 ? '' : `; ${megabits(before)} stay booked`
  const left = megabits(Math.max(bookable - others, 0))
  return `${megabits(min)} are not booked: of the ${megabits(bookable)} of ${uplink.ifname} on node ${node} ${left} are left for it${stays}`
}

/** Of Nodes, in megabits a second: what can be booked there, and what a pod asks the scheduler for. */
export const uplinkResource = 'megrez.io/uplink-mbps'
/** The scheduler counts whole ones: less than what is asked for is never promised, and less than there is is told. */
export const wholeMegabits = (bits: number): number => Math.ceil(bits / 1_000_000)
export const capacityOf = (uplink: Uplink): number => Math.floor(bookableOf(uplink) / 1_000_000)
