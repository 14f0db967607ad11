// Stopping without losing a request. An API server goes on using its connections to a pod that is ending until it has learnt of
// it, so we first say goodbye on every answer and close only after a while.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../platform/clock.ts'

/** Connections whose last answer was begun before the stop heard no goodbye: they are closed when they fall idle. */
const idlePollMs = 50
/** As long as an endpoint's removal takes to be heard of, mostly. */
const lingerMs = 1_000

export interface GracefulStop {
  /** True once stopping has begun: not ready, at once. */
  readonly stopping: () => boolean
  /** Lingers, then closes; resolves when the last request has been answered. */
  stop(): Promise<void>
}

/** Every answer given while stopping ends its connection. */
export function stopGracefully(app: FastifyInstance, clock: Clock, ms = lingerMs): GracefulStop {
  let begun: Promise<void> | undefined
  const goodbye = (_request: IncomingMessage, response: ServerResponse): void => void response.setHeader('connection', 'close')
  return {
    stopping: () => begun !== undefined,
    stop() {
      // Before Fastify hears of the request, and only from now on: until then it costs nothing.
      if (begun === undefined) app.server.prependListener('request', goodbye)
      begun ??= new Promise<void>((resolve) => {
        // Timers of the clock keep no process alive; the listening socket does.
        clock.after(ms, resolve)
      }).then(() => close(app, clock))
      return begun
    },
  }
}

async function close(app: FastifyInstance, clock: Clock): Promise<void> {
  let cancel = (): void => undefined
  const check = (): void => {
    app.server.closeIdleConnections()
    cancel = clock.after(idlePollMs, check)
  }
  const closed = app.close()
  check()
  await closed
  cancel()
}
