// What a module of ours is created with.
import type { Attr, CopiedAttr, MatchField, ModuleArgs } from '../../../core/graph/elements.ts'

const bytesOf = (hex: string): Uint8Array => Buffer.from(hex, 'hex')
const fieldOf = ({ at, bytes }: MatchField): object => ({
  ...(typeof at === 'string' ? { attrName: at } : { offset: at }),
  numBytes: bytes,
})

/** As a number: of bytes BESS would turn the order around (DoAddField in core/utils/exact_match_table.h). */
const maskOf = ({ mask, bytes }: MatchField): object => ({ valueInt: BigInt(`0x${mask ?? 'ff'.repeat(bytes)}`) })

const attrOf = (attr: Attr | CopiedAttr): object =>
  'value' in attr
    ? { name: attr.name, size: attr.value.length / 2, valueBin: bytesOf(attr.value) }
    : { name: attr.name, size: attr.bytes, offset: attr.offset }

type Args<K extends ModuleArgs['mclass']> = ModuleArgs & { readonly mclass: K }
type PortName = (role: string) => string
const ofPort = ({ port }: { readonly port: string }, portName: PortName): object => ({ port: portName(port) })

const byClass: { readonly [K in ModuleArgs['mclass']]?: (args: Args<K>, portName: PortName) => object } = {
  PortInc: ofPort,
  PortOut: ofPort,
  SetMetadata: ({ attrs }) => ({ attrs: attrs.map(attrOf) }),
  ExactMatch: ({ fields }) => ({
    fields: fields.map(fieldOf),
    masks: fields.some(({ mask }) => mask !== undefined) ? fields.map(maskOf) : [],
  }),
  WildcardMatch: ({ fields }) => ({ fields: fields.map(fieldOf) }),
  // An open one copies to none until somebody is there: a copy for a gate with nobody behind it costs as much as another.
  Replicate: ({ gates, open }) => ({ gates: open === true ? [] : Array.from({ length: gates }, (_, gate) => gate) }),
  Update: ({ fields }) => ({
    fields: fields.map(({ offset, value }) => ({ offset, size: value.length / 2, value: BigInt(`0x${value}`) })),
  }),
  VXLANEncap: ({ l4Port }) => ({ dstport: l4Port }),
  VLANPush: ({ tci }) => ({ tci }),
  GenericEncap: ({ attr, value }) => ({
    fields: [
      ...(attr === undefined ? [] : [{ size: attr.bytes, attribute: attr.name }]),
      { size: value.length / 2, value: { valueBin: bytesOf(value) } },
    ],
  }),
  GenericDecap: ({ bytes }) => ({ bytes }),
  Queue: ({ slots }) => ({ size: slots }),
}

/** @param portName the daemon's name of the port with that role */
export const argOf = (args: ModuleArgs, portName: PortName): object =>
  (byClass[args.mclass] as ((args: ModuleArgs, portName: PortName) => object) | undefined)?.(args, portName) ?? {}
