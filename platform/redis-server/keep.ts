import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'

/**
 * The shell between us and a child. Its standard input is ours to hold open: when it closes, by `stop` or because this
 * process is gone in whatever way (kill -9 included), the child is told to end, and killed when it has not after 15 s.
 * After an end that was asked for, the folder $KEEP_REMOVE is removed; after a child's own end its logs stay.
 */
const shell = `
exec 5<&0 </dev/null
"$@" 5<&- 3>&- &
child=$!
echo $child >&3
exec 3>&-
(
  read -r _ <&5
  trap '' TERM
  kill $child
  n=0
  while kill -0 $child; do
    [ $n -lt 150 ] || kill -KILL $child
    n=$((n + 1))
    sleep 0.1
  done
  exit 0
) >/dev/null 2>&1 &
owner=$!
wait $child
code=$?
kill $owner 2>/dev/null
wait $owner && [ -n "$KEEP_REMOVE" ] && rm -rf -- "$KEEP_REMOVE"
exit $code
`

export interface KeptServer {
  /** Of the child itself, not of the shell beside it. */
  readonly pid: number
  /** Resolves with the exit code (128 + n for signal n), whoever ended it. */
  readonly ended: Promise<number>
  /** Ends the child and resolves when it is gone. May be called again. */
  stop(): Promise<void>
}

export interface KeepOptions {
  /** The child's output is appended to this file. */
  readonly log: string
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Removed after an end that was asked for, or when this process is gone. */
  readonly remove?: string
}

/**
 * Starts a program that ends no later than this process does. It gets a session of its own, so that a Ctrl-C at the
 * terminal reaches us alone and the order of stopping is ours. It does not keep this process alive.
 */
export async function keep(command: string, args: readonly string[], options: KeepOptions): Promise<KeptServer> {
  const log = openSync(options.log, 'a')
  const env = { ...process.env, ...options.env, KEEP_REMOVE: options.remove ?? '' }
  const child = spawn('/bin/sh', ['-c', shell, 'keep', command, ...args], {
    stdio: ['pipe', log, log, 'pipe'],
    detached: true,
    env,
    cwd: options.cwd,
  })
  closeSync(log)
  const ended = new Promise<number>((resolve, reject) => {
    child.on('exit', (code) => resolve(code ?? 1))
    child.on('error', reject)
  })
  ended.catch(() => undefined)
  const stdin = child.stdin as Socket
  stdin.on('error', () => undefined)
  const pid = Number(await textOf(child.stdio[3] as Readable))
  child.unref()
  stdin.unref()
  return {
    pid,
    ended,
    async stop() {
      child.ref()
      stdin.end()
      await ended
    },
  }
}

async function textOf(stream: Readable): Promise<string> {
  const chunks: Buffer[] = []
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  await finished(stream, { writable: false })
  return Buffer.concat(chunks).toString()
}
