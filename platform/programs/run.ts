import { spawn } from 'node:child_process'

export interface Outcome {
  /** 0 on success; undefined when the program could not be started or was ended by a signal. */
  readonly code: number | undefined
  readonly stdout: string
  readonly stderr: string
}

interface Options {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly input?: string
}

/** Runs a program to its end. Never rejects: a program that is not there is an outcome whose stderr says so. */
export function run(program: string, args: readonly string[], options: Options = {}): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: options.cwd, env: { ...process.env, ...options.env }, stdio: ['pipe', 'pipe', 'pipe'] })
    const out: Buffer[] = []
    const err: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk))
    const end = (code: number | undefined, more = '') =>
      resolve({ code, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() + more })
    child.on('error', (err) => end(undefined, err.message))
    child.on('close', (code) => end(code ?? undefined))
    // A program that ends without reading its input breaks the pipe; its exit code tells the rest.
    child.stdin.on('error', () => undefined)
    child.stdin.end(options.input ?? '')
  })
}
