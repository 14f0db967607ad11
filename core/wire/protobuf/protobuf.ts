// Protobuf (proto3) from committed field tables: a table is what is known of a message, and its codec.
import { Undecodable, messageOf } from '../../errors.ts'
import { bytes, string, type Fields, type Nested, type Read, type Written } from './fields.ts'
import { decode } from './read.ts'
import { encode } from './write.ts'

export * from './fields.ts'

/** One message: both halves of its codec, its full name, and its table. */
export interface Message<Out, In = Out> extends Nested<Out, In> {
  /** @throws TypeError with the field's name where a value is not of its type: a fault of the program */
  encode(draft: In): Uint8Array
  /** @throws Undecodable */
  decode(from: Uint8Array): Out
}

export type ReadOf<M> = M extends Nested<infer Out, unknown> ? Out : never
export type WrittenOf<M> = M extends Nested<unknown, infer In> ? In : never

/** @param name with its package, as in `bess.pb.Error` */
export function define<F extends Fields>(name: string, fields: F): Message<Read<F>, Written<F>> {
  return {
    name,
    fields,
    encode: (draft) => encode(fields, name, draft),
    decode(from) {
      try {
        return decode({ name, fields }, from) as Read<F>
      } catch (cause) {
        throw new Undecodable({ name, reason: messageOf(cause), cause })
      }
    },
  }
}

/** google/protobuf/any.proto: a message of any type, with its name. */
export const Any = define('google.protobuf.Any', { typeUrl: string(1), value: bytes(2) })
export type Any = ReadOf<typeof Any>

const prefix = 'type.googleapis.com/'
export const pack = <Out, In>(of: Message<Out, In>, draft: In): Any => ({ typeUrl: `${prefix}${of.name}`, value: of.encode(draft) })

/**
 * @returns undefined where something else is in it; of the URL only what follows the last slash counts
 * @throws Undecodable
 */
export function unpack<Out, In>(of: Message<Out, In>, any: Any | undefined): Out | undefined {
  return any !== undefined && any.typeUrl.slice(any.typeUrl.lastIndexOf('/') + 1) === of.name ? of.decode(any.value) : undefined
}
