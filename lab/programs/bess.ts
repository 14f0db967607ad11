// The real bessd on one machine, as often as wanted: each in a network namespace, on a unix socket of its own. A worker that runs
// takes all of its core, so few at a time and not for long.
import { existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { run } from '../../platform/programs/run.ts'
import { until } from '../../platform/programs/until.ts'
import { keep, type KeptServer } from '../../platform/redis-server/keep.ts'
import type { Namespace } from '../namespaces.ts'

/** Names the folder of the peers: programs of others that we are tested against, each with a build.sh. */
export const peersFolder = (): string | undefined => process.env.MEGREZ_PEERS || undefined

const built = (): string => join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'megrez-peers', 'bessd')

/** The daemon, built where it is not (minutes, once), or why it is not there. */
export async function bessProgram({
  install,
  print,
}: {
  readonly install: boolean
  readonly print: (line: string) => void
}): Promise<{ readonly path: string } | { readonly missing: string }> {
  const peers = peersFolder()
  if (peers === undefined) return { missing: 'bessd: MEGREZ_PEERS names no folder with bess/build.sh' }
  const script = join(peers, 'bess', 'build.sh')
  if (!existsSync(script)) return { missing: `bessd: there is no ${script}` }
  const path = built()
  if (!install && !existsSync(path)) return { missing: `bessd: not built, and building was declined (bash ${script})` }
  print(`bessd: ${script} (does nothing where it is built)`)
  const done = await run('bash', [script, path])
  return done.code === 0 ? { path } : { missing: `bessd: ${done.stderr.trim().split('\n').at(-1) ?? 'build.sh failed'}` }
}

export interface Bessd {
  /** For a gRPC channel: `unix:/…`. */
  readonly target: string
  readonly pid: number
  /** kill -9, then started anew, with nothing in it. */
  restart(): Promise<void>
  /** kill -9 alone. */
  kill(): Promise<void>
  start(): Promise<void>
  /** Twice is once. The namespace stays. */
  stop(): Promise<void>
}

/** @param core that its worker has @param folder made, and removed by `stop`; keep it short */
export async function startBessd({
  program,
  namespace,
  folder,
  core = 0,
}: {
  readonly program: string
  readonly namespace: Namespace
  readonly folder: string
  readonly core?: number
}): Promise<Bessd> {
  await mkdir(folder, { recursive: true })
  const socket = join(folder, 'bessd.sock')
  const begin = async (): Promise<KeptServer> => {
    await rm(socket, { force: true })
    const args = ['-f', '-i', join(folder, 'bessd.pid'), '-m', '0', '--buffers', '2048', '-c', String(core), '--grpc_url', `unix:${socket}`]
    const started = await keep('ip', ['netns', 'exec', namespace.name, program, ...args], { log: join(folder, 'bessd.log') })
    await until(() => existsSync(socket), `bessd listens on ${socket}`)
    return started
  }
  let kept = await begin()
  const kill = async (): Promise<void> => {
    process.kill(kept.pid, 'SIGKILL')
    await kept.ended
  }
  return {
    target: `unix:${socket}`,
    get pid() {
      return kept.pid
    },
    kill,
    async start() {
      kept = await begin()
    },
    async restart() {
      await kill()
      kept = await begin()
    },
    async stop() {
      await kept.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
