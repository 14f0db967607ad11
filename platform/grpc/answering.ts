// One call, from the bytes that came to the status that it ends with.
import { bufferOf } from './buffer.ts'
import { Metadata, status, type sendUnaryData, type ServerUnaryCall, type ServerWritableStream } from '@grpc/grpc-js'
import { callOf, type SurfaceCall } from './caller.ts'
import type { ServedHandler } from './handlers.ts'
import { statusOf, type AnsweredStatus } from './statuses.ts'

export interface Answering {
  /** Falls when the server stops: streams end then, with OK. */
  readonly stopping: AbortSignal
  /** Once a call, with the name of its status. */
  readonly ended: (path: string, code: string) => void
  /** A fault: its text stays here. */
  readonly failed: (path: string, err: unknown) => void
}

type Of<K extends ServedHandler['kind']> = Extract<ServedHandler, { readonly kind: K }>
const ok: AnsweredStatus = { code: status.OK, details: '' }

export function answerUnary({ path, answer }: Of<'unary'>, { ended, failed }: Answering) {
  return (call: ServerUnaryCall<Buffer, Buffer>, done: sendUnaryData<Buffer>): void => {
    const headers = new Metadata()
    const signal = signalOf(call)
    answer(call.request, callOf(call, headers, signal)).then(
      (answer) => {
        call.sendMetadata(headers)
        done(null, bufferOf(answer))
        ended(path, status[signal.aborted ? status.CANCELLED : status.OK])
      },
      (err: unknown) => {
        const answered = statusToSend(path, err, failed)
        done(answered)
        ended(path, status[signal.aborted ? status.CANCELLED : answered.code] ?? '')
      },
    )
  }
}

export function answerStream({ path, answer }: Of<'stream'>, answering: Answering) {
  return (call: ServerWritableStream<Buffer, Buffer>): void => {
    const headers = new Metadata()
    const signal = signalOf(call)
    // A write after the caller has gone must not end the process; `signal` says it too.
    call.on('error', () => undefined)
    void stream(answer(call.request, callOf(call, headers, signal)), call, { headers, signal, stopping: answering.stopping }).then(
      () => {
        if (!signal.aborted) call.end()
        answering.ended(path, status[signal.aborted ? status.CANCELLED : ok.code])
      },
      (err: unknown) => {
        const answered = signal.aborted ? { code: status.CANCELLED, details: '' } : statusToSend(path, err, answering.failed)
        call.emit('error', answered)
        answering.ended(path, status[answered.code] ?? '')
      },
    )
  }
}

function statusToSend(path: string, err: unknown, failed: Answering['failed']): AnsweredStatus {
  const known = statusOf(err)
  if (known === undefined) failed(path, err)
  return known ?? { code: status.UNKNOWN, details: 'an unexpected fault of Megrez; its log has it' }
}

function signalOf(call: SurfaceCall): AbortSignal {
  const gone = new AbortController()
  if (call.cancelled) gone.abort()
  call.on('cancelled', () => gone.abort())
  return gone.signal
}

interface Outgoing {
  readonly headers: Metadata
  readonly signal: AbortSignal
  readonly stopping: AbortSignal
}

/** As fast as the caller reads. What waits for a next message is left when the caller goes or the server stops. */
async function stream(answers: AsyncIterable<Uint8Array>, call: ServerWritableStream<Buffer, Buffer>, out: Outgoing): Promise<void> {
  const { headers, signal, stopping } = out
  const iterator = answers[Symbol.asyncIterator]()
  const left = fallen(signal, stopping)
  let sent = false
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), left.promise])
      if (next === undefined || next.done === true) return
      if (!sent) call.sendMetadata(headers)
      sent = true
      if (!call.write(bufferOf(next.value))) await Promise.race([drained(call), left.promise])
    }
  } finally {
    left.forget()
    // Not awaited: a handler that waits for something of its own hears of it by `signal`, or when that comes.
    void Promise.resolve(iterator.return?.()).catch(() => undefined)
  }
}

const drained = (call: ServerWritableStream<Buffer, Buffer>): Promise<void> => new Promise((resolve) => call.once('drain', resolve))

function fallen(...signals: readonly AbortSignal[]): { readonly promise: Promise<undefined>; readonly forget: () => void } {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const fall = (): void => resolve(undefined)
  for (const signal of signals) {
    if (signal.aborted) fall()
    signal.addEventListener('abort', fall)
  }
  return {
    promise,
    forget: () => {
      for (const signal of signals) signal.removeEventListener('abort', fall)
    },
  }
}
