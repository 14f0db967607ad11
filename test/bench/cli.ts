// How long `megrez get` takes until its first output, beyond what Node.js takes to say anything at all.
import { spawn } from 'node:child_process'
import { performance } from 'node:perf_hooks'
import { join } from 'node:path'
import { startStandalone } from './lib/standalone.ts'
import { absolute, type Metric } from './lib/metric.ts'
import { interleaved, show } from './lib/rounds.ts'

export const description = "milliseconds until megrez get's first output, beyond those of a Node.js that prints a word"

const rounds = 15
const program = join(import.meta.dirname, '../../bin/megrez.mjs')

/** From the start of the process to the first byte that it prints. */
async function firstOutput(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const began = performance.now()
  const child = spawn(process.execPath, [...args], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  const took = await new Promise<number>((done, failed) => {
    child.stdout.once('data', () => done(performance.now() - began))
    child.once('exit', (code) => failed(new Error(`it ended with ${code} and printed nothing`)))
  })
  await ended
  return took
}

export default async function bench(): Promise<readonly Metric[]> {
  const server = await startStandalone()
  try {
    const made = await fetch(`${server.url}/v1/namespaces/default/vpcs`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ metadata: { name: 'bench' }, spec: {} }),
    })
    if (!made.ok) throw new Error(`the Vpc was not made: ${made.status}`)
    const env = { ...process.env, MEGREZ_URL: server.url, MEGREZ_TOKEN: server.token }
    const figures = await interleaved(rounds, {
      get: () => firstOutput([program, 'get', 'vpcs'], env),
      bare: () => firstOutput(['-e', "process.stdout.write('x')"], env),
    })
    show('ms', { 'megrez get vpcs': figures.get, 'a bare start': figures.bare })
    return [absolute('get-start', 'ms', figures.get.median - figures.bare.median, { atMost: 150 })]
  } finally {
    await server.stop()
  }
}
