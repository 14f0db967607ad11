// A second implementation of protobuf to compare with: protobufjs, which @grpc/grpc-js brings along.
import { createRequire } from 'node:module'

/** As much of protobufjs as the tests use. */
interface ProtobufJs {
  parse(text: string, options?: { readonly keepCase?: boolean }): { readonly root: { lookupType(name: string): SecondType } }
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
