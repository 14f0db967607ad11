// Is it alive, is it ready, what has it counted: asked without a token.
import type { FastifyInstance, FastifyReply } from 'fastify'
import { healthRoutes } from '../../openapi/paths/health.ts'
import { alive, readiness, type ProbeAnswer } from '../../platform/health.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { serveRoutes } from '../serve-routes.ts'

export interface Health {
  /** What keeps it from serving, in words; none when it is ready. */
  readonly problems: () => readonly string[]
  readonly registry?: Metrics['registry']
}

/** The same answers as of processes that serve nothing else (platform/health.ts); /metrics is Prometheus text (version 0.0.4). */
export function useHealth(app: FastifyInstance, { problems, registry }: Health): void {
  const say = (reply: FastifyReply, { status, text, type }: ProbeAnswer): FastifyReply =>
    reply.code(status).header('content-type', type).send(text)
  serveRoutes(app, healthRoutes, {
    isAlive: (_request, reply) => say(reply, alive(problems())),
    isReady: (_request, reply) => say(reply, readiness(problems())),
    getMetrics: registry && (async (_request, reply) => reply.header('content-type', registry.contentType).send(await registry.metrics())),
  })
}
