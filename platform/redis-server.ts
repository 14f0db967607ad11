import { createHash } from 'node:crypto'
import { lstat, mkdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { findRedisServer, installRedisServer } from './redis-server/install.ts'
import { keep } from './redis-server/keep.ts'
import type { KeptServer } from './redis-server/keep.ts'
import { ping } from './redis-server/ping.ts'

export interface RedisServer {
  /** Path of the unix socket: the only way in. */
  readonly socket: string
  readonly pid: number
  /** Resolves with its exit code once it has gone, whoever ended it. */
  readonly ended: Promise<number>
  /** Resolves when the server is gone. What it wrote to its folder stays. */
  stop(): Promise<void>
}

export interface RedisServerOptions {
  /** Holds the append-only file, the log and (where its path is short enough) the socket. Made when absent. */
  readonly folder: string
  /** false: never install anything. */
  readonly install?: boolean
  /** How long the server of a predecessor that was killed may take to leave the folder. */
  readonly leaveMs?: number
  /** Gets each command before it runs; standard error by default. */
  readonly print?: (line: string) => void
}

// A unix socket's path has room for 108 bytes on Linux and 104 elsewhere, the closing zero included.
const longestSocketPath = 100
// Reading back a large append-only file takes a second per few hundred thousand keys.
const startMs = 60_000

/**
 * A Redis server of our own on a unix socket, with no network port, which ends when this process does. The queue it
 * carries is disposable, yet kept on disk once a second, so that a restart need not relist at once; `noeviction`
 * because BullMQ's keys must never be dropped in silence.
 *
 * @returns `missing` with the reason where there is no redis-server and none could be put there, or where another
 *          process serves this folder: it is left alone
 */
export async function startRedisServer(options: RedisServerOptions): Promise<RedisServer | { readonly missing: string }> {
  const print = options.print ?? ((line) => void process.stderr.write(`${line}\n`))
  const program = await programFor(options.install ?? true, print)
  if ('missing' in program) return program
  const folder = resolve(options.folder)
  await mkdir(folder, { recursive: true })
  const short = Buffer.byteLength(join(folder, 'redis.sock')) <= longestSocketPath ? undefined : shortFolder(folder)
  if (short !== undefined && !(await ownFolder(short))) return { missing: `redis-server: ${short} belongs to someone else` }
  const socket = join(short ?? folder, 'redis.sock')
  // The server of a predecessor that was killed is on its way out: two on one append-only file would ruin it.
  if (!(await eventually(async () => (await ping(socket)) === undefined, options.leaveMs ?? 20_000))) {
    return { missing: `another redis-server is using ${socket}` }
  }
  return start(program.path, { folder, socket, short })
}

// The same folder for the same data: who comes second must find the first.
const shortFolder = (folder: string) => join('/tmp', `megrez-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`)

async function ownFolder(path: string): Promise<boolean> {
  await mkdir(path, { mode: 0o700, recursive: true })
  const found = await lstat(path)
  return found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o077) === 0
}

async function programFor(install: boolean, print: (line: string) => void): Promise<{ path: string } | { missing: string }> {
  let path = findRedisServer()
  if (path !== undefined) return { path }
  const why = install ? await installRedisServer(print) : 'it is not on PATH, and installing it was declined'
  path = findRedisServer()
  return path === undefined ? { missing: `redis-server: ${why ?? 'installed, yet not on PATH'}` } : { path }
}

interface ServerPaths {
  readonly folder: string
  readonly socket: string
  /** A folder made for the socket alone, removed with the server. */
  readonly short: string | undefined
}

async function start(path: string, { folder, socket, short }: ServerPaths): Promise<RedisServer | { readonly missing: string }> {
  const log = join(folder, 'redis.log')
  const settings = {
    port: '0',
    unixsocket: socket,
    unixsocketperm: '700',
    dir: folder,
    save: '',
    appendonly: 'yes',
    appendfsync: 'everysec',
    'maxmemory-policy': 'noeviction',
    daemonize: 'no',
    loglevel: 'notice',
  }
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value])
  const server = await keep(path, args, { log, ...(short === undefined ? {} : { remove: short }) })
  if (await answering(server, socket)) return { socket, pid: server.pid, ended: server.ended, stop: server.stop }
  await server.stop()
  const last = (await readFile(log, 'utf8')).trim().split('\n').slice(-3).join('; ')
  return { missing: `redis-server did not come up in ${folder}: ${last}` }
}

async function answering(server: KeptServer, socket: string): Promise<boolean> {
  let gone = false
  void server.ended.then(() => (gone = true))
  await eventually(async () => gone || (await ping(socket)) === '+PONG', startMs)
  return !gone && (await ping(socket)) === '+PONG'
}

async function eventually(holds: () => Promise<boolean>, withinMs: number): Promise<boolean> {
  const deadline = Date.now() + withinMs
  while (!(await holds())) {
    if (Date.now() > deadline) return false
    await wait(20)
  }
  return true
}
