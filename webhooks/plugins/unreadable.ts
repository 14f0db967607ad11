// What is no request that can be read is answered like every other error, though no route, hook or log line ever sees it.
import type { Socket } from 'node:net'
import { HeadersTooLarge, Malformed, RequestIncomplete, type MegrezError } from '../../core/errors.ts'
import { bodyOf } from './errors.ts'

/** As Node.js tells of it (HTTP, event `clientError`). */
interface ClientError extends Error {
  readonly code?: string
  /** Bytes; Fastify's types say otherwise. */
  readonly rawPacket?: unknown
}

/** First byte of a TLS connection (RFC 8446 section 5.1: a handshake), which is no letter of a method. */
const handshake = 0x16

/**
 * @param nextId of requests
 * @param withinMs how long a whole request may take
 */
export function answerUnreadable(nextId: () => string, withinMs: number): (err: ClientError, socket: Socket) => void {
  return (err, socket) => {
    if (err.code === 'ECONNRESET' || socket.destroyed) return
    if (socket.writable) socket.write(answer(refusalOf(err, withinMs), nextId()))
    socket.destroy(err)
  }
}

function refusalOf(err: ClientError, ms: number): MegrezError {
  if (err.code === 'HPE_HEADER_OVERFLOW') return new HeadersTooLarge({ max: 'the limit of 16 KiB' })
  if (err.code === 'ERR_HTTP_REQUEST_TIMEOUT') return new RequestIncomplete({ ms })
  return new Malformed({ what: 'this address', reason: isTls(err) ? 'it is TLS, and http is spoken here' : 'it is no HTTP/1.1' })
}

const isTls = ({ rawPacket }: ClientError): boolean => rawPacket instanceof Uint8Array && rawPacket[0] === handshake

function answer(refused: MegrezError, id: string): string {
  const body = JSON.stringify(bodyOf(refused))
  // A reason phrase may be empty, and says nothing that the body does not (RFC 9112 section 4).
  const head = [
    `HTTP/1.1 ${refused.policy.http} `,
    'connection: close',
    'content-type: application/problem+json',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${id}`,
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}
