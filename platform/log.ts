// Logs as JSON lines: a constant sentence, values as keys, nothing secret, no top-level key from user input.
import { pino, type DestinationStream, type Logger } from 'pino'

export type Log = Logger

const secrets = [
  'token',
  'secret',
  'authorization',
  'headers.authorization',
  'headers["megrez-authorization"]',
  '*.token',
  '*.secret',
  '*.authorization',
]

/** @param to standard error unless given: standard output belongs to what a program was asked to print */
export function makeLog(level: string, to: DestinationStream = pino.destination({ fd: 2, sync: false })): Log {
  return pino({ level, base: null, redact: { paths: secrets, censor: '[redacted]' }, timestamp: pino.stdTimeFunctions.isoTime }, to)
}

export const silentLog = (): Log => pino({ level: 'silent' })
