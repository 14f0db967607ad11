// Who calls a gRPC server of ours, and what the handler of one call knows of it.
import { X509Certificate } from 'node:crypto'
import type { Metadata, ServerUnaryCall, ServerWritableStream } from '@grpc/grpc-js'
import type { CarriedFiles } from './carried-files.ts'
import { isSpiffeId } from '../../core/wire/nsm/spiffe-id.ts'

export interface Caller {
  /** `127.0.0.1:4711`, or `unix` where there is no address. */
  readonly address: string
  /** Absent: no certificate was asked for. One that is here was signed by an authority that is trusted. */
  readonly certificate?: CallerCertificate | undefined
  /** Open files that its connection has brought; absent: it is none that brings any. */
  readonly files?: CarriedFiles
}

export interface CallerCertificate {
  readonly x509: X509Certificate
  /** Absent: it has none, or more than one (SPIFFE X509-SVID, section 2). */
  readonly spiffeId: string | undefined
  /** NotAfter, milliseconds since 1970. */
  readonly until: number
}

export interface ServedCall {
  /** `/bess.pb.BESSControl/ListModules` */
  readonly path: string
  readonly caller: Caller
  /** Milliseconds since 1970; absent: none. */
  readonly deadline: number | undefined
  /** Falls when the call is cancelled, its deadline is over, or the connection is lost. */
  readonly signal: AbortSignal
  /** Every value of that name, in order; names in lower case. */
  metadata(name: string): readonly string[]
  /** Goes with the answer, before it; to be said before the handler has answered. */
  header(name: string, value: string): void
}

export type SurfaceCall = ServerUnaryCall<Buffer, Buffer> | ServerWritableStream<Buffer, Buffer>

/** @param headers collects what `header` says */
export function callOf(call: SurfaceCall, headers: Metadata, signal: AbortSignal): ServedCall {
  const deadline = Number(call.getDeadline())
  return {
    path: call.getPath(),
    caller: callerOf(call),
    deadline: Number.isFinite(deadline) ? deadline : undefined,
    signal,
    metadata: (name) => call.metadata.get(name).map(String),
    header: (name, value) => headers.add(name, value),
  }
}

/** At once: nothing is known of a connection that has gone. The certificate is looked into by whoever asks for it. */
function callerOf(call: SurfaceCall): Caller {
  const raw = call.getAuthContext().sslPeerCertificate?.raw
  const peer = call.getPeer()
  const address = peer === 'unknown' ? 'unix' : peer
  if (raw === undefined) return { address }
  let certificate: CallerCertificate | undefined
  return {
    address,
    get certificate() {
      return (certificate ??= certificateOf(new X509Certificate(raw)))
    },
  }
}

/** Node.js quotes a name that could be taken for two: such a one is no SPIFFE id. */
export function certificateOf(x509: X509Certificate): CallerCertificate {
  const names = (x509.subjectAltName ?? '').split(', ').flatMap((name) => (name.startsWith('URI:') ? [name.slice('URI:'.length)] : []))
  const [id = ''] = names
  return { x509, spiffeId: names.length === 1 && isSpiffeId(id) ? id : undefined, until: x509.validToDate.getTime() }
}
