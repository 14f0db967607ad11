// What is not about one kind: probes, metrics, this document, and what we send to a callbackURL.
import type { Schema } from './render.ts'

const text = (description: string): Schema => ({ description, content: { 'text/plain': { schema: { type: 'string' } } } })
const open = (operationId: string, summary: string, answers: Schema): Schema => ({ get: { operationId, summary, tags: ['health'], security: [], responses: answers } })

export const withoutToken: Readonly<Record<string, Schema>> = {
  '/livez': open('isAlive', 'Whether the process is alive', { 200: text('It is.') }),
  '/readyz': open('isReady', 'Whether requests are answered well', { 200: text('They are.'), 503: text('What is missing, a line each.') }),
  '/metrics': open('getMetrics', 'Metrics, as Prometheus reads them', { 200: text('The metrics.') }),
  '/openapi.json': open('getDocument', 'This document', { 200: { description: 'The document.', content: { 'application/json': { schema: { type: 'object', additionalProperties: true } } } } }),
}

const signed = (name: string, description: string): Schema => ({ name, in: 'header', required: true, description, schema: { type: 'string' } })

/** Standard Webhooks. */
export const callback: Schema = {
  post: {
    operationId: 'phaseChanged',
    summary: 'Sent to an object\'s callbackURL on each change of its phase, in order, until it is acknowledged',
    security: [],
    parameters: [
      signed('webhook-id', 'the same for each sending of one change'),
      signed('webhook-timestamp', 'seconds since 1970'),
      signed('webhook-signature', '`v1,` and the base64 of HMAC-SHA256 over id, timestamp and body, joined by dots'),
    ],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { type: 'object', description: 'the whole object as it is now; with phase `deleted`, as it was last', additionalProperties: true } } },
    },
    responses: { '2XX': { description: 'Acknowledged: it is not sent again.' }, default: { description: 'Sent again later.' } },
  },
}
