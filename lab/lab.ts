// A laboratory: processes, network namespaces and control groups of one demonstration or test, under one name, with one end. A
// guard beside it ends it also when we are killed.
import { randomBytes } from 'node:crypto'
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasCode } from '../platform/programs/errno.ts'
import { keep, type KeptServer } from '../platform/redis-server/keep.ts'
import { cleanUp } from './clean.ts'
import { makeGroup, procsFile } from './groups.ts'

export interface Lab {
  /** In front of every namespace and control group of ours; short, since it goes into names of links too. */
  readonly id: string
  readonly folder: string
  /** Starts a program that ends no later than the lab. Its output goes to `FOLDER/LOG.log`. */
  start(program: string, args: readonly string[], options: StartOptions): Promise<KeptServer>
  /** Rejects, with the end of its log, when a program ends that the lab cannot do without. */
  readonly fallen: Promise<never>
  /** Ends everything; throws what could not be removed. */
  close(): Promise<void>
}
export interface StartOptions {
  readonly log: string
  /** Absent: where we are. */
  readonly space?: Space
  /** The lab cannot do without it. */
  readonly vital?: boolean
  readonly env?: Readonly<Record<string, string | undefined>>
}

/** What a machine would be: a network namespace with a name, and mounts of its own, among them an empty /run and /var/log. */
export interface Space {
  /** Of the network namespace, for `ip netns`. */
  readonly name: string
  /** Of the process that holds both. */
  readonly pid: number
  /** In front of a command that is to run in it. */
  readonly enter: readonly string[]
}

const prefix = 'megrez-lab-'
const guardProgram = join(import.meta.dirname, 'guard.ts')

/** What is to be ended with a lab, the last first. */
export type Stops = (() => Promise<unknown>)[]

/** A lab for as long as something is played in it. */
export async function inLab<T>(play: (lab: Lab, stops: Stops) => Promise<T>): Promise<T> {
  const lab = await openLab()
  const stops: Stops = [() => lab.close()]
  try {
    return await play(lab, stops)
  } finally {
    for (const stop of stops.reverse()) await stop()
  }
}

/** Needs root. What labs that lost their guard too have left is removed first. */
export async function openLab(): Promise<Lab> {
  await sweep()
  const id = `mgz${randomBytes(3).toString('hex')}`
  const folder = join(tmpdir(), `${prefix}${id}`)
  await mkdir(folder, { mode: 0o755 })
  const guard = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', guardProgram, id, folder], {
    stdio: ['pipe', 'ignore', 'pipe'],
    detached: true,
  })
  await writeFile(join(folder, 'guard.pid'), String(guard.pid))
  await makeGroup(`${id}/programs`)
  const joined = await procsFile(`${id}/programs`)
  const fall = Promise.withResolvers<never>()
  fall.promise.catch(() => undefined)
  return {
    id,
    folder,
    fallen: fall.promise,
    async start(program, args, { log, space, env = {}, vital = false }) {
      const file = join(folder, `${log}.log`)
      const kept = await keep('/bin/sh', ['-c', 'echo $$ > "$0" && exec "$@"', joined, ...(space?.enter ?? []), program, ...args], {
        log: file,
        env,
      })
      if (vital) void kept.ended.then(async (code) => fall.reject(new Error(`${program} ended with ${code}: ${await lastOf(file)}`)))
      return kept
    },
    close: () => ended(guard),
  }
}

const lastOf = async (file: string): Promise<string> =>
  (await readFile(file, 'utf8').catch(() => '')).trim().split('\n').slice(-3).join('\n')

async function ended(guard: ChildProcess): Promise<void> {
  const output: Buffer[] = []
  guard.stderr!.on('data', (chunk: Buffer) => output.push(chunk))
  const code = new Promise<number | null>((resolve) => guard.once('close', resolve))
  guard.stdin!.end()
  if ((await code) !== 0) throw new Error(`the lab could not be taken down: ${Buffer.concat(output).toString().trim()}`)
}

async function sweep(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(prefix)) continue
    const folder = join(tmpdir(), name)
    const guard = Number(await readFile(join(folder, 'guard.pid'), 'utf8').catch(() => '0'))
    if (guard > 0 && !alive(guard)) await cleanUp(name.slice(prefix.length), folder)
  }
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (err) {
    return !hasCode(err, 'ESRCH')
  }
}
