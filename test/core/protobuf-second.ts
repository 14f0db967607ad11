// A second implementation of protobuf to compare with: protobufjs, which @grpc/grpc-js brings along.
import { createRequire } from 'node:module'

/** As much of protobufjs as the tests use. */
interface ProtobufJs {
  parse(text: string): { readonly root: { lookupType(name: string): SecondType } }
  parse(text: string, root: Root, options: { readonly keepCase: boolean }): unknown
  readonly Root: new () => Root
  readonly Type: new (name: string) => object
}
interface Root {
  define(namespace: string): { add(type: object): unknown }
  resolveAll(): unknown
  lookupType(name: string): { readonly fieldsArray: readonly RootField[] }
}
interface RootField {
  readonly name: string
  readonly id: number
  readonly type: string
  readonly repeated: boolean
  readonly map: boolean
  readonly keyType?: string
  readonly resolvedType: { readonly fullName: string } | null
}
export interface SecondType {
  fromObject(from: object): object
  toObject(message: object, options: object): Record<string, unknown>
  encode(message: object): { finish(): Uint8Array }
  decode(from: Uint8Array): object
}

const fromGrpc = createRequire(createRequire(import.meta.url).resolve('@grpc/grpc-js'))
const fromLoader = createRequire(fromGrpc.resolve('@grpc/proto-loader'))
const protobufJs = fromLoader('protobufjs') as ProtobufJs

export const secondTypes = (proto: string): ((name: string) => SecondType) => {
  const { root } = protobufJs.parse(proto)
  return (name) => root.lookupType(name)
}

interface ListedField {
  readonly name: string
  readonly no: number
  /** As `repeated bess.pb.Field`, `uint64`. */
  readonly type: string
}

/** What .proto files say of a message's fields. */
export function secondFields(protos: readonly string[]): (name: string) => readonly ListedField[] {
  const root = new protobufJs.Root()
  for (const proto of protos) protobufJs.parse(proto, root, { keepCase: true })
  root.define('google.protobuf').add(new protobufJs.Type('Any'))
  root.resolveAll()
  return (name) =>
    root.lookupType(name).fieldsArray.map((field) => ({
      name: field.name,
      no: field.id,
      type: `${field.repeated ? 'repeated ' : ''}${field.map ? `map<${field.keyType}> ` : ''}${field.resolvedType?.fullName.slice(1) ?? field.type}`,
    }))
}
