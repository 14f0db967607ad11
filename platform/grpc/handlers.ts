// What a gRPC server of ours answers with: one handler a method, typed by it.
import type { ServedCall } from './caller.ts'
import type { ServedMethod } from './method.ts'

export type ServedHandler =
  | { readonly kind: 'unary'; readonly path: string; readonly answer: (request: Uint8Array, call: ServedCall) => Promise<Uint8Array> }
  | {
      readonly kind: 'stream'
      readonly path: string
      readonly answer: (request: Uint8Array, call: ServedCall) => AsyncIterable<Uint8Array>
    }

/** @param handle may throw: an error of ours becomes its status, any other UNKNOWN without its text */
export const unary = <Heard, Said>(
  method: ServedMethod<Heard, Said>,
  handle: (request: Heard, call: ServedCall) => Promise<Said>,
): ServedHandler => ({
  kind: 'unary',
  path: method.path,
  answer: async (request, call) => method.say(await handle(method.hear(request), call)),
})

/** @param handle is left (`return`) when the caller goes, and when the server stops: then the stream ends with OK */
export const serverStream = <Heard, Said>(
  method: ServedMethod<Heard, Said>,
  handle: (request: Heard, call: ServedCall) => AsyncIterable<Said>,
): ServedHandler => ({
  kind: 'stream',
  path: method.path,
  async *answer(request, call) {
    for await (const answer of handle(method.hear(request), call)) yield method.say(answer)
  },
})
