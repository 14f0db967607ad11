// Proxies as processes: found by what they were started with, which holds a path that is nobody else's. Each is a child of the agent that
// has started it, which reaps it, and outlives that agent.
import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { access, readdir, readFile } from 'node:fs/promises'
import { LinkRefused } from '../../core/errors.ts'
import { pause, type Clock } from '../../platform/clock.ts'

const [startMs, endMs, pollMs] = [10_000, 2_000, 20]

/** @param path the beginning of one of its words */
export async function processesOf(path: string): Promise<readonly number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(
    pids.map(async (pid) => ((await wordsOf(pid)).some((word) => word.startsWith(path)) ? [Number(pid)] : [])),
  )
  return found.flat()
}

/** None of one that has ended and is waited for by nobody. */
async function wordsOf(pid: number | string): Promise<readonly string[]> {
  const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return /^(\S*\/)?haproxy\0/.test(text) ? text.split('\0') : []
}

interface Started {
  /** Whose words are a program and what it is told. */
  readonly command: readonly string[]
  /** Of what it says. */
  readonly log: string
  /** There once it listens. */
  readonly socket: string
}

/** Resolves once it listens. @throws LinkRefused with what it has said where it ends, or does not listen */
export async function startApart({ command: [program = '', ...words], log, socket }: Started, clock: Clock): Promise<void> {
  const file = openSync(log, 'w', 0o600)
  const child = spawn(program, words, { detached: true, stdio: ['ignore', file, file], env: { PATH: process.env['PATH'] } })
  closeSync(file)
  child.on('error', () => undefined)
  child.unref()
  for (const end = clock.elapsed() + startMs; !(await isThere(socket)); await pause(pollMs, clock)) {
    if (!hasEnded(child) && clock.elapsed() < end) continue
    child.kill('SIGKILL')
    const output = await readFile(log, 'utf8').catch(() => '')
    throw new LinkRefused({ what: 'an inspector', reason: output.trim().slice(-400) || 'it does not listen' })
  }
}

const hasEnded = ({ pid, exitCode, signalCode }: ChildProcess): boolean => pid === undefined || exitCode !== null || signalCode !== null

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/** What they have open is cut. */
export async function end(pids: readonly number[], clock: Clock): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    for (const pid of pids) send(pid, signal)
    for (const until = clock.elapsed() + endMs; clock.elapsed() < until; await pause(pollMs, clock))
      if ((await Promise.all(pids.map(wordsOf))).every((words) => words.length === 0)) return
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (err) {
    if ((err as { readonly code?: string }).code !== 'ESRCH') throw err
  }
}
