// The command `megrez`.
import { terminalOf } from './output/terminal.ts'
import { run } from './run.ts'

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
// A reader that has seen enough (`megrez get … | head`) is no fault.
process.stdout.on('error', (err: NodeJS.ErrnoException) => process.exit(err.code === 'EPIPE' ? 0 : 1))
process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  terminal: terminalOf(process.env, { out: Boolean(process.stdout.isTTY), err: Boolean(process.stderr.isTTY) }),
  // Opened only by who reads it: that takes a while.
  get stdin() {
    return process.stdin
  },
  now: () => Date.now(),
  signal: stop.signal,
})
