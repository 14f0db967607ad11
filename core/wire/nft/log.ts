// Packets that a rule of nftables sends to a group of nfnetlink_log (linux/netfilter/nfnetlink_log.h).
import { attributes, viewOf, Writer } from '../netlink/bytes.ts'
import { flag, message, messages } from '../netlink/message.ts'
import { be32, family } from './message.ts'

const subsystem = 4
const type = { packet: subsystem << 8, config: (subsystem << 8) | 1 } as const
const configAttr = { command: 1, mode: 2, timeout: 4, threshold: 5 } as const
const packetAttr = { head: 1, mark: 2, inDevice: 4, outDevice: 5, physicalIn: 6, physicalOut: 7, payload: 9 } as const
/** NFULNL_CFG_CMD_BIND, NFULNL_COPY_PACKET. */
const [bind, copyPacket] = [1, 2]
/** Hundredths of a second, and packets, that the kernel waits for before it tells. */
const [timeout, threshold] = [10, 20]

/** Whoever binds a group first has it: EBUSY. @param snapBytes as much of each packet is told */
export function encodeLogBind(group: number, snapBytes: number): Uint8Array {
  const to = new Writer()
  message(to, { type: type.config, flags: flag.ack, sequence: 1 }, () => {
    to.u8(family.any)
      .u8(0)
      .u8(group >> 8)
      .u8(group & 255)
    to.attr8(configAttr.command, bind)
    to.attr(configAttr.mode, Uint8Array.of(...be32(snapBytes), copyPacket, 0))
    to.attr(configAttr.timeout, be32(timeout)).attr(configAttr.threshold, be32(threshold))
  })
  return to.done()
}

/** One that came from a bridge's interface, or was to leave for one. */
export interface TappedPacket {
  readonly way: 'out' | 'in'
  /** Index of the interface. */
  readonly index: number
  /** As the rule had it that logged it. */
  readonly mark: number
  readonly etherType: number
  /** From IP on. */
  readonly payload: Uint8Array
}

export const readLogged = (bytes: Uint8Array): readonly TappedPacket[] =>
  messages(bytes).flatMap(({ type: is, body }) => (is === type.packet ? (packetIn(body) ?? []) : []))

/** Where the kernel has br_netfilter, the bridge stands where the interface would. */
function packetIn(body: Uint8Array): TappedPacket | undefined {
  const all = attributes(body, 4)
  const number = (attribute: number): number | undefined => {
    const bytes = all.get(attribute)
    return bytes?.length === 4 ? viewOf(bytes).getUint32(0) : undefined
  }
  const [head, payload] = [all.get(packetAttr.head), all.get(packetAttr.payload)]
  const [from, to] = [
    number(packetAttr.physicalIn) ?? number(packetAttr.inDevice),
    number(packetAttr.physicalOut) ?? number(packetAttr.outDevice),
  ]
  const index = to ?? from
  if (head === undefined || head.length < 2 || payload === undefined || index === undefined) return undefined
  return { way: to === undefined ? 'out' : 'in', index, mark: number(packetAttr.mark) ?? 0, etherType: viewOf(head).getUint16(0), payload }
}
