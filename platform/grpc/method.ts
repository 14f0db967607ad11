import type { Message } from '../../core/wire/protobuf/protobuf.ts'

/** One method of a gRPC service: how it is called, and both messages. Streams are said at the call. */
export interface Method<Asked, Answer> {
  /** `/bess.pb.BESSControl/ListModules` */
  readonly path: string
  encode(request: Asked): Uint8Array
  /** @throws Undecodable */
  decode(from: Uint8Array): Answer
}

/** The same method as whoever serves it has it: the request as it is read, the answer as it is written. */
export interface ServedMethod<Heard, Said> {
  readonly path: string
  /** @throws Undecodable */
  hear(from: Uint8Array): Heard
  say(answer: Said): Uint8Array
}

/** @param service with its package @param name as the service spells it */
export function method<Out, Asked, Answer, In>(
  service: string,
  name: string,
  request: Message<Out, Asked>,
  answer: Message<Answer, In>,
): Method<Asked, Answer> & ServedMethod<Out, In> {
  return {
    path: `/${service}/${name}`,
    encode: (draft) => request.encode(draft),
    decode: (from) => answer.decode(from),
    hear: (from) => request.decode(from),
    say: (draft) => answer.encode(draft),
  }
}
