// What a BGP daemon and we take of the node: its programs, without a shell, in the network that the daemon is in.
import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { run, type Outcome } from '../../platform/programs/run.ts'

export class BGPHost {
  /** Path of its network namespace; undefined: that of this process. */
  readonly netns: string | undefined
  readonly #enter: readonly string[]

  /** @param namespace another network than the process' own, by its name (ip-netns(8)) */
  constructor(namespace?: string) {
    this.netns = namespace === undefined ? undefined : `/run/netns/${namespace}`
    this.#enter = namespace === undefined ? [] : ['ip', 'netns', 'exec', namespace]
  }

  run(program: string, ...args: readonly string[]): Promise<Outcome> {
    const [first = program, ...words] = [...this.#enter, program, ...args]
    return run(first, words)
  }

  /** Starts a program that outlives this process, its output appended to a file. */
  startApart(log: string, program: string, ...args: readonly string[]): void {
    const [first = program, ...words] = [...this.#enter, program, ...args]
    const file = openSync(log, 'a', 0o600)
    // Its times are read as UTC.
    const child = spawn(first, words, { detached: true, stdio: ['ignore', file, file], env: { PATH: process.env['PATH'], TZ: 'UTC' } })
    closeSync(file)
    // Whoever waits for its answer waits in vain, and tells.
    child.on('error', () => undefined)
    child.unref()
  }

  /** Passwords are in there. */
  async makeFolder(path: string): Promise<void> {
    await mkdir(path, { recursive: true, mode: 0o700 })
    await chmod(path, 0o700)
  }

  read(path: string): Promise<string | undefined> {
    return readFile(path, 'utf8').catch(() => undefined)
  }

  async write(path: string, text: string): Promise<void> {
    await rm(path, { force: true })
    await writeFile(path, text, { mode: 0o600, flag: 'wx' })
  }

  /** Whole or not at all, whoever reads it meanwhile. */
  async replace(path: string, text: string): Promise<void> {
    await mkdir(dirname(path), { recursive: true })
    await this.write(`${path}.whole`, text)
    await rename(`${path}.whole`, path)
  }

  remove(path: string): Promise<void> {
    return rm(path, { force: true })
  }
}
