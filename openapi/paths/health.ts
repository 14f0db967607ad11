// Whether it is alive, ready, busy: the probes and the metrics, as they are on REST and on the server of admission.
import { probePaths } from '../../core/probe-paths.ts'
import { routes, type Route } from './route.ts'
import type { Schema } from '../schemas/render.ts'

const text = (description: string): Schema => ({ description, content: { 'text/plain': { schema: { type: 'string' } } } })

/** An operation that needs no token. */
export const open = <Id extends string>(operationId: Id, summary: string, answers: Schema): Route<Id>['operation'] => ({
  operationId,
  summary,
  tags: ['health'],
  security: [],
  responses: answers,
})

export const healthRoutes = routes(
  { at: probePaths.alive, method: 'get', operation: open('isAlive', 'Whether the process is alive', { 200: text('It is.') }) },
  {
    at: probePaths.ready,
    method: 'get',
    operation: open('isReady', 'Whether requests are answered well', {
      200: text('They are.'),
      503: text('What is missing, a line each.'),
    }),
  },
  {
    at: probePaths.metrics,
    method: 'get',
    operation: open('getMetrics', 'Metrics, as Prometheus reads them', { 200: text('The metrics.') }),
  },
)
