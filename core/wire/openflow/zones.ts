// Open vSwitch's own message by which a conntrack zone forgets all connections (struct nx_zone_id in nicira-ext.h; NXT_CT_FLUSH_ZONE is 29
// in ofp-msgs.h). It has no answer.
import type { Bytes } from '../bytes.ts'
import { close, open } from './openflow.ts'

const experimenter = 4
const nicira = 0x00002320
const flushZone = 29

export function writeFlushZone(out: Bytes, xid: number, zone: number): void {
  const start = open(out, experimenter, xid)
  out.u32(nicira)
  out.u32(flushZone)
  out.skip(6)
  out.u16(zone)
  close(out, start)
}
