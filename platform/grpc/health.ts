// grpc.health.v1.Health (github.com/grpc/grpc: src/proto/grpc/health/v1/health.proto, 2026-11): what probes of gRPC servers ask.
import { NotFound } from '../../core/errors.ts'
import { define, enumeration, string } from '../../core/wire/protobuf/protobuf.ts'
import type { ServedCall } from './caller.ts'
import { serverStream, unary, type ServedHandler } from './handlers.ts'
import { method } from './method.ts'

const name = 'grpc.health.v1.Health'
const Request = define('grpc.health.v1.HealthCheckRequest', { service: string(1) })
const Answer = define('grpc.health.v1.HealthCheckResponse', { status: enumeration(1) })
/** UNKNOWN is 0, NOT_SERVING 2. */
const serving = 1
const serviceUnknown = 3

/** @param paths of the methods that are served: a service is healthy as long as the server answers */
export function healthHandlers(paths: readonly string[]): readonly ServedHandler[] {
  const known = new Set(['', name, ...paths.map((path) => path.split('/')[1] ?? '')])
  return [
    unary(method(name, 'Check', Request, Answer), async ({ service }) => {
      if (!known.has(service)) throw new NotFound({ kind: 'Service', key: service.slice(0, 200) })
      return { status: serving }
    }),
    serverStream(method(name, 'Watch', Request, Answer), async function* ({ service }, { signal }) {
      yield { status: known.has(service) ? serving : serviceUnknown }
      await aborted(signal)
    }),
  ]
}

const aborted = (signal: ServedCall['signal']): Promise<void> =>
  new Promise((resolve) => (signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve(), { once: true })))
