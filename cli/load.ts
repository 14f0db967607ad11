// npm run load: Ports by REST at a rate, each followed until it is ready and tested; quantiles at the end. Exit code 1 when not all went
// well.
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Api } from './rest/api.ts'
import { CliError } from './context.ts'
import { startServer, type Server } from './demo/server.ts'
import { Drive } from './load/drive.ts'
import { Figures } from './load/figures.ts'
import { readLoadOptions, usage, type LoadOptions } from './load/options.ts'
import { operationLines, printEstimate, printSummary, summaryOf } from './load/print.ts'
import { seeded } from './load/random.ts'
import { scheduleOf } from './load/schedule.ts'

/** What a Port is asked of: the server that was named, or one of our own that hands freed addresses out at once. */
async function serverFor({
  url,
  token,
  install,
}: LoadOptions): Promise<Pick<Server, 'url' | 'stop'> & { readonly token: string | undefined }> {
  if (url !== undefined) return { url, token: token ?? process.env['MEGREZ_TOKEN'], stop: () => Promise.resolve() }
  process.env['MEGREZ_ADDRESS_REST_MS'] ??= '0'
  return startServer(install ? [] : ['--no-install'])
}

async function serveMetrics(figures: Figures, l4Port: number): Promise<() => Promise<void>> {
  const server = createServer(
    (_, response) =>
      void figures.registry.metrics().then((text) => response.setHeader('content-type', figures.registry.contentType).end(text)),
  )
  await new Promise<void>((resolve, reject) =>
    server
      .once('error', (err: NodeJS.ErrnoException) =>
        reject(new CliError(1, err.code === 'EADDRINUSE' ? `TCP port ${l4Port} is in use: choose another for the metrics` : err.message)),
      )
      .listen(l4Port, '127.0.0.1', resolve),
  )
  process.stderr.write(`metrics: http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics\n`)
  return () => new Promise((resolve) => (server.closeAllConnections(), server.close(() => resolve())))
}

async function load(options: LoadOptions): Promise<number> {
  const operations = scheduleOf(options.schedule, seeded(options.seed))
  if (options.estimate) {
    process.stdout.write(printEstimate(options, operations))
    return 0
  }
  const figures = new Figures()
  const stopMetrics = options.metricsL4Port === undefined ? undefined : await serveMetrics(figures, options.metricsL4Port)
  const server = await serverFor(options)
  try {
    const drive = new Drive(new Api({ url: server.url, token: server.token }, new AbortController().signal), options, operations, figures)
    const outcome = await drive.run()
    const summary = summaryOf(options, drive, outcome)
    process.stdout.write(options.json ? `${JSON.stringify(summary)}\n` : printSummary(summary))
    if (options.dumpTo !== undefined) await writeFile(options.dumpTo, operationLines(outcome.operations))
    return outcome.wrong.length === 0 ? 0 : 1
  } finally {
    await server.stop()
    await stopMetrics?.()
  }
}

try {
  const options = readLoadOptions(process.argv.slice(2), Date.now())
  if (options === 'help') process.stdout.write(`${usage}\n`)
  else process.exitCode = await load(options)
} catch (err) {
  if (!(err instanceof CliError)) throw err
  process.stderr.write(`load: ${err.message}\n`)
  process.exitCode = err.exit
}
