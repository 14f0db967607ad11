// Streams of gRPC as what a loop can await.
import type { ClientDuplexStream, ClientReadableStream } from '@grpc/grpc-js'
import { PeerUnavailable } from '../../core/errors.ts'
import { failureOf } from './failure.ts'
import type { Method } from './method.ts'

export interface Exchange<Asked, Answer> {
  /** Resolves when there is room for the next. @throws PeerUnavailable once the stream has ended */
  send(request: Asked): Promise<void>
  /** No more is sent; answers may still come. */
  end(): void
  /** To be read once. Leaving the loop cancels the call. */
  readonly answers: AsyncIterable<Answer>
}

interface Of<Asked, Answer> {
  readonly target: string
  readonly method: Method<Asked, Answer>
  readonly signal: AbortSignal | undefined
}

/** Cancels when the loop is left or the signal is aborted; then the signal's reason is thrown. */
export async function* incoming<Asked, Answer>(
  call: ClientReadableStream<Buffer>,
  { target, method, signal }: Of<Asked, Answer>,
): AsyncGenerator<Answer, void, undefined> {
  const cancel = (): void => call.cancel()
  signal?.addEventListener('abort', cancel)
  // A stream that fails while nobody reads it must not end the process; the loop below still gets the error.
  call.on('error', () => undefined)
  try {
    signal?.throwIfAborted()
    for await (const answer of call) yield method.decode(answer as Buffer)
  } catch (err) {
    throw signal?.aborted ? signal.reason : failureOf(err, target, method.path)
  } finally {
    signal?.removeEventListener('abort', cancel)
    call.cancel()
  }
}

export function exchange<Asked, Answer>(call: ClientDuplexStream<Asked, Buffer>, of: Of<Asked, Answer>): Exchange<Asked, Answer> {
  const { target, method, signal } = of
  const answers = incoming(call, of)
  // Heard from the start, although the generator only runs once it is read.
  call.on('error', () => undefined)
  signal?.addEventListener('abort', () => call.cancel(), { once: true })
  return {
    answers,
    end: () => void call.end(),
    send: (request) =>
      new Promise((resolve, reject) => {
        const gone = (): void =>
          reject(signal?.aborted ? signal.reason : new PeerUnavailable({ target, method: method.path, reason: 'the stream has ended' }))
        if (!call.writable) return gone()
        call.once('close', gone)
        call.write(request, (err?: Error | null) => {
          call.off('close', gone)
          if (err) gone()
          else resolve()
        })
      }),
  }
}
