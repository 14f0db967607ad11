// A command of the CLI, run in this process.
import { run } from '../../cli/run.ts'

export interface CommandOutput {
  readonly exit: number
  readonly out: string
  readonly err: string
}

export async function outputOf(args: readonly string[], env: Readonly<Record<string, string>>): Promise<CommandOutput> {
  let [out, err] = ['', '']
  const exit = await run(args, {
    env,
    out: (text) => (out += text),
    err: (text) => (err += text),
    stdin: [] as unknown as AsyncIterable<Buffer>,
    now: () => Date.now(),
    signal: new AbortController().signal,
  })
  return { exit, out, err }
}
