// Metrics as Prometheus reads them (text, version 0.0.4), on whichever listener they are asked for.
import type { ServerResponse } from 'node:http'
import type { Registry } from 'prom-client'

export async function sendMetrics(response: ServerResponse, registry: Registry): Promise<void> {
  const text = await registry.metrics()
  response.writeHead(200, { 'content-type': registry.contentType }).end(text)
}
