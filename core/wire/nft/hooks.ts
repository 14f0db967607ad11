// What goes out of a device handed to a chain that all such devices share, and what a map of nftables gives for the device
// (linux/netfilter/nf_tables.h). A table of family netdev has both.
import { attributes, textOf, u32Of, Writer } from '../netlink/bytes.ts'
import { readDump, type Dump } from '../netlink/dump.ts'
import { flag, message } from '../netlink/message.ts'
import {
  batch,
  be32,
  dataAttr,
  elementAttr,
  elementsIn,
  encodeSetDump,
  family,
  head,
  ifnameKey,
  nested,
  type,
  writeElement,
  type SetPlace,
} from './message.ts'

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

const chainAttr = { table: 1, name: 3, hook: 4, policy: 5, type: 7 } as const
const hookAttr = { number: 1, priority: 2, device: 3, devices: 4 } as const
const ruleAttr = { table: 1, chain: 2, expressions: 4 } as const
const expressionAttr = { name: 1, of: 2 } as const
const immediateAttr = { register: 1, value: 2 } as const
const verdictAttr = { code: 1, chain: 2 } as const
/** NF_NETDEV_EGRESS, NF_ACCEPT, NFT_GOTO, NFT_REG_VERDICT. */
const [egress, accept, goTo, verdictRegister] = [1, 1, -4, 0]

/** EEXIST where some of it is there: it is to be dropped first. */
export function encodeHook(table: HookTable, hook: Hook): Uint8Array {
  return batch((to, next) => {
    message(to, { type: type.newChain, flags: flag.ack | flag.create | flag.excl, sequence: next() }, () =>
      writeChain(to, table, hook.ifname),
    )
    message(to, { type: type.newRule, flags: flag.ack | flag.create | flag.append, sequence: next() }, () =>
      writeGoto(to, table, hook.ifname),
    )
    message(to, { type: type.newElement, flags: flag.ack | flag.create | flag.excl, sequence: next() }, () => write(to, table, hook))
  })
}

/** Two transactions, as either may be gone: ENOENT says so. */
export function encodeUnhook(table: HookTable, ifname: string): readonly Uint8Array[] {
  return [
    batch((to, next) => message(to, { type: type.delElement, flags: flag.ack, sequence: next() }, () => write(to, table, { ifname }))),
    batch((to, next) =>
      message(to, { type: type.delChain, flags: flag.ack, sequence: next() }, () =>
        head(to, family.netdev).attrText(chainAttr.table, table.table).attrText(chainAttr.name, ifname),
      ),
    ),
  ]
}

function writeChain(to: Writer, { table }: HookTable, ifname: string): void {
  head(to, family.netdev).attrText(chainAttr.table, table).attrText(chainAttr.name, ifname)
  to.nest(chainAttr.hook | nested, () =>
    to.attr(hookAttr.number, be32(egress)).attr(hookAttr.priority, be32(0)).attrText(hookAttr.device, ifname),
  )
  to.attr(chainAttr.policy, be32(accept)).attrText(chainAttr.type, 'filter')
}

function writeGoto(to: Writer, { table, to: chain }: HookTable, ifname: string): void {
  head(to, family.netdev).attrText(ruleAttr.table, table).attrText(ruleAttr.chain, ifname)
  to.nest(ruleAttr.expressions | nested, () =>
    to.nest(elementAttr.one | nested, () => {
      to.attrText(expressionAttr.name, 'immediate').nest(expressionAttr.of | nested, () => {
        to.attr(immediateAttr.register, be32(verdictRegister))
        to.nest(immediateAttr.value | nested, () =>
          to.nest(dataAttr.verdict | nested, () => to.attr(verdictAttr.code, be32(goTo)).attrText(verdictAttr.chain, chain)),
        )
      })
    }),
  )
}

const placeOf = ({ table, map }: HookTable): SetPlace => ({ family: family.netdev, table, set: map })

function write(to: Writer, table: HookTable, { ifname, index }: Pick<Hook, 'ifname'> & Partial<Hook>): void {
  writeElement(to, placeOf(table), () => {
    to.nest(elementAttr.key | nested, () => to.attr(dataAttr.value, ifnameKey(ifname)))
    // In host order, as the kernel's own numbers of devices are.
    if (index !== undefined) to.nest(elementAttr.data | nested, () => to.attr32(dataAttr.value, index))
  })
}

export function encodeChainsDump(): Uint8Array {
  const to = new Writer()
  message(to, { type: type.getChain, flags: flag.dump, sequence: 1 }, () => head(to, family.netdev))
  return to.done()
}

export const encodeMapDump = (table: HookTable): Uint8Array => encodeSetDump(placeOf(table))

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
  return readDump(bytes, ({ body }) =>
    elementsIn(body).elements.flatMap((part) => {
      const all = attributes(part)
      const [ifname, index] = [
        textOf(attributes(all.get(elementAttr.key) ?? new Uint8Array()), dataAttr.value),
        u32Of(attributes(all.get(elementAttr.data) ?? new Uint8Array()), dataAttr.value),
      ]
      return ifname === undefined || index === undefined ? [] : [{ ifname, index }]
    }),
  )
}
