// Is it alive, is it ready, what has it counted: asked without a token.
import type { FastifyInstance } from 'fastify'
import type { Metrics } from '../../platform/metrics.ts'

export interface Health {
  /** What keeps it from serving, in words; none when it is ready. */
  readonly problems: () => readonly string[]
  readonly registry?: Metrics['registry']
}

/** /livez says that the event loop turns; /readyz names what is missing; /metrics is Prometheus text (version 0.0.4). */
export function useHealth(app: FastifyInstance, { problems, registry }: Health): void {
  app.get('/livez', (_request, reply) => reply.header('content-type', 'text/plain; charset=utf-8').send('ok\n'))
  app.get('/readyz', (_request, reply) => {
    const missing = problems()
    return reply
      .code(missing.length === 0 ? 200 : 503)
      .header('content-type', 'text/plain; charset=utf-8')
      .send(missing.length === 0 ? 'ok\n' : `${missing.join('\n')}\n`)
  })
  if (registry === undefined) return
  app.get('/metrics', async (_request, reply) => reply.header('content-type', registry.contentType).send(await registry.metrics()))
}
