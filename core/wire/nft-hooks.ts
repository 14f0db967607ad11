// What goes out of a device handed to a chain that all such devices share, and what a map of nftables gives for the device
// (linux/netfilter/nf_tables.h). A table of family netdev has both; a batch is one transaction, as in nft.ts.
import { attributes, textOf, u32Of, Writer } from './netlink/bytes.ts'
import { parts, readDump, type Dump } from './netlink/dump.ts'
import { flag, message } from './netlink/message.ts'

/** A device whose chain, of its own name, sends all to the chain `to`; `map` gives `index` for its name. */
export interface Hook {
  readonly ifname: string
  /** Of another device. */
  readonly index: number
}

export interface HookTable {
  readonly table: string
  readonly map: string
  /** The chain that frames are handed to. */
  readonly to: string
}

const subsystem = 10
const typeOf = (of: number): number => (subsystem << 8) | of
export const type = { batchBegin: 0x10, batchEnd: 0x11, newChain: typeOf(3), getChain: typeOf(4), delChain: typeOf(5), newRule: typeOf(6), newElement: typeOf(12), getElement: typeOf(13), delElement: typeOf(14) } as const
const chainAttr = { table: 1, name: 3, hook: 4, policy: 5, type: 7 } as const
const hookAttr = { number: 1, priority: 2, device: 3, devices: 4 } as const
const ruleAttr = { table: 1, chain: 2, expressions: 4 } as const
const expressionAttr = { name: 1, of: 2 } as const
const immediateAttr = { register: 1, value: 2 } as const
export const dataAttr = { value: 1, verdict: 2 } as const
const verdictAttr = { code: 1, chain: 2 } as const
export const elementsAttr = { table: 1, set: 2, elements: 3 } as const
export const elementAttr = { one: 1, key: 1, data: 2 } as const
/** NLA_F_NESTED. */
export const nested = 0x8000
export const family = { any: 0, netdev: 5 } as const
/** NF_NETDEV_EGRESS, NF_ACCEPT, NFT_GOTO, NFT_REG_VERDICT. */
const [egress, accept, goTo, verdictRegister] = [1, 1, -4, 0]
const ifnameBytes = 16

export const head = (to: Writer, of: number, resource = 0): Writer => to.u8(of).u8(0).u8(resource >> 8).u8(resource & 255)
const be32 = (value: number): Uint8Array => Uint8Array.of((value >> 24) & 255, (value >> 16) & 255, (value >> 8) & 255, value & 255)

/** One transaction. @param write with a number for each message */
export function batch(write: (to: Writer, next: () => number) => void): Uint8Array {
  const to = new Writer()
  let sequence = 1
  message(to, { type: type.batchBegin, flags: 0, sequence: sequence++ }, () => head(to, family.any, subsystem))
  write(to, () => sequence++)
  message(to, { type: type.batchEnd, flags: 0, sequence }, () => head(to, family.any, subsystem))
  return to.done()
}

/** EEXIST where some of it is there: it is to be dropped first. */
export function encodeHook(table: HookTable, hook: Hook): Uint8Array {
  return batch((to, next) => {
    message(to, { type: type.newChain, flags: flag.ack | flag.create | flag.excl, sequence: next() }, () => writeChain(to, table, hook.ifname))
    message(to, { type: type.newRule, flags: flag.ack | flag.create | flag.append, sequence: next() }, () => writeGoto(to, table, hook.ifname))
    message(to, { type: type.newElement, flags: flag.ack | flag.create | flag.excl, sequence: next() }, () => writeElement(to, table, hook))
  })
}

/** Two transactions, as either may be gone: ENOENT says so. */
export function encodeUnhook(table: HookTable, ifname: string): readonly Uint8Array[] {
  return [
    batch((to, next) => message(to, { type: type.delElement, flags: flag.ack, sequence: next() }, () => writeElement(to, table, { ifname }))),
    batch((to, next) => message(to, { type: type.delChain, flags: flag.ack, sequence: next() }, () => head(to, family.netdev).attrText(chainAttr.table, table.table).attrText(chainAttr.name, ifname))),
  ]
}

function writeChain(to: Writer, { table }: HookTable, ifname: string): void {
  head(to, family.netdev).attrText(chainAttr.table, table).attrText(chainAttr.name, ifname)
  to.nest(chainAttr.hook | nested, () => to.attr(hookAttr.number, be32(egress)).attr(hookAttr.priority, be32(0)).attrText(hookAttr.device, ifname))
  to.attr(chainAttr.policy, be32(accept)).attrText(chainAttr.type, 'filter')
}

function writeGoto(to: Writer, { table, to: chain }: HookTable, ifname: string): void {
  head(to, family.netdev).attrText(ruleAttr.table, table).attrText(ruleAttr.chain, ifname)
  to.nest(ruleAttr.expressions | nested, () => to.nest(elementAttr.one | nested, () => {
    to.attrText(expressionAttr.name, 'immediate').nest(expressionAttr.of | nested, () => {
      to.attr(immediateAttr.register, be32(verdictRegister))
      to.nest(immediateAttr.value | nested, () => to.nest(dataAttr.verdict | nested, () => to.attr(verdictAttr.code, be32(goTo)).attrText(verdictAttr.chain, chain)))
    })
  }))
}

/** A device's name as a key has it. */
export function ifnameKey(ifname: string): Uint8Array {
  const name = new Uint8Array(ifnameBytes)
  name.set(new TextEncoder().encode(ifname).subarray(0, ifnameBytes - 1))
  return name
}

function writeElement(to: Writer, { table, map }: HookTable, { ifname, index }: Pick<Hook, 'ifname'> & Partial<Hook>): void {
  const name = ifnameKey(ifname)
  head(to, family.netdev).attrText(elementsAttr.table, table).attrText(elementsAttr.set, map)
  to.nest(elementsAttr.elements | nested, () => to.nest(elementAttr.one | nested, () => {
    to.nest(elementAttr.key | nested, () => to.attr(dataAttr.value, name))
    // In host order, as the kernel's own numbers of devices are.
    if (index !== undefined) to.nest(elementAttr.data | nested, () => to.attr32(dataAttr.value, index))
  }))
}

export function encodeChainsDump(): Uint8Array {
  const to = new Writer()
  message(to, { type: type.getChain, flags: flag.dump, sequence: 1 }, () => head(to, family.netdev))
  return to.done()
}

export function encodeMapDump({ table, map }: HookTable): Uint8Array {
  const to = new Writer()
  message(to, { type: type.getElement, flags: flag.dump, sequence: 1 }, () => head(to, family.netdev).attrText(elementsAttr.table, table).attrText(elementsAttr.set, map))
  return to.done()
}

/** Names of the chains of our table that hang on what goes out of the device of their own name. */
export function readHooked(bytes: Uint8Array, { table }: HookTable): Dump<string> {
  return readDump(bytes, ({ body }) => {
    const all = attributes(body, 4)
    const [name, hook] = [textOf(all, chainAttr.name), attributes(all.get(chainAttr.hook) ?? new Uint8Array())]
    // One device stands by itself, or in a list as well.
    const device = textOf(hook, hookAttr.device) ?? textOf(attributes(hook.get(hookAttr.devices) ?? new Uint8Array()), 1)
    const right = textOf(all, chainAttr.table) === table && name === device && hook.get(hookAttr.number)?.[3] === egress
    return right && name !== undefined ? [name] : []
  })
}

export function readMap(bytes: Uint8Array): Dump<Hook> {
  return readDump(bytes, ({ body }) => parts(attributes(body, 4).get(elementsAttr.elements) ?? new Uint8Array()).flatMap((part) => {
    const all = attributes(part)
    const [ifname, index] = [textOf(attributes(all.get(elementAttr.key) ?? new Uint8Array()), dataAttr.value), u32Of(attributes(all.get(elementAttr.data) ?? new Uint8Array()), dataAttr.value)]
    return ifname === undefined || index === undefined ? [] : [{ ifname, index }]
  }))
}
