// Counters of a table that have a name (linux/netfilter/nf_tables.h: NFT_MSG_GETOBJ).
import { attributes, nestedOf, textOf, Writer } from '../netlink/bytes.ts'
import { readDump, type Dump } from '../netlink/dump.ts'
import { flag, message } from '../netlink/message.ts'
import { be32, bigOf, counterAttr, family, head, objectAttr, type } from './message.ts'

/** NFT_OBJECT_COUNTER. */
const counterObject = 1

export interface NamedCounter {
  readonly name: string
  readonly packets: number
}

/** @param table of the family `inet` */
export function encodeCountersDump(table: string): Uint8Array {
  const to = new Writer()
  message(to, { type: type.getObject, flags: flag.dump, sequence: 1 }, () =>
    head(to, family.inet).attrText(objectAttr.table, table).attr(objectAttr.type, be32(counterObject)),
  )
  return to.done()
}

export function readCounters(bytes: Uint8Array): Dump<NamedCounter> {
  return readDump(bytes, ({ type: of, body }) => {
    const all = attributes(body, 4)
    const name = textOf(all, objectAttr.name)
    return of !== type.newObject || name === undefined
      ? []
      : [{ name, packets: bigOf(nestedOf(all, objectAttr.data), counterAttr.packets) }]
  })
}
