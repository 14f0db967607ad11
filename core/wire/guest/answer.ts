// What the guest behind a TAP is answered. What is malformed, or asks for anything else, is answered nothing.
import type { Guest } from '../../node/guest.ts'
import { answerDiscovery } from './advertisement.ts'
import { answerDhcp, l4Ports as dhcp } from './dhcp.ts'
import { answerDhcp6, l4Ports as dhcp6 } from './dhcp6.ts'
import { protocols, readFrame, udpFor, type Carried } from './frames.ts'

/** @param frame one that guestFilter has let through */
export function answerOf(frame: Uint8Array, guest: Guest): Uint8Array | undefined {
  try {
    const carried = readFrame(frame)
    return carried && answerTo(carried, guest)
  } catch (err) {
    if (err instanceof RangeError) return undefined
    throw err
  }
}

function answerTo(carried: Carried, guest: Guest): Uint8Array | undefined {
  if (carried.family === 6 && carried.protocol === protocols.icmp6) return guest.v6 && answerDiscovery(carried, guest)
  const message = udpFor(carried, carried.family === 4 ? dhcp.server : dhcp6.server)
  if (message === undefined) return undefined
  return carried.family === 4 ? answerDhcp(carried, message, guest) : answerDhcp6(carried, message, guest)
}
