// What a module of ours is created with.
import type { MatchField, ModuleArgs } from '../../../core/graph/pieces.ts'

const bytesOf = (hex: string): Uint8Array => Buffer.from(hex, 'hex')
const fieldOf = ({ at, bytes }: MatchField): object => ({ ...(typeof at === 'string' ? { attrName: at } : { offset: at }), numBytes: bytes })

/** As a number: of bytes BESS would turn the order around (DoAddField in core/utils/exact_match_table.h). */
const maskOf = ({ mask, bytes }: MatchField): object => ({ valueInt: BigInt(`0x${mask ?? 'ff'.repeat(bytes)}`) })

/** @param portName the daemon's name of the port with that role */
export function argOf(args: ModuleArgs, portName: (role: string) => string): object {
  switch (args.mclass) {
    case 'PortInc':
    case 'PortOut':
      return { port: portName(args.port) }
    case 'SetMetadata':
      return { attrs: args.attrs.map(({ name, value }) => ({ name, size: value.length / 2, valueBin: bytesOf(value) })) }
    case 'ExactMatch':
      return { fields: args.fields.map(fieldOf), masks: args.fields.some(({ mask }) => mask !== undefined) ? args.fields.map(maskOf) : [] }
    case 'WildcardMatch':
      return { fields: args.fields.map(fieldOf) }
    case 'Replicate':
      return { gates: Array.from({ length: args.gates }, (_, gate) => gate) }
    case 'Update':
      return { fields: args.fields.map(({ offset, value }) => ({ offset, size: value.length / 2, value: BigInt(`0x${value}`) })) }
    case 'VXLANEncap':
      return { dstport: args.l4Port }
    default:
      return {}
  }
}
